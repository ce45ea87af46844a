//! What can be written after `toolreel`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::CliError;
use crate::policy::cache::CacheSettings;
use crate::session::Session;
use crate::session::event::EventId;
use crate::tokens::ESTIMATOR;

const EXAMPLES: &str = "\
Examples:
  toolreel                                  pick one of the demo recordings
  toolreel demo released-too-early          open the first of them
  toolreel session.jsonl                    open a recording at its first loss
  toolreel session.jsonl --at 6 --tab pages open an exact view
  gh api repos/rust-lang/rust/labels | toolreel -
                                            put any JSON under Re-run
  toolreel list session.jsonl --json | jq 'select(.is_error)'
  toolreel page session.jsonl mcp-cache-0 --offset 260 --limit 1

Keys and the command line of every view are in the screen's own help, `?`.";

/// Inspects and replays recorded tool-call sessions: what the model received of a tool's output, and
/// what it was never sent.
#[derive(Debug, Parser)]
#[command(
    name = "toolreel",
    version,
    about,
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{ESTIMATOR}\n\n{EXIT_CODES}"),
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
)]
pub struct Arguments {
    /// The recording to open; `-` reads standard input. Without it, the list of demo recordings.
    /// Where standard output is no terminal, prints what `list` prints.
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,

    /// Where and how to open it.
    #[command(flatten)]
    pub view: ViewArguments,

    /// What to do instead of opening the screen.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes: 0 for success, 1 for a page that the result cache refuses, 2 for anything else that went \
wrong. Errors go to standard error.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open a demo recording, or list them.
    Demo(DemoArguments),
    /// Say what a recording is, and how many calls and outputs are in it.
    Info(InfoArguments),
    /// List the events: one line each.
    #[command(after_long_help = ESTIMATOR)]
    List(ListArguments),
    /// Print one event, or one block of it.
    Show(ShowArguments),
    /// Run the result cache again over every output, with other settings.
    #[command(after_long_help = ESTIMATOR)]
    Replay(ReplayArguments),
    /// Print what `cache.page` answers for an output or a handle.
    Page(PageArguments),
    /// Print how a provider would receive an output.
    #[command(after_long_help = ESTIMATOR)]
    Render(RenderArguments),
    /// Print what a client would send of an output, or of a text in a pipe.
    #[command(after_help = CUT_EXAMPLES)]
    Cut(CutArguments),
    /// List how clients cut outputs: limits, units, and whether the rest can be had.
    Policies(PoliciesArguments),
}

const CUT_EXAMPLES: &str = "\
Examples:
  cargo test 2>&1 | toolreel cut - --policy codex.tokens
  toolreel cut session.jsonl toolu_01 --policy cline.v4.message-builder --set max_chars=4000
  toolreel cut - --as json --policy cache --set page_size=20 < items.json

The policies and what they can be set to: `toolreel policies --json`.";

/// Where and how the screen opens.
#[derive(Debug, Args, Default)]
pub struct ViewArguments {
    /// Open at this event: a number, or a call id.
    #[arg(long, value_name = "EVENT")]
    pub at: Option<At>,

    /// Open this tab: blocks, envelope, pages, providers, rerun or raw.
    #[arg(long, value_name = "NAME")]
    pub tab: Option<String>,

    /// Open at this item of the output's array, counted from 0.
    #[arg(long, value_name = "N")]
    pub item: Option<u64>,

    /// Search for this text and open at the first hit.
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,

    /// Re-run with these settings.
    #[command(flatten)]
    pub settings: SettingsArguments,

    /// Draw with ASCII alone.
    #[arg(long)]
    pub ascii: bool,

    /// Leave the mouse to the terminal.
    #[arg(long)]
    pub no_mouse: bool,

    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub color: Color,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// Unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// An event as it is written after `--at`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At(String);

impl std::str::FromStr for At {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl At {
    /// As written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The event in a session whose index is whole; none for `end`.
    pub fn event(&self, session: &Session) -> Result<Option<EventId>, CliError> {
        if self.0 == "end" {
            return Ok(None);
        }
        let selector = match self.0.parse::<usize>() {
            Ok(index) => format!("#{index}"),
            Err(_) => self.0.clone(),
        };
        super::open::event(session, &selector).map(Some)
    }
}

/// `toolreel demo`.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Which one; the list where it is left out.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Where and how to open it.
    #[command(flatten)]
    pub view: ViewArguments,
}

/// `toolreel info`.
#[derive(Debug, Args)]
pub struct InfoArguments {
    /// A recording, a folder of recordings, or `-`.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `toolreel list`.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// A recording, or `-`.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// Print one JSON object per event.
    #[arg(long)]
    pub json: bool,
}

/// `toolreel show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// A recording, or `-`.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// A call id, which means the output that answers it, or `#` and the number of any event.
    #[arg(value_name = "CALL")]
    pub call: String,

