//! Unfolding just enough of a tree to show a place, and what a spot is called.

use std::ops::Range;

use super::Tree;
use super::folds::{Fold, Folds, Key, Shown};
use super::walk::{Inside, Name, Node, Spot, SpotLine, Walk};
use crate::tui::tabs::prose::WrapCache;

/// So many keys of an object are shown when it is unfolded by itself, to leave room for the rest.
const PREVIEW: u64 = 3;

impl Walk<'_> {
    /// Where a spot stands, in the language of jq: `.[260].created_at`.
    pub fn path(&self, spot: &Spot) -> String {
        let mut path = String::from(".");
        let mut doc = 0;
        for node in self.nodes(&spot.path) {
            if node.doc != doc && !matches!(node.name, Name::Root) {
                doc = node.doc;
                path.push_str(" | fromjson | .");
            }
            match node.name {
                Name::Group if spot.path.len() == 1 => {
                    if let Some(group) = self.group(&node) {
                        let (start, end) = (group.items.start, group.items.end);
                        path.extend(["[", &start.to_string(), ":", &end.to_string(), "]"]);
                    }
                }
                Name::Root | Name::Group => {}
                Name::Index(index) => path.extend(["[", &index.to_string(), "]"]),
                Name::Key(doc, span) => {
                    let raw = String::from_utf8_lossy(self.doc(doc).raw(span)).into_owned();
                    let bare = raw.trim_matches('"');
                    let plain = !bare.is_empty()
                        && !bare.starts_with(|c: char| c.is_ascii_digit())
                        && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    if plain {
                        if !path.ends_with('.') {
                            path.push('.');
                        }
                        path.push_str(bare);
                    } else {
                        path.extend(["[", &raw, "]"]);
                    }
                }
            }
        }
        path
    }

    /// The item of the whole array that a spot belongs to.
    pub fn item(&self, spot: &Spot) -> Option<u64> {
        if self.tree.groups.is_empty() {
            let root = self.root();
            let array = matches!(root.inside, Inside::Children(0, _))
                && self.doc(0).kind(root.span) == crate::json::Kind::Array;
            let child = spot.path.first().filter(|_| array)?;
            return Some(self.tree.first + child);
        }
        match (spot.path.get(1), spot.line) {
            (Some(item), _) => Some(*item),
            (None, SpotLine::More(first)) if spot.path.len() == 1 => Some(first),
            (None, _) => {
                let group = self
                    .tree
                    .groups
                    .get(usize::try_from(*spot.path.first()?).ok()?)?;
                Some(group.items.start)
            }
        }
    }

    /// The JSON of a spot: of a group, the array of its items.
    pub fn json(&self, spot: &Spot) -> Option<String> {
        let node = self.node(&spot.path)?;
        let lossy = |raw: &[u8]| String::from_utf8_lossy(raw).into_owned();
        match (&node.inside, node.key) {
            (Inside::Items(items, first), Key::Group(_)) => {
                let first = *first as usize;
                let count = usize::try_from(items.end - items.start).ok()?;
                let from = self.tree.children.get(first)?.value.start;
                let to = self
                    .tree
                    .children
                    .get(first + count.checked_sub(1)?)?
                    .value
                    .end;
                let raw = self.doc(0).bytes().get(from as usize..to as usize)?;
                Some(format!("[{}]", lossy(raw)))
            }
            (_, Key::Group(_)) => None,
            (_, Key::Value(..)) => Some(lossy(self.doc(node.doc).raw(node.span))),
        }
    }

    /// The value of a spot as people read it: the text of a string, else its JSON.
    pub fn value(&self, spot: &Spot) -> Option<String> {
        let node = self.node(&spot.path)?;
        let doc = self.doc(node.doc);
        match node.key {
            Key::Value(..) if doc.view(node.span).is_string() => Some(doc.text(node.span)),
            _ => self.json(spot),
        }
    }

    /// Where a spot's value stands in the block's own document; of what was opened in place, the
    /// text that it was opened from.
    pub fn bytes(&self, spot: &Spot) -> Option<Range<usize>> {
        let node = self
            .nodes(&spot.path)
            .into_iter()
            .rfind(|node| node.doc == 0)?;
        Some(node.span.start as usize..node.span.end as usize)
    }
}

/// Changes the folds of one tree.
pub struct Unfold<'a> {
    /// What is shown.
    pub tree: &'a Tree,
    /// How it is folded.
    pub folds: &'a mut Folds,
    /// Columns, the gutter not counted.
    pub width: usize,
    /// Rows of texts.
    pub cache: &'a WrapCache,
}

