//! What the result cache answers, computed by a worker.

use std::ops::Range;

use serde_json::Value;

use super::map::Map;
use super::question::{Course, PagesAsk, Question};
use crate::policy::cache::CacheSettings;
use crate::replay::page::{PageError, PageOf, PageRequest};
use crate::replay::pages::{Answer, AnswerResult, Ask, Cell, Items, PagesView, ReadAll};
use crate::replay::rerun::Row;
use crate::replay::seen::{Never, Reach};
use crate::session::event::{Body, CacheOperation, EventId};
use crate::tool::compact;
use crate::tool::rig_mcp::PageRequest as Arguments;
use crate::tui::tab::Source;
use crate::tui::tabs::line::{Ink, Line};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::sheet::Sheet;
use crate::tui::tabs::tree::{Doc, Tree, summary};

/// What the tab shows.
#[derive(Debug, Default)]
pub struct PagesData {
    /// The selected event.
    pub event: Option<EventId>,
    /// The handle's life; none where there is no handle.
    pub life: Option<Life>,
    /// Why there is none.
    pub reason: String,
    /// Columns and rows of the pane.
    pub size: (u16, u16),
}

/// A handle with its map and the answer to what is asked.
#[derive(Debug)]
pub struct Life {
    /// The handle.
    pub handle: String,
    /// How many items it keeps.
    pub total: u64,
    /// When the items were stored.
    pub stored: EventId,
    /// When the handle was released.
    pub released: Option<EventId>,
    /// As of which event; none at the end of the recording.
    pub at: Option<EventId>,
    /// The settings of a re-run, where the answers are not the recording's own.
    pub settings: Option<CacheSettings>,
    /// The map.
    pub map: Map,
    /// How the answers follow each other.
    pub course: Course,
    /// What was asked, resolved.
    pub question: Question,
    /// The call that the envelope answers, in words.
    pub call: String,
    /// The answer.
    pub answer: Answer,
    /// The answer's items and its JSON.
    pub sheet: Sheet,
    /// What reading everything costs.
    pub all: Option<ReadAll>,
    /// As if the handle had been released here.
    pub released_here: bool,
}

impl Life {
    /// Which answer this is, counted from 1.
    pub fn number(&self) -> Option<u64> {
        match &self.question {
            Question::Envelope | Question::Own => Some(1),
            Question::Page(_) => self.course.answer_from(self.start()?),
        }
    }

    /// The first item that is asked for, also where it is refused.
    pub fn start(&self) -> Option<u64> {
        match &self.question {
            Question::Envelope | Question::Own => Some(0),
            Question::Page(arguments) => {
                let request = Arguments::from_args(arguments).ok()?;
                Some(request.offset as u64)
            }
        }
    }

    /// The cell of the map that holds the first item.
    pub fn cell(&self) -> Option<usize> {
        self.map.at(self.start()?)
    }
}

/// Computes the data.
pub fn load(source: &Source, ask: &PagesAsk) -> PagesData {
    let mut data = PagesData {
        event: Some(source.event),
        size: (source.columns, source.rows),
        ..PagesData::default()
    };
    let own = PagesAsk {
        item: ask.item,
        ..PagesAsk::default()
    };
    let ask = if ask.event == Some(source.event) {
        ask
    } else {
        &own
    };
    match life(source, ask) {
        Ok(life) => data.life = Some(life),
        Err(reason) => data.reason = reason,
    }
    data
}

/// Why there are no pages; none where there are.
pub fn nothing(source: &Source) -> Option<String> {
    match (recorded(source), rerun_row(source)) {
        (Some(_), None) => None,
        (_, Some((_, row))) if row.cached => None,
        (_, Some((settings, row))) => Some(not_cached(&row, settings)),
        (None, None) => Some(no_handle(source)),
    }
}

fn recorded(source: &Source) -> Option<PagesView> {
    source.replay.pages(source.event)
}

/// The output's row of the re-run that is shown beside the recording, if one is and it differs.
fn rerun_row(source: &Source) -> Option<(CacheSettings, Row)> {
    let settings = source
        .settings
        .filter(|settings| *settings != source.replay.recorded_settings().settings)?;
    let output = recorded(source)
        .and_then(|view| view.output)
        .or_else(|| source.replay.output_of(source.event))?;
    let row = source.replay.rerun(settings).row_of(output)?;
    Some((settings, row))
}

fn no_handle(source: &Source) -> String {
    let settings = source.replay.recorded_settings().settings;
    match source
        .replay
        .output_of(source.event)
        .and_then(|output| source.replay.rerun(settings).row_of(output))
    {
        Some(row) => not_cached(&row, settings),
        None => "no tool output: the result cache keeps only those".to_owned(),
    }
}

