//! NIFs that an upgrade uses.
#![allow(unsafe_code)]

use std::ffi::c_int;

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use super::guarded;
use crate::ToTerm;
use crate::nif::{Env, VmTerm};
use crate::runtime::upgrade::version;

/// The first three arguments of a call.
///
/// # Safety
/// The call has this environment and at least as many arguments.
unsafe fn three<'a>(env: Env<'a>, arguments: *const ErlNifTerm) -> [VmTerm<'a>; 3] {
    // SAFETY: by the contract above.
    [0, 1, 2].map(|index| unsafe { env.term(*arguments.add(index)) })
}

/// `owns(Term) -> boolean()`
pub(super) unsafe extern "C" fn owns(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe {
        guarded(env, |env| {
            version::owns(env, *arguments).to_term(env.heap()).raw()
        })
    }
}

/// `users() -> non_neg_integer()`
pub(super) unsafe extern "C" fn users(
    env: *mut ErlNifEnv,
    _: c_int,
    _: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call.
    unsafe { guarded(env, |env| version::users().to_term(env.heap()).raw()) }
}

/// `holders() -> [{Process, Module}]`
pub(super) unsafe extern "C" fn holders(
    env: *mut ErlNifEnv,
    _: c_int,
    _: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call.
    unsafe { guarded(env, version::holders) }
}

/// `module_of(Term) -> Module | none`
pub(super) unsafe extern "C" fn module_of(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe { guarded(env, |env| version::module_of(env, *arguments)) }
}

/// `number(Module, Function, Arity) -> non_neg_integer() | none`
pub(super) unsafe extern "C" fn number(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and three arguments.
    unsafe { guarded(env, |env| version::number(env, three(env, arguments))) }
}

/// `states() -> [{Module, Behaviour, Form | none, RustType, [OldForm]}]`
pub(super) unsafe extern "C" fn states(
    env: *mut ErlNifEnv,
    _: c_int,
    _: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call.
    unsafe { guarded(env, version::states) }
}

/// `export(Cell) -> {ok, Form, Term} | {error, Reason}`
pub(super) unsafe extern "C" fn export(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe { guarded(env, |env| version::export(env, *arguments)) }
}

/// `fits(Module, Term) -> boolean()`
pub(super) unsafe extern "C" fn fits(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe {
        guarded(env, |env| {
            let [module, term] = [0, 1].map(|index| env.term(*arguments.add(index)));
            version::fits(env, module, term)
        })
    }
}

/// `adopt(Module, Form, Term) -> {ok, Cell} | changed | {error, Reason}`
pub(super) unsafe extern "C" fn adopt(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and three arguments.
    unsafe { guarded(env, |env| version::adopt(env, three(env, arguments))) }
}
