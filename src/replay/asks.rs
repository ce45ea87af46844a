//! Calls of `cache.page` and `cache.release` in a recording, and what they were answered.
//!
//! Clients mangle tool names (`server__cache.page`, `mcp__x__cache_page`), so anything but the exact
//! name has to look like such a call in its arguments or its answer as well.

use serde_json::Value;

use crate::tool::rig_mcp::PageRequest;

/// The two tools of the result cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheTool {
    Page,
    Release,
}

/// What the error of a handle that is not live says, wherever a client put its own words around it.
const UNKNOWN_HANDLE: &str = "unknown cached result handle";

/// A call of the result cache with its answer, as far as both can be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    /// A page was given.
    Page(PageGiven),
    /// A page was refused.
    Refused(Refusal),
    /// A handle was released, or there was nothing to release.
    Released {
        /// The handle.
        handle: String,
        /// Whether there was something to release.
        released: bool,
    },
    /// A call of the cache whose answer cannot be read: cut by a client, for example.
    Unreadable,
}

/// An answer of `cache.page`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PageGiven {
    pub handle: String,
    pub offset: u64,
    pub limit: Option<u64>,
    pub total: u64,
    pub items: Vec<Value>,
}

/// A refused call of `cache.page`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// What was asked for, where the arguments say it.
    pub wanted: Option<Wanted>,
    /// The handle was not live, and not the arguments wrong.
    pub unknown_handle: bool,
    /// The error text.
    pub error: String,
}

/// What the arguments of `cache.page` ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub handle: String,
    pub offset: u64,
    pub limit: u64,
}

/// Which tool of the cache a name means, and whether it is the exact name.
pub(super) fn cache_tool(name: &str) -> Option<(CacheTool, bool)> {
    let tail = |suffix: &str| {
        let at = name.len().checked_sub(suffix.len())?;
        let (head, tail) = (name.get(..at)?, name.get(at..)?);
        let same = tail
            .chars()
            .zip(suffix.chars())
            .all(|(c, s)| c.eq_ignore_ascii_case(&s) || (s == '.' && matches!(c, '_' | '-')));
        let apart = head.is_empty() || head.ends_with(['_', '.', '-', '/', ':']);
        (same && apart).then_some(())
    };
    if tail("cache.page").is_some() {
        Some((CacheTool::Page, name == "cache.page"))
    } else if tail("cache.release").is_some() {
        Some((CacheTool::Release, name == "cache.release"))
    } else {
        None
    }
}

/// Reads a call of the result cache; none where it only has a similar name.
pub(super) fn read(
    tool: &str,
    arguments: Option<&Value>,
    answer: Option<&Value>,
    error: Option<&str>,
) -> Option<Asked> {
    let (kind, exact) = cache_tool(tool)?;
    let asked = match kind {
        CacheTool::Page => read_page(arguments, answer, error),
        CacheTool::Release => read_release(answer),
    };
    match asked {
        Some(asked) => Some(asked),
        None if exact || arguments.is_some_and(looks_like_arguments) => Some(Asked::Unreadable),
        None => None,
    }
}

fn read_page(
    arguments: Option<&Value>,
    answer: Option<&Value>,
    error: Option<&str>,
) -> Option<Asked> {
    if let Some(given) = answer.and_then(page_given) {
        return Some(Asked::Page(given));
    }
    let error = error?;
    let at = error.find("invalid argument: ")?;
    Some(Asked::Refused(Refusal {
        wanted: arguments.and_then(wanted),
        unknown_handle: error.contains(UNKNOWN_HANDLE),
        error: error.get(at..).unwrap_or(error).trim_end().to_owned(),
    }))
}

/// The answer of `cache.page`, recognised by its keys.
pub(super) fn page_given(answer: &Value) -> Option<PageGiven> {
    Some(PageGiven {
        handle: answer.get("handle")?.as_str()?.to_owned(),
        offset: answer.get("offset")?.as_u64()?,
        limit: answer.get("limit").and_then(Value::as_u64),
        total: answer.get("total_items")?.as_u64()?,
        items: answer.get("items")?.as_array()?.clone(),
    })
}

fn read_release(answer: Option<&Value>) -> Option<Asked> {
    let answer = answer?;
    Some(Asked::Released {
        handle: answer.get("handle")?.as_str()?.to_owned(),
        released: answer.get("released")?.as_bool()?,
    })
}

/// What the arguments of `cache.page` ask for; none where they are refused themselves.
pub(super) fn wanted(arguments: &Value) -> Option<Wanted> {
    let request = PageRequest::from_args(arguments).ok()?;
    Some(Wanted {
        handle: request.handle.0,
        offset: request.offset as u64,
        limit: request.limit as u64,
    })
}

fn looks_like_arguments(arguments: &Value) -> bool {
    let text = |key| arguments.get(key).is_some_and(Value::is_string);
    text("page_token") || text("handle")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_as_clients_mangle_them_are_known() {
        for (name, expected) in [
            ("cache.page", Some((CacheTool::Page, true))),
            ("cache.release", Some((CacheTool::Release, true))),
            ("tracker__cache.page", Some((CacheTool::Page, false))),
            ("mcp__x__cache_page", Some((CacheTool::Page, false))),
            ("mcp__x__cache-release", Some((CacheTool::Release, false))),
            ("x/cache.page", Some((CacheTool::Page, false))),
            ("precache.page", None),
            ("cache.pages", None),
            ("页cache.page", None),
            ("", None),
        ] {
            assert_eq!(cache_tool(name), expected, "{name}");
        }
    }

    #[test]
    fn a_similar_name_alone_is_not_enough() {
        let other = json!({"url": "https://example.org"});
        assert_eq!(
            read("http__cache_page", Some(&other), Some(&json!("ok")), None),
            None
        );
        let ask = json!({"page_token": "mcp-cache-0:offset:64"});
        assert_eq!(
            read(
                "http__cache_page",
                Some(&ask),
                Some(&json!("cut off…")),
                None
            ),
            Some(Asked::Unreadable)
        );
    }

    #[test]
    fn an_error_is_found_in_the_words_around_it() {
        let ask = json!({"handle": "mcp-cache-7", "offset": 40});
        let error = "[tool error] invalid argument: unknown cached result handle\n";
        let Some(Asked::Refused(refusal)) = read("cache.page", Some(&ask), None, Some(error))
        else {
            panic!("refused");
        };
        assert!(refusal.unknown_handle);
        assert_eq!(
            refusal.error,
            "invalid argument: unknown cached result handle"
        );
        assert_eq!(
            refusal.wanted,
            Some(Wanted {
                handle: "mcp-cache-7".into(),
                offset: 40,
                limit: 64
            })
        );
    }

    #[test]
    fn a_token_wins_over_handle_and_offset() {
        let ask =
            json!({"handle": 5, "offset": "x", "page_token": "a:offset:1:offset:7", "limit": 2});
        let expected = Wanted {
            handle: "a:offset:1".into(),
            offset: 7,
            limit: 2,
        };
        assert_eq!(wanted(&ask), Some(expected));
        assert_eq!(wanted(&json!({"handle": "h", "limit": null})), None);
        assert_eq!(wanted(&json!({"page_token": "mcp-cache-0:ofset:40"})), None);
    }
}
