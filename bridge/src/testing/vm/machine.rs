//! A VM that runs tests.

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Test;
use crate::term::etf;
use crate::{Atom, FromTerm, Term};

/// How long a VM may take to start, to end a test after its time limit, and to print the remaining
/// output.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct TestVm {
    process: Child,
    requests: UnixStream,
    events: Receiver<Event>,
    /// The text that the VM prints when the output of a test is complete.
    mark: String,
}

/// An event from a VM.
enum Event {
    /// It has printed or logged something.
    Output(Vec<u8>),
    Answer(Term),
    End,
}

/// The outcome of a test: `passed | {failed, Text} | {broken, Text}`
#[derive(Debug, Term)]
pub(super) enum TestOutcome {
    Passed,
    Failed(String),
    /// The test has failed, and no other test can run in this VM.
    Broken(String),
}

/// The options of a test.
#[derive(Debug, Term)]
struct Options {
    application: bool,
    arguments: Vec<String>,
    environment: Vec<(Atom, Term)>,
    /// Milliseconds.
    timeout: u64,
}

/// The longest time that Erlang's `receive` accepts.
const LONGEST: u64 = 0xffff_ffff;

impl Options {
    fn of(test: &Test, timeout: Duration) -> Self {
        let arguments = test.arguments.iter();
        let timeout = u64::try_from(timeout.as_millis()).unwrap_or(LONGEST);
        Options {
            application: test.application,
            arguments: arguments.map(|&it| it.to_owned()).collect(),
            environment: (test.environment)(),
            timeout: timeout.min(LONGEST),
        }
    }
}

impl TestOutcome {
    pub(super) fn into_result(self) -> Result<(), String> {
        match self {
            TestOutcome::Passed => Ok(()),
            TestOutcome::Failed(text) | TestOutcome::Broken(text) => Err(text),
        }
    }
}

impl TestVm {
    /// Starts a VM.
    pub(super) fn boot(mut command: Command, show: &mut dyn FnMut(&str)) -> Result<Self, String> {
        let failed = |error: io::Error| format!("the Erlang VM cannot be started: {error}");
        let mark = mark();
        let (requests, theirs) = UnixStream::pair().map_err(failed)?;
        let (output, printed) = io::pipe().map_err(failed)?;
        let also = printed.try_clone().map_err(failed)?;
        let (sender, events) = channel();
        let answers = requests.try_clone().map_err(failed)?;
        command.arg(&mark).stdin(OwnedFd::from(theirs));
        command.env("ERL_CRASH_DUMP_SECONDS", "0");
        let process = command.stdout(printed).stderr(also).spawn();
        // Close this process's copies of the VM's ends of the socket and of the pipe, so that they
        // are closed when the VM has ended.
        drop(command);
        let mut machine = TestVm {
            process: process.map_err(failed)?,
            requests,
            events,
            mark,
        };
        let of_output = sender.clone();
        thread::spawn(move || read_output(output, &of_output));
        thread::spawn(move || read_answers(answers, &sender));
        match machine.answer(Instant::now() + PATIENCE, show) {
            Some(_) => Ok(machine),
            None => Err("the Erlang VM has not started".to_owned()),
        }
    }

    /// Runs a test, and shows the output of the VM during the test.
    pub(super) fn run(
        &mut self,
        test: &Test,
        timeout: Duration,
        show: &mut dyn FnMut(&str),
    ) -> TestOutcome {
        let request = etf::encode(&Term::of(&(test.name, Options::of(test, timeout))));
        if send(&mut self.requests, &request).is_err() {
            return TestOutcome::Broken("the Erlang VM has ended".to_owned());
        }
        let end = Instant::now() + timeout + PATIENCE;
        let mut output = Output::new(&self.mark, show);
        let mut answer = None;
        loop {
            if let Some(outcome) = answer.take_if(|_| output.is_over) {
                return outcome;
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Output(bytes)) => output.take(&bytes),
                Ok(Event::Answer(term)) => {
                    let read = TestOutcome::from_term(&term);
                    answer =
                        Some(read.unwrap_or_else(|error| TestOutcome::Broken(error.to_string())));
                }
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => {
                    output.end();
                    return TestOutcome::Broken(self.ended());
                }
                Err(RecvTimeoutError::Timeout) => {
                    let text = format!(
                        "the test was not over after {timeout:?}, and the Erlang VM does not answer"
                    );
                    return TestOutcome::Broken(text);
                }
            }
        }
    }

    /// Returns the next answer, if there is one before the VM ends.
    fn answer(&mut self, end: Instant, show: &mut dyn FnMut(&str)) -> Option<Term> {
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left).ok()? {
                Event::Output(bytes) => show(&String::from_utf8_lossy(&bytes)),
                Event::Answer(term) => return Some(term),
                Event::End => return None,
            }
        }
    }

    fn ended(&mut self) -> String {
        match self.process.wait() {
            Ok(status) => format!("the Erlang VM has ended while the test ran ({status})"),
            Err(error) => format!("the Erlang VM has ended while the test ran ({error})"),
        }
    }
}

impl Drop for TestVm {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns a text that is not printed by chance.
fn mark() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let random = || RandomState::new().build_hasher().finish();
    format!("otp_rs_test-{:016x}{:016x}", random(), random())
}

/// `{packet, 4}`
fn send(socket: &mut UnixStream, data: &[u8]) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(io::Error::other)?;
    socket.write_all(&length.to_be_bytes())?;
    socket.write_all(data)
}

fn receive(socket: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let mut data = vec![0; u32::from_be_bytes(length) as usize];
    socket.read_exact(&mut data)?;
    Ok(data)
}

fn read_answers(mut socket: UnixStream, events: &Sender<Event>) {
    while let Ok(data) = receive(&mut socket) {
        let Ok(term) = etf::decode(&data) else { break };
        if events.send(Event::Answer(term)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

fn read_output(mut output: PipeReader, events: &Sender<Event>) {
    let mut buffer = [0; 4096];
    while let Ok(count) = output.read(&mut buffer) {
        if count == 0
            || events
                .send(Event::Output(buffer[..count].to_vec()))
                .is_err()
        {
            return;
        }
    }
}

/// The output of a test, line by line, up to the mark.
struct Output<'a> {
    mark: &'a str,
    line: Vec<u8>,
    is_over: bool,
    show: &'a mut dyn FnMut(&str),
}

impl<'a> Output<'a> {
    fn new(mark: &'a str, show: &'a mut dyn FnMut(&str)) -> Self {
        Output {
            mark,
            line: Vec::new(),
            is_over: false,
            show,
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.line.push(*byte);
            if *byte == b'\n' {
                self.end();
            }
        }
    }

    /// Shows the rest of a line.
    fn end(&mut self) {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        match line
            .strip_suffix('\n')
            .and_then(|it| it.strip_suffix(self.mark))
        {
            Some("") => self.is_over = true,
            // The last output did not end its line.
            Some(rest) => {
                self.is_over = true;
                (self.show)(&format!("{rest}\n"));
            }
            None => (self.show)(&line),
        }
        self.line.clear();
    }
}
