//! The state of a process as others see it: in reports and in an Erlang shell.
#![allow(unsafe_code)]

use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::caller::leaving_callers_alone;
use super::cell::ProcessCell;
use super::context::VmCall;
use super::panics::Panic;
use super::protocol;
use crate::nif::{Env, RawTerm};
use crate::{Heap, ToTerm};

/// The most bytes of a state's `Debug` text that a report shows.
const MAX_TEXT: usize = 64 * 1024;

/// How long it may take to write a state.
const MAX_TIME: Duration = Duration::from_millis(20);

/// Marks a text that was cut off. It is ASCII, because otherwise the VM prints the whole text as
/// numbers.
const TRUNCATED: &str = "... [truncated]";

/// A text that is limited in length and in the time that writing it takes.
struct Bounded {
    text: String,
    began: Instant,
    is_cut: bool,
}

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let left = MAX_TEXT.saturating_sub(self.text.len());
        if more.len() > left || self.began.elapsed() > MAX_TIME {
            let end = (0..=left.min(more.len()))
                .rev()
                .find(|end| more.is_char_boundary(*end));
            self.text.push_str(&more[..end.unwrap_or(0)]);
            self.is_cut = true;
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// What `write` writes, within the limits. The text says when a `Debug` implementation panics.
fn bounded(write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> String {
    bounded_since(Instant::now(), write)
}

fn bounded_since(began: Instant, write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> String {
    let mut bounded = Bounded {
        text: String::new(),
        began,
        is_cut: false,
    };
    let written = catch_unwind(AssertUnwindSafe(|| write(&mut bounded)));
    let mut text = bounded.text;
    match written {
        Ok(Ok(())) => {}
        Ok(Err(_)) if bounded.is_cut => text.push_str(TRUNCATED),
        Ok(Err(_)) => text.push_str(" [its Debug returned an error]"),
        Err(payload) => {
            text.push_str(" [its Debug panicked: ");
            text.push_str(Panic::caught(payload).message());
            text.push(']');
        }
    }
    text
}

/// The cell behind a term, if its state may be read: its own process asks, and no callback runs or
/// waits.
fn open(env: Env<'_>, term: RawTerm) -> Option<&ProcessCell> {
    // SAFETY: the term is an argument of this call; the reference to the future ends in the closure.
    unsafe { ProcessCell::open(env, term).filter(|cell| !cell.is_busy()) }
}

/// The `Debug` text of the state behind a term. Any other term is returned unchanged.
pub(super) fn describe(env: Env<'_>, term: RawTerm) -> RawTerm {
    match open(env, term) {
        // SAFETY: the cell is this process's own, and no future borrows its state; the reference
        // ends in this expression.
        Some(cell) => unsafe {
            let tasks = describe_tasks(cell.call());
            let state = bounded(|out| cell.state().describe(out));
            (state + &tasks).to_term(env.heap()).raw()
        },
        None => term,
    }
}

/// How many tasks the process has, and which of them has waited longest.
fn describe_tasks(call: &VmCall) -> String {
    let Some(tasks) = call.tasks() else {
        return String::new();
    };
    tasks.enter();
    let text = tasks.here().map(|local| local.status().to_string());
    tasks.leave();
    text.unwrap_or_default()
}

/// `{ok, State} | {debug, binary()} | error`
pub(super) fn state(env: Env<'_>, term: RawTerm) -> RawTerm {
    let heap = env.heap();
    let Some(cell) = open(env, term) else {
        return protocol::error.to_term(heap).raw();
    };
    // SAFETY: as in `describe`.
    let encoded = leaving_callers_alone(|| unsafe { cell.state().encode(heap) });
    let answer = match encoded {
        Some(state) => heap.tuple([protocol::ok.to_term(heap), state]),
        None => {
            // SAFETY: as in `describe`.
            let text = unsafe { bounded(|out| cell.state().describe(out)) };
            heap.tuple([protocol::debug.to_term(heap), text.to_term(heap)])
        }
    };
    answer.raw()
}

/// `ok | {error, Reason}`
pub(super) fn replace(env: Env<'_>, term: RawTerm, new: RawTerm) -> RawTerm {
    let heap = env.heap();
    let Some(cell) = open(env, term) else {
        return (protocol::error, protocol::badarg).to_term(heap).raw();
    };
    // SAFETY: the new state is an argument of this call. The rest is as in `describe`.
    let replaced = leaving_callers_alone(|| unsafe { cell.state().replace(env.term(new)) });
    let answer = match replaced {
        Some(Ok(())) => protocol::ok.to_term(heap),
        Some(Err(error)) => (protocol::error, (protocol::bad_term, error)).to_term(heap),
        None => {
            let text = "the state's type does not derive `Term`: it can be read, but not replaced";
            (protocol::error, text).to_term(heap)
        }
    };
    answer.raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_a_character_ends() {
        let long = "ä".repeat(MAX_TEXT);
        let text = bounded(|out| write!(out, "{long}"));
        assert!(text.ends_with(TRUNCATED));
        assert!(text.len() <= MAX_TEXT + TRUNCATED.len());
    }

    #[test]
    fn many_small_pieces_are_bounded_in_sum() {
        let numbers = vec![1_u64; 1_000_000];
        // However busy the machine is, the limit of time is not reached.
        let began = Instant::now() + Duration::from_secs(3_600);
        let text = bounded_since(began, |out| write!(out, "{numbers:?}"));
        assert!(text.starts_with("[1, 1") && text.ends_with(TRUNCATED));
    }

    #[test]
    fn a_debug_that_fails_is_no_disaster() {
        assert_eq!(
            bounded(|out| {
                out.write_str("before")?;
                panic!("no text")
            }),
            "before [its Debug panicked: no text]"
        );
        assert_eq!(
            bounded(|_| Err(fmt::Error)),
            " [its Debug returned an error]"
        );
    }
}
