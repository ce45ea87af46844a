//! What holds for every text, hostile ones above all.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

/// Text with more of what is dangerous than chance would give.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ -~]{1,12}",
        1 => "[\\x00-\\x1f\\x7f]{1,3}",
        1 => "[\u{80}-\u{9f}]{1,2}",
        2 => "[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200b}-\u{200f}\u{61c}\u{2028}\u{2029}\u{2060}\u{feff}]{1,3}",
        2 => "[\u{300}-\u{36f}]{1,20}",
        1 => "[\u{e0001}-\u{e007f}\u{fe00}-\u{fe0f}\u{fff9}-\u{fffb}]{1,3}",
        2 => "[漢字仮名가힣]{1,6}",
        1 => "[👍👩🏽💻❤⚠🇩🇪1#\u{fe0f}\u{200d}\u{20e3}]{1,6}",
        1 => "[كلمةلا]{1,6}",
        1 => "[\u{905}-\u{94d}]{1,24}",
        1 => "[\u{1100}-\u{11ff}]{1,24}",
        1 => "[ｶﾊﾞ\u{ff9e}\u{ff9f}]{1,6}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn forbidden() -> regex::Regex {
    regex::Regex::new(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")
        .expect("a valid pattern")
}

/// Where ratatui's buffer ends after drawing the text.
fn drawn_cells(text: &str) -> usize {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 4_000, 1));
    let (x, _) = buffer.set_stringn(0, 0, text, 4_000, Style::new());
    usize::from(x)
}

#[test]
fn flags_are_their_letters() {
    assert_eq!(visible("a 🇩🇪b🇫"), "a ⟨DE⟩b⟨F⟩");
    assert_eq!(visible_in("🇩🇪🇫🇷", Marks::Ascii), "<DE><FR>");
    assert_eq!(cells(&visible("🇩🇪")), 4);
}

