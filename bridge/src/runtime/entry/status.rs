//! NIFs that show a process's state to others. They run on a dirty scheduler, because the user's
//! `Debug` implementations write the text.

use super::held;
use crate::View;
use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::cost::{long_callbacks, under_way};
use crate::runtime::status::report;

/// `format_state(Term) -> binary() | secret | Term`: returns the `Debug` text of a state. Any other
/// term is returned unchanged.
pub(super) fn format_state<'a>(env: VmEnv<'a>, [term]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, term, report::describe)
}

/// `state(Term) -> {ok, State} | {debug, binary()} | secret | error`
pub(super) fn state<'a>(env: VmEnv<'a>, [term]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, term, report::state)
}

/// `replace_state(Term, State) -> ok | {error, Reason}`
pub(super) fn replace_state<'a>(env: VmEnv<'a>, [term, new]: [VmTerm<'a>; 2]) -> RawTerm {
    held(env, term, |env, term| report::replace(env, term, new))
}

/// `status(Cell) -> {{text, binary()} | secret | none | busy, Tasks, IsRunnable}`
pub(super) fn status<'a>(env: VmEnv<'a>, [cell]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, cell, report::status)
}

/// `long_callbacks(Pid) -> [{Callback, Milliseconds, Times}]`
pub(super) fn long_callbacks(env: VmEnv<'_>, [process]: [VmTerm<'_>; 1]) -> RawTerm {
    match process.pid().as_ref().and_then(VmEnv::local) {
        Some(process) => long_callbacks::of(env, process),
        None => env.badarg(),
    }
}

/// `callbacks(Pid | Number) -> [{Pid, Module, Callback, Milliseconds, Place}]`: returns the
/// callbacks that run or wait.
pub(super) fn callbacks<'a>(env: VmEnv<'a>, [of]: [VmTerm<'a>; 1]) -> RawTerm {
    let process = of.pid().as_ref().and_then(VmEnv::local);
    let number = of.unsigned().and_then(|it| usize::try_from(it).ok());
    let found = match (process, number) {
        (Some(process), _) => Some(under_way::of(env, process)),
        (None, Some(number)) => under_way::all(env, number),
        (None, None) => None,
    };
    found.unwrap_or_else(|| env.badarg())
}
