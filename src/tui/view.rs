//! Draws the program. Reads nothing, parses nothing, changes nothing.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::action::Action;
use super::app::{App, Layer, Main};
use super::area::{Areas, HIGH, Pane, SMALLEST, WIDE};
use super::canvas::Canvas;
use super::header;
use super::keys::{self, Scope};
use super::ledger;
use super::losses;
use super::prompt::Purpose;
use super::rail;
use super::tab::TabName;
use super::theme::{self, Theme, glyph};
use super::timeline::Rows;
use super::title::Title;
use crate::text;

/// Draws everything, and tells where the cursor stands if text is being typed.
pub fn draw(app: &App, buffer: &mut Buffer) -> Option<Position> {
    let area = *buffer.area();
    let cursor = draw_in_unicode(app, buffer, area);
    if app.theme.ascii {
        theme::to_ascii(buffer);
    }
    cursor
}

fn draw_in_unicode(app: &App, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let mut canvas = Canvas::new(buffer, area);
    let (columns, rows) = (canvas.columns(), canvas.rows());
    if columns < SMALLEST.0 || rows < SMALLEST.1 {
        too_small(&mut canvas, &app.theme);
        return None;
    }
    match (&app.main, &app.start) {
        (Some(main), _) => draw_main(app, main, &mut canvas),
        (None, Some(start)) => {
            start.view(&mut canvas.part(0, 0, columns, rows - 1), &app.theme);
        }
        (None, None) => {}
    }
    let bottom = Rect::new(area.x, area.y + rows - 1, columns, 1);
    let mut cursor = draw_bottom(app, &mut canvas.part(0, rows - 1, columns, 1))
        .map(|column| Position::new(bottom.x + column, bottom.y));
    match &app.layer {
        Some(Layer::Help(help)) => {
            let mut over = canvas.part(0, 0, columns, rows - 1);
            over.clear();
            help.view(&mut over, &app.theme);
        }
        Some(Layer::Palette(palette)) => {
            let width = columns.saturating_sub(8).min(76);
            let height = rows.saturating_sub(4).min(18);
            let left = (columns - width) / 2;
            let mut over = framed(&mut canvas, left, 1, width, height, " actions ", &app.theme);
            let (x, y) = palette.view(&mut over, &app.theme, &under_layer(app));
            let area = over.area();
            cursor = Some(Position::new(area.x + x, area.y + y));
        }
        None => {}
    }
    if app.pending.has_keys() {
        draw_continuations(app, &mut canvas);
    }
    cursor
}

/// The places of the screen below a layer: whose keys the palette shows.
fn under_layer(app: &App) -> Vec<Scope> {
    match &app.main {
        Some(main) => main.chain(),
        None => Scope::START.to_vec(),
    }
}

fn too_small(canvas: &mut Canvas<'_>, theme: &Theme) {
    let text = format!("toolreel needs {}x{}", SMALLEST.0, SMALLEST.1);
    let here = format!("this is {}x{}", canvas.columns(), canvas.rows());
    let middle = canvas.rows() / 2;
    canvas.put(0, middle.saturating_sub(1), &text, theme.strong);
    canvas.put(0, middle, &here, theme.dim);
}

/// A framed part of the screen, emptied; the inside of it.
fn framed<'a>(
    canvas: &'a mut Canvas<'_>,
    left: u16,
    top: u16,
    columns: u16,
    rows: u16,
    title: &str,
    theme: &Theme,
) -> Canvas<'a> {
    let mut frame = canvas.part(left, top, columns, rows);
    frame.clear();
    let (right, bottom) = (columns.saturating_sub(1), rows.saturating_sub(1));
    frame.rule(0, 0, columns, glyph::ACROSS, theme.border);
    frame.rule(0, bottom, columns, glyph::ACROSS, theme.border);
    for row in 1..bottom {
        frame.put(0, row, glyph::DOWN, theme.border);
        frame.put(right, row, glyph::DOWN, theme.border);
    }
    for (column, row, corner) in [
        (0, 0, glyph::TOP_LEFT),
        (right, 0, glyph::TOP_RIGHT),
        (0, bottom, glyph::BOTTOM_LEFT),
        (right, bottom, glyph::BOTTOM_RIGHT),
    ] {
        frame.put(column, row, corner, theme.border);
    }
    frame.put(2, 0, title, theme.title);
    canvas.part(
        left + 1,
        top + 1,
        columns.saturating_sub(2),
        rows.saturating_sub(2),
    )
}

