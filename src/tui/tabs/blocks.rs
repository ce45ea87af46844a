//! Blocks: each block of the selected event, and what the model had of every line.

mod build;
mod media;

pub use build::word;
pub use media::Look;

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::sheet::{Content, Sheet, SheetState};
use super::tree::{Fold, Key, Shown};
use crate::policy::cache::{DEFAULT_LIMIT, page_token};
use crate::session::event::Body;
use crate::tool::rig_mcp::CachedResultHandle;
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// JSON up to this many bytes is unfolded from the start.
const SMALL: usize = 1500;

/// So many items of the first group are shown from the start.
const FIRST_FEW: u64 = 2;

/// What the tab shows.
#[derive(Debug, Default)]
pub struct BlocksData {
    sheet: Sheet,
    paging: Option<Paging>,
    size: (u16, u16),
    missing: bool,
}

/// How the items of the output came in answers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Paging {
    handle: CachedResultHandle,
    first_page: u64,
    total: u64,
}

impl Paging {
    /// Which answer brings an item, counted from 1: the envelope is the first.
    fn answer(&self, item: u64) -> u64 {
        match item.checked_sub(self.first_page) {
            None => 1,
            Some(after) => 2 + after / DEFAULT_LIMIT,
        }
    }

    fn answers(&self) -> u64 {
        let rest = self.total.saturating_sub(self.first_page);
        1 + rest.div_ceil(DEFAULT_LIMIT)
    }

    /// The token that asks for the answer with an item.
    fn token(&self, item: u64) -> String {
        let offset = match item.checked_sub(self.first_page) {
            None => 0,
            Some(after) => self.first_page + after / DEFAULT_LIMIT * DEFAULT_LIMIT,
        };
        page_token(&self.handle, offset)
    }
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct BlocksTab {
    sheet: SheetState,
}

impl BlocksTab {
    fn begin(&mut self, data: &BlocksData) {
        self.sheet.start(&data.sheet, data.size);
        for (place, part) in data.sheet.parts().iter().enumerate() {
            let Content::Tree(tree) = &part.content else {
                continue;
            };
            let Some(folds) = self.sheet.folds_mut(place) else {
                continue;
            };
            if let Some(group) = tree.groups().first() {
                folds.set(
                    Key::Group(group.items.start),
                    Fold::Open(Shown::first_of(&group.items, FIRST_FEW)),
                );
            } else if tree.doc().bytes().len() <= SMALL {
                folds.open = true;
            }
        }
        self.sheet.enter(&data.sheet);
    }

    fn show(&mut self, data: &BlocksData, place: &Place) -> bool {
        match place {
            Place::Item(item) => self.sheet.reveal_item(&data.sheet, *item),
            Place::Bytes {
                block,
                range,
                pattern,
            } => self.sheet.reveal_bytes(&data.sheet, *block, range, pattern),
            Place::Arguments { pattern } => self.sheet.reveal_text(&data.sheet, pattern),
            Place::Raw { .. } => false,
        }
    }
}

impl Tab for BlocksTab {
    type Data = BlocksData;
    type Ask = ();

    const NAME: TabName = TabName::Blocks;
    const LIVE: bool = true;

    fn ask(&self) -> Self::Ask {}

    fn load(source: &Source, (): &Self::Ask) -> BlocksData {
        let size = (source.columns, source.rows);
        let recording = &*source.recording;
        let Some(event) = recording.event(source.event) else {
            return BlocksData {
                size,
                missing: true,
                ..BlocksData::default()
            };
        };
        let call = recording
            .record(source.event)
            .and_then(|record| record.pair)
            .and_then(|pair| recording.event(pair))
            .and_then(|call| match call.body {
                Body::ToolCall(call) => Some(call),
                _ => None,
            });
        let is_output = matches!(event.body, Body::ToolOutput(_));
        let seen = source.replay.seen(source.event).filter(|_| is_output);
        let items = if seen.is_some() && shows_envelope(&event.body) {
            source.replay.items(recording, source.event)
        } else {
            None
        };
        let arguments_above = call
            .as_ref()
            .is_some_and(|call| fits_header(call, source.columns));
        let sheet = build::Shown {
            event: &event,
            call: call.as_ref(),
            arguments_above,
            seen: seen.as_ref(),
            items: items.as_ref(),
        }
        .sheet();
        let paging = source
            .replay
            .pages(source.event)
            .filter(|pages| is_output && pages.output == Some(source.event))
            .map(|pages| Paging {
                handle: CachedResultHandle(pages.handle),
                first_page: pages.first_page_items,
                total: pages.total_items,
            });
        BlocksData {
            sheet,
            paging,
            size,
            missing: false,
        }
    }

    fn arrive(&mut self, data: &BlocksData, same_event: bool) {
        if same_event {
            self.sheet.keep(&data.sheet, data.size);
        } else {
            self.begin(data);
        }
    }

    fn update(&mut self, data: &BlocksData, action: &Action, context: Context) -> Outcome {
        match action {
            Action::CopyToken => {
                let token = data
                    .paging
                    .as_ref()
                    .zip(self.sheet.item(&data.sheet))
                    .map(|(paging, item)| paging.token(item));
                match token {
                    Some(text) => Outcome::with(Effect::Copy {
                        what: "token",
                        text,
                    }),
                    None => Outcome::Ignored,
                }
            }
            _ => self.sheet.update(&data.sheet, action, context),
        }
    }

    fn view(&self, data: &BlocksData, canvas: &mut Canvas<'_>, theme: &Theme) {
        if data.missing {
            canvas.put(0, 0, "this event cannot be read any more", theme.error);
            return;
        }
        self.sheet.view(&data.sheet, canvas, theme);
    }

    fn reveal(&mut self, data: &BlocksData, place: &Place) -> bool {
        self.show(data, place)
    }

    fn status(&self, data: &BlocksData) -> Status {
        let left = self.sheet.path(&data.sheet).unwrap_or_default();
        let right = match (self.sheet.item(&data.sheet), &data.paging) {
            (Some(item), Some(paging)) => {
                let answer = format!("answer {} of {}", paging.answer(item), paging.answers());
                if self.sheet.is_on_group(&data.sheet) {
                    answer
                } else {
                    format!("item {item} \u{b7} {answer}")
                }
            }
            (Some(_), None) if self.sheet.is_on_group(&data.sheet) => String::new(),
            (Some(item), None) => format!("item {item}"),
            (None, _) => String::new(),
        };
        Status { left, right }
    }

    fn place(&self, data: &BlocksData) -> Option<Place> {
        if let Some(item) = self.sheet.item(&data.sheet) {
            return Some(Place::Item(item));
        }
        let (block, range) = self.sheet.bytes(&data.sheet)?;
        Some(bytes(block, range))
    }

    fn nothing(_: &Source) -> Option<String> {
        None
    }
}

fn bytes(block: usize, range: Range<usize>) -> Place {
    Place::Bytes {
        block,
        range,
        pattern: String::new(),
    }
}

/// Whether the items of the output are to be put together from what is recorded of them.
fn shows_envelope(body: &Body) -> bool {
    match body {
        Body::ToolOutput(output) => output
            .fullest()
            .iter()
            .any(|block| matches!(block, crate::session::block::Block::Envelope(_))),
        _ => false,
    }
}

/// Whether the header above the tabs has room for the arguments of a call.
fn fits_header(call: &crate::session::event::Call, columns: u16) -> bool {
    let taken = call.tool.len() + 24;
    let arguments = serde_json::to_string(&call.arguments).map_or(usize::MAX, |text| text.len());
    arguments + taken <= usize::from(columns)
}
