//! Printing. Only this module prints: results go to standard output, everything else to standard
//! error.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::process::Command;

use serde_json::{Value, json};

use super::catalog::{COMMAND_LINE, STANDARD_OUTPUT};
use super::json::{coded_message, message};
use super::progress::{self, Progress, Unit};
use super::{Diagnostic, Error};
use crate::platform;

const GREEN: &str = "\x1b[1;32m";
const RED: &str = "\x1b[1;31m";
const BLUE: &str = "\x1b[1;34m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const RESET: &str = "\x1b[0m";
/// Maximum number of codes in the last line.
const MOST_CODES: usize = 4;
/// The number of columns if there is no terminal.
const PLAIN_WIDTH: usize = 80;

/// The amount and form of output.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Settings {
    /// No progress and no notes.
    pub(crate) quiet: bool,
    /// 1: with the programs that are started. 2: with cargo's verbose output.
    pub(crate) verbose: u8,
    /// Errors and warnings are JSON lines on standard output, like cargo's.
    pub(crate) json: bool,
}

/// Standard output and standard error, which may be a terminal.
pub(crate) struct Ui {
    settings: Settings,
    colour: bool,
    /// Codes of the errors that were shown, in order.
    codes: RefCell<Vec<&'static str>>,
    /// The first error of writing output.
    unwritten: RefCell<Option<io::Error>>,
}

