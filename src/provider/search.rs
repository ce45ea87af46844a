//! Finding the blocks of an output in the JSON that was made of them.

use serde_json::Value;

use super::adapt::{IMAGE_ATTACHED, IMAGE_OMITTED};
use super::subject::{Carried, Facts};

/// How deep below the root a shape puts a payload; what is deeper belongs to one.
const DEPTH: usize = 12;

/// Keys of the wire's own, whose values are no payload.
const OWN_KEYS: &[&str] = &[
    "type",
    "role",
    "status",
    "thought",
    "tool_use_id",
    "tool_call_id",
    "toolUseId",
    "call_id",
    "id",
    "name",
    "tool_name",
    "is_error",
    "detail",
    "media_type",
    "mimeType",
    "mime_type",
    "format",
    "displayName",
    "$ref",
];

/// Keys of the wire's own, whose strings are data, an address or a file id.
const MEDIA_KEYS: &[&str] = &[
    "data",
    "bytes",
    "url",
    "uri",
    "fileUri",
    "file_id",
    "image_url",
];

/// One step down in a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'w> {
    /// Into an object: the key, and the how-manieth it is.
    Key(&'w str, usize),
    /// Into an array.
    Item(usize),
}

/// A place in the wire: a value, and a byte of it where it is a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot<'w> {
    pub(super) path: Vec<Step<'w>>,
    pub(super) offset: usize,
}

impl Spot<'_> {
    /// The value as a JSON pointer.
    pub(super) fn pointer(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            out.push('/');
            match step {
                Step::Key(key, _) => out.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Step::Item(item) => out.push_str(&item.to_string()),
            }
        }
        out
    }

    /// Whether it is below the value at `keys`, counted from the first message on.
    pub(super) fn is_in_result(&self, keys: &[&str]) -> bool {
        let below = self.path.iter().skip(1);
        let mut expected = std::iter::once("0").chain(keys.iter().copied());
        let mut below = below.map(|step| match step {
            Step::Key(key, _) => (*key).to_owned(),
            Step::Item(item) => item.to_string(),
        });
        expected.all(|key| below.next().as_deref() == Some(key))
    }
}

/// How a block stands in the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The JSON value itself.
    Value,
    /// A string of its own.
    Whole,
    /// Lines of a string that holds more.
    Lines,
    /// As a string inside JSON that is a string.
    Escaped,
    /// The media itself: data, address or file id.
    Media,
}

/// A block found.
#[derive(Debug, Clone)]
pub(super) struct Found<'w> {
    pub(super) spot: Spot<'w>,
    pub(super) how: How,
    /// For media that moved: where the notice in its place is.
    pub(super) notice: Option<Spot<'w>>,
    pub(super) node: &'w Value,
}

/// A string of the wire, and what of it is known to be of which block.
struct Leaf<'w> {
    path: Vec<Step<'w>>,
    node: &'w Value,
    text: &'w str,
    /// The first byte that no block was found in yet.
    free: usize,
    /// Ranges that blocks were found in.
    taken: Vec<std::ops::Range<usize>>,
}

/// A fixed notice of the sender, and where it stands.
pub(super) type Notice<'w> = Option<(&'static str, Spot<'w>)>;

/// What the search knows at its end.
pub(super) struct Located<'w> {
    /// Per block, in order.
    pub(super) blocks: Vec<Option<Found<'w>>>,
    /// Per block: the fixed notice that stands in its place.
    pub(super) notices: Vec<Notice<'w>>,
    /// Text of the wire that is of no block, in strings that hold blocks.
    pub(super) left: Vec<&'w str>,
}

