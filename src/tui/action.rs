//! What can be meant: one flat list that keys, mouse, commands, palette, help and tests share.

use crate::session::event::EventId;

use super::tab::{Place, TabName};

macro_rules! actions {
    (
        named { $( #[doc = $doc:literal] $variant:ident = $name:literal, )* }
        carried { $( #[doc = $carried_doc:literal] $carried:ident ( $($type:ty),+ ), )* }
    ) => {
        /// One thing that a person can mean.
        ///
        /// The named ones are what `assets/keys.toml` binds, the palette lists and the help prints:
        /// their documentation line is their text on the screen.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Action {
            $( #[doc = $doc] $variant, )*
            $( #[doc = $carried_doc] $carried($($type),+), )*
        }

        impl Action {
            /// Every action with a name, in the order of this list.
            pub const NAMED: &'static [Self] = &[ $( Self::$variant, )* ];

            /// The name in `assets/keys.toml` and after `:`; none for those that carry a value.
            pub const fn name(&self) -> Option<&'static str> {
                match self {
                    $( Self::$variant => Some($name), )*
                    $( Self::$carried(..) => None, )*
                }
            }

            /// What it does, in one line.
            pub fn doc(&self) -> &'static str {
                match self {
                    $( Self::$variant => $doc.trim(), )*
                    $( Self::$carried(..) => $carried_doc.trim(), )*
                }
            }
        }
    };
}

actions! {
    named {
        /// Move down
        Down = "down",
        /// Move up
        Up = "up",
        /// Move left
        Left = "left",
        /// Move right
        Right = "right",
        /// Go to the first line, or to the line of the count
        Top = "top",
        /// Go to the last line, or to the event or line of the count
        Bottom = "bottom",
        /// Half a screen down
        HalfDown = "half-down",
        /// Half a screen up
        HalfUp = "half-up",
        /// A screen down
        PageDown = "page-down",
        /// A screen up
        PageUp = "page-up",
        /// Into the output, unfold, follow
        Into = "into",
        /// Back out: fold, or to what is around it
        Out = "out",
        /// Back to the list, or out of what was opened; never quits
        Leave = "leave",
        /// Next tab
        NextTab = "next-tab",
        /// Previous tab
        PreviousTab = "previous-tab",
        /// Blocks: each block of the output, and what the model saw of it
        OpenBlocks = "blocks",
        /// Envelope: every field of the envelope, and what is odd in it
        OpenEnvelope = "envelope",
        /// Pages: the life of the handle, page by page
        OpenPages = "pages",
        /// Providers: what each provider would receive
        OpenProviders = "providers",
        /// Re-run: other settings on this recording
        OpenRerun = "rerun",
        /// Raw: the exact recorded bytes
        OpenRaw = "raw",
        /// Why was this not seen?
        OpenWhy = "why",
        /// Next loss
        NextLoss = "next-loss",
        /// Previous loss
        PreviousLoss = "previous-loss",
        /// Next error
        NextError = "next-error",
        /// Previous error
        PreviousError = "previous-error",
        /// Next call of this tool
        NextCall = "next-call",
        /// Previous call of this tool
        PreviousCall = "previous-call",
        /// Next page call
        NextPageCall = "next-page-call",
        /// Previous page call
        PreviousPageCall = "previous-page-call",
        /// Search all text of the recording
        Search = "search",
        /// Next hit
        NextHit = "next-hit",
        /// Previous hit
        PreviousHit = "previous-hit",
        /// One event forward
        StepForward = "step-forward",
        /// One event back
        StepBack = "step-back",
        /// Play and pause
        Play = "play",
        /// Fold or unfold
        Fold = "fold",
        /// Fold everything
        FoldAll = "fold-all",
        /// Unfold everything that is loaded
        UnfoldAll = "unfold-all",
        /// Show only what the model saw
        OnlySeen = "only-seen",
        /// Copy the value
        CopyValue = "copy-value",
        /// Copy the path
        CopyPath = "copy-path",
        /// Copy the page token
        CopyToken = "copy-token",
        /// Copy the JSON
        CopyJson = "copy-json",
        /// Copy the command line that reopens exactly this view
        CopyMoment = "copy-moment",
        /// Type a command
        Command = "command",
        /// Find an action by its words
        Palette = "palette",
        /// Help
        Help = "help",
        /// Close the top layer, then quit
        Close = "close",
        /// Quit at once
        Quit = "quit",
        /// Suspend to the shell
        Suspend = "suspend",
        /// Draw the screen anew
        Redraw = "redraw",
        /// The next answer of the result cache
        NextAnswer = "next-answer",
        /// The answer before
        PreviousAnswer = "previous-answer",
        /// The first answer: the envelope
        FirstAnswer = "first-answer",
        /// The last answer
        LastAnswer = "last-answer",
        /// Ask for an offset
        AskOffset = "ask-offset",
        /// Ask with a limit
        AskLimit = "ask-limit",
        /// Ask with a page token
        AskToken = "ask-token",
        /// Read all answers, with their cost
        ReadAll = "read-all",
        /// Release the handle here and ask again
        ReleaseHere = "release-here",
        /// Next value that changes anything
        NextValue = "next-value",
        /// Previous value that changes anything
        PreviousValue = "previous-value",
        /// Undo the last change
        Undo = "undo",
        /// Back to the recorded values
        RecordedValues = "recorded-values",
        /// Compare a against b
        Compare = "compare",
        /// Another policy
        OtherPolicy = "other-policy",
        /// Add a provider
        AddProvider = "add-provider",
        /// Another sender
        OtherSender = "other-sender",
        /// Filter the list
        Filter = "filter",
    }
    carried {
        /// Select an event
        GoToEvent(EventId),
        /// Open a tab
        OpenTab(TabName),
        /// Show a place of the selected output
        Reveal(Place),
        /// A character typed into what is selected
        Type(char),
        /// The text of a question that a tab asked, while it is typed
        Edited(String),
        /// The text of a question that a tab asked, given with Enter
        Answered(String),
        /// The lines that the wheel turned, down counted positive
        Scroll(i16),
        /// A click at a column and row of the pane
        Click(u16, u16),
    }
}

impl Action {
    /// The action of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED
            .iter()
            .find(|action| action.name() == Some(name))
            .cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Action;

    #[test]
    fn names_are_unique_and_found() {
        let mut seen = HashSet::new();
        for action in Action::NAMED {
            let name = action.name().unwrap();
            assert!(seen.insert(name), "{name} is there twice");
            assert_eq!(Action::from_name(name).as_ref(), Some(action));
            assert!(!action.doc().is_empty());
        }
    }
}
