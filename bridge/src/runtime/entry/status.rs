//! NIFs that show a process's state to others. They run on a dirty scheduler, because the user's `Debug` writes the text.
#![allow(unsafe_code)]

use std::ffi::c_int;

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use super::{guarded, held};
use crate::View;
use crate::nif::Env;
use crate::runtime::cost::long_callbacks;
use crate::runtime::status::report;

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
