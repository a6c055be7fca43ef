//! A command in a terminal: its output, its keys, and Ctrl-C.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::screen::{ANY, behind_prompt, shows};

/// The limit for any step on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// A running command.
pub(crate) struct Terminal {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Terminal {
    /// Starts a command with its standard output and error combined, as on a terminal.
    pub(crate) fn start(mut command: Command, keys: &str) -> Self {
        let mut child = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut input = child.stdin.take().expect("its keys");
        input.write_all(keys.as_bytes()).expect("keys");
        let output = child.stdout.take().expect("its screen");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
            }
        });
        Terminal {
            child,
            lines,
            seen: Vec::new(),
        }
    }

    /// Waits until it shows these lines, and possibly more after them.
    pub(crate) fn wait_for(&mut self, expected: &[&str]) {
        let expected = [expected, &[ANY]].concat();
        let begun = Instant::now();
        while !self.shows(&expected) {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.see(line),
                Err(RecvTimeoutError::Timeout) => self.fail("not seen in time", &expected),
                Err(RecvTimeoutError::Disconnected) => self.fail("it ended without", &expected),
            }
        }
    }

    /// Waits until it ends, after these lines. Returns whether it succeeded.
    pub(crate) fn end(&mut self, expected: &[&str]) -> bool {
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.see(line),
                Err(RecvTimeoutError::Timeout) => self.fail("it does not end", expected),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if !self.shows(expected) {
            self.fail("it shows other lines than", expected);
        }
        self.child.wait().expect("a status").success()
    }

    /// Sends Ctrl-C to all processes in the foreground.
    pub(crate) fn interrupt(&self) {
        self.signal("-INT");
    }

    /// The output already read, for a message.
    pub(crate) fn seen(&self) -> String {
        self.seen.join("\n")
    }

    fn signal(&self, name: &str) {
        let group = format!("-{}", self.child.id());
        let killed = Command::new("kill").args([name, "--", &group]).status();
        assert!(killed.expect("kill runs").success());
    }

    /// Cargo reports that it waits for another cargo only when tests run in parallel.
    fn see(&mut self, line: String) {
        if !line.contains("Blocking waiting for file lock") {
            self.seen.push(line);
        }
    }

    fn shows(&self, expected: &[&str]) -> bool {
        let seen = self.seen.iter().map(|line| {
            let mut line = line.as_str();
            while let Some(rest) = behind_prompt(line) {
                line = rest;
            }
            line
        });
        shows(&seen.collect::<Vec<_>>(), expected)
    }

    fn fail(&self, what: &str, expected: &[&str]) -> ! {
        panic!("{what}:\n{}\n\nbut:\n{}", expected.join("\n"), self.seen())
    }
}

impl Drop for Terminal {
    /// Ends processes that a failed test has left.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let group = format!("-{}", self.child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = self.child.wait();
        }
    }
}