impl Unfold<'_> {
    /// To look at it.
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            tree: self.tree,
            folds: self.folds,
            width: self.width,
            cache: self.cache,
        }
    }

    /// Unfolds what a spot stands for: shows what `more` hides, opens a text that is JSON as such.
    /// False where there is nothing to unfold.
    pub fn open(&mut self, spot: &Spot) -> bool {
        let Some(node) = self.walk().node(&spot.path) else {
            return false;
        };
        match spot.line {
            SpotLine::More(first) => {
                let hidden = self.walk().hidden(&node, first);
                self.folds.show(node.key, hidden);
                true
            }
            SpotLine::Text(_) => false,
            SpotLine::Head => {
                if !Walk::unfolds(&node) || self.walk().is_open(&node) {
                    return false;
                }
                if matches!(node.inside, Inside::Text) {
                    self.folds.open_text(&self.tree.doc, node.doc, node.span);
                }
                self.folds.set(node.key, Fold::Open(Shown::All));
                true
            }
        }
    }

    /// Folds what a spot stands for; false where it is not unfolded.
    pub fn close(&mut self, spot: &Spot) -> bool {
        let Some(node) = self.walk().node(&spot.path) else {
            return false;
        };
        if spot.line != SpotLine::Head || !self.walk().is_open(&node) || spot.path.is_empty() {
            return false;
        }
        self.folds.set(node.key, Fold::Closed);
        true
    }

    /// Folds what a line is inside of, and tells its spot; none at the top.
    pub fn parent(&self, spot: &Spot) -> Option<Spot> {
        let mut path = spot.path.clone();
        if spot.line == SpotLine::Head {
            path.pop()?;
        }
        if path.is_empty() && !matches!(self.walk().root().inside, Inside::Text) {
            return None;
        }
        Some(Spot {
            path,
            line: SpotLine::Head,
        })
    }

    /// Unfolds as much as shows an item with its first fields, and tells its spot.
    pub fn item(&mut self, item: u64) -> Option<Spot> {
        let path = self.tree.path_of(item)?;
        let mut node = self.walk().root();
        for child in &path {
            self.unfold(&node, *child..*child + 1);
            node = self.step(&node, *child)?;
        }
        self.preview(&node, 0);
        Some(Spot {
            path,
            line: SpotLine::Head,
        })
    }

    /// Unfolds as much as shows a byte of the document, and tells the spot of the line that shows
    /// it.
    pub fn byte(&mut self, byte: usize) -> Option<Spot> {
        let place = u32::try_from(byte).ok()?;
        let mut path = Vec::new();
        let mut node = self.walk().root();
        loop {
            let child = match &node.inside {
                Inside::Groups(_) => {
                    let found = position(&self.tree.children, place)?;
                    let [group, item] = self.tree.group_of_child(found as u64)?;
                    self.unfold(&node, group..group + 1);
                    node = self.step(&node, group)?;
                    path.push(group);
                    item
                }
                Inside::Children(0, children) => position(children, place)? as u64,
                Inside::Children(..) | Inside::Text => {
                    return Some(self.text(&node, path, byte));
                }
                Inside::Nothing | Inside::Items(..) => {
                    return Some(Spot {
                        path,
                        line: SpotLine::Head,
                    });
                }
            };
            self.preview(&node, child);
            node = self.step(&node, child)?;
            path.push(child);
        }
    }

    /// The row of a text that shows a byte, if the text is unfolded; else its line, which is drawn
    /// so that it shows the byte.
    fn text(&self, node: &Node, path: Vec<u64>, byte: usize) -> Spot {
        let walk = self.walk();
        if !matches!(node.inside, Inside::Text) || !walk.is_open(node) {
            return Spot {
                path,
                line: SpotLine::Head,
            };
        }
        let inside = walk.in_text(node, &(byte..byte + 1));
        let row = walk.prose(node).row_of(
            inside.map_or(0, |range| range.start),
            walk.text_width(node),
            self.cache,
        );
        Spot {
            path,
            line: SpotLine::Text(row),
        }
    }

    fn step(&self, node: &Node, child: u64) -> Option<Node> {
        self.walk().child(node, child)
    }

    fn unfold(&mut self, node: &Node, children: Range<u64>) {
        if matches!(node.name, Name::Root) && !self.is_cut(node) {
            return;
        }
        if self.walk().is_open(node) && self.folds.get(node.key).is_none() {
            return;
        }
        self.folds.show(node.key, children);
    }

    /// Whether some of a node's children are not shown.
    fn is_cut(&self, node: &Node) -> bool {
        matches!(self.folds.get(node.key), Some(Fold::Open(Shown::Only(_))))
    }

    /// Unfolds a node to show one child; of an object the first few keys too.
    fn preview(&mut self, node: &Node, child: u64) {
        let Inside::Children(doc, children) = &node.inside else {
            if matches!(node.inside, Inside::Items(..) | Inside::Groups(_)) {
                self.unfold(node, child..child + 1);
            }
            return;
        };
        if *doc != 0 {
            return;
        }
        let count = children.len() as u64;
        if children.first().is_some_and(|first| first.key.is_some()) {
            let first = if count <= PREVIEW + 1 { count } else { PREVIEW };
            self.unfold(node, 0..first);
        }
        self.unfold(node, child..child + 1);
    }
}

/// Which child holds a byte, its key counted to it; else the one before.
fn position(children: &[super::Child], byte: u32) -> Option<usize> {
    let after = children
        .partition_point(|child| child.key.map_or(child.value.start, |key| key.start) <= byte);
    if children.is_empty() {
        return None;
    }
    Some(after.saturating_sub(1))
}
