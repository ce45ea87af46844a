//! The key table of `assets/keys.toml`: sequences, counts, and what the bar, the help and the
//! palette say of them.

use std::sync::LazyLock;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;
use thiserror::Error;

use super::action::Action;
use super::tab::TabName;
use super::theme::glyph;

const COMPILED_IN: &str = include_str!("../../assets/keys.toml");

static TABLE: LazyLock<Keys> =
    LazyLock::new(|| Keys::read(COMPILED_IN).expect("the compiled-in table is read by a test"));

/// The compiled-in table.
pub fn table() -> &'static Keys {
    &TABLE
}

/// A place where a binding holds. A narrower one wins over a wider one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// On every screen and in every layer that does not take text.
    Everywhere,
    /// The main screen, whichever pane has the focus.
    Main,
    /// The list of events.
    Timeline,
    /// Any tab.
    Tab,
    /// The Blocks tab.
    Blocks,
    /// The Envelope tab.
    Envelope,
    /// The Pages tab.
    Pages,
    /// The Providers tab.
    Providers,
    /// The Re-run tab.
    Rerun,
    /// The Raw tab.
    Raw,
    /// The Why view.
    Why,
    /// The list of recordings.
    Start,
    /// The help.
    Help,
}

impl Scope {
    /// Where the keys of a tab are looked up, narrowest first.
    pub const fn of_tab(tab: TabName) -> [Self; 4] {
        let own = match tab {
            TabName::Blocks => Self::Blocks,
            TabName::Envelope => Self::Envelope,
            TabName::Pages => Self::Pages,
            TabName::Providers => Self::Providers,
            TabName::Rerun => Self::Rerun,
            TabName::Raw => Self::Raw,
            TabName::Why => Self::Why,
        };
        [own, Self::Tab, Self::Main, Self::Everywhere]
    }

    /// Where the keys of the list of events are looked up, narrowest first.
    pub const TIMELINE: [Self; 3] = [Self::Timeline, Self::Main, Self::Everywhere];
    /// Where the keys of the start screen are looked up.
    pub const START: [Self; 2] = [Self::Start, Self::Everywhere];
    /// Where the keys of the help are looked up.
    pub const HELP: [Self; 2] = [Self::Help, Self::Everywhere];
}

/// One key, as a terminal tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    control: bool,
}

impl Key {
    /// A character without Ctrl.
    pub const fn char(character: char) -> Self {
        Self {
            code: KeyCode::Char(character),
            control: false,
        }
    }

    /// A key with a name: Enter, Esc, an arrow.
    pub const fn named(code: KeyCode) -> Self {
        Self {
            code,
            control: false,
        }
    }

    /// A character with Ctrl.
    pub const fn control(character: char) -> Self {
        Self {
            code: KeyCode::Char(character),
            control: true,
        }
    }

    /// The digit that it is, without Ctrl.
    fn digit(self) -> Option<u32> {
        match self.code {
            KeyCode::Char(character) if !self.control => character.to_digit(10),
            _ => None,
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut characters = text.chars();
        let code = match (characters.next()?, characters.next(), characters.next()) {
            ('^', Some(letter), None) => return Some(Self::control(letter)),
            (character, None, _) => KeyCode::Char(character),
            _ => NAMED.iter().find(|(_, name)| *name == text)?.0,
        };
        Some(Self::named(code))
    }

    fn show(self) -> String {
        match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(character) if self.control => format!("^{character}"),
            KeyCode::Char(character) => character.to_string(),
            code => NAMED
                .iter()
                .find(|(named, _)| *named == code)
                .map_or("?", |(_, name)| name)
                .to_owned(),
        }
    }
}

const NAMED: &[(KeyCode, &str)] = &[
    (KeyCode::Enter, "Enter"),
    (KeyCode::Esc, "Esc"),
    (KeyCode::Tab, "Tab"),
    (KeyCode::BackTab, "Shift-Tab"),
    (KeyCode::Char(' '), "Space"),
    (KeyCode::Up, "Up"),
    (KeyCode::Down, "Down"),
    (KeyCode::Left, "Left"),
    (KeyCode::Right, "Right"),
    (KeyCode::Home, "Home"),
    (KeyCode::End, "End"),
    (KeyCode::PageUp, "PageUp"),
    (KeyCode::PageDown, "PageDown"),
    (KeyCode::Backspace, "Backspace"),
];

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        Self {
            code: event.code,
            control: event.modifiers.contains(KeyModifiers::CONTROL),
        }
    }
}

