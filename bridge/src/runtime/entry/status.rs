//! NIFs that show a process's state to others. They run on a dirty scheduler, because the user's `Debug` writes the text.
#![allow(unsafe_code)]

use std::ffi::c_int;

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use super::guarded;
use crate::View;
use crate::nif::{Env, RawTerm};
use crate::runtime::cost::long_callbacks;
use crate::runtime::raw::cell::ProcessCell;
use crate::runtime::status::report;

/// Looks at the state behind a term.
///
/// # Safety
/// The VM calls with this environment, on a dirty scheduler, and the term is an argument of the call.
unsafe fn held(
    env: *mut ErlNifEnv,
    term: RawTerm,
    look: impl FnOnce(Env<'_>) -> RawTerm,
) -> ErlNifTerm {
    // SAFETY: by the contract above. It is a call of the process that owns the cell, if the cell can be opened.
    unsafe {
        guarded(env, |env| {
            let cell = ProcessCell::open(env, term);
            let Some(_held) = cell.map_or(Some(None), |cell| cell.hold()) else {
                return env.badarg();
            };
            look(env)
        })
    }
}

/// `format_state(Term) -> binary() | secret | Term`: the `Debug` text of a state. Any other term is returned
/// unchanged.
pub(super) unsafe extern "C" fn format_state(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe { held(env, *arguments, |env| report::describe(env, *arguments)) }
}

/// `state(Term) -> {ok, State} | {debug, binary()} | secret | error`
pub(super) unsafe extern "C" fn state(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe { held(env, *arguments, |env| report::state(env, *arguments)) }
}

/// `replace_state(Term, State) -> ok | {error, Reason}`
pub(super) unsafe extern "C" fn replace_state(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe {
        held(env, *arguments, |env| {
            report::replace(env, *arguments, *arguments.add(1))
        })
    }
}

/// `status(Cell) -> {{text, binary()} | secret | none | busy, Tasks, IsRunnable}`
pub(super) unsafe extern "C" fn status(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe { held(env, *arguments, |env| report::status(env, *arguments)) }
}

/// `long_callbacks(Pid) -> [{Callback, Milliseconds, Times}]`
pub(super) unsafe extern "C" fn long_callbacks(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe {
        guarded(env, |env| {
            let process = env.term(*arguments).pid();
            match process.as_ref().and_then(Env::local) {
                Some(process) => long_callbacks::of(env, process),
                None => env.badarg(),
            }
        })
    }
}
