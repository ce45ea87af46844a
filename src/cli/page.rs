//! `toolreel page`: what `cache.page` answers for an output or a handle at a moment.

use super::args::PageArguments;
use super::print::Out;
use super::{CliError, open};
use crate::replay::Replay;
use crate::replay::page::{PageError, PageOf, PageRequest};
use crate::session::Session;
use crate::tool::rig_mcp::CacheError;

/// Runs the command.
pub fn run(arguments: &PageArguments) -> Result<(), CliError> {
    let session = open::whole(&arguments.path)?;
    let replay = Replay::of(&session);
    let (offset, limit) = (number(&arguments.offset), number(&arguments.limit));
    let request = PageRequest {
        of: of(&session, &arguments.of)?,
        offset: offset.unwrap_or_default(),
        limit: limit.unwrap_or_default(),
        page_token: arguments.page_token.clone(),
        at: match &arguments.at {
            Some(at) => at.event(&session)?,
            None => None,
        },
        settings: arguments
            .settings
            .given(replay.recorded_settings().settings),
    };
    let refused = |words: String| Err(CliError::Refused(words));
    match replay.page(&session, &request) {
        // What is wrong with a token comes before everything else, and an offset beside one is not
        // looked at.
        Err(PageError::Refused(words)) if is_about_the_token(&words) => refused(words),
        Ok(_) | Err(PageError::Refused(_)) if offset.is_none() && request.page_token.is_none() => {
            refused(CacheError::NotAnInteger { field: "offset" }.to_string())
        }
        Ok(_) | Err(PageError::Refused(_)) if limit.is_none() => {
            refused(CacheError::NotAnInteger { field: "limit" }.to_string())
        }
        Ok(answer) => {
            let mut out = Out::new();
            out.json(&answer)?;
            out.finish()
        }
        Err(PageError::Refused(words)) => refused(words),
        Err(other) => Err(CliError::of(
            session.name(),
            format!("{}: {other}", arguments.of),
        )),
    }
}

/// A number as `cache.page` takes it: none inside for one that was left out, none for anything else.
#[allow(clippy::option_option)]
fn number(written: &Option<String>) -> Option<Option<u64>> {
    match written {
        None => Some(None),
        Some(written) if written.bytes().all(|byte| byte.is_ascii_digit()) => {
            written.parse().ok().map(Some)
        }
        Some(_) => None,
    }
}

fn is_about_the_token(words: &str) -> bool {
    [CacheError::PageToken, CacheError::PageTokenOffset]
        .iter()
        .any(|error| error.to_string() == words)
}

/// A call id or `#index` is an output; anything else is a handle.
fn of(session: &Session, named: &str) -> Result<PageOf, CliError> {
    if named.starts_with('#') || session.find(named).is_some() {
        return open::output(session, named).map(PageOf::Output);
    }
    Ok(PageOf::Handle(named.to_owned()))
}
