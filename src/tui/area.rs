//! Where everything stands, at every size.
//!
//! ```text
//! ┌ title ──────────────────────────────────────────────┐
//! │ timeline         │ header of the selected event     │
//! │                  │ ledger: four lines, or one       │
//! │                  │ ──────────────────────────────── │
//! │                  │ bar of tabs                      │
//! │ lost or wrong    │ ──────────────────────────────── │
//! │ (from 100x24)    │ the open tab                     │
//! │                  │ its status                       │
//! ├ caption ─────────┴──────────────────────────────────┤
//! │ rail                                                │
//! └ keys, or what is asked ─────────────────────────────┘
//! ```
//!
//! Below 60 columns there is one pane at a time, below 40x10 only a message.

use ratatui::layout::Rect;

/// Narrower than this, one pane is shown at a time.
pub const TWO_PANES: u16 = 60;
/// From this width on, the timeline shows sizes, and the ledger has four lines.
pub const WIDE: u16 = 100;
/// From this height on, the list of losses and the four lines of the ledger have room.
pub const HIGH: u16 = 24;
/// Smaller than this, nothing useful can be shown.
pub const SMALLEST: (u16, u16) = (40, 10);

/// Which of the two panes has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The list of events.
    Timeline,
    /// The selected event.
    Detail,
}

/// The parts of the main screen. What has no room is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// File, format, counts.
    pub title: Rect,
    /// The list of events with its heading.
    pub timeline: Rect,
    /// The list of losses with its heading.
    pub losses: Rect,
    /// The line between the panes.
    pub divider: Rect,
    /// What the selected event is.
    pub header: Rect,
    /// Returned, sent, read later, never sent.
    pub ledger: Rect,
    /// The line below the ledger.
    pub rule_above_tabs: Rect,
    /// The tabs' names.
    pub tabs: Rect,
    /// The line below them.
    pub rule_below_tabs: Rect,
    /// The open tab.
    pub tab: Rect,
    /// The open tab's status.
    pub status: Rect,
    /// The line above the rail, which carries the caption of a note.
    pub rule: Rect,
    /// The whole session on one line.
    pub rail: Rect,
    /// Keys, messages and questions.
    pub bottom: Rect,
}

/// What the layout depends on, beside the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The pane with the focus: the only one on a narrow screen.
    pub focus: Pane,
    /// How many losses there are to list.
    pub losses: usize,
}

impl Areas {
    /// The parts of a screen of this size; none where it is too small.
    pub fn of(size: (u16, u16), wanted: Wanted) -> Option<Self> {
        let (columns, rows) = size;
        if columns < SMALLEST.0 || rows < SMALLEST.1 {
            return None;
        }
        let mut areas = Self {
            title: Rect::new(0, 0, columns, 1),
            bottom: Rect::new(0, rows - 1, columns, 1),
            rail: Rect::new(0, rows - 2, columns, 1),
            ..Self::default()
        };
        let end = rows - 3;
        areas.rule = Rect::new(0, end, columns, 1);
        let body = Rect::new(0, 1, columns, end - 1);
        if columns < TWO_PANES {
            match wanted.focus {
                Pane::Timeline => areas.timeline = body,
                Pane::Detail => areas.detail(body),
            }
            return Some(areas);
        }
        let left = left_columns(columns);
        areas.divider = Rect::new(left, 1, 1, body.height);
        areas.detail(Rect::new(left + 1, 1, columns - left - 1, body.height));
        areas.left(Rect::new(0, 1, left, body.height), size, wanted);
        Some(areas)
    }

    fn left(&mut self, area: Rect, size: (u16, u16), wanted: Wanted) {
        let room = if size.0 < WIDE || size.1 < HIGH || wanted.losses == 0 {
            0
        } else {
            // A heading and its list, an empty line above; never more than a third.
            let listed = u16::try_from(wanted.losses).unwrap_or(u16::MAX);
            listed.min((area.height / 3).saturating_sub(2)).max(1) + 2
        };
        self.timeline = Rect {
            height: area.height - room,
            ..area
        };
        if room > 0 {
            self.losses = Rect {
                y: area.y + area.height - room + 1,
                height: room - 1,
                ..area
            };
        }
    }

