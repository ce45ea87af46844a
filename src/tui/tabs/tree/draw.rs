//! The lines of a tree.

use std::ops::Range;

use super::summary;
use super::walk::{Inside, Name, Node, Spot, SpotLine, Walk, indent};
use crate::json::{Kind, View};
use crate::query::Needle;
use crate::text;
use crate::tui::tabs::line::{Ink, Line, Piece, inked};
use crate::tui::tabs::mark::Mark;
use crate::tui::theme::glyph;

/// A byte of a line is at most a cell, and a cell at most so many bytes.
const BYTES_PER_CELL: usize = 4;

/// What is marked in a tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marked<'a> {
    /// These bytes of the document.
    pub range: Option<&'a Range<usize>>,
    /// This, wherever it stands.
    pub needle: Option<&'a Needle>,
}

impl Walk<'_> {
    /// The line of a spot, and what the model had of it.
    pub fn line(&self, spot: &Spot, marked: Marked<'_>) -> (Line, Mark) {
        let Some(node) = self.node(&spot.path) else {
            return (Line::new(), self.tree.mark());
        };
        let line = match spot.line {
            SpotLine::Head => self.head(spot, &node, marked),
            SpotLine::More(first) => self.more(&node, first),
            SpotLine::Text(row) => {
                let wanted = marked.range.and_then(|range| self.in_text(&node, range));
                let width = self.text_width(&node);
                let drawn = self
                    .prose(&node)
                    .draw(row, width, wanted.as_ref(), self.cache);
                let mut line = Line::of(Ink::Text, blank(indent(node.depth + 1)));
                let hits = hits(&drawn.text, drawn.hit.clone(), marked.needle);
                line.left.extend(drawn.pieces(Ink::String, &hits));
                line
            }
        };
        (line, node.mark)
    }

    fn more(&self, node: &Node, first: u64) -> Line {
        let hidden = self.hidden(node, first);
        let count = text::grouped(hidden.end.saturating_sub(hidden.start));
        let words = match self.doc(node.doc).kind(node.span) {
            Kind::Object if matches!(node.inside, Inside::Children(..)) => {
                format!("{count} more keys")
            }
            _ => format!("{count} more"),
        };
        let depth = node.depth + usize::from(!matches!(node.name, Name::Root));
        Line::of(Ink::Dim, format!("{}{words}", blank(indent(depth) + 2)))
    }

    fn head(&self, spot: &Spot, node: &Node, marked: Marked<'_>) -> Line {
        let open = self.is_open(node);
        let fold = match (Self::unfolds(node), open) {
            (false, _) => " ",
            (true, true) => glyph::OPEN,
            (true, false) => glyph::CLOSED,
        };
        let mut line = Line::of(Ink::Text, blank(indent(node.depth)));
        line.push(Ink::Dim, fold);
        line.push(Ink::Text, " ");
        if let Some(group) = self.group(node) {
            let label = format!("[{}..{}]", group.items.start, last(&group.items));
            line = line.cell(Ink::Strong, &label, 2 * self.tree.number_cells + 6);
            line.push(group.mark.ink(), group.words.clone());
            if let Some(bytes) = self.tree.group_bytes(group) {
                line = line.right(Ink::Dim, format!("{} B", text::grouped(bytes)));
            }
            return line;
        }
        self.name(node, &mut line);
        let view = self.doc(node.doc).view(node.span);
        if open {
            self.open_value(node, view, &mut line);
            return line;
        }
        let room = self
            .width
            .saturating_sub(super::super::line::width(&line.left));
        let (pieces, shown_from) = Self::closed_value(node, view, room, marked, &mut line);
        let drawn: String = pieces.iter().map(|piece| piece.text.as_ref()).collect();
        let exact = marked
            .range
            .and_then(|range| exact(node, range, shown_from, &drawn));
        line.left
            .extend(inked(pieces, &hits(&drawn, exact, marked.needle), Ink::Hit));
        if self.has_comma(spot) {
            line.push(Ink::Dim, ",");
        }
        line
    }

    fn name(&self, node: &Node, line: &mut Line) {
        match node.name {
            Name::Root | Name::Group => {}
            Name::Index(index) => {
                let cells = if node.doc == 0 && node.depth <= 1 {
                    self.tree.number_cells
                } else {
                    1
                };
                line.push(Ink::Dim, format!("{index:<cells$} "));
            }
            Name::Key(doc, span) => {
                line.push(Ink::Name, summary::beginning(self.doc(doc).raw(span)));
                line.push(Ink::Dim, ": ");
            }
        }
    }

    fn open_value(&self, node: &Node, view: View<'_>, line: &mut Line) {
        match &node.inside {
            Inside::Text => {
                let prose = self.prose(node);
                let bytes = text::grouped(prose.text().len() as u64);
                line.push(Ink::Dim, format!("text, {bytes} B"));
            }
            Inside::Children(doc, children) if *doc != node.doc => {
                let inner = self.doc(*doc);
                let what = summary::headline(inner.view(inner.root()), children.len());
                line.push(Ink::Dim, format!("JSON in text, {what}"));
            }
            _ => line.push(Ink::Dim, if view.is_object() { "{" } else { "[" }),
        }
    }

    /// The pieces of a value on one line, and the byte of the value that they begin with.
    fn closed_value(
        node: &Node,
        view: View<'_>,
        room: usize,
        marked: Marked<'_>,
        line: &mut Line,
    ) -> (Vec<Piece>, Option<usize>) {
        let piece = |ink, text: String| Piece {
            text: text.into(),
            ink,
        };
        let raw = view.raw();
        match view.kind() {
            Kind::Object | Kind::Array => {
                let of_array = matches!(node.name, Name::Index(_));
                let children = match &node.inside {
                    Inside::Children(_, children) => children.len(),
                    _ => 0,
                };
                if of_array && view.is_object() && children > 0 {
                    return (vec![piece(Ink::Text, summary::of(view))], None);
                }
                if raw.len() > room {
                    let count = summary::count(view.kind(), children);
                    *line = std::mem::take(line).right(Ink::Dim, count);
                }
                (vec![piece(Ink::Dim, summary::beginning(raw))], Some(0))
            }
            Kind::String => {
                let from = window(raw, node, room, marked.range);
                let end = raw.len().min(from + room * BYTES_PER_CELL + 1);
                let part = raw.get(from..end).unwrap_or_default();
                let mut text = String::from_utf8_lossy(part).into_owned();
                if from > 0 {
                    text.insert_str(0, glyph::CUT);
                }
                if matches!(node.inside, Inside::Text) && raw.len() > room {
                    let bytes = text::short_bytes(raw.len() as u64);
                    *line = std::mem::take(line).right(Ink::Dim, bytes);
                }
                let before = if from > 0 { glyph::CUT.len() } else { 0 };
                (
                    vec![piece(Ink::String, text)],
                    from.checked_sub(before).or(Some(0)),
                )
            }
            Kind::Number => (vec![piece(Ink::Number, summary::beginning(raw))], Some(0)),
            Kind::Bool | Kind::Null => {
                (vec![piece(Ink::Literal, summary::beginning(raw))], Some(0))
            }
        }
    }

    /// Whether something follows in the same object or array.
    fn has_comma(&self, spot: &Spot) -> bool {
        let Some((last, parents)) = spot.path.split_last() else {
            return false;
        };
        match self.node(parents).map(|parent| parent.inside) {
            Some(Inside::Children(doc, children)) => {
                let keyed = children.first().is_some_and(|child| child.key.is_some());
                (keyed || doc != 0) && last + 1 < children.len() as u64
            }
            _ => false,
        }
    }

    /// Bytes of the document as bytes of the text of a string in it.
    pub(super) fn in_text(&self, node: &Node, range: &Range<usize>) -> Option<Range<usize>> {
        let (start, end) = (node.span.start as usize, node.span.end as usize);
        if node.doc != 0 || range.end <= start || end <= range.start {
            return None;
        }
        let raw = self.doc(0).raw(node.span);
        let place = |byte: usize| {
            let inside = byte
                .saturating_sub(start + 1)
                .min(raw.len().saturating_sub(2));
            let before = raw.get(1..=inside).unwrap_or_default();
            crate::json::decode(before).len()
        };
        Some(place(range.start)..place(range.end))
    }
}

