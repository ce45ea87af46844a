//! The real program in a pseudo-terminal: the walks of its user, and the terminal given back.

#[path = "pty/harness.rs"]
mod harness;

use harness::Terminal;

/// The sizes at which every walk is taken.
const SIZES: [(u16, u16); 2] = [(80, 24), (200, 60)];

fn released(columns: u16, rows: u16) -> Terminal {
    let mut terminal = Terminal::toolreel(&["demo", "released-too-early"], columns, rows);
    terminal.see(&["released-too-early.jsonl", "NEVER SENT", "#6 search_issues"]);
    // The losses are all found: in a list of their own, or counted in the title.
    terminal.until("the losses", |screen| {
        screen.contains("asked for a released handle") || screen.contains("3 lost data")
    });
    terminal
}

/// "It says 4296 is the oldest open login bug. It is not."
#[test]
fn debugging_a_transcript() {
    for (columns, rows) in SIZES {
        let mut terminal = released(columns, rows);
        // On the first loss at once: what was never sent is the first thing read.
        terminal.see(&["412 items", "220", "┃", "[0..63]"]);

        terminal.press("/3966\r");
        terminal.see(&["1/1", "#6 item 260", "never sent", "3966"]);
        terminal.see_row(&["░", "260"]);

        terminal.press("w");
        terminal.see(&[
            "Why was item 260 never sent?",
            "#6 search_issues, 412 items",
            "147,787 B > 65,536 B",
            "#9 took 64..127, #11 took 128..191",
            "#26 cache.release mcp-cache-0",
            "too late",
            "#28 asked 192..",
            "45,191 B",
            "486 B",
            "93,993 B",
        ]);

        terminal.press("\r");
        terminal.see(&["#26 cache.release"]);
        terminal.see_row(&[">", "26", "cache.release"]);
        terminal.see(&["mcp-cache-0"]);

        // Back over the events before it: the green test run, the edit, and all the way to the call.
        terminal.press(",");
        terminal.see_row(&[">", "24", "shell"]);
        terminal.press(",").press(",").press(",");
        terminal.see_row(&[">", "18", "read_file"]);
        terminal.press("/3966\r");
        terminal.see_row(&[">", "6", "search_issues"]);
        terminal.see_row(&["░", "3966"]);

        // The exact view, for the bug report.
        terminal.press("ym");
        terminal.see(&["copied"]);
        assert!(
            terminal.copied().iter().any(|copied| copied
                == "toolreel demo released-too-early --at 6 --tab blocks --item 260"),
            "{:?}",
            terminal.copied()
        );
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

#[test]
fn the_terminal_is_given_back_on_quit() {
    for (columns, rows) in SIZES {
        let mut terminal = released(columns, rows);
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

#[test]
fn the_terminal_is_given_back_on_signals() {
    for (name, code) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let mut terminal = released(80, 24);
        terminal.signal(name);
        assert_eq!(terminal.end().exit_code(), code, "SIG{name}");
        terminal.assert_restored();
    }
}

#[test]
fn the_terminal_is_given_back_after_a_panic() {
    let panic = ("TOOLREEL_PANIC", "1");
    let mut terminal = Terminal::toolreel_with(panic, &["demo", "released-too-early"]);
    terminal.see(&["NEVER SENT"]);
    terminal.press("j");
    assert!(!terminal.end().success());
    terminal.assert_restored();
    // The report is on the screen that the shell has, and not lost with the other one.
    assert!(
        terminal.text().contains("TOOLREEL_PANIC asked for this"),
        "{}",
        terminal.text()
    );
}

#[test]
fn the_terminal_is_given_back_where_it_cannot_be_opened() {
    let mut terminal = Terminal::toolreel(&["nowhere.jsonl"], 80, 24);
    assert_eq!(terminal.end().exit_code(), 2);
    assert!(
        terminal.text().contains("nowhere.jsonl"),
        "{}",
        terminal.text()
    );
    terminal.assert_restored();
}

#[test]
fn ctrl_z_stops_the_program_and_fg_brings_it_back() {
    let Some(shell) = harness::shell() else {
        println!("skipped: no bash here");
        return;
    };
    let mut terminal = Terminal::start(shell, 80, 24);
    let program = env!("CARGO_BIN_EXE_toolreel");
    terminal.see(&["prompt>"]);
    terminal.press(&format!("clear; '{program}' demo released-too-early\r"));
    terminal.see(&["#6 search_issues", "NEVER SENT"]);
    terminal.press("\u{1a}");
    terminal.see(&["Stopped"]);
    terminal.assert_left_to_the_shell();
    terminal.press("fg\r");
    terminal.see(&["#6 search_issues", "NEVER SENT"]);
    terminal.press("j");
    terminal.see_row(&[">", "64 of 412"]);
    terminal.press("q");
    terminal.see(&["prompt>"]);
    terminal.press("exit\r");
    assert!(terminal.end().success());
    terminal.assert_left_to_the_shell();
}

#[test]
fn any_size_is_drawn_and_a_small_one_says_so() {
    let mut terminal = released(80, 24);
    terminal.resize(30, 8).see(&["40x10", "30x8"]);
    terminal
        .resize(200, 60)
        .see(&["lost or wrong", "[384..411]", "returned"]);
    terminal.resize(50, 20).see(&["search_issues"]);
    terminal
        .resize(80, 24)
        .see(&["NEVER SENT", "#6 search_issues"]);
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn nothing_of_a_hostile_recording_reaches_the_terminal() {
    for (columns, rows) in SIZES {
        let mut terminal = Terminal::toolreel(&["demo", "hostile"], columns, rows);
        terminal.see(&["hostile.jsonl"]);
        for (key, row) in [
            ("1G", "user"),
            ("4G", "shell"),
            ("6G", "read_file"),
            ("8G", "read_file"),
            ("13G", "shell"),
            ("20G", "config.read"),
            ("23G", "asst"),
        ] {
            // From the timeline, through the views that quote most.
            terminal.press("h").press(key);
            terminal.see_row(&[">", row]);
            terminal.press("x").press("b").press("e");
        }
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
        let written = String::from_utf8_lossy(&terminal.written);
        // Titles, clipboard writes, links, and the other screen's end before the program's own.
        for escape in [
            "\u{1b}]0;",
            "\u{1b}]52;",
            "\u{1b}]8;",
            "\u{1b}P",
            "\u{9b}",
            "\u{9d}",
            "\u{202e}",
            "\u{2066}",
            "\u{200b}",
            "\u{7}",
        ] {
            assert!(!written.contains(escape), "{escape:?} reached the terminal");
        }
        assert_eq!(written.matches("\u{1b}[?1049l").count(), 1);
    }
}

#[test]
fn the_start_screen_lists_the_demos_and_opens_one() {
    for (columns, rows) in SIZES {
        let mut terminal = Terminal::toolreel(&[], columns, rows);
        terminal.see(&[
            "pick a recording",
            "released-too-early",
            "four-kinds",
            "bricked",
            "hostile",
            "29 events",
            "14 events",
            "11 events",
            "23 events",
        ]);
        terminal.press("\r");
        terminal.see(&["released-too-early.jsonl", "NEVER SENT"]);
        // The recording is a layer over the list.
        terminal.press("q");
        terminal.see(&["pick a recording"]);
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

/// The README begins with the screen as the program draws it.
///
/// `TOOLREEL_UPDATE=1` writes it anew instead of comparing it.
#[test]
fn the_readme_shows_the_screen() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("the README");
    let marker = "held by tests/pty.rs -->\n```text\n";
    let start = readme.find(marker).expect("the marker") + marker.len();
    let end = start + readme[start..].find("```\n").expect("the block ends");

    let mut terminal = released(100, 30);
    terminal.see(&[
        "#28 asked: handle was released",
        "[384..411]",
        "asked for a released handle",
        "The tool returned 412 issues.",
    ]);
    let screen = terminal.text() + "\n";
    terminal.press("q");
    assert!(terminal.end().success());
    if std::env::var_os("TOOLREEL_UPDATE").is_some() {
        let updated = format!("{}{screen}{}", &readme[..start], &readme[end..]);
        std::fs::write(path, updated).expect("the README can be written");
        return;
    }
    assert_eq!(
        &readme[start..end],
        screen,
        "TOOLREEL_UPDATE=1 writes it anew"
    );
}

/// "The tool returned 412 issues. The model was sent 64."
#[test]
fn showing_paging_to_a_teammate() {
    for (columns, rows) in SIZES {
        let mut terminal = released(columns, rows);
        terminal.see(&["The tool returned 412 issues. The model was sent 64."]);

        terminal.press("p");
        terminal.see(&[
            "mcp-cache-0",
            "412 items",
            "The token is handle and offset, nothing more.",
            "answer 1 of 7",
            "23,625 B",
        ]);

        terminal.press("l");
        terminal.see(&[
            "answer 2 of 7",
            "mcp-cache-0:offset:64",
            "23,213 B",
            "Session cookie not cleared",
        ]);
        terminal.press("l");
        terminal.see(&["answer 3 of 7", "items 128..191", "23,060 B"]);

        terminal.press("t");
        terminal.paste("mcp-cache-0:offset:256");
        terminal.press("\r");
        terminal.see(&["answer 5 of 7", "items 256..319"]);

        terminal.press("A");
        terminal.see(&["148,625 B", "147,787 B"]);

        terminal.press("R");
        terminal.see(&["released"]);
        terminal.press("l");
        terminal.see(&["unknown cached result handle"]);

        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

/// "May I send 20 items first instead of 64?"
#[test]
fn previewing_a_setting() {
    for (columns, rows) in SIZES {
        let mut terminal = released(columns, rows);
        terminal.press("r");
        terminal.see(&["rig-mcp 0.2.5", "threshold_bytes", "page_size", "65,536"]);
        terminal.see_row(&["first answer", "23,625"]);

        terminal.press("j20\r");
        terminal.see_row(&["page_size", "20", "recorded 64"]);
        terminal.see_row(&["first answer", "23,625 B", "7,600 B", "-68 %"]);
        terminal.see_row(&["calls to read it all", "6", "7"]);
        terminal.see(&["at limit 20"]);

        terminal.press("k");
        terminal.press("-");
        terminal.see_row(&["threshold_bytes", "1,804"]);
        terminal.see_row(&["enveloped", "1", "2"]);

        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

#[test]
fn a_value_on_standard_input_opens_on_re_run() {
    let Some(mut shell) = harness::shell() else {
        println!("skipped: no bash here");
        return;
    };
    let items: Vec<_> = (0..3000)
        .map(|number| format!("{{\"number\":{number}}}"))
        .collect();
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/items.json");
    std::fs::write(file, format!("[{}]", items.join(",")))
        .expect("a temporary file can be written");
    shell.env("TOOLREEL", env!("CARGO_BIN_EXE_toolreel"));
    let mut terminal = Terminal::start(shell, 80, 24);
    terminal.see(&["prompt>"]);
    // Keys come from the terminal, not from the pipe.
    terminal.press(&format!("clear; cat '{file}' | \"$TOOLREEL\" -\r"));
    terminal.see(&["threshold_bytes", "page_size", "rig-mcp 0.2.5"]);
    terminal.press("j5\r");
    terminal.see_row(&["page_size", "5"]);
    terminal.press("b");
    terminal.see(&["3,000"]);
    terminal.press("q");
    terminal.see(&["prompt>"]);
    terminal.press("exit\r");
    assert!(terminal.end().success());
}

#[test]
fn a_growing_recording_is_followed_and_a_replaced_one_read_anew() {
    use std::io::Write as _;
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/growing.jsonl");
    let said = |words: &str| {
        format!("{{\"type\":\"message\",\"role\":\"user\",\"content\":\"{words}\"}}\n")
    };
    let begun = format!(
        "{{\"toolreel\":1}}\n{}{}",
        said("first words"),
        said("second words")
    );
    std::fs::write(path, &begun).expect("a temporary file can be written");
    let mut terminal = Terminal::toolreel(&[path], 100, 30);
    terminal.see(&["2 events", "first words", "second words"]);
    terminal.see_row(&[">", "first words"]);

    // More comes: the place stays.
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(path)
        .expect("it exists");
    write!(file, "{}", said("third words")).expect("it can be written");
    terminal.see(&["3 events", "third words"]);
    terminal.see_row(&[">", "first words"]);

    // At the end it goes along.
    terminal.press("G");
    terminal.see_row(&[">", "third words"]);

    // Half a line is no event until its end comes.
    let fourth = said("fourth words");
    let (half, rest) = fourth.split_at(30);
    file.write_all(half.as_bytes()).expect("it can be written");
    file.flush().expect("it can be written");
    file.write_all(rest.as_bytes()).expect("it can be written");
    terminal.see(&["4 events"]);
    terminal.see_row(&[">", "fourth words"]);

    // Truncated and written anew.
    std::fs::write(path, format!("{{\"toolreel\":1}}\n{}", said("other words")))
        .expect("it can be written");
    terminal
        .see(&["1 event", "other words"])
        .see_no("third words");

    // Another file under its name, as editors and log rotation leave it.
    let beside = concat!(env!("CARGO_TARGET_TMPDIR"), "/growing.new");
    std::fs::write(beside, begun).expect("a temporary file can be written");
    std::fs::rename(beside, path).expect("it can be renamed");
    terminal.see(&["2 events", "second words"]);

    // Gone: what was read stays, and the program lives.
    std::fs::remove_file(path).expect("it can be removed");
    terminal.press("gg");
    terminal.see_row(&[">", "first words"]);
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn ascii_alone_and_no_colours_where_asked_for() {
    let arguments = ["demo", "released-too-early", "--ascii", "--color", "never"];
    let mut terminal = Terminal::toolreel(&arguments, 100, 30);
    terminal.see(&["NEVER SENT", "[384..411]", "read by #11"]);
    for (tab, seen) in [
        ("p", "mcp-cache-0"),
        ("r", "threshold_bytes"),
        ("b", "[384..411]"),
    ] {
        terminal.press(tab).see(&[seen]);
        assert!(terminal.text().is_ascii(), "{}", terminal.text());
    }
    terminal.press("q");
    assert!(terminal.end().success());
    let written = String::from_utf8_lossy(&terminal.written);
    for colour in ["\u{1b}[38;", "\u{1b}[48;"] {
        assert!(!written.contains(colour), "{colour:?}");
    }
}

#[test]
fn what_providers_would_receive_side_by_side() {
    for (columns, rows) in SIZES {
        let arguments = [
            "demo",
            "released-too-early",
            "--at",
            "16",
            "--tab",
            "providers",
        ];
        let mut terminal = Terminal::toolreel(&arguments, columns, rows);
        terminal.see(&["#16 browser.screenshot", "rig 0.44"]);
        terminal.see_row(&["1 text", "native", "convert"]);
        terminal.see_row(&["2 image", "native", "moved"]);
        terminal.see_row(&["order", "kept", "LOST"]);
        terminal.see_row(&["error flag", "kept", "LOST"]);
        terminal.press("\r");
        terminal.see(&["\"messages\"", "\"tool_result\"", "call_06"]);
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

#[test]
fn the_envelope_and_the_recorded_bytes() {
    for (columns, rows) in SIZES {
        let mut terminal = released(columns, rows);
        terminal.press("e");
        terminal.see_row(&["handle", "mcp-cache-0"]);
        terminal.see_row(&["total_items", "412"]);
        terminal.see_row(&["omitted_items", "348"]);
        terminal.press("x");
        terminal.see(&["{\"type\":\"tool_output\""]);
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

#[test]
fn help_palette_and_commands() {
    for (columns, rows) in SIZES {
        let mut terminal = released(columns, rows);
        terminal.press("?");
        terminal.see(&["Move down"]);
        terminal.press("q");
        terminal.see_no("Move down").see(&["NEVER SENT"]);
        terminal.press("\u{10}");
        terminal.press("next loss");
        terminal.see(&["Next loss"]);
        terminal.press("\r");
        terminal.see_row(&[">", "16", "browser.scr"]);
        // A key that begins a sequence says what may follow.
        terminal.press("]");
        terminal.see(&["Next loss", "Next error"]);
        terminal.press("e");
        terminal.see_row(&[">", "22", "shell"]);
        terminal.press(":28\r");
        terminal.see_row(&[">", "28", "cache.page"]);
        terminal.press("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}