fn not_cached(row: &Row, settings: CacheSettings) -> String {
    let threshold = crate::text::grouped(settings.threshold_bytes);
    match (row.reason, row.bytes_before) {
        (Some(crate::replay::rerun::Reason::UnderThreshold), Some(bytes)) => format!(
            "sent whole: an array of {} B is not over the threshold of {threshold} B",
            crate::text::grouped(bytes)
        ),
        (Some(reason), _) => format!("no handle: {}", reason.words()),
        (None, _) => "no handle in this recording".to_owned(),
    }
}

fn life(source: &Source, ask: &PagesAsk) -> Result<Life, String> {
    if let Some(reason) = nothing(source) {
        return Err(reason);
    }
    let rerun = rerun_row(source);
    let view = recorded(source);
    let events = &*source.recording;
    let output = view
        .as_ref()
        .and_then(|view| view.output)
        .or_else(|| source.replay.output_of(source.event))
        .unwrap_or(source.event);
    let mut items = source
        .replay
        .items(events, source.event)
        .or_else(|| source.replay.items(events, output))
        .ok_or_else(|| no_handle(source))?;
    let first = match &rerun {
        Some((settings, _)) => settings.first_page(items.total),
        None => items.first_page,
    };
    if let Some((_, row)) = &rerun {
        items.handle.clone_from(&row.handle);
    }
    let handle = items.handle.clone().unwrap_or_default();
    let course = Course::new(first, ask.limit.as_ref(), items.total);
    let question = match (ask.item.filter(|item| *item < items.total), &ask.question) {
        (Some(item), _) => course.question_for(item, &handle, ask.limit.as_ref()),
        (None, Question::Own) => own_question(source, output),
        (None, other) => other.clone(),
    };
    let answer = answer(source, &items, output, &question, ask, rerun.as_ref());
    let cells = match (&rerun, &view) {
        (None, Some(view)) => view.cells.clone(),
        _ => rerun_cells(&items, first),
    };
    let last = EventId::from_position(events.count().saturating_sub(1));
    let all = source.replay.read_all(
        output,
        rerun.as_ref().map(|(settings, _)| settings.page_size),
        ask.limit.as_ref().and_then(Value::as_u64),
    );
    let sheet = sheet(&answer, &cells, items.total);
    Ok(Life {
        handle,
        total: items.total,
        stored: view.as_ref().map_or(output, |view| view.stored),
        released: view.as_ref().and_then(|view| view.released),
        at: Some(source.at).filter(|at| *at < last),
        settings: rerun.map(|(settings, _)| settings),
        map: Map::new(&cells),
        course,
        question,
        call: call(source, output),
        answer,
        sheet,
        all,
        released_here: ask.released,
    })
}

/// What the selected event itself asked.
fn own_question(source: &Source, output: EventId) -> Question {
    if source.event == output {
        return Question::Envelope;
    }
    let events = &*source.recording;
    let arguments = |id: EventId| match events.event(id)?.body {
        Body::ToolCall(call) => Some(call.arguments),
        Body::Cache(CacheOperation::Page { arguments, .. }) => Some(arguments),
        _ => None,
    };
    let pair = events.record(source.event).and_then(|record| record.pair);
    let pages = |value: &Value| Arguments::from_args(value).is_ok();
    let asked = arguments(source.event).or_else(|| pair.and_then(arguments));
    // A release asks for no page.
    let is_page = asked.as_ref().is_some_and(|value| {
        pages(value) && (value.get("page_token").is_some() || value.get("offset").is_some())
    });
    match asked {
        Some(arguments) if is_page => Question::Page(arguments),
        _ => Question::Envelope,
    }
}

fn call(source: &Source, output: EventId) -> String {
    let events = &*source.recording;
    let record = events.record(output);
    let tool = record
        .and_then(|record| record.tool)
        .and_then(|name| source.recording.name(name));
    match (tool, record.and_then(|record| record.pair)) {
        (Some(tool), Some(pair)) => format!("#{} {tool}", pair.index()),
        (Some(tool), None) => format!("#{} {tool}", output.index()),
        _ => format!("#{}", output.index()),
    }
}

fn answer(
    source: &Source,
    items: &Items,
    output: EventId,
    question: &Question,
    ask: &PagesAsk,
    rerun: Option<&(CacheSettings, Row)>,
) -> Answer {
    let arguments = match question {
        Question::Page(arguments) => Some(arguments.clone()),
        Question::Own | Question::Envelope => None,
    };
    if let (Some((settings, _)), Some(arguments)) = (rerun, &arguments) {
        return rerun_answer(source, output, arguments, ask, *settings);
    }
    let own = Ask {
        arguments,
        at: source.at,
        released_here: ask.released,
        page_size: rerun.map(|(settings, _)| settings.page_size),
    };
    source.replay.answer(items, &own)
}

