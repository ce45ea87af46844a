//! Bounding a payload, in two passes.
//!
//! The first replaces what is redacted and cuts strings and arrays at every depth. The second looks only
//! at the root and drops its fields, items or characters until the whole fits its bytes. Both work in
//! place, and the second measures no part further than there is room for, so that a payload far over its
//! budget costs little more than one within it.

use std::mem;

use serde_json::{Map, Value};

use super::budget::Budget;
use super::config::ToolResultEnvelopeConfig;
use super::envelope::{OmittedSegment, ToolResultEnvelope, ToolResultOmissionReason};
use super::page_token::ToolResultPageToken;
use super::pointer::Place;
use crate::tool::compact;

/// The account of what is left out, while it is.
pub(super) struct Bound<'a> {
    config: &'a ToolResultEnvelopeConfig,
    omitted_chars: usize,
    omitted_items: usize,
    omitted_values: usize,
    redacted_values: usize,
    omitted_segments: Vec<OmittedSegment>,
    /// Kept between the places that redaction asks for, for the sake of its memory.
    pointer: String,
}

impl<'a> Bound<'a> {
    pub(super) fn new(config: &'a ToolResultEnvelopeConfig) -> Self {
        Self {
            config,
            omitted_chars: 0,
            omitted_items: 0,
            omitted_values: 0,
            redacted_values: 0,
            omitted_segments: Vec::new(),
            pointer: String::new(),
        }
    }

    pub(super) fn apply(mut self, mut payload: Value) -> ToolResultEnvelope {
        self.cut(&mut payload, Place::Root);
        self.fit(&mut payload);
        ToolResultEnvelope {
            payload,
            truncated: self.omitted_chars > 0 || self.omitted_items > 0 || self.omitted_values > 0,
            omitted_chars: self.omitted_chars,
            omitted_items: self.omitted_items,
            omitted_values: self.omitted_values,
            redacted_values: self.redacted_values,
            page_token: self
                .omitted_segments
                .first()
                .map(|segment| segment.page_token.clone()),
            omitted_segments: self.omitted_segments,
        }
    }

    /// The first pass. Recurses as deep as the value is nested, as dropping a [`Value`] does too.
    fn cut(&mut self, value: &mut Value, place: Place<'_>) {
        if let Some(redaction) = &self.config.redaction {
            self.pointer.clear();
            place.write(&mut self.pointer);
            if let Some(replacement) = redaction.replacement(&self.pointer) {
                *value = Value::String(replacement.to_owned());
                self.redacted_values += 1;
                return;
            }
        }
        match value {
            Value::String(text) => self.cut_text(text, place),
            Value::Array(items) => self.cut_array(items, place),
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.cut(value, Place::Field(&place, key));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn cut_text(&mut self, text: &mut String, place: Place<'_>) {
        let limit = self.config.max_string_chars;
        // No text has more characters than bytes.
        if text.len() <= limit {
            return;
        }
        let Some(end) = end_of_chars(text, limit) else {
            return;
        };
        self.omitted_chars += text.get(end..).unwrap_or_default().chars().count();
        text.truncate(end);
        text.shrink_to_fit();
        self.record(place, ToolResultOmissionReason::StringChars, limit);
    }

    fn cut_array(&mut self, items: &mut Vec<Value>, place: Place<'_>) {
        let limit = self.config.max_array_items;
        if items.len() > limit {
            self.omitted_items += items.len() - limit;
            items.truncate(limit);
            items.shrink_to_fit();
            self.record(place, ToolResultOmissionReason::ArrayItems, limit);
        }
        for (index, item) in items.iter_mut().enumerate() {
            self.cut(item, Place::Item(&place, index));
        }
    }

    /// The second pass.
    fn fit(&mut self, payload: &mut Value) {
        let limit = self.config.max_total_bytes;
        match payload {
            Value::Object(fields) => self.fit_object(fields, limit),
            Value::Array(items) => self.fit_array(items, limit),
            Value::String(text) => self.fit_text(text, limit),
            scalar => {
                if compact::length_within(scalar, limit).is_none() {
                    self.omitted_values += 1;
                    self.record(Place::Root, ToolResultOmissionReason::TotalBytes, limit);
                }
            }
        }
    }

    fn fit_object(&mut self, fields: &mut Map<String, Value>, limit: usize) {
        let mut budget = Budget::container(limit);
        fields.retain(|key, value| {
            let length = budget.room().and_then(|room| {
                let key_length = compact::text_length(key) + 1;
                Some(key_length + compact::length_within(value, room.checked_sub(key_length)?)?)
            });
            let kept = length.is_some_and(|length| budget.take_part(length));
            if !kept {
                self.omitted_values += 1;
                self.record(
                    Place::Field(&Place::Root, key),
                    ToolResultOmissionReason::TotalBytes,
                    limit,
                );
            }
            kept
        });
    }

    fn fit_array(&mut self, items: &mut Vec<Value>, limit: usize) {
        let mut budget = Budget::container(limit);
        let mut index = 0;
        items.retain(|item| {
            let length = budget
                .room()
                .and_then(|room| compact::length_within(item, room));
            let kept = length.is_some_and(|length| budget.take_part(length));
            if !kept {
                self.omitted_items += 1;
                self.record(
                    Place::Item(&Place::Root, index),
                    ToolResultOmissionReason::TotalBytes,
                    limit,
                );
            }
            index += 1;
            kept
        });
    }

    fn fit_text(&mut self, text: &mut String, limit: usize) {
        let mut budget = Budget::text(limit);
        let mut dropped = 0;
        text.retain(|character| {
            let kept = budget.take_character(compact::character_length(character));
            dropped += usize::from(!kept);
            kept
        });
        if dropped > 0 {
            self.omitted_chars += dropped;
            self.record(Place::Root, ToolResultOmissionReason::TotalBytes, limit);
        }
    }

    fn record(&mut self, place: Place<'_>, reason: ToolResultOmissionReason, limit: usize) {
        let mut token = ToolResultPageToken {
            pointer: place.pointer(),
            reason,
            limit,
        };
        let page_token = token.encode();
        let pointer = mem::take(&mut token.pointer);
        self.omitted_segments.push(OmittedSegment {
            pointer,
            reason,
            page_token,
        });
    }
}

/// Where the first `chars` characters of `text` end; none where it has no more than these.
fn end_of_chars(text: &str, chars: usize) -> Option<usize> {
    // Of ASCII, which is quicker to tell than to walk, each byte is one.
    if text.as_bytes().get(..chars)?.is_ascii() {
        return (chars < text.len()).then_some(chars);
    }
    text.char_indices().nth(chars).map(|(end, _)| end)
}