/// One row of the table, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    action: String,
    keys: Vec<String>,
    r#in: Scope,
    group: String,
    bar: Option<String>,
    show: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bind: Vec<Row>,
}

/// One row of the table: what a person reads of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it does.
    pub action: Action,
    /// Its sequences as they are shown: `gg`, `]l`, `^d`.
    pub keys: Vec<String>,
    /// Where it holds.
    pub scope: Scope,
    /// Its heading in the help.
    pub group: String,
    /// Its word in the bar, if it has a place there.
    pub bar: Option<String>,
    /// Its keys in the bar.
    pub show: String,
}

impl Entry {
    /// What it does, in one line.
    pub fn doc(&self) -> &'static str {
        self.action.doc()
    }
}

#[derive(Debug, Clone)]
struct Binding {
    scope: Scope,
    keys: Vec<Key>,
    action: Action,
}

/// The table.
#[derive(Debug, Clone)]
pub struct Keys {
    entries: Vec<Entry>,
    bindings: Vec<Binding>,
}

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum KeysError {
    /// Not a table of bindings.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// No such action.
    #[error("there is no action {0}")]
    Action(String),
    /// No such key.
    #[error("{keys}: there is no key {key}")]
    Key {
        /// The sequence.
        keys: String,
        /// The key in it.
        key: String,
    },
    /// Two bindings of one place want the same keys, or one begins with the other.
    #[error("{scope:?}: {first} and {second} want the same keys")]
    Twice {
        /// Where.
        scope: Scope,
        /// One sequence.
        first: String,
        /// The other.
        second: String,
    },
}

/// What a key turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved {
    /// An action, with the count typed before it.
    Action(Action, Option<u32>),
    /// A count or the beginning of a sequence: more keys must follow.
    Pending,
    /// Nothing is bound to this.
    Nothing,
}

/// What was typed and is not complete yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pending {
    count: Option<u32>,
    keys: Vec<Key>,
}

impl Pending {
    /// Nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.count.is_none() && self.keys.is_empty()
    }

    /// A sequence was begun: the list of what may follow is worth showing.
    pub fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// What was typed, as text.
    pub fn show(&self) -> String {
        let count = self.count.map(|count| count.to_string());
        count.unwrap_or_default() + &show(&self.keys)
    }
}

impl Keys {
    /// Reads a table.
    pub fn read(text: &str) -> Result<Self, KeysError> {
        let file: File = toml::from_str(text)?;
        let mut keys = Self {
            entries: Vec::with_capacity(file.bind.len()),
            bindings: Vec::new(),
        };
        for row in file.bind {
            keys.add(row)?;
        }
        keys.check()?;
        Ok(keys)
    }

    fn add(&mut self, row: Row) -> Result<(), KeysError> {
        let scope = row.r#in;
        let digits = row.keys == ["0-9"];
        let action = match row.action.as_str() {
            "type" if digits => Action::Type('0'),
            name => Action::from_name(name).ok_or_else(|| KeysError::Action(name.to_owned()))?,
        };
        let mut shown = Vec::new();
        if digits {
            shown.push("0-9".to_owned());
            self.bindings.extend(('0'..='9').map(|digit| Binding {
                scope,
                keys: vec![Key::char(digit)],
                action: Action::Type(digit),
            }));
        } else {
            for sequence in &row.keys {
                let keys = read_sequence(sequence)?;
                shown.push(show(&keys));
                self.bindings.push(Binding {
                    scope,
                    keys,
                    action: action.clone(),
                });
            }
        }
        self.entries.push(Entry {
            action,
            show: row
                .show
                .or_else(|| shown.first().cloned())
                .map(|keys| keys.replace("Enter", glyph::ENTER))
                .unwrap_or_default(),
            keys: shown,
            scope,
            group: row.group,
            bar: row.bar,
        });
        Ok(())
    }

