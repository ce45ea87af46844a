//! What is asked of the result cache.

use serde_json::{Map, Value};

use crate::policy::cache::{DEFAULT_LIMIT, page_token};
use crate::session::event::EventId;
use crate::tool::rig_mcp::CachedResultHandle;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Question {
    /// What the selected event asked: its own arguments, else the envelope.
    #[default]
    Own,
    /// The call itself: the envelope is the first answer.
    Envelope,
    /// `cache.page` with these arguments.
    Page(Value),
}

/// What the tab wants computed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PagesAsk {
    /// The event that the question was asked for; of another event it is forgotten.
    pub event: Option<EventId>,
    /// The question.
    pub question: Question,
    /// The limit that is asked for, as it was typed; none leaves it to `cache.page`.
    pub limit: Option<Value>,
    /// As if the handle had been released here.
    pub released: bool,
    /// An item whose answer is wanted, of whichever event is selected now.
    pub item: Option<u64>,
}

/// Arguments with a token and, where one is asked for, a limit.
pub fn by_token(token: &str, limit: Option<&Value>) -> Question {
    let mut arguments = Map::new();
    arguments.insert("page_token".to_owned(), Value::from(token));
    with_limit(arguments, limit)
}

/// Arguments with an offset and, where one is asked for, a limit.
pub fn by_offset(handle: &str, offset: Value, limit: Option<&Value>) -> Question {
    let mut arguments = Map::new();
    arguments.insert("handle".to_owned(), Value::from(handle));
    arguments.insert("offset".to_owned(), offset);
    with_limit(arguments, limit)
}

fn with_limit(mut arguments: Map<String, Value>, limit: Option<&Value>) -> Question {
    if let Some(limit) = limit {
        arguments.insert("limit".to_owned(), limit.clone());
    }
    Question::Page(Value::Object(arguments))
}

/// The same question with another limit.
pub fn limited(question: &Question, limit: Option<&Value>) -> Question {
    match question {
        Question::Page(Value::Object(arguments)) => {
            let mut arguments = arguments.clone();
            arguments.remove("limit");
            with_limit(arguments, limit)
        }
        other => other.clone(),
    }
}

/// A number as JSON, what is none as a string: `cache.page` answers that with its own error.
pub fn typed(text: &str) -> Value {
    let text = text.trim();
    serde_json::from_str(text)
        .ok()
        .filter(Value::is_number)
        .unwrap_or_else(|| Value::from(text))
}

/// How the answers follow each other when every token is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Course {
    /// Items of the envelope.
    pub first: u64,
    /// Items of each answer after it.
    pub limit: u64,
    /// All items.
    pub total: u64,
}

impl Course {
    /// The course at a limit; one that `cache.page` refuses or that never ends leaves its default.
    pub fn new(first: u64, limit: Option<&Value>, total: u64) -> Self {
        let limit = limit.and_then(Value::as_u64).filter(|limit| *limit > 0);
        Self {
            first,
            limit: limit.unwrap_or(DEFAULT_LIMIT),
            total,
        }
    }

    /// How many answers there are, the envelope counted.
    pub const fn answers(&self) -> u64 {
        1 + self.total.saturating_sub(self.first).div_ceil(self.limit)
    }

    /// Which answer begins with an item, counted from 1; none where none does.
    pub fn answer_from(&self, item: u64) -> Option<u64> {
        if item == 0 && self.first > 0 {
            return Some(1);
        }
        let after = item.checked_sub(self.first)?;
        let aligned = after.is_multiple_of(self.limit) && item < self.total;
        aligned.then(|| 2 + after / self.limit)
    }

    /// The question for the answer that brings an item.
    pub fn question_for(&self, item: u64, handle: &str, limit: Option<&Value>) -> Question {
        match item.checked_sub(self.first) {
            None => Question::Envelope,
            Some(after) => {
                let offset = self.first + after / self.limit * self.limit;
                let handle = CachedResultHandle(handle.to_owned());
                by_token(&page_token(&handle, offset), limit)
            }
        }
    }

    /// The first item of the last answer; none where the envelope is the only one.
    pub fn last(&self) -> Option<u64> {
        let pages = self.answers().checked_sub(2)?;
        Some(self.first + pages * self.limit)
    }

    /// The question for the last answer.
    pub fn last_question(&self, handle: &str, limit: Option<&Value>) -> Question {
        match self.last() {
            Some(offset) => by_token(
                &page_token(&CachedResultHandle(handle.to_owned()), offset),
                limit,
            ),
            None => Question::Envelope,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_course_of_412_items() {
        let course = Course::new(64, None, 412);
        assert_eq!(course.answers(), 7);
        assert_eq!(course.last(), Some(384));
        for (item, answer) in [(0, Some(1)), (64, Some(2)), (256, Some(5)), (65, None)] {
            assert_eq!(course.answer_from(item), answer);
        }
        assert_eq!(Course::new(20, Some(&json!(20)), 412).answers(), 21);
        assert_eq!(Course::new(20, None, 412).answers(), 8);
        assert_eq!(Course::new(412, None, 412).answers(), 1);
        assert_eq!(Course::new(412, None, 412).last(), None);
    }

    #[test]
    fn what_is_typed_is_asked_as_it_is() {
        assert_eq!(typed(" 20 "), json!(20));
        assert_eq!(typed("-1"), json!(-1));
        assert_eq!(typed("many"), json!("many"));
        assert_eq!(
            limited(&by_token("h:offset:3", Some(&json!(5))), None),
            by_token("h:offset:3", None)
        );
    }
}