/// A part of the canvas, which begins at the screen's corner.
fn part<'a>(canvas: &'a mut Canvas<'_>, area: Rect) -> Canvas<'a> {
    let own = canvas.area();
    canvas.part(
        area.x.saturating_sub(own.x),
        area.y.saturating_sub(own.y),
        area.width,
        area.height,
    )
}

fn draw_main(app: &App, main: &Main, canvas: &mut Canvas<'_>) {
    let theme = &app.theme;
    let size = (canvas.columns(), canvas.rows());
    let Some(areas) = main.areas(size) else {
        return;
    };
    let recording = main.recording.as_ref();
    let wide = size.0 >= WIDE && size.1 >= HIGH;
    Title {
        name: recording.title(),
        format: recording.format(),
        counts: main.counts,
        progress: (!main.complete).then_some(main.percent),
        folded: (!wide).then(|| main.replay.losses().len()),
        banner: main.banner.as_deref(),
        theme,
    }
    .view(&mut part(canvas, areas.title));
    let rows = Rows {
        recording,
        replay: &main.replay,
        rerun: main.shown_rerun(),
        focused: main.focus == Pane::Timeline,
        theme,
    };
    main.timeline.view(&mut part(canvas, areas.timeline), &rows);
    if !areas.losses.is_empty() {
        let losses = main.replay.losses();
        let selected = main.timeline.selected;
        losses::view(&mut part(canvas, areas.losses), losses, selected, theme);
    }
    let divider = &mut part(canvas, areas.divider);
    for row in 0..divider.rows() {
        divider.put(0, row, glyph::DOWN, theme.border);
    }
    draw_detail(main, canvas, &areas, theme);
    draw_foot(main, canvas, &areas, theme);
}

fn draw_detail(main: &Main, canvas: &mut Canvas<'_>, areas: &Areas, theme: &Theme) {
    let Some(selected) = main.timeline.selected else {
        return;
    };
    header::view(main, selected, &mut part(canvas, areas.header), theme);
    let mut ledger_area = part(canvas, areas.ledger);
    if let Some(ledger) = main.replay.ledger(selected) {
        let row = main.shown_rerun().and_then(|rerun| rerun.row_of(selected));
        ledger::view(&mut ledger_area, &ledger, row.as_ref(), theme);
    } else {
        let text = header::without_ledger(main, selected);
        ledger_area.put(1, 0, text, theme.dim);
    }
    for area in [areas.rule_above_tabs, areas.rule_below_tabs] {
        let mut rule = part(canvas, area);
        rule.rule(0, 0, area.width, glyph::ACROSS, theme.border);
    }
    draw_tab_bar(main, &mut part(canvas, areas.tabs), theme);
    // A tab draws its cursor as the selection; without the focus that is a quieter one.
    let tab_theme = match main.focus {
        Pane::Detail => *theme,
        Pane::Timeline => Theme {
            selection: theme.cursor,
            ..*theme
        },
    };
    main.tabs
        .view(&mut part(canvas, areas.tab), Some(selected), &tab_theme);
    let mut status = part(canvas, areas.status);
    let shown = main.tabs.tab().map(super::held::Held::status);
    if let Some(shown) = shown.filter(|_| main.tabs.is_ready(selected)) {
        let width = status.columns();
        let end = width.saturating_sub(1);
        let right = status.put_right(end, 0, &shown.right, theme.dim);
        let room = right.saturating_sub(2);
        status.put(1, 0, &text::fit(&shown.left, usize::from(room)), theme.dim);
    }
}

