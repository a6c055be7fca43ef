//! A program that runs until it is stopped, and its output.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::nodes::{end_group, in_group};
use crate::support::Said;

/// Long enough for a VM to start on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(10);

/// A program that runs until it is stopped, with its process group. It is killed if the test ends
/// early.
pub(crate) struct Running {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

/// Starts the program like a terminal. Tests that `nohup` or a shell has started in the background
/// ignore SIGHUP, SIGINT or SIGQUIT, and so would every program that they start.
pub(crate) fn heeding_signals(command: &Command) -> Command {
    let mut heeding = Command::new("env");
    heeding
        .arg("--default-signal=HUP,INT,QUIT")
        .arg(command.get_program());
    heeding.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        heeding.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => heeding.env(name, value),
            None => heeding.env_remove(name),
        };
    }
    heeding
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = in_group(&mut command).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, out }
    }

    /// Reads until a line contains the text.
    pub(crate) fn line_with(&mut self, text: &str) -> String {
        let mut line = String::new();
        while self.out.read_line(&mut line).expect("a line") > 0 {
            if line.contains(text) {
                return line;
            }
            line.clear();
        }
        let mut err = String::new();
        let stderr = self.child.stderr.as_mut().expect("its messages");
        stderr.read_to_string(&mut err).expect("messages");
        panic!("it ended without `{text}`:\n{err}");
    }

    /// Waits until all processes that can write to its output have ended.
    pub(crate) fn reads_the_end(&mut self) {
        let mut left = Vec::new();
        self.out.read_to_end(&mut left).expect("its output");
    }

    /// Reads its messages up to a text.
    pub(crate) fn message_with(&mut self, text: &str) {
        let stderr = self.child.stderr.as_mut().expect("its messages");
        let (mut messages, mut byte) = (Vec::new(), [0]);
        while !String::from_utf8_lossy(&messages).contains(text) {
            let read = stderr.read(&mut byte).expect("messages");
            assert_eq!(read, 1, "it ended without `{text}`: {messages:?}");
            messages.extend(byte);
        }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it is still running.
    pub(crate) fn goes_on(&mut self) -> bool {
        self.child.try_wait().expect("a status").is_none()
    }

    /// Sends `kill -INT` or another signal to the program itself.
    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(kill.expect("kill").success());
    }

    /// Waits until it ends. Returns the unread output.
    pub(crate) fn end(mut self) -> Said {
        let begun = Instant::now();
        while self.goes_on() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).expect("its output");
        let stderr = self.child.stderr.as_mut().expect("its messages");
        stderr.read_to_string(&mut err).expect("messages");
        Said {
            code: self.child.wait().expect("a status").code(),
            out,
            err,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}