    fn detail(&mut self, area: Rect) {
        let mut next = area;
        let mut take = |rows: u16| {
            let rows = rows.min(next.height);
            let taken = Rect {
                height: rows,
                ..next
            };
            next.y += rows;
            next.height -= rows;
            taken
        };
        // Four lines of ledger leave a tab worth having.
        let roomy = (area.width >= 60 && area.height >= HIGH - 4)
            || (area.width >= 48 && area.height >= HIGH + 4);
        self.header = take(1);
        self.ledger = take(if roomy { 4 } else { 1 });
        if roomy {
            self.rule_above_tabs = take(1);
        }
        self.tabs = take(1);
        if area.height >= 9 {
            self.rule_below_tabs = take(1);
        }
        let rest = take(u16::MAX);
        let margin = u16::from(rest.width >= 44);
        self.tab = Rect {
            x: rest.x + margin,
            width: rest.width - margin,
            height: rest.height.saturating_sub(1),
            ..rest
        };
        self.status = Rect {
            y: rest.y + self.tab.height,
            height: rest.height.min(1),
            ..rest
        };
    }

    /// The pane under a cell.
    pub fn pane_at(&self, column: u16, row: u16) -> Option<Pane> {
        let at = ratatui::layout::Position::new(column, row);
        let detail = [self.header, self.ledger, self.tabs, self.tab, self.status];
        if self.timeline.contains(at) || self.losses.contains(at) {
            Some(Pane::Timeline)
        } else if detail.iter().any(|area| area.contains(at)) {
            Some(Pane::Detail)
        } else {
            None
        }
    }
}

/// Columns of the timeline: number, mark, name and bar at 80, the size too from 100 on, and longer
/// names on a wide screen.
fn left_columns(columns: u16) -> u16 {
    match columns {
        0..WIDE => 24,
        WIDE..140 => 38,
        _ => (columns * 3 / 10).clamp(42, 64),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wanted(focus: Pane, losses: usize) -> Wanted {
        Wanted { focus, losses }
    }

    #[test]
    fn the_main_screen_at_100x30() {
        let areas = Areas::of((100, 30), wanted(Pane::Timeline, 5)).unwrap();
        assert_eq!(areas.timeline.width, 38);
        assert_eq!(areas.ledger.height, 4);
        assert_eq!(areas.losses.height, 6);
        assert_eq!(areas.rule.y, 27);
        assert_eq!(areas.status.y, 26);
    }

    #[test]
    fn at_80x24_the_ledger_is_one_line_and_the_losses_have_no_room() {
        let areas = Areas::of((80, 24), wanted(Pane::Timeline, 5)).unwrap();
        assert_eq!(areas.timeline.width, 24);
        assert_eq!(areas.ledger.height, 1);
        assert!(areas.losses.is_empty());
    }

    #[test]
    fn a_narrow_screen_has_one_pane() {
        let timeline = Areas::of((59, 24), wanted(Pane::Timeline, 5)).unwrap();
        assert!(timeline.tab.is_empty() && timeline.timeline.width == 59);
        let detail = Areas::of((59, 24), wanted(Pane::Detail, 5)).unwrap();
        assert!(detail.timeline.is_empty() && detail.tab.width == 58);
    }

    proptest! {
        #[test]
        fn parts_lie_on_the_screen_and_not_on_each_other(
            columns in 0_u16..260, rows in 0_u16..120, detail: bool, losses in 0_usize..40,
        ) {
            let focus = if detail { Pane::Detail } else { Pane::Timeline };
            let Some(areas) = Areas::of((columns, rows), wanted(focus, losses)) else {
                return Ok(());
            };
            let all = [
                areas.title, areas.timeline, areas.losses, areas.divider, areas.header, areas.ledger,
                areas.rule_above_tabs, areas.tabs, areas.rule_below_tabs, areas.tab, areas.status,
                areas.rule, areas.rail, areas.bottom,
            ];
            let screen = Rect::new(0, 0, columns, rows);
            for (position, one) in all.iter().enumerate().filter(|(_, area)| !area.is_empty()) {
                prop_assert_eq!(one.intersection(screen), *one);
                for other in all.iter().skip(position + 1).filter(|area| !area.is_empty()) {
                    prop_assert!(!one.intersects(*other), "{:?} {:?}", one, other);
                }
            }
        }
    }
}