/// The names of the tabs with their columns, as far as there is room.
fn tab_places(width: u16) -> Vec<(TabName, u16, String)> {
    let letter = |tab: TabName| match tab {
        TabName::Blocks => "b",
        TabName::Envelope => "e",
        TabName::Pages => "p",
        TabName::Providers => "v",
        TabName::Rerun => "r",
        TabName::Raw => "x",
        TabName::Why => "w",
    };
    // Where there is little room, the names lose their letters' pains before they are cut.
    let long: usize = TabName::BAR.iter().map(|tab| tab.title().len() + 4).sum();
    let short: usize = TabName::BAR.iter().map(|tab| tab.title().len() + 3).sum();
    let gap = if long <= usize::from(width) { 2 } else { 1 };
    let letters = short <= usize::from(width) + 1;
    let mut column = 1;
    TabName::BAR
        .into_iter()
        .map(|tab| {
            let label = if letters {
                format!("{}:{}", letter(tab), tab.title())
            } else {
                tab.title().to_owned()
            };
            let start = column;
            column += u16::try_from(label.len()).unwrap_or(0) + gap;
            (tab, start, label)
        })
        .collect()
}

/// The tab under a column of the bar, for the mouse.
pub fn tab_at(app: &App, bar: Rect, column: u16) -> Option<TabName> {
    app.main.as_ref()?;
    let column = column.checked_sub(bar.x)?;
    tab_places(bar.width)
        .into_iter()
        .find(|(_, start, label)| {
            (*start..start.saturating_add(u16::try_from(label.len()).unwrap_or(0)))
                .contains(&column)
        })
        .map(|(tab, _, _)| tab)
}

fn draw_tab_bar(main: &Main, bar: &mut Canvas<'_>, theme: &Theme) {
    if main.tabs.open == TabName::Why {
        let after = bar.put(1, 0, "w:WHY", theme.tab_open);
        bar.put(after + 2, 0, "Esc back", theme.dim);
        return;
    }
    for (tab, column, label) in tab_places(bar.columns()) {
        let is_open = tab == main.tabs.open;
        let is_dim = main.tabs.reason(tab).is_some();
        let style = match (is_open, is_dim) {
            (true, _) => theme.tab_open,
            (false, true) => theme.tab_dim,
            (false, false) => theme.tab,
        };
        // The open tab is told by its capitals too, and not by its style alone.
        let label = match label.split_once(':') {
            Some((letter, title)) if is_open => format!("{letter}:{}", title.to_uppercase()),
            None if is_open => label.to_uppercase(),
            _ => label,
        };
        bar.put(column, 0, &label, style);
        if label.as_bytes().get(1) == Some(&b':') {
            bar.style(column, 0, 1, 1, Style::new().underlined());
        }
    }
}

fn draw_foot(main: &Main, canvas: &mut Canvas<'_>, areas: &Areas, theme: &Theme) {
    let mut rule = part(canvas, areas.rule);
    rule.rule(0, 0, areas.rule.width, glyph::ACROSS, theme.border);
    if !areas.divider.is_empty() {
        rule.put(areas.divider.x, 0, glyph::TEE_UP, theme.border);
    }
    if let Some(caption) = main.caption() {
        let width = areas.rule.width;
        let caption = text::fit(caption, usize::from(width.saturating_sub(8)));
        rule.put(2, 0, &format!(" {caption} "), theme.caption);
    }
    let Some(selected) = main.timeline.selected else {
        return;
    };
    let shown = main.settings.filter(|_| main.shown_rerun().is_some());
    // Those of a re-run are nobody's recorded ones, and say so.
    let settings = match (shown, main.recorded) {
        (Some(shown), _) => format!("re-run {}", rail::settings_words(shown)),
        (None, recorded) => recorded.map(rail::settings_words).unwrap_or_default(),
    };
    let evidence = main.replay.ledger(selected).map(|ledger| ledger.evidence);
    let line = rail::Line {
        recording: main.recording.as_ref(),
        selected,
        playing: main.playing.is_some(),
        evidence,
        settings: &settings,
        theme,
    };
    main.rail.view(&mut part(canvas, areas.rail), &line);
}