proptest! {
    #[test]
    fn nothing_that_a_terminal_obeys_or_hides_is_left(text in hostile(), bytes: Vec<u8>) {
        let forbidden = forbidden();
        for marks in [Marks::Unicode, Marks::Ascii] {
            prop_assert!(!forbidden.is_match(&visible_in(&text, marks)));
            for line in visible_lines_in(&text, marks) {
                prop_assert!(!forbidden.is_match(&line));
            }
            prop_assert!(!forbidden.is_match(&visible_bytes_in(&bytes, marks)));
            for width in [0, 1, 2, 7, 40] {
                prop_assert!(!forbidden.is_match(&fit_in(&text, width, marks)));
            }
        }
        prop_assert!(!forbidden.is_match(&fit_end(&text, 9)));
    }

    #[test]
    fn visible_text_stays_as_it_is(text in hostile()) {
        for marks in [Marks::Unicode, Marks::Ascii] {
            let once = visible_in(&text, marks);
            prop_assert_eq!(&visible_in(&once, marks), &once);
        }
    }

    #[test]
    fn pieces_cover_the_source_in_order(text in hostile()) {
        let mut at = 0;
        for piece in pieces(&text, Marks::Unicode) {
            prop_assert_eq!(piece.source.start, at);
            at = piece.source.end;
            if piece.is_borrowed() && !piece.shown.is_empty() {
                prop_assert_eq!(&piece.shown, &text[piece.source]);
            }
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn nothing_climbs_over_the_line_or_onto_its_neighbour(text in hostile()) {
        let shown = visible(&text);
        for grapheme in shown.graphemes(true) {
            prop_assert!(grapheme.chars().count() <= 20, "{:?}", grapheme);
        }
        let beside = format!("│{shown}");
        prop_assert_eq!(beside.graphemes(true).next(), Some("│"));
    }

    #[test]
    fn cells_are_those_that_ratatui_fills(text in hostile()) {
        let shown = visible(&text);
        prop_assert_eq!(cells(&shown), drawn_cells(&shown));
    }

    #[test]
    fn a_fitted_text_fits_and_loses_nothing_that_had_room(text in hostile(), width in 0_usize..60) {
        let whole = visible(&text);
        let fitted = fit(&text, width);
        prop_assert!(cells(&fitted) <= width);
        if cells(&whole) <= width {
            prop_assert_eq!(fitted, whole);
        } else if width > 0 {
            let kept = fitted.strip_suffix('…');
            prop_assert!(kept.is_some_and(|kept| whole.starts_with(kept)));
        }
        let end = fit_end(&text, width);
        prop_assert!(cells(&end) <= width);
        prop_assert_eq!(cells(&padded(&text, width)), width);
    }

    #[test]
    fn rows_fit_and_lose_nothing_but_the_blank_at_a_break(text in hostile(), width in 2_usize..60) {
        let line = visible(&text);
        let rows = wrap(&line, width);
        prop_assert!(!rows.is_empty());
        let mut at = 0;
        for row in rows {
            prop_assert!(row.start == at || &line[at..row.start] == " ");
            prop_assert!(cells(&line[row.clone()]) <= width, "{:?} in {}", &line[row], width);
            at = row.end;
        }
        prop_assert!(at == line.len() || &line[at..] == " ");
    }

    #[test]
    fn a_place_in_the_source_is_found_on_the_screen_and_back(text in "[^\n]*", extra in hostile()) {
        let text = format!("{text}{extra}").replace('\n', "\t");
        let line = shown(&text, Marks::Unicode);
        let mut last = 0;
        for (at, c) in text.char_indices() {
            let place = line.shown_at(at);
            prop_assert!(place >= last && line.text.is_char_boundary(place));
            last = place;
            if line.text[place..].starts_with(c) {
                prop_assert_eq!(line.source_at(place), at);
            }
        }
    }
}

#[test]
fn what_a_terminal_would_obey_is_drawn() {
    for (text, unicode, ascii) in [
        ("\u{1b}[31mred", "␛[31mred", "^[[31mred"),
        ("a\nb\r\n\tc", "a␊b␍␊␉c", "a^Jb^M^J^Ic"),
        ("\0\u{7f}\u{9b}", "␀␡⟨U+009B⟩", "^@^?<U+009B>"),
        ("ab\u{202e}cd", "ab⟨U+202E⟩cd", "ab<U+202E>cd"),
        (
            "a\u{200b}\u{feff}b",
            "a⟨U+200B⟩⟨U+FEFF⟩b",
            "a<U+200B><U+FEFF>b",
        ),
        ("\u{e0041}", "⟨U+E0041⟩", "<U+E0041>"),
        (
            "⚠\u{fe0f} 1\u{fe0f}\u{20e3} a\u{fe0f}",
            "⚠ 1\u{20e3} a⟨U+FE0F⟩",
            "⚠ 1\u{20e3} a<U+FE0F>",
        ),
        ("\u{301}x", "◌\u{301}x", "<U+0301>x"),
        (
            "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}f",
            "e\u{301}\u{301}\u{301}\u{301}⟨+2 marks⟩f",
            "e\u{301}\u{301}\u{301}\u{301}<+2 marks>f",
        ),
        ("plain é 漢", "plain é 漢", "plain é 漢"),
    ] {
        assert_eq!(visible(text), unicode);
        assert_eq!(visible_in(text, Marks::Ascii), ascii);
    }
    assert_eq!(visible_bytes(b"a\xff\x1b\xc3\xa9\xc3"), "a⟨0xFF⟩␛é⟨0xC3⟩");
    let lines: Vec<_> = visible_lines("a\tb\r\n\n\tx\n").collect();
    assert_eq!(lines, ["a␉  b␍", "", "␉   x"]);
}

#[test]
fn rows_break_after_blanks_and_keep_long_words() {
    let rows = |text: &str, width| {
        wrap(text, width)
            .into_iter()
            .map(|row| text[row].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(rows("", 5), [""]);
    assert_eq!(rows("one two three", 7), ["one two", "three"]);
    assert_eq!(rows("one two three", 8), ["one two ", "three"]);
    assert_eq!(rows("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(rows("a bcdefghij", 4), ["a ", "bcde", "fghi", "j"]);
    assert_eq!(rows("漢字仮名", 5), ["漢字", "仮名"]);
    assert_eq!(rows("漢", 1), ["漢"]);
}
