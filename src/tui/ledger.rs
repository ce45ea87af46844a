//! The ledger: what was returned, sent, read later and never sent. It stands above every tab.
//!
//! ```text
//! returned    412 items  147,787 B  ~63k tok
//! sent         64 items   23,625 B  ~10k tok   cached envelope
//! read later  128 items   46,273 B  ~20k tok   by #9 and #11
//! NEVER SENT  220 items   78,272 B  ~33k tok   w  why?
//! ```

use std::fmt::Write;

use ratatui::style::Style;

use super::canvas::Canvas;
use super::theme::Theme;
use crate::replay::ledger::{Amount, Cut, Ledger, Measure, SentAs};
use crate::replay::rerun::{Reason, Row};
use crate::session::event::EventId;
use crate::text::{cells, grouped, short_count};

/// Cells of the labels.
const LABEL: u16 = 13;

/// Draws the four lines, or one where there is room for one.
pub fn view(canvas: &mut Canvas<'_>, ledger: &Ledger, rerun: Option<&Row>, theme: &Theme) {
    if canvas.rows() < 4 {
        one_line(canvas, ledger, rerun, theme);
        return;
    }
    let nothing_never = is_nothing(&ledger.never_sent);
    let beside = rerun.and_then(|row| rerun_words(ledger, row));
    let lines: [(&str, &Amount, String, Style, Style); 4] = [
        (
            "returned",
            &ledger.returned,
            String::new(),
            theme.strong,
            theme.text,
        ),
        (
            "sent",
            &ledger.sent,
            beside.clone().unwrap_or_else(|| sent_note(ledger)),
            theme.sent,
            if beside.is_some() {
                theme.changed
            } else {
                theme.dim
            },
        ),
        (
            "read later",
            &ledger.read_later,
            read_by(&ledger.read_by),
            theme.later,
            theme.dim,
        ),
        (
            "NEVER SENT",
            &ledger.never_sent,
            if nothing_never {
                String::new()
            } else {
                "w  why?".to_owned()
            },
            if nothing_never {
                theme.dim
            } else {
                theme.never
            },
            theme.key,
        ),
    ];
    let amounts: Vec<[String; 3]> = lines.iter().map(|line| columns(line.1)).collect();
    let widths: [u16; 3] = std::array::from_fn(|column| {
        let widest = amounts.iter().map(|amount| cells(&amount[column])).max();
        u16::try_from(widest.unwrap_or(0)).unwrap_or(u16::MAX)
    });
    for (row, ((label, amount, note, style, note_style), shown)) in
        (0..).zip(lines.iter().zip(&amounts))
    {
        let label = if nothing_never && *label == "NEVER SENT" {
            "never sent"
        } else {
            label
        };
        canvas.put(1, row, label, *style);
        if let Amount::Unknown(unknown) = amount {
            let room = canvas.columns().saturating_sub(LABEL);
            canvas.field(LABEL, row, room, unknown.words(), theme.unrecorded);
            continue;
        }
        if is_nothing(amount) {
            canvas.put(LABEL, row, "nothing", theme.dim);
            continue;
        }
        let mut end = LABEL;
        for (text, width) in shown.iter().zip(widths) {
            end += width;
            canvas.put_right(end, row, text, theme.text);
            end += if width > 0 { 2 } else { 0 };
        }
        // One cell more where there is room for it.
        let wide = usize::from(canvas.columns().saturating_sub(end + 1)) >= cells(note);
        let at = if wide { end + 1 } else { end };
        let room = canvas.columns().saturating_sub(at);
        canvas.field(at, row, room, note, *note_style);
    }
}

/// The result cache has a say in it: an array, cached or small enough.
pub fn is_touched(row: &Row) -> bool {
    matches!(row.reason, None | Some(Reason::UnderThreshold))
}

/// What the re-run would have sent, where that is something else than what was sent.
fn rerun_words(ledger: &Ledger, row: &Row) -> Option<String> {
    let bytes = row.bytes_after.filter(|_| is_touched(row))?;
    let sent = ledger.sent.measure().and_then(|measure| measure.bytes);
    (sent != Some(bytes)).then(|| format!("re-run {} B", grouped(bytes)))
}

