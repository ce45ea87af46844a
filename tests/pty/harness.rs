//! The program in a pseudo-terminal: keys go in, a screen comes out.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Parser};

/// Nothing on the screen takes longer than this, also on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);

/// A program and the screen that it draws.
pub struct Terminal {
    parser: Parser,
    bytes: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    /// Everything that the program wrote.
    pub written: Vec<u8>,
    /// What the terminal was set to before the program ran.
    before: String,
}

impl Terminal {
    /// Runs `toolreel` with these arguments on a screen of this size.
    pub fn toolreel(arguments: &[&str], columns: u16, rows: u16) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_toolreel"));
        command.args(arguments);
        Self::start(command, columns, rows)
    }

    /// Runs `toolreel` with a variable of the environment set.
    pub fn toolreel_with(variable: (&str, &str), arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_toolreel"));
        command.args(arguments);
        command.env(variable.0, variable.1);
        Self::start(command, 80, 24)
    }

    /// Runs any command on a screen of this size.
    pub fn start(mut command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system()
            .openpty(PtySize {
                rows,
                cols: columns,
                pixel_width: 0,
                pixel_height: 0,
            })
            .expect("a pseudo-terminal can be opened");
        let before = modes(&*pair.master);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        // A report of a panic without its backtrace fits the screen.
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("NO_COLOR");
        command.env_remove("COLORTERM");
        command.cwd(env!("CARGO_TARGET_TMPDIR"));
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("it can be read");
        let (sender, bytes) = channel();
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            parser: Parser::new(cells(rows), cells(columns), 0),
            bytes,
            keys: pair.master.take_writer().expect("it can be written to"),
            child,
            master: pair.master,
            written: Vec::new(),
            before,
        }
    }

    /// Presses keys, one after the other, as a person types them.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).expect("keys go in");
        self.keys.flush().expect("keys go in");
        self
    }

    /// Pastes a text, as a terminal with bracketed paste hands it over.
    pub fn paste(&mut self, text: &str) -> &mut Self {
        self.press(&format!("\u{1b}[200~{text}\u{1b}[201~"))
    }

    /// The rows of the screen, without blanks at their ends.
    pub fn rows(&self) -> Vec<String> {
        let (_, columns) = self.parser.screen().size();
        self.parser
            .screen()
            .rows(0, columns.get())
            .map(|row| row.trim_end().to_owned())
            .collect()
    }

    /// The whole screen as one text.
    pub fn text(&self) -> String {
        self.rows().join("\n")
    }

    /// Takes in what the program has written, waiting at most `time` for it.
    fn listen(&mut self, time: Duration) -> Heard {
        match self.bytes.recv_timeout(time) {
            Ok(bytes) => {
                self.parser.process(&bytes);
                self.written.extend(bytes);
                Heard::Something
            }
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Waits until the screen is as wanted, and fails with the screen as it is where it never is.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> &mut Self {
        let start = Instant::now();
        while !wanted(&self.text()) {
            let left = DEADLINE.saturating_sub(start.elapsed());
            let heard = self.listen(left.min(Duration::from_millis(100)));
            let over = heard == Heard::End || left.is_zero();
            assert!(
                !over || wanted(&self.text()),
                "never seen: {what}\n{}",
                self.text()
            );
        }
        self
    }

    /// Waits until all of these stand on the screen.
    pub fn see(&mut self, texts: &[&str]) -> &mut Self {
        for text in texts {
            self.until(text, |screen| screen.contains(text));
        }
        // All of them at once, not one after the other.
        self.until(&texts.join(" and "), |screen| {
            texts.iter().all(|text| screen.contains(text))
        })
    }

    /// Waits until a row holds all of these.
    pub fn see_row(&mut self, texts: &[&str]) -> &mut Self {
        self.until(&format!("{texts:?} in one row"), |screen| {
            screen
                .lines()
                .any(|row| texts.iter().all(|text| row.contains(text)))
        })
    }

    /// Waits until this stands nowhere on the screen.
    pub fn see_no(&mut self, text: &str) -> &mut Self {
        self.until(&format!("no {text}"), |screen| !screen.contains(text))
    }

    /// The texts that the program put into the clipboard, by OSC 52.
    pub fn copied(&self) -> Vec<String> {
        let written = String::from_utf8_lossy(&self.written);
        written
            .split("\u{1b}]52;c;")
            .skip(1)
            .filter_map(|rest| {
                let end = rest.find(['\u{7}', '\u{1b}'])?;
                let bytes = BASE64_STANDARD.decode(&rest[..end]).ok()?;
                String::from_utf8(bytes).ok()
            })
            .collect()
    }

    /// Changes the size.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.master
            .resize(PtySize {
                rows,
                cols: columns,
                pixel_width: 0,
                pixel_height: 0,
            })
            .expect("it can be resized");
        self.parser
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        self
    }

    /// Sends a signal to the program, by its name.
    pub fn signal(&mut self, name: &str) -> &mut Self {
        let id = self.child.process_id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.is_ok_and(|sent| sent.success()), "kill -s {name}");
        self
    }

    /// Waits for the program's end and takes in all that it still writes.
    pub fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status;
            }
            self.listen(Duration::from_millis(20));
            assert!(start.elapsed() < DEADLINE, "never ended\n{}", self.text());
        };
        // What it wrote last may still be on its way.
        while self.listen(Duration::from_millis(300)) == Heard::Something {}
        status
    }

    /// Fails where any mode that a full-screen program sets is still set.
    pub fn assert_restored(&self) {
        let screen = self.parser.screen();
        self.assert_left_to_the_shell();
        assert!(!screen.bracketed_paste(), "pastes are still bracketed");
        assert_eq!(modes(&*self.master), self.before, "modes of the line");
    }

    /// The same for a shell, which sets modes of its own.
    pub fn assert_left_to_the_shell(&self) {
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "still on the other screen");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.application_cursor(), "arrows are the program's");
        assert!(!screen.application_keypad(), "the keypad is the program's");
        assert_eq!(screen.mouse_protocol_mode(), MouseProtocolMode::None);
    }
}

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a screen has cells")
}

/// What came from the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Something,
    Nothing,
    End,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A failed assertion must not leave the program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The line discipline: raw mode shows here.
fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

/// A shell with job control, or none where this machine has none.
pub fn shell() -> Option<CommandBuilder> {
    let bash = ["/bin/bash", "/usr/bin/bash"]
        .into_iter()
        .find(|bash| Path::new(bash).exists())?;
    let mut command = CommandBuilder::new(bash);
    command.args(["--norc", "--noprofile", "-i"]);
    command.env("PS1", "prompt> ");
    Some(command)
}
