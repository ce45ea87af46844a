//! A sheet: what most tabs are. Parts one below the other, each text, JSON, an image or plain
//! lines, with one cursor over all of them and a gutter at their left.
//!
//! ```text
//! 1 of 2  json  array of 412                heading: stays at the top while its block is shown
//! ┃ ▾ [0..63]     in the envelope  23,480 B tree
//! ┃   ▸ 0   4612  Login button dead
//! 2 of 2  text  1,204 B
//! ┃ wrapped text                            prose
//! ```

mod draw;
mod keys;
mod reveal;
mod state;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::Range;

use super::line::Line;
use super::mark::Mark;
use super::picture::Picture;
use super::prose::Prose;
use super::tree::Tree;
use crate::query::Needle;

pub use state::SheetState;
pub use walk::{At, Inner};

/// What a sheet is made of, computed by a worker.
#[derive(Debug, Default)]
pub struct Sheet {
    parts: Vec<Part>,
}

/// One part of a sheet.
#[derive(Debug)]
pub struct Part {
    /// What it shows.
    pub content: Content,
    /// The gutter of its lines; texts and trees know it better themselves.
    pub mark: Option<Mark>,
    /// The block whose text or JSON it is, counted from 0.
    pub block: Option<usize>,
    /// The heading that it stands under.
    heading: Option<usize>,
    /// Only shown when a search found something in it.
    on_demand: bool,
}

/// What a part shows.
#[derive(Debug)]
pub enum Content {
    /// The line that a block begins with.
    Heading(Line),
    /// Lines as they are; cut where they do not fit.
    Lines(Vec<Line>),
    /// Text, wrapped.
    Prose(Prose),
    /// JSON.
    Tree(Tree),
    /// An image.
    Picture(Picture),
}

impl Sheet {
    /// An empty sheet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn push(&mut self, content: Content, mark: Option<Mark>, block: Option<usize>) {
        let heading = self
            .parts
            .iter()
            .rposition(|part| matches!(part.content, Content::Heading(_)));
        self.parts.push(Part {
            content,
            mark,
            block,
            heading,
            on_demand: false,
        });
    }

    /// Leaves out everything so far until a search finds something in it.
    pub fn on_demand(&mut self) {
        for part in &mut self.parts {
            part.on_demand = true;
        }
    }

    /// Begins a block.
    pub fn heading(&mut self, line: Line) {
        self.push(Content::Heading(line), None, None);
    }

    /// Adds lines.
    pub fn lines(&mut self, lines: Vec<Line>, mark: Option<Mark>) {
        if !lines.is_empty() {
            self.push(Content::Lines(lines), mark, None);
        }
    }

    /// Adds text; `block` where it is the text of a block.
    pub fn prose(&mut self, prose: Prose, block: Option<usize>) {
        self.push(Content::Prose(prose), Some(Mark::Unknown), block);
    }

    /// Adds JSON; `block` where it is the JSON of a block.
    pub fn tree(&mut self, tree: Tree, block: Option<usize>) {
        self.push(Content::Tree(tree), Some(Mark::Unknown), block);
    }

    /// Adds an image.
    pub fn picture(&mut self, picture: Picture, mark: Mark) {
        self.push(Content::Picture(picture), Some(mark), None);
    }

    /// The first part that holds a text, and where.
    fn find(&self, needle: &Needle) -> Option<(usize, Range<usize>)> {
        self.parts.iter().enumerate().find_map(|(place, part)| {
            let range = match &part.content {
                Content::Prose(prose) => needle.first_in_text(prose.text()),
                Content::Tree(tree) => needle.find_recorded(tree.doc().bytes()).into_iter().next(),
                _ => None,
            }?;
            Some((place, range))
        })
    }

    fn part(&self, part: usize) -> Option<&Part> {
        self.parts.get(part)
    }

    /// The part that is the text or JSON of a block.
    pub fn part_of_block(&self, block: usize) -> Option<usize> {
        self.parts.iter().position(|part| part.block == Some(block))
    }
}
