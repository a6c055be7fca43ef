//! The events of a node in words.

use std::panic::Location;

use super::core::NodeCore;
use super::own::OwnProcess;
use super::signals::{Signal, reply_reference};
use super::slot::{SimulatedProcess, reason_of_end};
use super::violation::{Violation, ViolationKind};
use super::{elements, is};
use crate::{Exit, Pid, Term};

impl OwnProcess {
    /// Records that this process has broken a property.
    pub(super) fn violate(&self, kind: ViolationKind, text: String) {
        self.with_core(|core| {
            if core.outside.is_none() && core.violation.is_none() {
                let process = core.name_of(self.index);
                let text = core.named_text(&text);
                core.violation = Some(Violation {
                    kind,
                    process,
                    text,
                });
            }
        });
    }

    /// Records the clause that handles the last event.
    pub(super) fn note_clause(
        &self,
        callback: &str,
        message: &str,
        location: &'static Location<'static>,
    ) {
        self.with_core(|core| {
            let name = core.trace.is_some().then(|| core.name_of(self.index));
            if let (Some(trace), Some(name)) = (&mut core.trace, name) {
                let place = format!("{}:{}", location.file(), location.line());
                trace.push(format!("    `{name}` runs {callback}({message}), {place}"));
            }
        });
    }
}

impl NodeCore {
    /// Returns the name of a process for people: its registered name, or its module.
    pub(super) fn name_of(&self, index: usize) -> String {
        if let Some((name, _)) = self.names.iter().find(|(_, it)| *it == index) {
            return name.to_string();
        }
        let SimulatedProcess {
            label, last_name, ..
        } = &self.processes[index];
        if let Some(name) = last_name {
            return name.clone();
        }
        let earlier = &self.processes[..index];
        match earlier.iter().filter(|it| it.label == *label).count() {
            0 => (*label).to_owned(),
            before => format!("{label}#{}", before + 1),
        }
    }

    /// Replaces the pids in a text by names.
    pub(super) fn named_text(&self, text: &str) -> String {
        let mut named = text.to_owned();
        for (index, slot) in self.processes.iter().enumerate() {
            if let Some(pid) = &slot.pid
                && named.contains('<')
            {
                let pid = Term::of(pid).to_string();
                named = named.replace(&pid, &format!("`{}`", self.name_of(index)));
            }
        }
        named
    }

    fn name_of_pid(&self, pid: &Pid) -> String {
        let index = self.index_of(pid);
        index.map_or_else(|| Term::of(pid).to_string(), |index| self.name_of(index))
    }

    fn push_line(&mut self, line: &str) {
        let line = self.named_text(line);
        if let Some(trace) = &mut self.trace {
            trace.push(line);
        }
    }

    /// Records the arrival of a signal.
    pub(super) fn note_signal(&mut self, (from, to): (Option<usize>, usize), signal: &Signal) {
        if self.trace.is_none() || self.processes[to].ended.is_some() {
            return;
        }
        let receiver = self.name_of(to);
        let sender = match from {
            Some(from) => self.name_of(from),
            None => "the test".to_owned(),
        };
        let line = match signal {
            Signal::Start => format!("`{receiver}` starts"),
            Signal::Message(message) => {
                format!("`{receiver}` receives {} from `{sender}`", words(message))
            }
            Signal::Exit { from, reason, .. } => {
                let from = self.name_of_pid(from);
                format!("`{receiver}` gets an exit signal from `{from}`: {reason}")
            }
            Signal::Down { object, reason, .. } => {
                format!("`{receiver}` learns that {object} has ended: {reason}")
            }
        };
        self.push_line(&line);
    }

    /// Records the end of a process.
    pub(super) fn note_end(&mut self, process: usize, exit: &Exit) {
        if self.trace.is_some() {
            let name = self.name_of(process);
            let reason = reason_of_end(exit);
            self.push_line(&format!("`{name}` ends: {reason}"));
            self.processes[process].last_name = Some(name);
        }
    }

    /// Records that a timer fires.
    pub(super) fn note_timer(&mut self, process: usize) {
        if self.trace.is_some() {
            let name = self.name_of(process);
            let now = self.timers.now();
            self.push_line(&format!("after {now:?}, a timer of `{name}` fires"));
        }
    }
}

/// Returns a message as a part of a sentence.
fn words(message: &Term) -> String {
    match elements(message) {
        [tag, _, request] if is(tag, "$gen_call") => format!("the call {request}"),
        [tag, cast] if is(tag, "$gen_cast") => format!("the cast {cast}"),
        [_, reply] if reply_reference(message).is_some() => format!("the reply {reply}"),
        _ => message.to_string(),
    }
}
