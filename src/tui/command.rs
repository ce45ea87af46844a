//! Commands after `:`.

use super::action::Action;
use super::tab::TabName;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// An action by its name.
    Action(Action),
    /// Go to an event, counted from 1.
    Event(usize),
    /// Go to the event of a call id.
    Call(String),
    /// Ask the result cache as of the end.
    AtEnd,
    /// Ask the result cache as of the selected event.
    AtSelected,
    /// Open a tab.
    Tab(TabName),
    /// Go to an item of the selected output.
    Item(u64),
    /// Search.
    Search(String),
}

/// The commands that are no actions, with what they do: for the help and for complaints.
pub const LIST: &[(&str, &str)] = &[
    (":N  :at N", "go to event N"),
    (":at CALL", "go to the event of a call id"),
    (
        ":at end",
        "ask the result cache as of the end of the recording",
    ),
    (":at here", "ask it as of the selected event again"),
    (":tab NAME", "open a tab"),
    (":item N", "go to item N of the selected output"),
    (":search TEXT", "search, as / does"),
    (":q", "quit"),
    (":NAME", "any action by its name, as in :next-loss"),
];

/// Reads a command.
pub fn read(text: &str) -> Result<Command, String> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let number = |text: &str| text.trim_start_matches('#').parse::<usize>().ok();
    if let Some(event) = number(word).filter(|_| rest.is_empty()) {
        return Ok(Command::Event(event));
    }
    match (word, rest) {
        ("", _) => Err("type a command, or Esc".to_owned()),
        ("q" | "quit" | "q!", "") => Ok(Command::Action(Action::Quit)),
        ("help" | "h", "") => Ok(Command::Action(Action::Help)),
        ("at" | "go", "end") => Ok(Command::AtEnd),
        ("at" | "go", "here" | "selected") => Ok(Command::AtSelected),
        ("at" | "go", "") => Err(format!(":{word} needs an event, a call id, end or here")),
        ("at" | "go", which) => Ok(match number(which) {
            Some(event) => Command::Event(event),
            None => Command::Call(which.to_owned()),
        }),
        ("tab", name) => TabName::from_name(name).map(Command::Tab).ok_or_else(|| {
            let names = TabName::BAR.map(TabName::name).join(" ");
            format!("no tab of that name; there are {names}")
        }),
        ("item", which) => match which.parse() {
            Ok(item) => Ok(Command::Item(item)),
            Err(_) => Err(":item needs a number, counted from 0".to_owned()),
        },
        ("search", "") => Ok(Command::Action(Action::Search)),
        ("search", text) => Ok(Command::Search(text.to_owned())),
        (name, "") => match (Action::from_name(name), TabName::from_name(name)) {
            (Some(action), _) => Ok(Command::Action(action)),
            (None, Some(tab)) => Ok(Command::Tab(tab)),
            (None, None) => Err(format!("no command {name}; ? lists them")),
        },
        (name, _) => Err(format!("no command {name}; ? lists them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let cases = [
            ("26", Command::Event(26)),
            ("at 26", Command::Event(26)),
            ("at #26", Command::Event(26)),
            ("at call_02", Command::Call("call_02".to_owned())),
            ("at end", Command::AtEnd),
            ("tab pages", Command::Tab(TabName::Pages)),
            ("tab re-run", Command::Tab(TabName::Rerun)),
            ("item 260", Command::Item(260)),
            ("search a b", Command::Search("a b".to_owned())),
            ("q", Command::Action(Action::Quit)),
            ("next-loss", Command::Action(Action::NextLoss)),
            ("pages", Command::Action(Action::OpenPages)),
        ];
        for (text, command) in cases {
            assert_eq!(read(text), Ok(command), "{text}");
        }
    }

    #[test]
    fn what_is_no_command_says_so() {
        for text in ["", "at", "tab nope", "item x", "nope", "nope 3"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
