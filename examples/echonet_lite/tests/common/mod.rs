//! Helpers of the tests: an Erlang shell in the application's VM, separate networks, and other
//! implementations.
#![allow(dead_code)]

pub mod network;
pub mod peer;
pub mod shell;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Time limit for a line of a program.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// A program that reads commands and writes answers, one per line. It is killed when the value is
/// dropped.
pub struct Program {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl Program {
    pub fn start(command: &mut Command) -> std::io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = channel();
        let output = BufReader::new(output.expect("a pipe"));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Program {
            child,
            input: input.expect("a pipe"),
            lines,
            said: Vec::new(),
        })
    }

    pub fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// Returns the first line that meets the condition. Earlier lines are kept.
    pub fn line(&mut self, mut is_it: impl FnMut(&str) -> bool) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.said.push(line.clone());
                    if is_it(&line) {
                        return line;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no answer after {:#?}", self.said),
                Err(RecvTimeoutError::Disconnected) => panic!("it has ended: {:#?}", self.said),
            }
        }
    }

    /// Returns everything that the program has printed until now.
    pub fn said(&mut self) -> String {
        self.said.extend(self.lines.try_iter());
        self.said.join("\n")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
