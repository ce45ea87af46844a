//! What a client does that no shape covers, one file per client.
//!
//! Only the choice of what is kept is code: the words around it are data like any other.

mod cline;
mod codex;
mod gemini;
mod kimi;
mod langchain;
mod openai_agents;
mod opencode;
mod openhands;
mod roo;

use serde::Deserialize;

use super::definition::Step;
use super::facts::{Fact, Scene};
use super::piece::Piece;
use super::shape::Selection;
use super::step::fill;

/// Code of a client's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Own {
    /// Cline 4: a middle cut whose marker counts, its length found in two tries.
    ClineMarkerInBudget,
    /// Codex to 0.23: copies until the bytes or the line feeds are used up.
    CodexCopy,
    /// Codex 0.24 to 0.47: lines joined anew around a marker, together within the bytes.
    CodexJoinedLines,
    /// Codex 0.48 to 0.58: whole lines around a marker, together within the bytes.
    CodexWholeLines,
    /// Gemini CLI 0.5 to 0.25: few long lines are wrapped, then lines are cut from the middle.
    GeminiWrap,
    /// Kimi CLI: every line cut to what is left, with the marker before its end.
    KimiLines,
    /// LangChain's shell: lines until there are too many or their bytes are.
    LangchainLines,
    /// DeepAgents: numbered lines of both ends.
    DeepagentsPreview,
    /// The OpenAI Agents SDK's sandbox: a middle cut whose header and marker count.
    OpenaiSandbox,
    /// OpenCode 2: lines of both ends, then bytes of both ends of those.
    OpencodeStore,
    /// OpenHands' SDK: a middle cut to exactly the limit.
    OpenhandsNotice,
    /// Roo to 3.45: repeated lines told once with their number.
    RooRuns,
    /// Roo from 3.46: bytes counted per UTF-16 unit.
    RooArtifact,
}

/// What the code keeps; none where it leaves the text alone.
pub(super) fn select(own: Own, step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    match own {
        Own::ClineMarkerInBudget => Some(cline::marker_in_budget(step, scene)),
        Own::CodexCopy => codex::copy(step, scene),
        Own::CodexJoinedLines => codex::joined_lines(step, scene),
        Own::CodexWholeLines => codex::whole_lines(step, scene),
        Own::GeminiWrap => gemini::wrap(step, scene),
        Own::KimiLines => kimi::lines(step, scene),
        Own::LangchainLines => langchain::lines(step, scene),
        Own::DeepagentsPreview => langchain::preview(scene),
        Own::OpenaiSandbox => openai_agents::sandbox(step, scene),
        Own::OpencodeStore => opencode::store(step, scene),
        Own::OpenhandsNotice => openhands::notice(step, scene),
        Own::RooRuns => roo::runs(scene),
        Own::RooArtifact => roo::artifact(step, scene),
    }
}

/// The marker of a step, with what the code has found out: its length may count.
fn marker(step: &Step, scene: &Scene<'_>, found: &[(&'static str, Fact)]) -> String {
    let mut facts = scene.facts.clone();
    for (name, fact) in found {
        facts.note(name, fact.clone());
    }
    let scene = Scene {
        facts: &facts,
        ..*scene
    };
    let pieces = fill(&step.marker, &scene, None).unwrap_or_default();
    pieces
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Words(words) => Some(words),
            Piece::Kept(_) => None,
        })
        .collect()
}

/// A budget of the step; nothing where its setting is off.
fn budget(step: &Step, scene: &Scene<'_>) -> usize {
    scene.amount_of(step.budget.as_ref()).unwrap_or(0)
}
