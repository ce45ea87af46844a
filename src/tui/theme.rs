//! Roles instead of colours, and glyphs that are one cell wide everywhere.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use thiserror::Error;

const PLAIN_TEXT: &str = include_str!("../../assets/themes/plain.toml");

static COLOUR: LazyLock<Theme> = LazyLock::new(|| {
    Theme::read(include_str!("../../assets/themes/colour.toml"))
        .expect("the compiled-in theme is read by a test")
});
static PLAIN: LazyLock<Theme> =
    LazyLock::new(|| Theme::read(PLAIN_TEXT).expect("the compiled-in theme is read by a test"));

macro_rules! roles {
    ($( #[doc = $doc:literal] $role:ident, )*) => {
        /// How each role is drawn.
        ///
        /// A colour never stands alone: beside it is always a glyph or a word.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Theme {
            $( #[doc = $doc] pub $role: Style, )*
            /// Every glyph is drawn in its ASCII form, and what else is not ASCII as `?`.
            pub ascii: bool,
        }

        impl Theme {
            /// Reads a theme: a TOML table with every role and no other.
            pub fn read(text: &str) -> Result<Self, ThemeError> {
                let mut table: BTreeMap<String, String> = toml::from_str(text)?;
                let theme = Self {
                    $( $role: style(
                        stringify!($role),
                        &table.remove(stringify!($role)).ok_or(ThemeError::Missing(stringify!($role)))?,
                    )?, )*
                    ascii: false,
                };
                match table.into_keys().next() {
                    Some(name) => Err(ThemeError::Unknown(name)),
                    None => Ok(theme),
                }
            }
        }
    };
}

roles! {
    /// Ordinary text.
    text,
    /// What matters less.
    dim,
    /// What matters more.
    strong,
    /// The program's name and the names of panes.
    title,
    /// Lines between panes.
    border,
    /// The selected row of the pane that has the focus.
    selection,
    /// The selected row of a pane without the focus.
    cursor,
    /// What the user said.
    user,
    /// What the model said.
    assistant,
    /// A tool's name.
    tool,
    /// A note of the recording.
    note,
    /// System prompts and bookkeeping.
    system,
    /// Errors.
    error,
    /// What is odd.
    finding,
    /// What the model was sent.
    sent,
    /// What the model read later.
    later,
    /// What the model was never sent.
    never,
    /// What the recording does not hold.
    unrecorded,
    /// A key's name.
    key,
    /// What was searched.
    hit,
    /// A caption.
    caption,
    /// A tab in the bar.
    tab,
    /// The open tab.
    tab_open,
    /// A tab with nothing to say.
    tab_dim,
    /// A key of a JSON object, the name of a field.
    name,
    /// A JSON string.
    string,
    /// A JSON number.
    number,
    /// `true`, `false` and `null`.
    literal,
    /// A control character made visible.
    control,
    /// A value that a re-run changed.
    changed,
    /// The text that is being typed.
    prompt,
    /// What went well.
    good,
}

/// Why a theme cannot be read.
#[derive(Debug, Error)]
pub enum ThemeError {
    /// Not a table of texts.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// A role is missing.
    #[error("role {0} is missing")]
    Missing(&'static str),
    /// No such role.
    #[error("there is no role {0}")]
    Unknown(String),
    /// A word that is neither a colour nor an attribute.
    #[error(
        "role {role}: {word} is neither a colour nor one of bold dim italic underlined reversed"
    )]
    Word {
        /// The role.
        role: &'static str,
        /// The word.
        word: String,
    },
}

impl Theme {
    /// The sixteen colours of the terminal.
    pub fn colour() -> Self {
        *COLOUR
    }

    /// No colour at all.
    pub fn plain() -> Self {
        *PLAIN
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::colour()
    }
}

fn style(role: &'static str, text: &str) -> Result<Style, ThemeError> {
    let unknown = |word: &str| ThemeError::Word {
        role,
        word: word.to_owned(),
    };
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        style = match word {
            "bold" => style.add_modifier(Modifier::BOLD),
            "dim" => style.add_modifier(Modifier::DIM),
            "italic" => style.add_modifier(Modifier::ITALIC),
            "underlined" => style.add_modifier(Modifier::UNDERLINED),
            "reversed" => style.add_modifier(Modifier::REVERSED),
            "on" => {
                let colour = words.next().ok_or_else(|| unknown("on"))?;
                style.bg(colour.parse::<Color>().map_err(|_| unknown(colour))?)
            }
            colour => style.fg(colour.parse::<Color>().map_err(|_| unknown(colour))?),
        };
    }
    Ok(style)
}

