//! Log events and texts, as the terms that the Erlang side logs and prints.

use std::time::{SystemTime, UNIX_EPOCH};

use otp_contract::library::Entry;

use crate::nif::{ProcessWord, Thread};
use crate::runtime::protocol;
use crate::runtime::protocol::shape;
use crate::runtime::registry::RunningClause;
use crate::term::OwnedHeap;
use crate::{Atom, ErlangString, Heap, Term, ToTerm, atom};

/// A level of `log` and `tracing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Level {
    /// Returns the most verbose level that a level of `logger` lets pass.
    pub(crate) fn of_logger(level: &str) -> Self {
        match level {
            "none" => Level::Off,
            "all" => Level::Trace,
            "debug" => Level::Debug,
            "info" => Level::Info,
            "notice" | "warning" => Level::Warn,
            // error, critical, alert, emergency
            _ => Level::Error,
        }
    }

    /// Returns the level of `logger` for an event of this level. `logger` has no level below
    /// `debug`.
    fn logger(self) -> Atom {
        match self {
            Level::Off | Level::Error => atom!("error"),
            Level::Warn => atom!("warning"),
            Level::Info => atom!("info"),
            Level::Debug | Level::Trace => atom!("debug"),
        }
    }
}

/// A log event.
pub(crate) struct LogEvent<'a> {
    pub(crate) level: Level,
    pub(crate) message: String,
    /// The fields of a report, by their names.
    pub(crate) fields: Vec<(Term, Term)>,
    pub(crate) target: &'a str,
    pub(crate) module: Option<&'a str>,
    pub(crate) file: Option<&'a str>,
    pub(crate) line: Option<u32>,
    /// The spans around the event, outermost first: `{Name, Fields}`.
    pub(crate) spans: Vec<Term>,
}

/// An event as terms, without the spans that its future inherits.
pub(super) struct HeldEvent {
    level: Term,
    message: Term,
    metadata: Vec<(Atom, Term)>,
    /// The spans around the event, outermost first.
    spans: Vec<Term>,
}

impl HeldEvent {
    /// Returns `{event, Level, Message, Metadata}`, with these spans around those of the event.
    pub(super) fn within(self, outer: &[Term]) -> Term {
        let mut metadata = self.metadata;
        let spans: Vec<Term> = outer.iter().cloned().chain(self.spans).collect();
        if !spans.is_empty() {
            metadata.push((atom!("spans"), Term::List(spans.into())));
        }
        let metadata = metadata.into_iter();
        let metadata = OwnedHeap.map_from(metadata.map(|(key, value)| (Term::Atom(key), value)));
        shape!(OwnedHeap, Entry::Event, self.level, self.message, metadata)
    }
}

impl LogEvent<'_> {
    /// Returns the event as terms.
    pub(super) fn held(
        self,
        process: Option<ProcessWord>,
        clause: Option<&'static RunningClause>,
    ) -> HeldEvent {
        let metadata = self.metadata(process, clause);
        let level = self.level.logger().to_term(OwnedHeap);
        let message = if self.fields.is_empty() {
            self.message.to_term(OwnedHeap)
        } else {
            let mut fields = self.fields;
            if !self.message.is_empty() {
                let message = self.message.to_term(OwnedHeap);
                fields.push((Term::of(&protocol::message), message));
            }
            OwnedHeap.map_from(fields)
        };
        HeldEvent {
            level,
            message,
            metadata,
            spans: self.spans,
        }
    }

    fn metadata(
        &self,
        process: Option<ProcessWord>,
        clause: Option<&'static RunningClause>,
    ) -> Vec<(Atom, Term)> {
        let mut entries = vec![
            (atom!("time"), now().to_term(OwnedHeap)),
            (atom!("target"), self.target.to_term(OwnedHeap)),
        ];
        let file = self.file.map(|file| Term::of(&ErlangString::from(file)));
        let module = self.module.map(Term::of);
        let mfa = clause.map(|clause| Term::of(&clause.name()));
        let pid = process.map(|process| Term::of(&process.identifier()));
        let line = self.line.map(|line| Term::of(&line));
        let thread = if Thread::current().is_scheduler() {
            None
        } else {
            std::thread::current().name().map(Term::of)
        };
        let optional = [
            (atom!("file"), file),
            (atom!("line"), line),
            (atom!("mfa"), mfa),
            (atom!("module"), module),
            (atom!("pid"), pid),
            (atom!("thread"), thread),
        ];
        let present = |(key, value): (Atom, Option<Term>)| value.map(|value| (key, value));
        entries.extend(optional.into_iter().filter_map(present));
        entries
    }
}

/// Returns the microseconds since 1970, as `logger:timestamp()` does.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    })
}

/// Builds `{text, Text, Process}`. The text goes to the group leader of the process or, without
/// one, of the process that prints it.
pub(crate) fn entry_of_text(text: &str, process: Option<ProcessWord>) -> Term {
    let process = match process {
        Some(process) => Term::of(&process.identifier()),
        None => Term::of(&atom!("undefined")),
    };
    shape!(OwnedHeap, Entry::Text, text.to_term(OwnedHeap), process)
}

/// `{lost, Number}`
pub(super) fn of_lost<H: Heap>(heap: H, number: u64) -> H::Term {
    shape!(heap, Entry::Lost, number.to_term(heap))
}