/// Finds every block in the wire. `result` is where the tool result is, and `label` what it begins
/// with where it is sent as a text.
pub(super) fn locate<'w>(
    wire: &'w Value,
    blocks: &[Carried],
    result: Option<&[&str]>,
    label: &str,
) -> Located<'w> {
    let mut found: Vec<Option<Found<'w>>> = vec![None; blocks.len()];
    let mut values: Vec<&'w Value> = Vec::new();
    for (block, place) in blocks.iter().zip(&mut found) {
        // Strings are looked for among the texts, in order: a text may read the same.
        if let (Facts::Json(value), None) = (&block.facts, &block.stand)
            && !value.is_string()
            && let Some((path, node)) = find_value(wire, value, &values)
        {
            values.push(node);
            *place = Some(Found {
                spot: Spot { path, offset: 0 },
                how: How::Value,
                notice: None,
                node,
            });
        }
    }
    let (mut media, mut texts) = leaves(wire, &values);
    find_media(&mut media, blocks, &mut found);
    let notices = find_texts(&mut texts, blocks, &mut found, result, label);
    find_escaped(&texts, blocks, &mut found);
    let left = texts.iter().flat_map(Leaf::left).collect();
    Located {
        blocks: found,
        notices,
        left,
    }
}

/// The first value equal to `wanted` at a place for values that is of no other block.
fn find_value<'w>(
    wire: &'w Value,
    wanted: &Value,
    taken: &[&Value],
) -> Option<(Vec<Step<'w>>, &'w Value)> {
    let is_taken = |node: &Value| taken.iter().any(|taken| std::ptr::eq(*taken, node));
    let mut path = Vec::new();
    let node = descend(wire, &mut path, &mut |path, node| {
        if is_taken(node) {
            return Walk::Skip;
        }
        // What wraps another block's value reads the same as an object of its own.
        let wraps = node.get("result").is_some_and(is_taken);
        if is_place_for_value(path, wanted) && !wraps && node == wanted {
            Walk::Stop
        } else {
            Walk::Down
        }
    })?;
    Some((path, node))
}

/// Whether a wire puts JSON values at the path as they are: elsewhere the same JSON is the wire's own,
/// or a part of another block's.
#[allow(clippy::match_same_arms)] // One arm a wire reads better than one arm an answer.
fn is_place_for_value(path: &[Step<'_>], value: &Value) -> bool {
    match path {
        // A step of Gemini Interactions, and Converse's `toolResult`: what is no object may be wrapped.
        [_, _, Step::Key("result", _), below @ ..]
        | [_, _, _, _, _, _, _, Step::Key("json", _), below @ ..] => match below {
            [] => true,
            [Step::Key("result", _)] => !value.is_object(),
            _ => false,
        },
        // Gemini's `functionResponse`.
        [_, _, _, _, _, Step::Key("response", _), below @ ..] => matches!(
            below,
            [Step::Key("result" | "error", _)] | [Step::Key("result" | "error", _), Step::Item(_)]
        ),
        _ => false,
    }
}

enum Walk {
    Down,
    Skip,
    Stop,
}

/// Depth first in order; the path is that of the value it stops at.
fn descend<'w>(
    node: &'w Value,
    path: &mut Vec<Step<'w>>,
    visit: &mut dyn FnMut(&[Step<'w>], &'w Value) -> Walk,
) -> Option<&'w Value> {
    match visit(path, node) {
        Walk::Stop => return Some(node),
        Walk::Skip => return None,
        Walk::Down => {}
    }
    if path.len() >= DEPTH {
        return None;
    }
    let mut into = |step, child| {
        path.push(step);
        let stopped = descend(child, path, visit);
        if stopped.is_none() {
            path.pop();
        }
        stopped
    };
    match node {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| into(Step::Item(index), item)),
        Value::Object(fields) => fields
            .iter()
            .enumerate()
            .filter(|(_, (key, _))| !OWN_KEYS.contains(&key.as_str()))
            .find_map(|(index, (key, value))| into(Step::Key(key, index), value)),
        _ => None,
    }
}

/// Every string that may be payload, outside the values that are: those at places for media, and the
/// others. A text may read the same as the base64 of an image, so neither is looked for among the
/// other's.
fn leaves<'w>(wire: &'w Value, values: &[&Value]) -> (Vec<Leaf<'w>>, Vec<Leaf<'w>>) {
    let mut out = Vec::new();
    collect(wire, values, &mut Vec::new(), &mut out);
    out.into_iter()
        .partition(|leaf| is_place_for_media(&leaf.path))
}