impl Ui {
    /// Uses colours only on a terminal that supports them (`NO_COLOR`, `TERM=dumb`).
    pub(crate) fn new(settings: Settings) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            settings,
            colour: std::io::stderr().is_terminal() && !refused,
            codes: RefCell::default(),
            unwritten: RefCell::default(),
        }
    }

    /// Returns one with the same settings, for another thread.
    pub(crate) fn another(&self) -> Self {
        Self::new(self.settings)
    }

    /// Returns options that give this program the current settings.
    pub(crate) fn own_options(&self) -> Vec<&'static str> {
        let mut options = self.cargo_options();
        if self.settings.json {
            options.push("--message-format=json");
        }
        options
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colour {
            format!("{colour}{text}{RESET}")
        } else {
            text.to_owned()
        }
    }

    /// Prints a step that is done or begun, in cargo's layout: a verb of at most twelve letters and
    /// its object.
    pub(crate) fn status(&self, verb: &str, object: &str) {
        if self.settings.quiet {
            return;
        }
        self.line(&format!(
            "{} {object}",
            self.paint(GREEN, &format!("{verb:>12}"))
        ));
    }

    /// Runs some work. If it takes over a second, a terminal shows a description of it.
    pub(crate) fn during<T>(&self, verb: &str, object: &str, work: impl FnOnce() -> T) -> T {
        self.counting(verb, object, Unit::Things(""), |_| work())
    }

    /// Like `during`, for work that counts its progress.
    pub(crate) fn counting<T>(
        &self,
        verb: &str,
        object: &str,
        unit: Unit,
        work: impl FnOnce(&Progress) -> T,
    ) -> T {
        let progress = Progress::in_units(unit);
        let is_shown = io::stderr().is_terminal()
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        if is_shown && !self.settings.quiet {
            let verb = self.paint(CYAN, &format!("{verb:>12}"));
            progress::show(&format!("{verb} {object}"), &progress, || work(&progress))
        } else {
            work(&progress)
        }
    }

    /// Prints information that is not a failure.
    pub(crate) fn note(&self, text: &str) {
        match self.settings {
            Settings { quiet: true, .. } => {}
            Settings { json: true, .. } => self.record(&message("note", text)),
            _ => self.line(&format!("{} {text}", self.paint(CYAN, "note:"))),
        }
    }

    /// Prints a warning of another program.
    pub(crate) fn plain_warning(&self, text: &str) {
        if self.settings.json {
            self.record(&message("warning", text))
        } else {
            self.line(&format!("{} {text}", self.paint(YELLOW, "warning:")))
        }
    }

    /// Prints the program that is started, if the user requested that.
    pub(crate) fn starting(&self, command: &Command) {
        if self.settings.verbose > 0 {
            let words = [command.get_program()]
                .into_iter()
                .chain(command.get_args());
            let words: Vec<_> = words.map(|word| quoted(&word.to_string_lossy())).collect();
            self.status("Running", &format!("`{}`", words.join(" ")));
        }
    }

    /// Returns options that give cargo the current settings.
    pub(crate) fn cargo_options(&self) -> Vec<&'static str> {
        match self.settings {
            Settings { quiet: true, .. } => vec!["--quiet"],
            Settings { verbose, .. } => vec!["--verbose"; usize::from(verbose.min(2))],
        }
    }

    /// Returns whether messages are JSON lines.
    pub(crate) fn is_json(&self) -> bool {
        self.settings.json
    }

    /// Prints a line for programs, if messages are JSON lines.
    pub(crate) fn record(&self, value: &Value) {
        if self.settings.json {
            self.output(&format!("{value}\n"));
        }
    }

    /// Prints the last line for programs.
    pub(crate) fn finished(&self, code: u8) {
        self.record(&json!({ "reason": "otp-finished", "success": code == 0, "exit_code": code }));
    }

    /// Returns `error[CODE]:`, and records the code.
    fn error_title(&self, code: &'static str) -> String {
        let mut codes = self.codes.borrow_mut();
        if !codes.contains(&code) {
            codes.push(code);
        }
        self.paint(RED, &format!("error[{code}]:"))
    }

    /// Prints a mistake in the command line, in clap's words.
    pub(crate) fn command_line(&self, text: &str) {
        let title = self.error_title(COMMAND_LINE.code);
        let text = text.strip_prefix("error:").unwrap_or(text);
        self.raw_error(&format!("{title}{text}"));
        self.for_more();
    }

    /// Prints the last line of a command that failed: how to read more about its messages.
    pub(crate) fn for_more(&self) {
        if self.settings.json {
            return;
        }
        let codes = self.codes.borrow();
        let first: Vec<&str> = codes.iter().take(MOST_CODES).copied().collect();
        if !first.is_empty() {
            self.line(&format!("for more: otp-rs explain {}", first.join(" ")));
        }
    }

    /// Shows all errors except the last, with which the command then fails.
    pub(crate) fn all(&self, mut errors: Vec<Error>) -> Result<(), Error> {
        let Some(last) = errors.pop() else {
            return Ok(());
        };
        errors.iter().for_each(|error| self.error(error));
        Err(last)
    }

    /// Prints a failure: what, where, evidence, remedy.
    pub(crate) fn error(&self, error: &Error) {
        if error.is_shown() && !self.settings.json {
            return;
        }
        self.titled("error", &self.error_title(error.code()), error);
    }

    /// Prints a possible mistake, which does not stop the command.
    pub(crate) fn warning(&self, warning: &Error) {
        let title = self.paint(YELLOW, &format!("warning[{}]:", warning.code()));
        self.titled("warning", &title, warning);
    }

    fn titled(&self, level: &str, title: &str, error: &Error) {
        let mut text = format!("{title} {}\n", error.what());
        if let Some(location) = error.location() {
            text.push_str(&format!("  {} {location}\n", self.paint(BLUE, "-->")));
        }
        for line in error.details().iter().flat_map(|detail| detail.lines()) {
            text.push_str(&format!("   {} {line}\n", self.paint(BLUE, "|")));
        }
        for remedy in error.remedies() {
            text.push_str(&format!("   {} {remedy}\n", self.paint(CYAN, "= help:")));
        }
        if self.settings.json {
            self.record(&coded_message(level, error, &text))
        } else {
            self.raw_error(&text)
        }
    }

    /// Writes text to standard output: the result that the user requested.
    pub(crate) fn output(&self, text: &str) {
        self.output_bytes(text.as_bytes());
    }

    /// Returns the error of writing output, if there was one.
    pub(crate) fn output_error(&self) -> Option<Error> {
        let error = self.unwritten.borrow_mut().take()?;
        // A reader that has closed the pipe (`| head`) is not an error.
        (error.kind() != io::ErrorKind::BrokenPipe).then(|| STANDARD_OUTPUT.with(&[&error]))
    }

    /// Writes bytes to standard output.
    pub(crate) fn output_bytes(&self, bytes: &[u8]) {
        if let Err(error) = self.write_bytes(bytes) {
            self.unwritten.borrow_mut().get_or_insert(error);
        }
    }

    /// Writes text to standard output that may be long, and returns whether that succeeded.
    pub(crate) fn write(&self, text: &str) -> io::Result<()> {
        self.write_bytes(text.as_bytes())
    }

    fn write_bytes(&self, bytes: &[u8]) -> io::Result<()> {
        // Standard output and standard error may be one terminal, so the line is not drawn during
        // the write.
        let mut terminal = io::stderr().lock();
        if progress::is_shown() {
            let _ = terminal.write_all(progress::CLEAR.as_bytes());
        }
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    }

    /// Prints a diagnostic of a file, `file:line:column: error[CODE]: message`, with its line.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) {
        let title = if diagnostic.is_error {
            self.error_title(diagnostic.code)
        } else {
            self.paint(CYAN, &format!("warning[{}]:", diagnostic.code))
        };
        let mut text = format!("{}: {title} {}\n", diagnostic.location, diagnostic.message);
        for line in diagnostic
            .excerpt
            .iter()
            .flat_map(|excerpt| excerpt.lines())
        {
            text.push_str(&format!("   {} {line}\n", self.paint(BLUE, "|")));
        }
        self.raw_error(&text);
    }

    /// Returns `COLUMNS` of the environment, or the columns of the terminal, or otherwise 80.
    pub(crate) fn width(&self) -> usize {
        let set = std::env::var("COLUMNS").ok();
        let set = set.and_then(|columns| columns.parse::<u16>().ok());
        let columns = set
            .or_else(platform::terminal_columns)
            .filter(|columns| *columns > 0);
        columns.map_or(PLAIN_WIDTH, usize::from)
    }

    /// Writes ready-made text to standard error.
    pub(crate) fn raw_error(&self, text: &str) {
        let mut terminal = std::io::stderr().lock();
        let clear = if progress::is_shown() {
            progress::CLEAR
        } else {
            ""
        };
        let _ = terminal.write_all(format!("{clear}{text}").as_bytes());
    }

    fn line(&self, text: &str) {
        self.raw_error(&format!("{text}\n"));
    }
}

/// Returns a word of a command line, quoted for a shell of the system.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
