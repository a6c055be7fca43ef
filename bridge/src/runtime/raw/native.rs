//! NIFs as safe functions that take the call's environment and its arguments.
#![allow(unsafe_code)]

use std::array;
use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use crate::nif::{NifFunction, RawTerm, VmEnv, VmTerm};
use crate::runtime::failure::panics::Panic;
use crate::stack;

/// Returns a NIF with `N` arguments that runs `body`.
pub(in crate::runtime) fn native<const N: usize, F>(name: &'static CStr, _: F) -> NifFunction
where
    F: for<'a> Fn(VmEnv<'a>, [VmTerm<'a>; N]) -> RawTerm + Copy + Send + Sync + 'static,
{
    const { assert!(size_of::<F>() == 0, "a function, which captures nothing") }
    NifFunction::new(name, N, call::<N, F>)
}

unsafe extern "C" fn call<const N: usize, F>(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm
where
    F: for<'a> Fn(VmEnv<'a>, [VmTerm<'a>; N]) -> RawTerm + Copy + Send + Sync + 'static,
{
    // SAFETY: the VM calls with the environment of this call and the number of arguments that
    // `native` declares. A value of the body's type has existed, has no size, and may be copied to
    // any thread.
    unsafe {
        guarded(env, |env| {
            let arguments = array::from_fn(|index| env.term(*arguments.add(index)));
            NonNull::<F>::dangling().as_ref()(env, arguments)
        })
    }
}

/// Runs a NIF's body. A panic in it must not unwind into the VM.
///
/// # Safety
/// `raw` is the environment of the running NIF call.
unsafe fn guarded(raw: *mut ErlNifEnv, body: impl FnOnce(VmEnv<'_>) -> RawTerm) -> ErlNifTerm {
    // SAFETY: by the contract above; no code keeps the environment beyond this call.
    let env = unsafe { VmEnv::new(raw) };
    stack::call(move || {
        catch_unwind(AssertUnwindSafe(|| body(env)))
            .unwrap_or_else(|payload| env.raise(&Panic::caught(payload)))
    })
}