/// Whether the wires put media at the path, and never text.
fn is_place_for_media(path: &[Step<'_>]) -> bool {
    match path {
        [.., Step::Key(key, _)] => MEDIA_KEYS.contains(key),
        // Ollama's.
        [.., Step::Key("images", _), Step::Item(_)] => true,
        _ => false,
    }
}

fn collect<'w>(
    node: &'w Value,
    values: &[&Value],
    path: &mut Vec<Step<'w>>,
    out: &mut Vec<Leaf<'w>>,
) {
    if values.iter().any(|value| std::ptr::eq(*value, node)) || path.len() > DEPTH {
        return;
    }
    match node {
        Value::String(text) => {
            out.push(Leaf {
                path: path.clone(),
                node,
                text,
                free: 0,
                taken: Vec::new(),
            });
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Item(index));
                collect(item, values, path, out);
                path.pop();
            }
        }
        Value::Object(fields) => {
            for (index, (key, value)) in fields.iter().enumerate() {
                if !OWN_KEYS.contains(&key.as_str()) {
                    path.push(Step::Key(key, index));
                    collect(value, values, path, out);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}

impl<'w> Leaf<'w> {
    /// Whether `text` begins at the first free byte and ends a line there.
    fn holds(&self, text: &str) -> bool {
        self.text
            .get(self.free..)
            .and_then(|rest| rest.strip_prefix(text))
            .is_some_and(ends_line)
    }

    fn spot(&self, offset: usize) -> Spot<'w> {
        Spot {
            path: self.path.clone(),
            offset,
        }
    }

    /// Passes the line or lines that begin at the first free byte, and tells where they do.
    fn pass(&mut self, length: usize) -> usize {
        let start = self.free;
        self.free = start + length + 1;
        start
    }

    /// Passes them as those of a block.
    fn take(&mut self, length: usize) -> usize {
        let start = self.pass(length);
        self.taken.push(start..start + length);
        start
    }

    /// What no block was found in, where one was found in the rest.
    fn left(&self) -> Vec<&'w str> {
        let mut out = Vec::new();
        let mut at = 0;
        for range in &self.taken {
            out.extend(self.text.get(at..range.start));
            at = range.end;
        }
        if !self.taken.is_empty() {
            out.extend(self.text.get(at..));
        }
        out
    }
}

fn ends_line(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('\n')
}

/// Images first: what has a stand-in is sent as media only where it is sent alone.
fn find_media<'w>(leaves: &mut [Leaf<'w>], blocks: &[Carried], found: &mut [Option<Found<'w>>]) {
    for stands in [false, true] {
        for (block, place) in blocks.iter().zip(found.iter_mut()) {
            let Facts::Media(signs) = &block.facts else {
                continue;
            };
            if block.stand.is_some() != stands {
                continue;
            }
            let is_media = |leaf: &Leaf<'_>| {
                leaf.taken.is_empty()
                    && signs.iter().any(|sign| {
                        leaf.text == sign
                            || (leaf.text.starts_with("data:")
                                && leaf
                                    .text
                                    .strip_suffix(sign.as_str())
                                    .is_some_and(|head| head.ends_with(";base64,")))
                    })
            };
            if let Some(leaf) = leaves.iter_mut().find(|leaf| is_media(leaf)) {
                leaf.take(leaf.text.len());
                *place = Some(Found {
                    spot: leaf.spot(0),
                    how: How::Media,
                    notice: None,
                    node: leaf.node,
                });
            }
        }
    }
}