    /// No sequence of a place is bound twice, and none begins with another.
    fn check(&self) -> Result<(), KeysError> {
        for (position, one) in self.bindings.iter().enumerate() {
            for other in self.bindings.iter().skip(position + 1) {
                let meet = one.keys.starts_with(&other.keys) || other.keys.starts_with(&one.keys);
                if one.scope == other.scope && meet {
                    return Err(KeysError::Twice {
                        scope: one.scope,
                        first: show(&one.keys),
                        second: show(&other.keys),
                    });
                }
            }
        }
        Ok(())
    }

    /// Every row, in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The rows of a place that have a word in the bar.
    pub fn bar(&self, scope: Scope) -> impl Iterator<Item = (&str, &str)> {
        self.entries
            .iter()
            .filter(move |entry| entry.scope == scope)
            .filter_map(|entry| Some((entry.show.as_str(), entry.bar.as_deref()?)))
    }

    /// The keys of an action as they are shown, in any of the places.
    pub fn shown_for(&self, action: &Action, chain: &[Scope]) -> Option<&str> {
        self.entries
            .iter()
            .find(|entry| entry.action == *action && chain.contains(&entry.scope))
            .and_then(|entry| entry.keys.first())
            .map(String::as_str)
    }

    /// The keys of an action as they are shown, wherever it has any.
    pub fn shown_anywhere(&self, action: &Action) -> Option<&str> {
        self.entries
            .iter()
            .find(|entry| entry.action == *action)
            .and_then(|entry| entry.keys.first())
            .map(String::as_str)
    }

    /// Takes one key; the places are looked up in order.
    pub fn resolve(&self, pending: &mut Pending, chain: &[Scope], key: Key) -> Resolved {
        if pending.keys.is_empty()
            && let Some(digit) = key.digit()
            && (pending.count.is_some() || (digit != 0 && self.find(chain, &[key]).is_none()))
        {
            // Nobody means more than this, and arithmetic on a count never overflows.
            let count = pending.count.unwrap_or(0).saturating_mul(10) + digit;
            pending.count = Some(count.min(999_999_999));
            return Resolved::Pending;
        }
        pending.keys.push(key);
        if let Some(action) = self.find(chain, &pending.keys) {
            let count = pending.count;
            *pending = Pending::default();
            return Resolved::Action(action.clone(), count);
        }
        if self.continues(chain, &pending.keys).next().is_some() {
            return Resolved::Pending;
        }
        // Esc takes back what was begun, and nothing else.
        *pending = Pending::default();
        Resolved::Nothing
    }

    /// What may follow what was typed: the rest of the keys, and what it does.
    pub fn continuations(&self, chain: &[Scope], pending: &Pending) -> Vec<(String, &Action)> {
        self.continues(chain, &pending.keys)
            .map(|binding| {
                let rest = binding.keys.get(pending.keys.len()..).unwrap_or_default();
                (show(rest), &binding.action)
            })
            .collect()
    }

    fn find(&self, chain: &[Scope], keys: &[Key]) -> Option<&Action> {
        chain.iter().find_map(|scope| {
            self.bindings
                .iter()
                .find(|binding| binding.scope == *scope && binding.keys == keys)
                .map(|binding| &binding.action)
        })
    }

    fn continues<'a, 'b>(
        &'a self,
        chain: &'b [Scope],
        keys: &'b [Key],
    ) -> impl Iterator<Item = &'a Binding> + use<'a, 'b> {
        self.bindings.iter().filter(move |binding| {
            chain.contains(&binding.scope)
                && binding.keys.len() > keys.len()
                && binding.keys.starts_with(keys)
        })
    }
}

fn read_sequence(text: &str) -> Result<Vec<Key>, KeysError> {
    text.split(' ')
        .map(|key| {
            Key::read(key).ok_or_else(|| KeysError::Key {
                keys: text.to_owned(),
                key: key.to_owned(),
            })
        })
        .collect()
}