/// A part of the one line: in full, in short, and how it is drawn.
struct Part {
    full: String,
    short: String,
    style: Style,
}

impl Part {
    fn new(text: impl Into<String>, style: Style) -> Self {
        let full = text.into();
        Self {
            short: full.clone(),
            full,
            style,
        }
    }

    fn counted(label: &str, measure: &Measure, unit: Unit, style: Style) -> Self {
        let with = |number: String| format!("{label} {number}");
        Self {
            full: with(in_unit(measure, unit, grouped)),
            short: with(in_unit(measure, unit, short_count)),
            style,
        }
    }
}

/// What was never sent is never cut. What stands beside it gives way: first in short numbers, then
/// from the end, with a mark for what is missing.
fn one_line(canvas: &mut Canvas<'_>, ledger: &Ledger, rerun: Option<&Row>, theme: &Theme) {
    const GAP: usize = 2;
    let never = never_part(ledger, theme);
    let beside = parts_beside(ledger, theme);
    let rerun = rerun
        .and_then(|row| rerun_words(ledger, row))
        .map(|words| Part::new(words, theme.changed));
    let has_rerun = rerun.is_some();
    let room = usize::from(canvas.columns().saturating_sub(1));
    let shown = |kept: usize, with_rerun: bool, short: bool| {
        let rerun = rerun.as_ref().filter(|_| with_rerun);
        let is_whole = kept == beside.len() && has_rerun == with_rerun;
        let mut shown: Vec<(String, Style)> = Vec::new();
        for part in beside.iter().take(kept) {
            let text = if short { &part.short } else { &part.full };
            shown.push((text.clone(), part.style));
        }
        if !is_whole {
            shown.push(("…".to_owned(), theme.dim));
        }
        shown.push((never.full.clone(), never.style));
        if let Some(rerun) = rerun {
            shown.push((rerun.full.clone(), rerun.style));
        }
        shown
    };
    let width = |shown: &[(String, Style)]| {
        let texts: usize = shown.iter().map(|(text, _)| cells(text)).sum();
        texts + GAP * shown.len().saturating_sub(1)
    };
    let all = beside.len();
    let ways = [(all, has_rerun, false), (all, has_rerun, true)]
        .into_iter()
        .chain([(all, false, false), (all, false, true)])
        .chain((0..all).rev().map(|kept| (kept, false, true)));
    let fitting = ways
        .map(|(kept, with_rerun, short)| shown(kept, with_rerun, short))
        .find(|shown| width(shown) <= room);
    let shown = fitting.unwrap_or_else(|| vec![(never.full.clone(), never.style)]);
    let mut column = 1;
    for (text, style) in shown {
        let left = canvas.columns().saturating_sub(column);
        let cells = u16::try_from(cells(&text)).unwrap_or(u16::MAX).min(left);
        // Cut with a mark on a screen that has not even room for this.
        column = canvas.field(column, 0, cells, &text, style) + 2;
    }
}

fn never_part(ledger: &Ledger, theme: &Theme) -> Part {
    match &ledger.never_sent {
        amount if is_nothing(amount) => Part::new("all of it", theme.dim),
        Amount::Known(measure) => {
            Part::counted("NEVER SENT", measure, unit_of(ledger), theme.never)
        }
        Amount::Unknown(_) => Part::new("never sent ?", theme.unrecorded),
    }
}

fn parts_beside(ledger: &Ledger, theme: &Theme) -> Vec<Part> {
    let unit = unit_of(ledger);
    let returned = match &ledger.returned {
        Amount::Known(measure) => Part {
            full: in_unit(measure, unit, grouped) + " " + unit.name(),
            short: in_unit(measure, unit, short_count) + " " + unit.name(),
            style: theme.strong,
        },
        Amount::Unknown(_) => Part::new("returned ?", theme.unrecorded),
    };
    let mut parts = vec![returned];
    parts.push(match &ledger.sent {
        Amount::Known(measure) => Part::counted("sent", measure, unit, theme.sent),
        Amount::Unknown(_) => Part::new("sent ?", theme.unrecorded),
    });
    match &ledger.read_later {
        amount if is_nothing(amount) => {}
        Amount::Known(measure) => parts.push(Part::counted("later", measure, unit, theme.later)),
        Amount::Unknown(_) => parts.push(Part::new("later ?", theme.unrecorded)),
    }
    parts
}

