//! Moving over the lines of a tree without a list of them.

use std::ops::Range;
use std::sync::Arc;

use super::doc::{Child, Doc, Span};
use super::folds::{Fold, Folds, Key, Shown};
use super::{Group, Tree};
use crate::json::Kind;
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::prose::{Prose, Row, WrapCache};

/// A text can be unfolded if it has several lines or may not fit on its own: its key and what it is
/// set in take so many columns, or there are few columns at all.
const BESIDE_TEXT: usize = 20;
/// See [`BESIDE_TEXT`].
const SHORT: usize = 24;

/// A text longer than this, or of several lines, is unfolded when everything is.
const UNFOLDS_WITH_ALL: usize = 80;

/// Columns that a level of nesting is set in.
pub const INDENT: usize = 2;

/// No deeper level is set in further.
pub const DEEPEST: usize = 12;

/// The least columns that an unfolded text is wrapped to.
const LEAST: usize = 12;

/// A line of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spot {
    /// The value or group: which child of which child, from the root. Groups are children of the
    /// root, items count in the whole array.
    pub path: Vec<u64>,
    /// Which of its lines.
    pub line: SpotLine,
}

/// Which line of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpotLine {
    /// The line that it begins with.
    #[default]
    Head,
    /// The line that stands for children which are not shown, by the first of them.
    More(u64),
    /// A row of a text that is unfolded.
    Text(Row),
}

impl Spot {
    fn head(path: Vec<u64>) -> Self {
        Self {
            path,
            line: SpotLine::Head,
        }
    }
}

/// How a value is named by what it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// It is the whole.
    Root,
    /// By its key, in a document.
    Key(u32, Span),
    /// By its place.
    Index(u64),
    /// It is a group.
    Group,
}

/// A value or group, found by its path.
#[derive(Debug, Clone)]
pub struct Node {
    /// What tells it from others.
    pub key: Key,
    /// The document that it is in.
    pub doc: u32,
    /// Where it stands there; for groups the whole array.
    pub span: Span,
    /// How it is named.
    pub name: Name,
    /// What the model had of it.
    pub mark: Mark,
    /// How deep it lies.
    pub depth: usize,
    /// What is inside.
    pub inside: Inside,
}

/// What a value unfolds to.
#[derive(Debug, Clone)]
pub enum Inside {
    /// Nothing.
    Nothing,
    /// The groups of the whole array.
    Groups(u64),
    /// The items of a group, and where the first stands in the document.
    Items(Range<u64>, u32),
    /// The children of an object or array, of a document.
    Children(u32, Arc<[Child]>),
    /// The rows of a text.
    Text,
}

impl Inside {
    fn bounds(&self) -> Range<u64> {
        match self {
            Self::Nothing | Self::Text => 0..0,
            Self::Groups(count) => 0..*count,
            Self::Items(items, _) => items.clone(),
            Self::Children(_, children) => 0..children.len() as u64,
        }
    }
}

/// A tree with its folds at one width.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
    /// What is shown.
    pub tree: &'a Tree,
    /// How it is folded.
    pub folds: &'a Folds,
    /// Columns, the gutter not counted.
    pub width: usize,
    /// Rows of texts.
    pub cache: &'a WrapCache,
}

