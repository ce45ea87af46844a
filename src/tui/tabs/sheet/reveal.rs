//! Bringing a place of a sheet into view: an item, bytes of a block, a text that was searched.

use std::ops::Range;

use super::state::{Found, Near, SheetState};
use super::walk::{At, GUTTER, Inner};
use super::{Content, Sheet};
use crate::query::Needle;

impl SheetState {
    /// Shows an item of the first array that has it, with the cursor on it.
    pub fn reveal_item(&mut self, sheet: &Sheet, item: u64) -> bool {
        for part in 0..sheet.parts().len() {
            let array = matches!(&sheet.part(part).map(|part| &part.content),
                Some(Content::Tree(tree)) if item < tree.total());
            if !array {
                continue;
            }
            if let Some(Some(spot)) = self.unfold(sheet, part, |unfold| unfold.item(item)) {
                self.show(sheet, part, Inner::Spot(spot));
                return true;
            }
        }
        false
    }

    /// Shows bytes of the text or JSON of a block, marked, with the cursor on them.
    pub fn reveal_bytes(
        &mut self,
        sheet: &Sheet,
        block: usize,
        range: &Range<usize>,
        searched: &str,
    ) -> bool {
        let part = sheet.part_of_block(block);
        part.is_some_and(|part| self.reveal_in(sheet, part, range, searched))
            || self.reveal_text(sheet, searched)
    }

    fn reveal_in(
        &mut self,
        sheet: &Sheet,
        part: usize,
        range: &Range<usize>,
        searched: &str,
    ) -> bool {
        let inner = match sheet.part(part).map(|part| &part.content) {
            Some(Content::Prose(prose)) => {
                let width = usize::from(self.size.0.saturating_sub(GUTTER).max(1));
                Some(Inner::Row(prose.row_of(range.start, width, &self.cache)))
            }
            _ => self
                .unfold(sheet, part, |unfold| unfold.byte(range.start))
                .flatten()
                .map(Inner::Spot),
        };
        let Some(inner) = inner else {
            return false;
        };
        self.found = Some(Found {
            part,
            range: range.clone(),
            needle: Needle::new(searched),
        });
        self.show(sheet, part, inner);
        true
    }

    /// Shows the first place of a text that was searched, marked, with the cursor on it.
    pub fn reveal_text(&mut self, sheet: &Sheet, searched: &str) -> bool {
        let Some((part, range)) = Needle::new(searched).and_then(|needle| sheet.find(&needle))
        else {
            return false;
        };
        self.reveal_in(sheet, part, &range, searched)
    }

    fn show(&mut self, sheet: &Sheet, part: usize, inner: Inner) {
        self.shows_all |= sheet.part(part).is_some_and(|part| part.on_demand);
        if let Some(heading) = sheet.part(part).and_then(|part| part.heading) {
            self.folded.remove(&heading);
        }
        if self.only_seen {
            // What is to be shown may be what was left out.
            self.only_seen = false;
            for folds in &mut self.trees {
                folds.only_seen = false;
            }
        }
        self.cursor = At { part, inner };
        self.settle(sheet, Near::Middle);
    }
}