/// The unit that the one line counts in: the coarsest that every known amount has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Items,
    Chars,
    Bytes,
}

fn unit_of(ledger: &Ledger) -> Unit {
    let known: Vec<&Measure> = [&ledger.returned, &ledger.sent, &ledger.never_sent]
        .into_iter()
        .filter_map(Amount::measure)
        .collect();
    let all = |has: fn(&Measure) -> bool| !known.is_empty() && known.iter().all(|one| has(one));
    if all(|measure| measure.items.is_some()) {
        Unit::Items
    } else if all(|measure| measure.chars.is_some()) {
        Unit::Chars
    } else {
        Unit::Bytes
    }
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Chars => "chars",
            Self::Bytes => "B",
        }
    }
}

fn in_unit(measure: &Measure, unit: Unit, written: fn(u64) -> String) -> String {
    let number = match unit {
        Unit::Items => measure.items,
        Unit::Chars => measure.chars,
        Unit::Bytes => measure.bytes,
    };
    number.map_or_else(|| "?".to_owned(), written)
}

fn is_nothing(amount: &Amount) -> bool {
    amount.measure().is_some_and(|measure| {
        let all = [measure.items, measure.chars, measure.lines, measure.bytes];
        all.iter().any(Option::is_some) && all.iter().flatten().all(|&number| number == 0)
    })
}

/// Items or characters, bytes, tokens.
fn columns(amount: &Amount) -> [String; 3] {
    let Amount::Known(measure) = amount else {
        return Default::default();
    };
    if is_nothing(amount) {
        return Default::default();
    }
    let counted = match (measure.items, measure.chars, measure.lines) {
        (Some(1), ..) => "1 item".to_owned(),
        (Some(items), ..) => format!("{} items", grouped(items)),
        (None, Some(chars), _) => format!("{} chars", grouped(chars)),
        (None, None, Some(1)) => "1 line".to_owned(),
        (None, None, Some(lines)) => format!("{} lines", grouped(lines)),
        (None, None, None) => String::new(),
    };
    let bytes = measure
        .bytes
        .map(|bytes| format!("{} B", grouped(bytes)))
        .unwrap_or_default();
    let tokens = measure
        .tokens
        .map(|tokens| format!("~{} tok", short_count(tokens)))
        .unwrap_or_default();
    [counted, bytes, tokens]
}

/// In what form it was sent, and who cut it by which rule.
fn sent_note(ledger: &Ledger) -> String {
    match &ledger.sent_as {
        None => String::new(),
        Some(SentAs::CachedEnvelope) => "cached envelope".to_owned(),
        Some(SentAs::BoundedEnvelope) => "bounded envelope".to_owned(),
        Some(SentAs::Cut(cut)) => cut_words(cut),
        Some(SentAs::Replaced) => "another text".to_owned(),
    }
}

fn cut_words(cut: &Cut) -> String {
    let mut text = match &cut.client {
        Some(client) => format!("cut by {client}"),
        None => "cut".to_owned(),
    };
    if let Some(rule) = &cut.rule {
        let _ = write!(text, ", {rule}");
    }
    if let Some((count, unit)) = cut.claimed {
        let _ = write!(
            text,
            " ({} {} missing, it says)",
            grouped(count),
            unit.word(count)
        );
    }
    text
}