macro_rules! glyphs {
    ($( #[doc = $doc:literal] $name:ident = $glyph:literal $ascii:literal, )*) => {
        /// The glyphs of the screen. Each is one cell wide everywhere and has no emoji form.
        pub mod glyph {
            $( #[doc = $doc] pub const $name: &str = $glyph; )*
        }

        /// The glyphs with their ASCII forms.
        const GLYPHS: &[(&str, &str)] = &[ $( ($glyph, $ascii), )* ];
    };
}

glyphs! {
    /// Gutter: sent.
    SENT = "┃" "|",
    /// Gutter: read later.
    LATER = "┆" ":",
    /// Gutter and bar: never sent.
    NEVER = "░" ".",
    /// Gutter and bar: not recorded.
    UNRECORDED = "?" "?",
    /// Bar: sent at once.
    BAR_SENT = "█" "#",
    /// Bar: read later.
    BAR_LATER = "▒" "+",
    /// Mark: error.
    ERROR = "✗" "X",
    /// Mark: finding.
    FINDING = "!" "!",
    /// Mark: envelope.
    ENVELOPE = "▤" "E",
    /// Mark: image.
    IMAGE = "▣" "I",
    /// Mark: document.
    DOCUMENT = "▥" "D",
    /// Mark: a call without an answer.
    UNANSWERED = "?" "?",
    /// Mark: a bad line.
    BAD = "~" "~",
    /// The selected row.
    CURSOR = ">" ">",
    /// An open fold.
    OPEN = "▾" "v",
    /// A closed fold.
    CLOSED = "▸" ">",
    /// A line across.
    ACROSS = "─" "-",
    /// A line down.
    DOWN = "│" "|",
    /// A line across with one going up.
    TEE_UP = "┴" "+",
    /// The left end of the rail.
    RAIL_LEFT = "├" "|",
    /// The right end of the rail.
    RAIL_RIGHT = "┤" "|",
    /// An event on the rail.
    RAIL_EVENT = "·" ".",
    /// The cursor on the rail, when playing.
    PLAYING = "●" "@",
    /// Corner of a box.
    TOP_LEFT = "┌" "+",
    /// Corner of a box.
    TOP_RIGHT = "┐" "+",
    /// Corner of a box.
    BOTTOM_LEFT = "└" "+",
    /// Corner of a box.
    BOTTOM_RIGHT = "┘" "+",
    /// Where text was cut to fit.
    CUT = "…" "~",
    /// The Enter key.
    ENTER = "⏎" "<",
    /// The upper half of a cell, for images.
    HALF = "▀" "#",
    /// Something below is meant.
    POINTER = "^" "^",
}

/// Gives every cell its ASCII form: the glyphs by their table, everything else that is not ASCII
/// as `?`. The last step of a view under `--ascii`.
pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        let form = GLYPHS
            .iter()
            .find(|(glyph, _)| *glyph == symbol)
            .map_or("?", |(_, ascii)| ascii);
        cell.set_symbol(form);
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::{GLYPHS, Theme};

    #[test]
    fn the_compiled_in_themes_name_every_role() {
        assert_ne!(Theme::colour(), Theme::plain());
    }

    #[test]
    fn the_plain_theme_has_no_colour() {
        let theme = Theme::plain();
        for style in [theme.error, theme.sent, theme.never, theme.hit, theme.key] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn every_glyph_is_one_cell_and_has_an_ascii_form() {
        for (glyph, ascii) in GLYPHS {
            assert_eq!(glyph.width(), 1, "{glyph}");
            assert_eq!(glyph.width_cjk().max(1), glyph.width_cjk(), "{glyph}");
            assert_eq!((ascii.len(), ascii.is_ascii()), (1, true), "{glyph}");
        }
    }

    #[test]
    fn a_theme_with_an_unknown_word_says_which() {
        let text = super::PLAIN_TEXT.replace("string = \"\"", "string = \"loud\"");
        let error = Theme::read(&text).unwrap_err().to_string();
        assert!(
            error.contains("string") && error.contains("loud"),
            "{error}"
        );
    }
}