/// Where in a string that is too long for its line the line begins: before the hit.
fn window(raw: &[u8], node: &Node, room: usize, hit: Option<&Range<usize>>) -> usize {
    let start = node.span.start as usize;
    let Some(inside) = hit
        .filter(|hit| node.doc == 0 && start <= hit.start && hit.start < node.span.end as usize)
        .map(|hit| hit.start - start)
    else {
        return 0;
    };
    if inside < room.saturating_sub(room / 4) {
        return 0;
    }
    let mut from = inside.saturating_sub(room / 3);
    // Not in the middle of a character.
    while from > 0 && raw.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
        from -= 1;
    }
    from
}

/// Where bytes of the document stand in what is drawn of a value.
fn exact(
    node: &Node,
    range: &Range<usize>,
    shown_from: Option<usize>,
    drawn: &str,
) -> Option<Range<usize>> {
    let first = node.span.start as usize + shown_from?;
    if node.doc != 0 || range.end <= first || range.start >= node.span.end as usize {
        return None;
    }
    let from = range.start.saturating_sub(first).min(drawn.len());
    let to = (range.end - first).min(drawn.len());
    let sound = drawn.is_char_boundary(from) && drawn.is_char_boundary(to);
    (sound && from < to).then_some(from..to)
}

/// All that is marked in a drawn text, in order and apart from each other.
pub fn hits(
    drawn: &str,
    exact: Option<Range<usize>>,
    needle: Option<&Needle>,
) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = needle.map_or_else(Vec::new, |needle| needle.find_text(drawn));
    if let Some(exact) = exact {
        all.retain(|hit| hit.end <= exact.start || exact.end <= hit.start);
        all.push(exact);
        all.sort_by_key(|hit| hit.start);
    }
    all
}

fn last(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(1).max(range.start)
}

fn blank(cells: usize) -> String {
    " ".repeat(cells)
}