/// `by #9 and #11`, `by #9, #11 and 3 more`.
fn read_by(events: &[EventId]) -> String {
    let name = |event: &EventId| format!("#{}", event.index());
    match events {
        [] => String::new(),
        [one] => format!("by {}", name(one)),
        [one, two] => format!("by {} and {}", name(one), name(two)),
        [one, two, rest @ ..] => format!("by {}, {} and {} more", name(one), name(two), rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::{Buffer, Cell};
    use ratatui::layout::Rect;

    use super::*;
    use crate::replay::ledger::Unknown;
    use crate::session::event::Evidence;

    fn items(items: u64, bytes: u64, tokens: u64) -> Amount {
        Amount::Known(Measure {
            items: Some(items),
            bytes: Some(bytes),
            tokens: Some(tokens),
            ..Measure::default()
        })
    }

    fn paged() -> Ledger {
        Ledger {
            event: EventId::from_position(5),
            returned: items(412, 147_787, 63_000),
            sent: items(64, 23_625, 10_000),
            sent_as: Some(SentAs::CachedEnvelope),
            read_later: items(128, 46_273, 20_000),
            read_by: vec![EventId::from_position(8), EventId::from_position(10)],
            never_sent: items(220, 78_272, 33_000),
            evidence: Evidence::Recorded,
        }
    }

    fn drawn(ledger: &Ledger, columns: u16, rows: u16) -> Vec<String> {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        view(
            &mut Canvas::new(&mut buffer, area),
            ledger,
            None,
            &Theme::plain(),
        );
        buffer
            .content
            .chunks(usize::from(columns))
            .map(|row| {
                row.iter()
                    .map(Cell::symbol)
                    .collect::<String>()
                    .trim_end()
                    .to_owned()
            })
            .collect()
    }

    #[test]
    fn four_lines_in_columns() {
        assert_eq!(
            drawn(&paged(), 61, 4),
            [
                " returned    412 items  147,787 B  ~63k tok",
                " sent         64 items   23,625 B  ~10k tok   cached envelope",
                " read later  128 items   46,273 B  ~20k tok   by #9 and #11",
                " NEVER SENT  220 items   78,272 B  ~33k tok   w  why?",
            ]
        );
    }

    #[test]
    fn one_line_says_the_same() {
        assert_eq!(
            drawn(&paged(), 55, 1),
            [" 412 items  sent 64  later 128  NEVER SENT 220"]
        );
    }

    #[test]
    fn what_was_never_sent_is_whole_at_every_width() {
        let chars = |chars| {
            Amount::Known(Measure {
                chars: Some(chars),
                ..Measure::default()
            })
        };
        let ledger = Ledger {
            returned: chars(75_215),
            sent: chars(2_044),
            read_later: chars(1_500),
            never_sent: chars(71_671),
            ..paged()
        };
        let at = |columns| drawn(&ledger, columns, 1).remove(0);
        for columns in 19..120 {
            let line = at(columns);
            assert!(line.contains("NEVER SENT 71,671"), "{columns}: {line}");
        }
        for columns in 4..18 {
            let line = at(columns);
            assert!(line.ends_with('…'), "{columns}: {line}");
        }
        assert_eq!(
            at(55),
            " 75k chars  sent 2.0k  later 1.5k  NEVER SENT 71,671"
        );
        assert_eq!(at(35), " 75k chars  …  NEVER SENT 71,671");
    }

    #[test]
    fn what_is_not_known_says_so() {
        let ledger = Ledger {
            returned: Amount::Unknown(Unknown::LogKeepsSent),
            sent: Amount::Known(Measure {
                bytes: Some(10_000),
                chars: Some(10_000),
                ..Measure::default()
            }),
            sent_as: Some(SentAs::Cut(Cut {
                client: Some("Claude Code".into()),
                ..Cut::default()
            })),
            read_later: items(0, 0, 0),
            never_sent: Amount::Unknown(Unknown::ReturnedUnknown),
            ..paged()
        };
        let lines = drawn(&ledger, 80, 4);
        assert_eq!(
            lines[0],
            " returned    not in this file (the log keeps what was sent)"
        );
        assert!(lines[1].ends_with("cut by Claude Code"), "{}", lines[1]);
        assert_eq!(lines[2], " read later  nothing");
    }
}
