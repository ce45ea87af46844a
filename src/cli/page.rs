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
    let offset = Number::of(arguments.offset.as_deref());
    let limit = Number::of(arguments.limit.as_deref());
    let request = PageRequest {
        of: of(&session, &arguments.of)?,
        offset: offset.value(),
        limit: limit.value(),
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
        Ok(_) | Err(PageError::Refused(_))
            if offset == Number::Wrong && request.page_token.is_none() =>
        {
            refused(CacheError::NotAnInteger { field: "offset" }.to_string())
        }
        Ok(_) | Err(PageError::Refused(_)) if limit == Number::Wrong => {
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

/// An argument of `cache.page` that has to be a non-negative integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    LeftOut,
    Given(u64),
    Wrong,
}

impl Number {
    fn of(written: Option<&str>) -> Self {
        match written {
            None => Self::LeftOut,
            // Rust would also take a sign, which JSON has not.
            Some(written) if written.bytes().all(|byte| byte.is_ascii_digit()) => {
                written.parse().map_or(Self::Wrong, Self::Given)
            }
            Some(_) => Self::Wrong,
        }
    }

    const fn value(self) -> Option<u64> {
        match self {
            Self::Given(number) => Some(number),
            Self::LeftOut | Self::Wrong => None,
        }
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
