//! The first line: which recording, how much is in it, and what was lost.

use super::canvas::Canvas;
use super::theme::Theme;
use crate::text::{cells, fit, grouped};

/// What a session holds, counted by a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Events, captions not counted.
    pub events: usize,
    /// Calls of tools.
    pub calls: usize,
    /// Outputs that are errors.
    pub errors: usize,
    /// Outputs that lost data.
    pub lost: usize,
}

fn joined(parts: &[(u8, String)], separator: &str) -> String {
    let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
    texts.join(separator)
}

/// What the line is drawn from.
pub struct Title<'a> {
    /// The name of the recording.
    pub name: &'a str,
    /// Its format.
    pub format: &'a str,
    /// How much is in it.
    pub counts: Counts,
    /// How much of the file the index has passed, in percent; none when it is whole.
    pub progress: Option<u64>,
    /// Everything that was lost or is wrong, where the list of it has no room.
    pub folded: Option<usize>,
    /// What happened to the file.
    pub banner: Option<&'a str>,
    /// The theme.
    pub theme: &'a Theme,
}

impl Title<'_> {
    /// Draws the line.
    pub fn view(&self, canvas: &mut Canvas<'_>) {
        let theme = self.theme;
        let width = canvas.columns();
        let narrow = width < 100;
        let separator = if narrow { "  " } else { " · " };
        let after = canvas.put(1, 0, "toolreel", theme.title);
        let lost = self.lost_words();
        let banner = self.banner.unwrap_or_default();
        let name_at = after + 2;
        let counts_gap = if narrow { 2 } else { 3 };
        // What matters least gives way first; the name keeps a dozen cells.
        let mut parts = self.parts(narrow);
        let room = usize::from(width.saturating_sub(name_at + counts_gap));
        let fixed = cells(&lost) + cells(banner) + 4;
        let least = cells(self.name).min(12);
        while !parts.is_empty() && cells(&joined(&parts, separator)) + fixed + least > room + 2 {
            let place = parts.iter().enumerate().min_by_key(|(_, part)| part.0);
            let place = place.map_or(0, |(place, _)| place);
            parts.remove(place);
        }
        let counts = joined(&parts, separator);
        let name_room = room
            .saturating_sub(
                cells(&counts)
                    + if lost.is_empty() {
                        0
                    } else {
                        cells(&lost) + cells(separator)
                    },
            )
            .max(least);
        let after = canvas.put(name_at, 0, &fit(self.name, name_room), theme.strong);
        let after = canvas.put(after + counts_gap, 0, &counts, theme.dim);
        if !banner.is_empty() {
            let end = width.saturating_sub(1);
            canvas.put_right(end, 0, &format!("  {banner}"), theme.finding);
        } else if !lost.is_empty() {
            let after = if counts.is_empty() {
                after
            } else {
                canvas.put(after, 0, separator, theme.dim)
            };
            canvas.put(after, 0, &lost, theme.never);
        }
    }

    /// What is counted, each with its weight.
    fn parts(&self, narrow: bool) -> Vec<(u8, String)> {
        let Counts {
            events,
            calls,
            errors,
            ..
        } = self.counts;
        let count = |number: usize, word: &str| {
            let plural = if number == 1 { "" } else { "s" };
            format!("{} {word}{plural}", grouped(number as u64))
        };
        let mut parts = vec![(1, self.format.to_owned()), (3, count(events, "event"))];
        if let Some(percent) = self.progress {
            parts.push((4, format!("{percent} %")));
        }
        if !narrow {
            parts.push((0, count(calls, "call")));
        }
        if errors > 0 {
            parts.push((2, count(errors, "error")));
        }
        parts
    }

    fn lost_words(&self) -> String {
        let plural = |number: usize| if number == 1 { "" } else { "s" };
        match (self.counts.lost, self.folded) {
            (0, None | Some(0)) => String::new(),
            (lost, None) => format!("{lost} output{} lost data", plural(lost)),
            // The same number as where there is room, and the key to the list that has none.
            (0, Some(all)) => format!("{all} wrong ]l"),
            (lost, Some(_)) => format!("{lost} lost data ]l"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::{Buffer, Cell};
    use ratatui::layout::Rect;

    use super::*;

    fn drawn(columns: u16, folded: Option<usize>) -> String {
        let area = Rect::new(0, 0, columns, 1);
        let mut buffer = Buffer::empty(area);
        let title = Title {
            name: "released-too-early.jsonl",
            format: "native",
            counts: Counts {
                events: 29,
                calls: 12,
                errors: 2,
                lost: 3,
            },
            progress: None,
            folded,
            banner: None,
            theme: &Theme::plain(),
        };
        title.view(&mut Canvas::new(&mut buffer, area));
        let line: String = buffer.content.iter().map(Cell::symbol).collect();
        line.trim_end().to_owned()
    }

    #[test]
    fn the_line_of_the_main_screen() {
        assert_eq!(
            drawn(100, None),
            " toolreel  released-too-early.jsonl   native · 29 events · 12 calls · 2 errors · 3 outputs lost data"
        );
    }

    #[test]
    fn a_narrow_screen_counts_the_same_as_a_wide_one() {
        for columns in 40..100 {
            let line = drawn(columns, Some(5));
            assert!(line.ends_with("3 lost data ]l"), "{columns}: {line}");
        }
    }
}