/// An answer of the cache as it would stand under other settings.
fn rerun_answer(
    source: &Source,
    output: EventId,
    arguments: &Value,
    ask: &PagesAsk,
    settings: CacheSettings,
) -> Answer {
    let mut answer = Answer {
        arguments: Some(arguments.clone()),
        result: AnswerResult::Refused(String::new()),
        range: 0..0,
        bytes: None,
        tokens: None,
        next: None,
        default_limit: arguments.get("limit").is_none(),
    };
    let request = match Arguments::from_args(arguments) {
        Ok(request) => request,
        Err(error) => {
            answer.result = AnswerResult::Refused(error.to_string());
            return answer;
        }
    };
    if ask.released {
        let error = crate::tool::rig_mcp::CacheError::UnknownHandle.to_string();
        answer.result = AnswerResult::Refused(error);
        return answer;
    }
    let asked = PageRequest {
        of: match arguments.get("handle").and_then(Value::as_str) {
            Some(handle) => PageOf::Handle(handle.to_owned()),
            None => PageOf::Output(output),
        },
        offset: Some(request.offset as u64),
        limit: arguments.get("limit").map(|_| request.limit as u64),
        page_token: arguments
            .get("page_token")
            .and_then(Value::as_str)
            .map(str::to_owned),
        at: Some(source.at),
        settings: Some(settings),
    };
    match source.replay.page(&*source.recording, &asked) {
        Ok(value) => {
            let offset = request.offset as u64;
            let count = value
                .get("items")
                .and_then(Value::as_array)
                .map_or(0, Vec::len) as u64;
            answer.range = offset..offset + count;
            answer.bytes = Some(compact::length(&value) as u64);
            answer.tokens = Some(crate::tokens::estimate_value(&value).rounded());
            answer.next = value
                .get("next_page_token")
                .and_then(Value::as_str)
                .map(str::to_owned);
            answer.result = AnswerResult::Value(value);
        }
        Err(PageError::NotRecorded(missing)) => {
            answer.range = missing.clone();
            answer.result = AnswerResult::NotRecorded(vec![missing]);
        }
        Err(error) => answer.result = AnswerResult::Refused(error.to_string()),
    }
    answer
}

/// The cells of a handle that only a re-run gives out: nobody read any of its pages.
fn rerun_cells(items: &Items, first: u64) -> Vec<Cell> {
    let mut cells = Vec::new();
    let cell = |range: Range<u64>, reach| Cell {
        recorded: items.get(range.start).is_some(),
        range,
        reach,
    };
    if first > 0 {
        cells.push(cell(0..first, Reach::Sent));
    }
    let mut start = first;
    while start < items.total {
        let end = items.total.min(start + crate::policy::cache::DEFAULT_LIMIT);
        cells.push(cell(start..end, Reach::Never(Never::NotAsked)));
        start = end;
    }
    cells
}

/// The gravest fate of the items of an answer.
fn mark(range: &Range<u64>, cells: &[Cell]) -> Mark {
    cells
        .iter()
        .filter(|cell| cell.range.start < range.end && range.start < cell.range.end)
        .map(|cell| Mark::from(cell.reach))
        .max()
        .unwrap_or(Mark::Unknown)
}

fn sheet(answer: &Answer, cells: &[Cell], total: u64) -> Sheet {
    let mut sheet = Sheet::new();
    match &answer.result {
        AnswerResult::Value(value) => {
            let mark = mark(&answer.range, cells);
            let key = if answer.arguments.is_some() {
                "items"
            } else {
                "first_page"
            };
            if let Some(items) = value.get(key) {
                let tree =
                    Tree::new(Doc::of_value(items), mark).counted_from(answer.range.start, total);
                sheet.tree(tree, None);
            }
            let tree = Tree::new(Doc::of_value(value), mark);
            let bytes = crate::text::grouped(tree.doc().bytes().len() as u64);
            let headline = summary::headline(
                tree.doc().view(tree.doc().root()),
                value.as_object().map_or(0, serde_json::Map::len),
            );
            sheet.heading(
                Line::of(Ink::Title, "json")
                    .and(Ink::Text, format!("  the whole answer, {headline}"))
                    .and(Ink::Dim, format!("  {bytes} B")),
            );
            sheet.tree(tree, None);
        }
        AnswerResult::Refused(_) => {}
        AnswerResult::NotRecorded(missing) => {
            let lines = missing
                .iter()
                .map(|range| {
                    Line::of(
                        Ink::Unrecorded,
                        format!(
                            "items {}..{}  not recorded",
                            range.start,
                            range.end.saturating_sub(1)
                        ),
                    )
                })
                .collect();
            sheet.lines(lines, Some(Mark::Unknown));
        }
        AnswerResult::OtherHandle(output) => {
            let words = format!("that handle keeps the items of #{}", output.index());
            sheet.lines(vec![Line::plain(words)], None);
        }
    }
    sheet
}
