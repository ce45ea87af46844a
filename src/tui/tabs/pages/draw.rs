//! The picture of the Pages tab.

use super::build::{Life, PagesData};
use super::question::Question;
use super::{PagesTab, Visited};
use crate::policy::Unit;
use crate::replay::pages::AnswerResult;
use crate::text::{cells, grouped, short_count, visible};
use crate::tui::canvas::Canvas;
use crate::tui::keys::Scope;
use crate::tui::tabs::hints::hints;
use crate::tui::tabs::line::{Ink, Line, width};
use crate::tui::tabs::rows::Rows;
use crate::tui::theme::{Theme, glyph};

/// From this many rows on the keys of the tab are named below it.
const ROOM_FOR_KEYS: u16 = 17;

/// Rows of the handle's line and the map.
pub const MAP_ROWS: u16 = 4;

/// Rows that the arguments of a question may take: a pasted text of any length leaves room for the
/// answer to it.
const ASKED_ROWS: usize = 8;

/// Where the parts of the tab stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// First row of the lines about the answer.
    pub answer: u16,
    /// First row of the sheet.
    pub sheet: u16,
    /// Rows of the sheet.
    pub sheet_rows: u16,
    /// The row of the totals; none where there is no room.
    pub totals: Option<u16>,
    /// First row of the keys.
    pub keys: u16,
}

impl Places {
    /// The places in a pane of so many columns and rows.
    pub fn of(life: &Life, columns: u16, rows: u16) -> Self {
        let keys = if rows >= ROOM_FOR_KEYS {
            hints(Scope::Pages, columns).len() as u16
        } else {
            0
        };
        let answer = MAP_ROWS;
        let sheet = answer + answer_lines(life, columns).len() as u16;
        let end = rows.saturating_sub(keys);
        let totals = (end > sheet + 1).then(|| end - 1);
        let end = totals.unwrap_or(end);
        Self {
            answer,
            sheet,
            sheet_rows: end.saturating_sub(sheet),
            totals,
            keys: rows.saturating_sub(keys),
        }
    }
}

impl PagesTab {
    pub(super) fn draw(&self, data: &PagesData, canvas: &mut Canvas<'_>, theme: &Theme) {
        let Some(life) = &data.life else {
            Line::of(Ink::Dim, data.reason.clone()).draw(canvas, 0, 0, theme);
            return;
        };
        let (columns, rows) = (canvas.columns(), canvas.rows());
        let places = Places::of(life, columns, rows);
        title(life).draw(canvas, 0, 0, theme);
        let position = match life.number() {
            Some(number) => format!("answer {number} of {}", life.course.answers()),
            None => String::new(),
        };
        life.map.draw(life.cell(), &position, canvas, 1, theme);
        for (line, row) in answer_lines(life, columns).iter().zip(places.answer..) {
            line.draw(canvas, 0, row, theme);
        }
        let mut part = canvas.part(0, places.sheet, columns, places.sheet_rows);
        self.sheet.view(&life.sheet, &mut part, theme);
        if let Some(row) = places.totals {
            totals(life, &self.visited, self.read_all).draw(canvas, 0, row, theme);
        }
        if places.keys < rows {
            for (line, row) in hints(Scope::Pages, columns).iter().zip(places.keys..) {
                line.draw(canvas, 0, row, theme);
            }
        }
    }
}

fn title(life: &Life) -> Line {
    let mut line = Line::of(Ink::Strong, life.handle.clone())
        .and(Ink::Text, format!("   {} items", grouped(life.total)));
    line = match (life.released, life.settings) {
        _ if life.released_here => line.and(Ink::Error, "   released here"),
        (_, Some(settings)) => line.and(
            Ink::Changed,
            format!("   re-run, page_size {}", grouped(settings.page_size)),
        ),
        (Some(released), None) => line.and(
            Ink::Text,
            format!("   live #{} to #{}", life.stored.index(), released.index()),
        ),
        (None, None) => line.and(Ink::Text, format!("   live from #{}", life.stored.index())),
    };
    let at = match life.at {
        Some(at) => format!("as of #{}", at.index()),
        None => "as of the end".to_owned(),
    };
    line.right(Ink::Dim, at)
}

