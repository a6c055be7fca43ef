//! A program on a terminal.

use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::support::target;

/// `cargo otp …` on a terminal that `script` creates.
pub(crate) struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: BufReader<ChildStdout>,
}

impl Terminal {
    /// `arguments` are words of the system's shell.
    pub(crate) fn run(folder: &Path, arguments: &str) -> Self {
        Self::with(folder, "", arguments)
    }

    /// Runs it with variables, which the shell reads before the program's name.
    pub(crate) fn with(folder: &Path, variables: &str, arguments: &str) -> Self {
        let program = env!("CARGO_BIN_EXE_cargo-otp");
        let program = format!("{variables} {program} otp {arguments}");
        // A text that is never shown must end the test, too.
        let mut command = Command::new("timeout");
        command
            .args([
                "120",
                "script",
                "--quiet",
                "--return",
                "--command",
                &program,
                "/dev/null",
            ])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", target())
            .env("TERM", "vt100")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("script");
        Terminal {
            keys: child.stdin.take().expect("its keys"),
            screen: BufReader::new(child.stdout.take().expect("its screen")),
            child,
        }
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys");
        self.keys.flush().expect("keys");
    }

    /// Waits until the program ends, and returns its status.
    pub(crate) fn ends(&mut self) -> Option<i32> {
        self.child.wait().expect("a status").code()
    }

    /// Reads all output until the program ends.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        self.screen.read_to_end(&mut rest).expect("a screen");
        String::from_utf8(rest).expect("UTF-8")
    }

    /// Reads until the text is shown.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) {
        self.shows_all(&mut vec![text]);
    }

    /// Reads until each of the texts was shown, in any order.
    #[track_caller]
    pub(crate) fn shows_all(&mut self, texts: &mut Vec<&str>) {
        let mut seen = Vec::new();
        let mut byte = [0];
        while self.screen.read(&mut byte).expect("a screen") > 0 {
            seen.push(byte[0]);
            texts.retain(|text| !seen.ends_with(text.as_bytes()));
            if texts.is_empty() {
                return;
            }
        }
        panic!("no {texts:?} in:\n{}", String::from_utf8_lossy(&seen));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            // `timeout` passes the signal on, and processes on the terminal get a hangup.
            let pid = self.child.id().to_string();
            let _ = Command::new("kill").args(["-TERM", &pid]).status();
            let _ = self.child.wait();
        }
    }
}
