//! What of a tree is unfolded.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::doc::{Child, Doc, Span};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::prose::Prose;

/// Child tables and texts are remembered for so many values; then they are made anew.
const REMEMBERED: usize = 20_000;

/// A value or group of a tree, whatever stands around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A group, by its first item: groups may be split while the recording grows.
    Group(u64),
    /// A value: its document (0 is the tree's own) and where it starts there.
    Value(u32, u32),
}

/// Which children of something unfolded are shown; the others are one line, `62 more`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Shown {
    /// All of them.
    #[default]
    All,
    /// These, in order and apart from each other.
    Only(Vec<Range<u64>>),
}

impl Shown {
    /// The first few.
    pub fn first(count: u64) -> Self {
        Self::Only(std::iter::once(0..count).collect())
    }

    /// The first few of a run.
    pub fn first_of(run: &Range<u64>, count: u64) -> Self {
        let end = run.end.min(run.start.saturating_add(count));
        Self::Only(std::iter::once(run.start..end).collect())
    }

    /// Whether a child is shown.
    pub fn holds(&self, child: u64) -> bool {
        match self {
            Self::All => true,
            Self::Only(runs) => runs.iter().any(|run| run.contains(&child)),
        }
    }

    /// The run of hidden children that a hidden child is in, between `bounds`.
    pub fn hidden_run(&self, child: u64, bounds: &Range<u64>) -> Range<u64> {
        match self {
            Self::All => child..child,
            Self::Only(runs) => {
                let mut hidden = bounds.clone();
                for run in runs.iter().filter(|run| !run.is_empty()) {
                    if run.end <= child {
                        hidden.start = hidden.start.max(run.end);
                    } else if run.start > child {
                        hidden.end = hidden.end.min(run.start);
                    }
                }
                hidden
            }
        }
    }

    /// Shows more children.
    pub fn show(&mut self, more: Range<u64>) {
        let Self::Only(runs) = self else {
            return;
        };
        runs.push(more);
        runs.sort_by_key(|run| run.start);
        let mut joined: Vec<Range<u64>> = Vec::with_capacity(runs.len());
        for run in runs.drain(..).filter(|run| !run.is_empty()) {
            match joined.last_mut() {
                Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
                _ => joined.push(run),
            }
        }
        *runs = joined;
    }
}

/// How something is folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fold {
    /// One line.
    Closed,
    /// Unfolded.
    Open(Shown),
}

#[derive(Debug, Default)]
struct Remembered {
    tables: HashMap<(u32, u32), Arc<[Child]>>,
    texts: HashMap<(u32, u32), Arc<Prose>>,
}

/// The folds of one tree, the texts opened as JSON in place, and what was looked at lately.
#[derive(Debug, Default)]
pub struct Folds {
    decided: HashMap<Key, Fold>,
    /// What is not told apart is unfolded.
    pub open: bool,
    /// Groups that the model never had are left out.
    pub only_seen: bool,
    docs: Vec<Arc<Doc>>,
    inside: HashMap<(u32, u32), u32>,
    remembered: RefCell<Remembered>,
}

impl Folds {
    /// How a value is folded, where that was decided.
    pub fn get(&self, key: Key) -> Option<&Fold> {
        self.decided.get(&key)
    }

    /// Folds or unfolds.
    pub fn set(&mut self, key: Key, fold: Fold) {
        self.decided.insert(key, fold);
    }

    /// Shows some children of something, unfolding it if it was not.
    pub fn show(&mut self, key: Key, children: Range<u64>) {
        if let Some(Fold::Open(shown)) = self.decided.get_mut(&key) {
            shown.show(children);
        } else {
            let only = Shown::Only(std::iter::once(children).collect());
            self.decided.insert(key, Fold::Open(only));
        }
    }

    /// Folds or unfolds everything.
    pub fn all(&mut self, open: bool) {
        self.decided.clear();
        self.open = open;
    }

    /// The document that a value is in.
    pub fn doc<'a>(&'a self, own: &'a Arc<Doc>, doc: u32) -> &'a Arc<Doc> {
        (doc as usize)
            .checked_sub(1)
            .and_then(|opened| self.docs.get(opened))
            .unwrap_or(own)
    }

    /// The document that a text was opened as.
    pub fn inside(&self, doc: u32, span: Span) -> Option<u32> {
        self.inside.get(&(doc, span.start)).copied()
    }

    /// Opens a text as JSON, if it is some.
    pub fn open_text(&mut self, own: &Arc<Doc>, doc: u32, span: Span) -> Option<u32> {
        if let Some(opened) = self.inside(doc, span) {
            return Some(opened);
        }
        let inner = Doc::of_text(&self.doc(own, doc).text(span))?;
        self.docs.push(Arc::new(inner));
        let opened = self.docs.len() as u32;
        self.inside.insert((doc, span.start), opened);
        Some(opened)
    }

    /// The children of a value.
    pub fn children(&self, own: &Arc<Doc>, doc: u32, span: Span) -> Arc<[Child]> {
        let mut remembered = self.remembered.borrow_mut();
        if remembered.tables.len() > REMEMBERED {
            remembered.tables.clear();
        }
        let table = remembered
            .tables
            .entry((doc, span.start))
            .or_insert_with(|| self.doc(own, doc).children(span).into());
        Arc::clone(table)
    }

    /// The text of a string, cut into segments.
    pub fn prose(&self, own: &Arc<Doc>, doc: u32, span: Span, mark: Mark) -> Arc<Prose> {
        let mut remembered = self.remembered.borrow_mut();
        if remembered.texts.len() > REMEMBERED {
            remembered.texts.clear();
        }
        let prose = remembered
            .texts
            .entry((doc, span.start))
            .or_insert_with(|| Arc::new(Prose::new(self.doc(own, doc).text(span), mark)));
        Arc::clone(prose)
    }
}

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn runs_join_and_what_is_hidden_lies_between() {
        let mut shown = Shown::first(2);
        shown.show(4..6);
        assert_eq!(shown.hidden_run(2, &(0..10)), 2..4);
        assert_eq!(shown.hidden_run(9, &(0..10)), 6..10);
        shown.show(2..5);
        assert_eq!(shown, Shown::first(6));
        assert!(shown.holds(5) && !shown.holds(6));
    }

    #[test]
    fn nothing_shown_hides_all() {
        let shown = Shown::first(0);
        assert_eq!(shown.hidden_run(3, &(0..10)), 0..10);
    }
}
