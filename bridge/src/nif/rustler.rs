//! rustler's NIFs, resources and codecs in this library (feature `nifs`).
#![allow(unsafe_code)]

use std::convert::Infallible;
use std::ffi::{CStr, c_int};

use rustler::codegen_runtime::{ResourceRegistration, handle_nif_init_call, inventory};
use rustler::sys::{ErlNifEnv, ErlNifTerm, enif_schedule_nif};
use rustler::{Decoder, Encoder, Nif, OwnedEnv};

use super::{IndependentTerm, RawTerm, VmEnv, VmHeap, VmTerm};
use crate::Heap;
use crate::term::Saved;

/// The type of a library's `load` function in rustler.
pub(crate) type Load = for<'a> fn(rustler::Env<'a>, rustler::Term<'a>) -> bool;

/// A function under `#[rustler::nif]`.
#[derive(Clone, Copy)]
pub(crate) struct RustlerNif(&'static Nif);

/// Returns all such functions of the library.
pub(crate) fn nifs() -> impl Iterator<Item = RustlerNif> {
    inventory::iter::<Nif>().map(RustlerNif)
}

impl RustlerNif {
    /// Returns its name in Erlang.
    pub(crate) fn name(self) -> &'static str {
        // SAFETY: rustler makes the name from a string literal, with a NUL at its end.
        let name = unsafe { CStr::from_ptr(self.0.name) };
        name.to_str().unwrap_or_default()
    }

    pub(crate) fn arity(self) -> usize {
        usize::try_from(self.0.arity).unwrap_or(usize::MAX)
    }

    /// Calls the function, or makes the VM call it on the kind of scheduler that it requests.
    ///
    /// # Safety
    /// The arguments are terms of the running call, as many as the function takes.
    pub(crate) unsafe fn call(self, env: VmEnv<'_>, arguments: &[RawTerm]) -> RawTerm {
        let count = c_int::try_from(arguments.len()).unwrap_or(0);
        // SAFETY: by the contract above. It is called as the VM calls it, and catches its panics.
        // The name is a C string, and the VM copies it and the arguments.
        unsafe {
            match c_int::try_from(self.0.flags) {
                Ok(0) => (self.0.raw_func)(env.raw(), count, arguments.as_ptr()),
                Ok(flags) => enif_schedule_nif(
                    env.raw(),
                    self.0.name,
                    flags,
                    self.0.raw_func,
                    count,
                    arguments.as_ptr(),
                ),
                Err(_) => env.badarg(),
            }
        }
    }
}

/// Registers rustler's resource types, then calls the library's own function. Returns whether both
/// have succeeded.
///
/// # Safety
/// `env` is the environment of the library's load, and `info` a term of it.
pub(crate) unsafe fn load(env: *mut ErlNifEnv, info: ErlNifTerm, load: Option<Load>) -> bool {
    let lifetime = ();
    // SAFETY: by the contract above; the two end with this function.
    unsafe {
        let env = rustler::Env::new_init_env(&lifetime, env);
        let info = rustler::Term::new(env, info);
        ResourceRegistration::register_all_collected(env).is_ok()
            && load.is_none_or(|load| handle_nif_init_call(load, env, info) == 0)
    }
}

/// Encodes a value with rustler.
pub(crate) fn encoded(value: &impl Encoder) -> Saved {
    match written(|env| Ok::<_, Infallible>(value.encode(env))) {
        Ok(saved) => saved,
        Err(never) => match never {},
    }
}

/// Builds a term with rustler's functions.
pub(crate) fn written<E>(
    write: impl for<'e> FnOnce(rustler::Env<'e>) -> Result<rustler::Term<'e>, E>,
) -> Result<Saved, E> {
    OwnedEnv::new().run(|env| {
        let raw = write(env)?.as_c_arg();
        // SAFETY: the term belongs to that environment, which lives until the end of this function.
        Ok(Saved::foreign(IndependentTerm::copy(unsafe {
            VmTerm::new(env.as_c_arg(), raw)
        })))
    })
}

/// Decodes a value with rustler. `None` if the term is not such a value.
pub(crate) fn decoded<T: for<'t> Decoder<'t>>(saved: &Saved) -> Option<T> {
    read(|heap| heap.saved(saved), |term| term.decode().ok())
}

/// Builds a term for rustler's functions, and returns the value that they read from it.
pub(crate) fn read<T>(
    build: impl for<'e> FnOnce(VmHeap<'e>) -> VmTerm<'e>,
    read: impl for<'t> FnOnce(rustler::Term<'t>) -> T,
) -> T {
    OwnedEnv::new().run(|env| {
        // SAFETY: the environment is this function's own and lives to its end.
        let heap = unsafe { VmHeap::new(env.as_c_arg()) };
        let raw = build(heap).raw();
        // SAFETY: as above; the term has just been built there.
        read(unsafe { rustler::Term::new(env, raw) })
    })
}