impl<'a> Walk<'a> {
    fn own(&self) -> &'a Arc<Doc> {
        &self.tree.doc
    }

    /// The document of a value.
    pub fn doc(&self, doc: u32) -> &'a Arc<Doc> {
        self.folds.doc(self.own(), doc)
    }

    /// The group of a node that is one.
    pub fn group(&self, node: &Node) -> Option<&'a Group> {
        match node.key {
            Key::Group(first) => self
                .tree
                .groups
                .iter()
                .find(|group| group.items.start == first),
            Key::Value(..) => None,
        }
    }

    /// The root.
    pub fn root(&self) -> Node {
        let span = self.own().root();
        let inside = if self.tree.groups.is_empty() {
            self.inside(0, span)
        } else {
            Inside::Groups(self.tree.groups.len() as u64)
        };
        Node {
            key: Key::Value(0, span.start),
            doc: 0,
            span,
            name: Name::Root,
            mark: self.tree.mark,
            depth: 0,
            inside,
        }
    }

    fn inside(&self, doc: u32, span: Span) -> Inside {
        let document = self.doc(doc);
        match document.kind(span) {
            Kind::Object | Kind::Array if span.bytes() > 2 => {
                let children = if doc == 0 && span == document.root() {
                    Arc::clone(&self.tree.children)
                } else {
                    self.folds.children(self.own(), doc, span)
                };
                if children.is_empty() {
                    Inside::Nothing
                } else {
                    Inside::Children(doc, children)
                }
            }
            Kind::String => match self.folds.inside(doc, span) {
                Some(opened) => match self.inside(opened, self.doc(opened).root()) {
                    Inside::Nothing => Inside::Text,
                    inside => inside,
                },
                None if is_long(
                    document.raw(span),
                    self.width.saturating_sub(BESIDE_TEXT).max(SHORT),
                ) =>
                {
                    Inside::Text
                }
                None => Inside::Nothing,
            },
            _ => Inside::Nothing,
        }
    }

    /// A child of a node.
    pub(super) fn child(&self, node: &Node, child: u64) -> Option<Node> {
        let depth = node.depth + usize::from(!matches!(node.name, Name::Root));
        match &node.inside {
            Inside::Groups(_) => {
                let group = self.tree.groups.get(usize::try_from(child).ok()?)?;
                Some(Node {
                    key: Key::Group(group.items.start),
                    doc: 0,
                    span: node.span,
                    name: Name::Group,
                    mark: group.mark,
                    depth,
                    inside: group.first.map_or(Inside::Nothing, |first| {
                        Inside::Items(group.items.clone(), first)
                    }),
                })
            }
            Inside::Items(items, first) => {
                let place = u64::from(*first) + child.checked_sub(items.start)?;
                let found = self.tree.children.get(usize::try_from(place).ok()?)?;
                (child < items.end)
                    .then(|| self.value_node(0, *found, Name::Index(child), node, depth))
            }
            Inside::Children(doc, children) => {
                let found = children.get(usize::try_from(child).ok()?)?;
                let first = match node.name {
                    Name::Root => self.tree.first,
                    _ => 0,
                };
                let name = found
                    .key
                    .map_or(Name::Index(first + child), |key| Name::Key(*doc, key));
                Some(self.value_node(*doc, *found, name, node, depth))
            }
            Inside::Nothing | Inside::Text => None,
        }
    }

    fn value_node(&self, doc: u32, child: Child, name: Name, parent: &Node, depth: usize) -> Node {
        Node {
            key: Key::Value(doc, child.value.start),
            doc,
            span: child.value,
            name,
            mark: parent.mark,
            depth,
            inside: self.inside(doc, child.value),
        }
    }

    /// The value or group at the end of a path.
    pub fn node(&self, path: &[u64]) -> Option<Node> {
        path.iter()
            .try_fold(self.root(), |node, child| self.child(&node, *child))
    }

    /// Every value or group on the way of a path, the root first.
    pub fn nodes(&self, path: &[u64]) -> Vec<Node> {
        let mut nodes = vec![self.root()];
        for child in path {
            let next = nodes.last().and_then(|node| self.child(node, *child));
            match next {
                Some(next) => nodes.push(next),
                None => break,
            }
        }
        nodes
    }

    /// Whether a node can be unfolded.
    pub const fn unfolds(node: &Node) -> bool {
        !matches!(node.inside, Inside::Nothing)
    }

    /// Whether a node is unfolded; the root always is.
    pub fn is_open(&self, node: &Node) -> bool {
        match &node.inside {
            Inside::Nothing => false,
            _ if matches!(node.name, Name::Root) => true,
            Inside::Text => match self.folds.get(node.key) {
                Some(fold) => matches!(fold, Fold::Open(_)),
                None => {
                    self.folds.open && is_long(self.doc(node.doc).raw(node.span), UNFOLDS_WITH_ALL)
                }
            },
            _ => match self.folds.get(node.key) {
                Some(fold) => matches!(fold, Fold::Open(_)),
                None => self.folds.open,
            },
        }
    }

    /// Whether the root has a line of its own: when there is nothing in it, or a text.
    fn root_is_line(root: &Node) -> bool {
        matches!(root.inside, Inside::Nothing | Inside::Text)
    }

    fn shown(&self, node: &Node) -> &'a Shown {
        const ALL: &Shown = &Shown::All;
        match self.folds.get(node.key) {
            Some(Fold::Open(shown)) => shown,
            _ => ALL,
        }
    }

    fn is_skipped(&self, node: &Node, child: u64) -> bool {
        self.folds.only_seen
            && matches!(node.inside, Inside::Groups(_))
            && usize::try_from(child)
                .ok()
                .and_then(|child| self.tree.groups.get(child))
                .is_some_and(|group| group.mark.is_hidden_from_model())
    }

    /// The rows of a text that is unfolded.
    pub fn prose(&self, node: &Node) -> Arc<Prose> {
        self.folds.prose(self.own(), node.doc, node.span, node.mark)
    }

    /// Columns for the rows of a text.
    pub fn text_width(&self, node: &Node) -> usize {
        self.width.saturating_sub(indent(node.depth + 1)).max(LEAST)
    }

    /// The children that a line `more` stands for.
    pub fn hidden(&self, node: &Node, first: u64) -> Range<u64> {
        self.shown(node).hidden_run(first, &node.inside.bounds())
    }

    /// The line that begins at a child or after it: the child itself, or what stands for it.
    fn at_child(&self, path: &[u64], node: &Node, mut child: u64) -> Option<Spot> {
        let bounds = node.inside.bounds();
        while child < bounds.end && self.is_skipped(node, child) {
            child += 1;
        }
        if child >= bounds.end {
            return None;
        }
        let shown = self.shown(node);
        if shown.holds(child) {
            let mut path = path.to_vec();
            path.push(child);
            return Some(Spot::head(path));
        }
        Some(Spot {
            path: path.to_vec(),
            line: SpotLine::More(shown.hidden_run(child, &bounds).start),
        })
    }

    /// The last line inside or at a node.
    fn last_in(&self, mut path: Vec<u64>, mut node: Node) -> Option<Spot> {
        loop {
            if !self.is_open(&node) {
                return Some(Spot::head(path));
            }
            if matches!(node.inside, Inside::Text) {
                let row = self
                    .prose(&node)
                    .last(self.text_width(&node), false, self.cache)?;
                return Some(Spot {
                    path,
                    line: SpotLine::Text(row),
                });
            }
            let bounds = node.inside.bounds();
            let mut child = bounds.end;
            loop {
                child = match child.checked_sub(1).filter(|child| *child >= bounds.start) {
                    Some(child) => child,
                    None if path.is_empty() => return None,
                    None => return Some(Spot::head(path)),
                };
                if !self.is_skipped(&node, child) {
                    break;
                }
            }
            if !self.shown(&node).holds(child) {
                let start = self.hidden(&node, child).start;
                return Some(Spot {
                    path,
                    line: SpotLine::More(start),
                });
            }
            node = self.child(&node, child)?;
            path.push(child);
        }
    }

    /// The first line.
    pub fn first(&self) -> Option<Spot> {
        let root = self.root();
        if Self::root_is_line(&root) {
            return Some(Spot::default());
        }
        self.at_child(&[], &root, root.inside.bounds().start)
    }

    /// The last line.
    pub fn last(&self) -> Option<Spot> {
        self.last_in(Vec::new(), self.root())
    }

    /// The line after one.
    pub fn next(&self, spot: &Spot) -> Option<Spot> {
        let nodes = self.nodes(&spot.path);
        let node = nodes.last()?;
        match spot.line {
            SpotLine::Head if self.is_open(node) => {
                if matches!(node.inside, Inside::Text) {
                    let row = self.prose(node).first(false)?;
                    return Some(Spot {
                        path: spot.path.clone(),
                        line: SpotLine::Text(row),
                    });
                }
                let first = node.inside.bounds().start;
                if let Some(inside) = self.at_child(&spot.path, node, first) {
                    return Some(inside);
                }
            }
            SpotLine::Head => {}
            SpotLine::More(first) => {
                let after = self.hidden(node, first).end;
                if let Some(child) = self.at_child(&spot.path, node, after) {
                    return Some(child);
                }
            }
            SpotLine::Text(row) => {
                let width = self.text_width(node);
                if let Some(row) = self.prose(node).next(row, width, false, self.cache) {
                    return Some(Spot {
                        path: spot.path.clone(),
                        line: SpotLine::Text(row),
                    });
                }
            }
        }
        let mut path = spot.path.as_slice();
        while let Some((last, parents)) = path.split_last() {
            let parent = nodes.get(parents.len())?;
            if let Some(sibling) = self.at_child(parents, parent, last + 1) {
                return Some(sibling);
            }
            path = parents;
        }
        None
    }

    /// The line before one.
    pub fn previous(&self, spot: &Spot) -> Option<Spot> {
        let nodes = self.nodes(&spot.path);
        let node = nodes.last()?;
        match spot.line {
            SpotLine::Text(row) => {
                let width = self.text_width(node);
                let line = match self.prose(node).previous(row, width, false, self.cache) {
                    Some(row) => SpotLine::Text(row),
                    None => SpotLine::Head,
                };
                Some(Spot {
                    path: spot.path.clone(),
                    line,
                })
            }
            SpotLine::More(first) => self.before_child(&spot.path, node, first),
            SpotLine::Head => {
                let (last, parents) = spot.path.split_last()?;
                self.before_child(parents, nodes.get(parents.len())?, *last)
            }
        }
    }

    fn before_child(&self, path: &[u64], node: &Node, child: u64) -> Option<Spot> {
        let bounds = node.inside.bounds();
        let mut before = child;
        while before > bounds.start {
            before -= 1;
            if self.is_skipped(node, before) {
                continue;
            }
            if !self.shown(node).holds(before) {
                let start = self.hidden(node, before).start;
                return Some(Spot {
                    path: path.to_vec(),
                    line: SpotLine::More(start),
                });
            }
            let mut inside = path.to_vec();
            inside.push(before);
            let found = self.child(node, before)?;
            return self.last_in(inside, found);
        }
        if path.is_empty() && !Self::root_is_line(node) {
            None
        } else {
            Some(Spot::head(path.to_vec()))
        }
    }

    /// The line itself where it is still shown, else the nearest that stands for it.
    pub fn settle(&self, spot: &Spot) -> Option<Spot> {
        let mut node = self.root();
        if Self::root_is_line(&node) && spot.path.is_empty() {
            let line = match spot.line {
                SpotLine::More(_) => SpotLine::Head,
                line => line,
            };
            return self.settle_line(Vec::new(), &node, line);
        }
        let mut path = Vec::with_capacity(spot.path.len());
        for child in &self.tree.regrouped(&spot.path) {
            if !self.is_open(&node) {
                return Some(Spot::head(path));
            }
            let bounds = node.inside.bounds();
            if !bounds.contains(child) || self.is_skipped(&node, *child) {
                return self
                    .at_child(&path, &node, (*child).clamp(bounds.start, bounds.end))
                    .or_else(|| self.last_in(path, node));
            }
            if !self.shown(&node).holds(*child) {
                return self.at_child(&path, &node, *child);
            }
            let Some(found) = self.child(&node, *child) else {
                return Some(Spot::head(path));
            };
            node = found;
            path.push(*child);
        }
        self.settle_line(path, &node, spot.line)
    }

    fn settle_line(&self, path: Vec<u64>, node: &Node, line: SpotLine) -> Option<Spot> {
        match line {
            SpotLine::Text(row) if self.is_open(node) && matches!(node.inside, Inside::Text) => {
                let width = self.text_width(node);
                let row = self.prose(node).settle(row, width, false, self.cache)?;
                Some(Spot {
                    path,
                    line: SpotLine::Text(row),
                })
            }
            SpotLine::More(first) if self.is_open(node) => {
                let bounds = node.inside.bounds();
                let child = first.clamp(bounds.start, bounds.end.saturating_sub(1));
                self.at_child(&path, node, child)
            }
            _ if path.is_empty() && !Self::root_is_line(node) => self.first(),
            _ => Some(Spot::head(path)),
        }
    }
}

/// Columns that a depth is set in.
pub const fn indent(depth: usize) -> usize {
    INDENT * if depth < DEEPEST { depth } else { DEEPEST }
}

/// Whether a string as it stands in a document is long, has several lines or may be JSON.
fn is_long(raw: &[u8], limit: usize) -> bool {
    raw.len() > limit + 2
        || matches!(raw, [b'"', b'{' | b'[', _, _, ..])
        || raw.windows(2).any(|pair| matches!(pair, b"\\n"))
}