fn answer_lines(life: &Life, columns: u16) -> Vec<Line> {
    let label = |word: &str| Line::of(Ink::Name, format!("{word:<6}"));
    let answer = &life.answer;
    let mut lines = Vec::with_capacity(4);
    match &life.question {
        Question::Page(arguments) => {
            asked(&label("ask"), &arguments.to_string(), columns, &mut lines);
        }
        Question::Envelope | Question::Own => lines.push(
            label("ask")
                .and(Ink::Tool, life.call.clone())
                .and(Ink::Dim, "  answered by the envelope"),
        ),
    }
    if answer.default_limit && answer.arguments.is_some() {
        lines.push(label("").and(
            Ink::Dim,
            format!(
                "no limit given: {}, cache.page's own default",
                crate::policy::cache::DEFAULT_LIMIT
            ),
        ));
    }
    match &answer.result {
        AnswerResult::Value(_) => {
            let range = &answer.range;
            let count = range.end.saturating_sub(range.start);
            let mut line = label("gets");
            line = if count == 0 {
                line.and(Ink::Text, "no items")
            } else {
                line.and(
                    Ink::Text,
                    format!(
                        "items {}..{}  {} {}",
                        range.start,
                        range.end - 1,
                        grouped(count),
                        Unit::Items.word(count)
                    ),
                )
            };
            if let Some(bytes) = answer.bytes {
                line = line.and(Ink::Strong, format!("  {} B", grouped(bytes)));
            }
            if let Some(tokens) = answer.tokens {
                line = line.and(Ink::Dim, format!("  ~{} tok", short_count(tokens)));
            }
            lines.push(line);
            lines.push(match &answer.next {
                Some(token) => label("next").and(Ink::String, format!("\"{token}\"")),
                None if answer.arguments.is_some() => label("next").and(Ink::Literal, "null"),
                None => label("next").and(Ink::Dim, "no token: the envelope holds everything"),
            });
        }
        AnswerResult::Refused(error) => {
            lines.push(label("gets").and(Ink::Error, format!("{} {error}", glyph::ERROR)));
        }
        AnswerResult::NotRecorded(_) => {
            let range = &answer.range;
            let items = format!(
                "items {}..{}",
                range.start,
                range.end.saturating_sub(1).max(range.start)
            );
            lines.push(
                label("gets")
                    .and(Ink::Text, items)
                    .and(Ink::Unrecorded, "  not all in this recording"),
            );
        }
        AnswerResult::OtherHandle(_) => {
            lines.push(label("gets").and(Ink::Finding, "! the handle of another output"));
        }
    }
    lines
}

/// What was asked, whole where it has a sensible length.
fn asked(label: &Line, arguments: &str, columns: u16, lines: &mut Vec<Line>) {
    let tool = "cache.page ";
    // The arguments matter more than the tool that is always the same.
    let fits = width(&label.left) + tool.len() + cells(&visible(arguments)) <= usize::from(columns);
    let first = label.clone().and(Ink::Tool, if fits { tool } else { "" });
    let mut rows = Rows::default();
    rows.wrapped(None, &first, Ink::Text, arguments, usize::from(columns));
    lines.extend(rows.iter().take(ASKED_ROWS).map(|row| row.line.clone()));
    if let Some(more) = rows.len().checked_sub(ASKED_ROWS + 1) {
        let words = format!("      {} more lines", grouped(more as u64 + 1));
        lines.push(Line::of(Ink::Dim, words));
    }
}

fn totals(life: &Life, visited: &Visited, read_all: bool) -> Line {
    let all = life.all;
    let bytes =
        |bytes: Option<u64>| bytes.map_or("? B".to_owned(), |b| format!("{} B", grouped(b)));
    let whole = bytes(all.and_then(|all| all.whole_bytes));
    if let (true, Some(all)) = (read_all, all) {
        return Line::of(
            Ink::Strong,
            format!("{} in {} answers", bytes(all.bytes), all.answers),
        )
        .and(Ink::Text, format!(" against {whole} in one"));
    }
    let (count, sum) = visited.sum();
    let answers = if count == 1 { "answer" } else { "answers" };
    let mut line = Line::of(Ink::Text, format!("{count} {answers} {} B", grouped(sum)));
    if let Some(all) = all {
        line = line.and(
            Ink::Text,
            format!("   all {} {}", all.answers, bytes(all.bytes)),
        );
    }
    line.and(Ink::Text, format!("   whole {whole}"))
}
