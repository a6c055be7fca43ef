//! The state of a process as others see it: in reports, in an Erlang shell, and by `otp_rs_status`.

use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::failure::bounded::bounded;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::protocol;
use crate::runtime::raw::context::VmCall;
use crate::runtime::raw::idle_cell::IdleCell;
use crate::runtime::raw::state_slot::StateSlot;
use crate::{Heap, ToTerm};

/// The largest size in bytes of a state's `Debug` text in a report.
const MAX_TEXT: usize = 64 * 1024;

/// The largest size in bytes of a state's text in `otp_rs_status`.
const MAX_STATUS: usize = 16 * 1024;

/// The largest number of parts of a state that is written as a term. Building the term of a larger
/// one would take long. Each part takes some bytes of the text, so the text of a larger state would
/// be cut anyway.
const MAX_PARTS: usize = MAX_STATUS / 2;

/// Returns the `Debug` text of the state behind a term, or the atom `secret`. Any other term is
/// returned unchanged.
pub(in crate::runtime) fn describe<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> RawTerm {
    let Some(mut cell) = IdleCell::open(env, term) else {
        return term.raw();
    };
    let call = cell.call();
    let state = cell.state();
    if state.is_secret() {
        return protocol::secret.to_term(env.heap()).raw();
    }
    let text = bounded(MAX_TEXT, |out| state.describe(out)) + &describe_tasks(call);
    text.to_term(env.heap()).raw()
}

/// Returns the number of the process's tasks, and which of them has waited longest.
fn describe_tasks(call: &VmCall) -> String {
    let Some(tasks) = call.tasks() else {
        return String::new();
    };
    tasks.enter();
    let text = tasks.here().map(|local| local.status().to_string());
    tasks.leave();
    text.unwrap_or_default()
}

/// Returns the number of the process's tasks, and whether some are runnable.
fn count_tasks(call: &VmCall) -> (usize, bool) {
    let Some(tasks) = call.tasks() else {
        return (0, false);
    };
    tasks.enter();
    let local = tasks.here();
    let count = local.map(|local| (local.live(), local.is_runnable()));
    tasks.leave();
    count.unwrap_or_default()
}

/// `{{text, binary()} | secret | none | busy, Tasks, IsRunnable}`
pub(in crate::runtime) fn status<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> RawTerm {
    let heap = env.heap();
    let Some(mut cell) = IdleCell::open(env, term) else {
        return (protocol::busy, 0_usize, false).to_term(heap).raw();
    };
    let call = cell.call();
    let state = cell.state();
    let (tasks, is_runnable) = count_tasks(call);
    let state = match state {
        _ if !state.is_held() => protocol::none.to_term(heap),
        _ if state.is_secret() => protocol::secret.to_term(heap),
        _ => (protocol::text, text_of(state)).to_term(heap),
    };
    heap.tuple([state, tasks.to_term(heap), is_runnable.to_term(heap)])
        .raw()
}

/// Returns the Erlang text of a state whose type derives `Term`, otherwise its `Debug` text.
fn text_of(state: &StateSlot) -> String {
    bounded(MAX_STATUS, |out| {
        let term = leaving_callers_alone(|| state.text(MAX_PARTS, MAX_STATUS));
        match term {
            Some(term) => out.write_str(&term),
            None => state.describe(out),
        }
    })
}

/// `{ok, State} | {debug, binary()} | secret | error`
pub(in crate::runtime) fn state<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> RawTerm {
    let heap = env.heap();
    let Some(mut cell) = IdleCell::open(env, term) else {
        return protocol::error.to_term(heap).raw();
    };
    let state = cell.state();
    if state.is_secret() {
        return protocol::secret.to_term(heap).raw();
    }
    let encoded = leaving_callers_alone(|| state.encode(heap));
    let answer = match encoded {
        Some(state) => heap.tuple([protocol::ok.to_term(heap), state]),
        None => {
            let text = bounded(MAX_TEXT, |out| state.describe(out));
            heap.tuple([protocol::debug.to_term(heap), text.to_term(heap)])
        }
    };
    answer.raw()
}

/// `ok | {error, Reason}`
pub(in crate::runtime) fn replace<'a>(
    env: VmEnv<'a>,
    term: VmTerm<'a>,
    new: VmTerm<'a>,
) -> RawTerm {
    let heap = env.heap();
    let Some(mut cell) = IdleCell::open(env, term) else {
        return (protocol::error, protocol::badarg).to_term(heap).raw();
    };
    let state = cell.state();
    if state.is_secret() {
        return (protocol::error, protocol::secret).to_term(heap).raw();
    }
    let replaced = leaving_callers_alone(|| state.replace(new, env.process()));
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