/// Walks blocks and strings side by side, twice: first for the blocks that are a string of their own,
/// then for those that are lines of one which was joined of several. The other way round a blank text
/// would be found at any line's end.
fn find_texts<'w>(
    leaves: &mut [Leaf<'w>],
    blocks: &[Carried],
    found: &mut [Option<Found<'w>>],
    result: Option<&[&str]>,
    label: &str,
) -> Vec<Notice<'w>> {
    for leaf in leaves
        .iter_mut()
        .filter(|leaf| leaf.taken.is_empty() && leaf.text.starts_with(label))
    {
        leaf.free = label.len();
    }
    let mut notices: Vec<Notice<'w>> = vec![None; blocks.len()];
    for whole in [true, false] {
        let mut cursor = 0;
        // A notice stands for all images in a row.
        let mut standing: Notice<'w> = None;
        for ((block, place), notice) in blocks.iter().zip(found.iter_mut()).zip(&mut notices) {
            if let Facts::Media(_) = block.facts
                && block.stand.is_none()
            {
                let wanted = match place {
                    None => IMAGE_OMITTED,
                    Some(found) if result.is_some_and(|keys| found.spot.is_in_result(keys)) => {
                        continue;
                    }
                    Some(_) => IMAGE_ATTACHED,
                };
                if notice.is_none() {
                    *notice = standing
                        .clone()
                        .filter(|(words, _)| *words == wanted)
                        .or_else(|| {
                            let (leaf, _) = next(leaves, &mut cursor, [Some(wanted), None], whole)?;
                            let start = leaf.pass(wanted.len());
                            Some((wanted, leaf.spot(start)))
                        });
                }
                standing.clone_from(notice);
                continue;
            }
            if place.is_none() {
                *place = find_text(leaves, &mut cursor, block, whole);
            }
            // A text that reads as a notice stands for the images after it too.
            standing = place.as_ref().and_then(|found| {
                let words = [IMAGE_ATTACHED, IMAGE_OMITTED]
                    .into_iter()
                    .find(|words| block.as_text() == Some(words))?;
                Some((words, found.spot.clone()))
            });
        }
    }
    for (place, notice) in found.iter_mut().zip(&mut notices) {
        if let Some(found) = place
            && let Some((_, spot)) = notice.take()
        {
            found.notice = Some(spot);
        }
    }
    notices
}

/// A text, or JSON that reads as one.
fn find_text<'w>(
    leaves: &mut [Leaf<'w>],
    cursor: &mut usize,
    block: &Carried,
    whole: bool,
) -> Option<Found<'w>> {
    let bare = match &block.facts {
        Facts::Json(Value::String(bare)) if whole => Some(bare.as_str()),
        _ => None,
    };
    let (leaf, form) = next(leaves, cursor, [Some(block.as_text()?), bare], whole)?;
    let start = leaf.take(form.len());
    let how = if bare.is_some_and(|bare| std::ptr::eq(bare, form)) {
        How::Value
    } else if start == 0 && form.len() == leaf.text.len() {
        How::Whole
    } else {
        How::Lines
    };
    Some(Found {
        spot: leaf.spot(start),
        how,
        notice: None,
        node: leaf.node,
    })
}

/// The next string from the cursor on that has one of the forms at its first free byte, else any
/// before it, and the form. A `whole` one has nothing after it.
fn next<'l, 'w, 't>(
    leaves: &'l mut [Leaf<'w>],
    cursor: &mut usize,
    forms: [Option<&'t str>; 2],
    whole: bool,
) -> Option<(&'l mut Leaf<'w>, &'t str)> {
    let here = (*cursor).min(leaves.len());
    let form = |leaf: &Leaf<'_>| {
        let fits =
            |text: &&str| (!whole || leaf.free + text.len() == leaf.text.len()) && leaf.holds(text);
        forms.into_iter().flatten().find(fits)
    };
    let (at, form) = (here..leaves.len())
        .chain(0..here)
        .find_map(|at| Some((at, form(&leaves[at])?)))?;
    *cursor = at;
    Some((leaves.get_mut(at)?, form))
}

/// Texts that are strings of JSON which is a string itself.
fn find_escaped<'w>(leaves: &[Leaf<'w>], blocks: &[Carried], found: &mut [Option<Found<'w>>]) {
    for (block, place) in blocks.iter().zip(found) {
        let Some(text) = block.as_text().filter(|_| place.is_none()) else {
            continue;
        };
        let wrappers = leaves
            .iter()
            .filter(|leaf| leaf.taken.is_empty() && leaf.text.starts_with('{'));
        for leaf in wrappers {
            let escaped = Value::from(text).to_string();
            if let Some(offset) = memchr::memmem::find(leaf.text.as_bytes(), escaped.as_bytes()) {
                *place = Some(Found {
                    spot: leaf.spot(offset),
                    how: How::Escaped,
                    notice: None,
                    node: leaf.node,
                });
                break;
            }
        }
    }
}