fn show(keys: &[Key]) -> String {
    keys.iter().map(|key| key.show()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(chain: &[Scope], text: &str) -> Vec<Resolved> {
        let mut pending = Pending::default();
        text.chars()
            .map(|character| table().resolve(&mut pending, chain, Key::char(character)))
            .collect()
    }

    #[test]
    fn the_compiled_in_table_is_read_and_nothing_is_there_twice() {
        let keys = Keys::read(COMPILED_IN).unwrap();
        assert!(keys.entries().len() > 50);
    }

    #[test]
    fn no_key_of_a_place_hides_a_sequence_of_a_wider_one() {
        let tabs = TabName::BAR.into_iter().chain([TabName::Why]);
        let mut chains: Vec<Vec<Scope>> = tabs.map(|tab| Scope::of_tab(tab).to_vec()).collect();
        chains.push(Scope::TIMELINE.to_vec());
        chains.push(Scope::START.to_vec());
        chains.push(Scope::HELP.to_vec());
        for chain in chains {
            let here = || {
                table()
                    .bindings
                    .iter()
                    .filter(|one| chain.contains(&one.scope))
            };
            for one in here() {
                for other in here() {
                    let hides = one.keys != other.keys && other.keys.starts_with(&one.keys);
                    assert!(
                        !hides,
                        "{chain:?}: {} {}",
                        show(&one.keys),
                        show(&other.keys)
                    );
                }
            }
        }
    }

    #[test]
    fn every_named_action_has_a_key() {
        for action in Action::NAMED {
            let bound = table()
                .entries()
                .iter()
                .any(|entry| entry.action == *action);
            assert!(bound, "{action:?}");
        }
    }

    #[test]
    fn counts_sequences_and_what_is_not_bound() {
        use Resolved::{Nothing, Pending};
        let does = |action, count| Resolved::Action(action, count);
        assert_eq!(typed(&Scope::TIMELINE, "j"), [does(Action::Down, None)]);
        assert_eq!(
            typed(&Scope::TIMELINE, "12j"),
            [Pending, Pending, does(Action::Down, Some(12))]
        );
        assert_eq!(
            typed(&Scope::TIMELINE, "40G"),
            [Pending, Pending, does(Action::Bottom, Some(40))]
        );
        assert_eq!(
            typed(&Scope::TIMELINE, "gg"),
            [Pending, does(Action::Top, None)]
        );
        assert_eq!(
            typed(&Scope::TIMELINE, "2]l"),
            [Pending, Pending, does(Action::NextLoss, Some(2))]
        );
        assert_eq!(typed(&Scope::TIMELINE, "gx"), [Pending, Nothing]);
        assert_eq!(typed(&Scope::TIMELINE, "0"), [Nothing]);
    }

    #[test]
    fn a_tab_wins_over_what_holds_everywhere() {
        let pages = Scope::of_tab(TabName::Pages);
        let rerun = Scope::of_tab(TabName::Rerun);
        assert_eq!(
            typed(&pages, "l"),
            [Resolved::Action(Action::NextAnswer, None)]
        );
        assert_eq!(
            typed(&pages, "0"),
            [Resolved::Action(Action::FirstAnswer, None)]
        );
        assert_eq!(
            typed(&pages, "10j"),
            [
                Resolved::Pending,
                Resolved::Pending,
                Resolved::Action(Action::Down, Some(10))
            ]
        );
        assert_eq!(
            typed(&rerun, "2"),
            [Resolved::Action(Action::Type('2'), None)]
        );
    }

    #[test]
    fn what_may_follow_a_bracket_is_listed() {
        let mut pending = Pending::default();
        table().resolve(&mut pending, &Scope::TIMELINE, Key::char(']'));
        let follows = table().continuations(&Scope::TIMELINE, &pending);
        assert!(follows.contains(&("l".to_owned(), &Action::NextLoss)));
        assert_eq!(pending.show(), "]");
    }

    #[test]
    fn a_table_with_a_fault_says_which() {
        let row = |keys: &str| {
            format!("[[bind]]\naction = \"down\"\nkeys = [{keys}]\nin = \"main\"\ngroup = \"g\"\n")
        };
        let error = |keys| Keys::read(&row(keys)).unwrap_err().to_string();
        assert_eq!(error("\"g\", \"g g\""), "Main: g and gg want the same keys");
        assert_eq!(error("\"Enterr\""), "Enterr: there is no key Enterr");
    }
}
