//! NIFs that show a process's state to others. They run on a dirty scheduler, because the user's `Debug` writes the text.

use crate::View;
use crate::nif::{Env, RawTerm, VmTerm};
use crate::runtime::cost::long_callbacks;
use crate::runtime::raw::idle_cell;
use crate::runtime::status::report;

/// Looks at the state behind a term, in a call on a dirty scheduler.
fn held<'a>(
    env: Env<'a>,
    term: VmTerm<'a>,
    look: impl FnOnce(Env<'a>, VmTerm<'a>) -> RawTerm,
) -> RawTerm {
    match idle_cell::hold(env, term) {
        Some(_held) => look(env, term),
        None => env.badarg(),
    }
}

/// `format_state(Term) -> binary() | secret | Term`: the `Debug` text of a state. Any other term is returned
/// unchanged.
pub(super) fn format_state<'a>(env: Env<'a>, [term]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, term, report::describe)
}

/// `state(Term) -> {ok, State} | {debug, binary()} | secret | error`
pub(super) fn state<'a>(env: Env<'a>, [term]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, term, report::state)
}

/// `replace_state(Term, State) -> ok | {error, Reason}`
pub(super) fn replace_state<'a>(env: Env<'a>, [term, new]: [VmTerm<'a>; 2]) -> RawTerm {
    held(env, term, |env, term| report::replace(env, term, new))
}

/// `status(Cell) -> {{text, binary()} | secret | none | busy, Tasks, IsRunnable}`
pub(super) fn status<'a>(env: Env<'a>, [cell]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, cell, report::status)
}

/// `long_callbacks(Pid) -> [{Callback, Milliseconds, Times}]`
pub(super) fn long_callbacks(env: Env<'_>, [process]: [VmTerm<'_>; 1]) -> RawTerm {
    match process.pid().as_ref().and_then(Env::local) {
        Some(process) => long_callbacks::of(env, process),
        None => env.badarg(),
    }
}