/// The last line: what is asked, what was said, what was typed, or the keys.
fn draw_bottom(app: &App, line: &mut Canvas<'_>) -> Option<u16> {
    let theme = &app.theme;
    if let Some(prompt) = &app.prompt
        && !matches!(prompt.purpose, Purpose::Tab { in_place: true, .. })
    {
        let note = match (&prompt.purpose, &app.main) {
            (Purpose::Search, Some(main)) => main
                .search
                .as_ref()
                .map(super::search::Search::note)
                .unwrap_or_default(),
            (Purpose::Command, _) => "Enter does it, Esc forgets it".to_owned(),
            _ => String::new(),
        };
        return Some(prompt.view(line, theme, &note));
    }
    let search = app.main.as_ref().and_then(|main| main.search.as_ref());
    if let Some(search) =
        search.filter(|search| (search.wanted && !search.complete) || search.ahead)
    {
        let text = format!("searching: {}", search.note());
        let after = line.put(1, 0, &text, theme.strong);
        line.put(after + 2, 0, "Esc stays here", theme.dim);
        return None;
    }
    if let Some(said) = &app.said {
        line.put(
            1,
            0,
            &text::fit(&said.text, usize::from(line.columns().saturating_sub(2))),
            app.said_style(),
        );
        return None;
    }
    if !app.pending.is_empty() {
        line.put_right(
            line.columns().saturating_sub(1),
            0,
            &app.pending.show(),
            theme.key,
        );
    }
    let entries = bar_entries(app);
    let width = line.columns();
    let needs = |(keys, word): &(String, String)| {
        let keys = if keys == "Enter" {
            1
        } else {
            text::cells(keys)
        };
        u16::try_from(keys + 1 + text::cells(word)).unwrap_or(u16::MAX)
    };
    // The last one, help, is never the one that has no room.
    let last = entries.last().map_or(0, |entry| needs(entry) + 2);
    let mut column: u16 = 1;
    for (position, entry) in entries.iter().enumerate() {
        let is_last = position + 1 == entries.len();
        let end = column.saturating_add(needs(entry));
        let limit = if is_last {
            width
        } else {
            width.saturating_sub(last)
        };
        if end > limit {
            continue;
        }
        let (keys, word) = entry;
        column = line.put(column, 0, keys, theme.key);
        column = line.put(column + 1, 0, word, theme.dim) + 2;
    }
    None
}

/// The keys of the bar, in the order of the table. A tab names its own keys itself.
fn bar_entries(app: &App) -> Vec<(String, String)> {
    let own = match &app.main {
        Some(main) if main.focus == Pane::Detail => app.chain().first().copied(),
        _ => None,
    };
    let chain = app.chain();
    let mut entries: Vec<(String, String)> = Vec::new();
    for entry in keys::table().entries() {
        let Some(word) = &entry.bar else { continue };
        let shown = entry.show.clone();
        let is_here = chain.contains(&entry.scope) && own != Some(entry.scope);
        // What a tab binds to something else does not stand here with its wider meaning.
        let is_hidden = own.is_some_and(|own| {
            let table = keys::table();
            let mut narrow = table.entries().iter().filter(|other| other.scope == own);
            narrow.any(|other| other.keys.iter().any(|key| entry.keys.first() == Some(key)))
        });
        if is_here && !is_hidden && !entries.iter().any(|(keys, _)| *keys == shown) {
            entries.push((shown, word.clone()));
        }
    }
    if own.is_some() {
        entries.insert(1.min(entries.len()), ("Esc".to_owned(), "back".to_owned()));
    }
    entries
}

/// What may follow the keys that were typed, above the bottom line.
fn draw_continuations(app: &App, canvas: &mut Canvas<'_>) {
    let theme = &app.theme;
    let chain = app.chain();
    let follows: Vec<(String, &Action)> = keys::table().continuations(&chain, &app.pending);
    let begun = app.pending.show();
    let height = u16::try_from(follows.len())
        .unwrap_or(8)
        .min(canvas.rows().saturating_sub(4))
        + 2;
    let width = canvas.columns().min(46);
    let top = canvas.rows().saturating_sub(height + 1);
    let title = format!(" {begun} … ");
    let left = canvas.columns().saturating_sub(width);
    let mut inside = framed(canvas, left, top, width, height, &title, theme);
    for (row, (keys, action)) in (0..).zip(follows) {
        inside.put(1, row, &format!("{begun}{keys}"), theme.key);
        inside.put(7, row, action.doc(), theme.text);
    }
}
