//! Taking the steps of a policy.

use std::borrow::Cow;

use super::definition::{Measure, Over, Shape, Step, Variants};
use super::facts::{Fact, Facts, Scene};
use super::piece::{Piece, compose, joined, render};
use super::settings::{Setting, Settings};
use super::shape::{Selection, select};
use super::words::Filling;

/// What the model gets of `output`: its parts and the client's words around them.
///
/// `recorded` says that the output comes from a recording of this very client, so that what the
/// client puts around an output may stand there already.
pub(super) fn take_all(
    steps: &[Step],
    settings: &Settings,
    output: &str,
    recorded: bool,
) -> Vec<Piece> {
    let mut held = Held {
        output,
        pieces: joined([Piece::kept(0..output.len())]),
        text: Cow::Borrowed(output),
    };
    let mut facts = Facts::default();
    for step in steps {
        if let Some(pieces) = take(step, settings, &held.text, recorded, &mut facts) {
            held.replace(pieces);
        }
    }
    held.pieces
}

/// What a policy has between two steps.
struct Held<'a> {
    output: &'a str,
    pieces: Vec<Piece>,
    text: Cow<'a, str>,
}

impl Held<'_> {
    fn replace(&mut self, pieces: Vec<Piece>) {
        self.pieces = compose(&self.pieces, pieces, self.output);
        self.text = Cow::Owned(render(&self.pieces, self.output).into_string_lossy());
    }
}

/// What one step makes of a text; none where it leaves it alone.
fn take(
    step: &Step,
    settings: &Settings,
    text: &str,
    recorded: bool,
    facts: &mut Facts,
) -> Option<Vec<Piece>> {
    let scene = Scene {
        text,
        settings,
        facts,
    };
    if !scene.holds(&step.when)
        || (step.unless_cut && facts.flag("cut"))
        || (recorded && is_recorded_with(step, text))
    {
        return None;
    }
    let selection = if is_left_alone(step, &scene) {
        None
    } else {
        let over = first_over(step, &scene);
        if step.over.is_empty() || over.is_some() {
            select(step, &scene, over.map(|over| over.excess))
                .map(|selection| selection.with_over(over.and_then(|over| over.name)))
        } else {
            None
        }
    };
    let Some(selection) = selection else {
        let pieces = fill(&step.fits, &scene, None)?;
        return Some(pieces);
    };
    let mut noted = facts.clone();
    for (name, fact) in &selection.facts {
        noted.note(name, fact.clone());
    }
    if is_cut(step.shape) {
        noted.note("cut", true);
    }
    let scene = Scene {
        text,
        settings,
        facts: &noted,
    };
    let pieces = fill(&step.words, &scene, Some(&selection))?;
    if let Some(unit) = step.if_shorter {
        let shown = render(&pieces, text);
        if unit.of(shown.to_str_lossy()) >= unit.of(text) {
            return None;
        }
    }
    *facts = noted;
    Some(pieces)
}

/// Whether a shape leaves something out, rather than only adding words or blanks.
const fn is_cut(shape: Shape) -> bool {
    !matches!(
        shape,
        Shape::Whole | Shape::Trim | Shape::TrimJs | Shape::TrimEndPython | Shape::TrimNewlines
    )
}

fn is_left_alone(step: &Step, scene: &Scene<'_>) -> bool {
    (step.unless_blank && scene.is_blank())
        || step
            .unless_contains
            .as_deref()
            .is_some_and(|words| scene.text.contains(words))
}

/// Whether a recorded text starts with the line that the step would add: `Exit code 1`.
fn is_recorded_with(step: &Step, text: &str) -> bool {
    let Some(words) = &step.unless_recorded_with else {
        return false;
    };
    let Some(rest) = text.strip_prefix(words.as_str()) else {
        return false;
    };
    let line = rest.split('\n').next().unwrap_or(rest);
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// The limit that a text is over, and by how much.
#[derive(Debug, Clone, Copy)]
struct Exceeded<'a> {
    name: Option<&'a str>,
    excess: usize,
}

fn first_over<'a>(step: &'a Step, scene: &Scene<'_>) -> Option<Exceeded<'a>> {
    step.over.iter().find_map(|over| exceeded(over, scene))
}

fn exceeded<'a>(over: &'a Over, scene: &Scene<'_>) -> Option<Exceeded<'a>> {
    let limit = scene
        .amount_of(over.above.as_ref())
        .or_else(|| scene.amount_of(over.from.as_ref()))?;
    if over.off_at_zero && limit == 0 {
        return None;
    }
    // No unit is finer than a byte, so a short text need not be counted.
    let is_short =
        !matches!(over.count, Measure::Rows | Measure::Tokens) && scene.text.len() < limit;
    if is_short {
        return None;
    }
    let measured = scene.measure(over.count);
    let is_over = if over.from.is_some() {
        measured >= limit
    } else {
        measured > limit
    };
    is_over.then(|| Exceeded {
        name: over.name.as_deref(),
        excess: measured - limit.min(measured),
    })
}

/// The first template whose conditions hold, filled.
pub(super) fn fill(
    variants: &Variants,
    scene: &Scene<'_>,
    selection: Option<&Selection>,
) -> Option<Vec<Piece>> {
    let variant = variants
        .0
        .iter()
        .find(|variant| scene.holds(&variant.when))?;
    let whole = [Piece::kept(0..scene.text.len())];
    Some(variant.text.fill(|name| match (name, selection) {
        ("text", _) => Some(Filling::Parts(&whole)),
        ("head", Some(selection)) => Some(Filling::Parts(&selection.head)),
        ("tail", Some(selection)) => Some(Filling::Parts(&selection.tail)),
        _ => filling(name, scene),
    }))
}

/// What a slot that is no part of the output is filled with.
fn filling<'a>(name: &str, scene: &Scene<'_>) -> Option<Filling<'a>> {
    match scene.fact(name) {
        Some(Fact::Number(number)) => Some(Filling::Number(number)),
        Some(Fact::Word(word)) => Some(Filling::Word(word)),
        Some(Fact::Flag(flag)) => Some(Filling::Word(flag.to_string().into())),
        None => match scene.settings.get(name)? {
            Setting::Number(number) => Some(Filling::Number(*number)),
            Setting::Word(word) => Some(Filling::Word(Cow::Owned(word.clone()))),
            Setting::Flag(flag) => Some(Filling::Word(flag.to_string().into())),
            Setting::Fraction(fraction) => Some(Filling::Word(fraction.to_string().into())),
        },
    }
}