    /// Only this block, counted from 1.
    #[arg(long, value_name = "N")]
    pub block: Option<usize>,

    /// The side of an output: what the tool returned, or what the model was sent.
    #[arg(long, value_enum, value_name = "SIDE")]
    pub side: Option<SideName>,

    /// In what form.
    #[arg(long = "as", value_enum, value_name = "FORM", default_value_t)]
    pub form: Form,

    /// The same as `--as json`.
    #[arg(long, conflicts_with = "form", hide = true)]
    pub json: bool,
}

/// A side of an output, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SideName {
    /// What the tool returned.
    Returned,
    /// What the model was sent at once.
    Sent,
}

/// The form in which `show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Form {
    /// Text as it is, JSON compact, media in words.
    #[default]
    Text,
    /// JSON: the value of a JSON block, or the list of blocks.
    Json,
    /// rig's `ToolOutput::render`.
    Render,
    /// The recorded bytes of the event.
    Raw,
}

/// Settings of the result cache.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct SettingsArguments {
    /// Arrays whose compact JSON is longer than this are cached. Left out: as recorded, else 65536.
    #[arg(long, value_name = "N")]
    pub threshold_bytes: Option<u64>,

    /// Items in the envelope. Left out: as recorded, else 64.
    #[arg(long, value_name = "N")]
    pub page_size: Option<u64>,
}

impl SettingsArguments {
    /// The settings, with what was left out taken from `recorded`; none where nothing was given.
    pub fn given(&self, recorded: CacheSettings) -> Option<CacheSettings> {
        (self.threshold_bytes.is_some() || self.page_size.is_some()).then(|| CacheSettings {
            threshold_bytes: self.threshold_bytes.unwrap_or(recorded.threshold_bytes),
            page_size: self.page_size.unwrap_or(recorded.page_size),
        })
    }
}

/// `toolreel replay`.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// A recording, or `-`.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// The settings to run with.
    #[command(flatten)]
    pub settings: SettingsArguments,

    /// Print one JSON object per output, and the totals last.
    #[arg(long)]
    pub json: bool,
}

/// `toolreel page`.
#[derive(Debug, Args)]
pub struct PageArguments {
    /// A recording, or `-`.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// A call id, `#` and the number of an event, or else a handle.
    #[arg(value_name = "CALL|HANDLE")]
    pub of: String,

    /// The first item, counted from 0.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub offset: Option<String>,

    /// At most so many items; 64 where it is left out, whatever the page size.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub limit: Option<String>,

    /// A page token; it wins over handle and offset.
    #[arg(long, value_name = "T")]
    pub page_token: Option<String>,

    /// As of this event: releases before it count. Left out: the end.
    #[arg(long, value_name = "EVENT")]
    pub at: Option<At>,

    /// The settings under which the output is cached.
    #[command(flatten)]
    pub settings: SettingsArguments,

    /// An answer is JSON in any case.
    #[arg(long, hide = true)]
    pub json: bool,
}

/// `toolreel render`.
#[derive(Debug, Args)]
pub struct RenderArguments {
    /// A recording, or `-`.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// A call id, or `#` and the number of its event or its output's.
    #[arg(value_name = "CALL")]
    pub call: String,

    /// Which provider: `anthropic`, `anthropic:claude-sonnet-4-6`, or `all`. May be repeated. Left
    /// out: Anthropic, OpenAI Chat and Responses, Gemini 3 and Bedrock.
    #[arg(long = "provider", value_name = "NAME", value_delimiter = ',')]
    pub providers: Vec<String>,

    /// Who sends: rig or mixtape.
    #[arg(long, value_name = "LENS", default_value = "rig")]
    pub lens: String,

    /// Print one JSON object per provider.
    #[arg(long)]
    pub json: bool,
}

/// `toolreel cut`.
#[derive(Debug, Args)]
pub struct CutArguments {
    /// A recording, or `-`: without CALL standard input is one text, or one JSON value.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// A call id, or `#` and the number of its event or its output's.
    #[arg(value_name = "CALL")]
    pub call: Option<String>,

    /// Which client's policy; `cache` and `bound` are rig's.
    #[arg(long, value_name = "ID")]
    pub policy: String,

    /// A setting of the policy. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,

    /// Read the output as text or as JSON. Left out: as the recording has it, a pipe as text.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: Option<CutForm>,

    /// Cut an output again that its client had cut when it was recorded.
    #[arg(long)]
    pub force: bool,

    /// Print one JSON object: what the model would get, the limit, and how much is left out.
    #[arg(long)]
    pub json: bool,
}

/// How `cut` reads an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CutForm {
    /// As text.
    Text,
    /// As a JSON value.
    Json,
}

/// `toolreel policies`.
#[derive(Debug, Args)]
pub struct PoliciesArguments {
    /// Print one JSON object per policy.
    #[arg(long)]
    pub json: bool,
}
