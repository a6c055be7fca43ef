//! The library's entry point: what `erlang:load_nif/2` finds, and its NIFs.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use rustler::Env;
use rustler::sys::{ErlNifEntry, ErlNifEnv, ErlNifFunc, ErlNifTerm, enif_make_badarg};

use super::cell;
use super::invocation::{self, Invocation};
use super::panics::{self, Panic};
use super::{VmHeap, VmTerm};
use crate::registry::Registry;
use crate::{ToTerm, View};

/// Most arguments of a callback; the generated library module has a `callback` for each count.
const MAX_ARITY: usize = 9;

/// The entry of the library that the Erlang module `module` loads.
pub fn entry(module: &'static CStr) -> *const ErlNifEntry {
    struct Shared(ErlNifEntry);
    // SAFETY: the entry points at leaked, immutable data.
    unsafe impl Send for Shared {}
    // SAFETY: as above.
    unsafe impl Sync for Shared {}
    static ENTRY: OnceLock<Shared> = OnceLock::new();
    let entry = ENTRY.get_or_init(|| {
        let functions: &'static [ErlNifFunc] = functions().leak();
        Shared(ErlNifEntry::new(module, functions, load))
    });
    &raw const entry.0
}

fn functions() -> Vec<ErlNifFunc> {
    type Function = unsafe extern "C" fn(*mut ErlNifEnv, c_int, *const ErlNifTerm) -> ErlNifTerm;
    let function = |name: &'static CStr, arity: usize, function: Function| ErlNifFunc {
        name: name.as_ptr().cast::<c_char>(),
        arity: u32::try_from(arity).unwrap_or(u32::MAX),
        function,
        flags: 0,
    };
    let mut functions = vec![
        function(c"manifest", 0, manifest),
        function(c"format_state", 1, format_state),
        function(c"resume", 2, resume),
    ];
    functions.extend((0..=MAX_ARITY).map(|arity| function(c"callback", arity + 1, callback)));
    functions
}

unsafe extern "C" fn load(env: *mut ErlNifEnv, _: *mut *mut c_void, _: ErlNifTerm) -> c_int {
    // SAFETY: the VM calls this once, with the environment of the load.
    let registered = unsafe { cell::register(env) };
    panics::install_hook();
    c_int::from(!registered)
}

/// `manifest() -> unicode:unicode_binary()`: the registry as JSON.
unsafe extern "C" fn manifest(env: *mut ErlNifEnv, _: c_int, _: *const ErlNifTerm) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call.
    unsafe {
        guarded(env, |_| {
            Registry::get().manifest().to_term(VmHeap::new(env)).raw()
        })
    }
}

/// `format_state(State) -> binary()`
unsafe extern "C" fn format_state(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe { guarded(env, |env| invocation::describe_state(env, *arguments)) }
}

/// `resume(Cell, Answer) -> Return | {'$otp_rs', Pending}`
unsafe extern "C" fn resume(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe {
        guarded(env, |env| {
            invocation::resume(env, *arguments, *arguments.add(1))
        })
    }
}

/// `callback(Id, Arguments...) -> Return | {'$otp_rs', Pending}`
unsafe extern "C" fn callback(
    raw: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let run = |env: Env<'_>| {
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: the VM calls with `count` arguments, at least one.
        let arguments = unsafe { std::slice::from_raw_parts(arguments, count) };
        let (id, arguments) = (arguments[0], &arguments[1..]);
        // SAFETY: the id is an argument of this call.
        let id = unsafe { VmTerm::new(raw, id) }.unsigned();
        let entry = id.and_then(|id| Registry::get().callback(usize::try_from(id).ok()?));
        match entry.filter(|(_, callback)| callback.arity == arguments.len()) {
            Some(entry) => Invocation::new(env, entry, arguments).run(),
            // SAFETY: `raw` is the environment of this call.
            None => unsafe { enif_make_badarg(raw) },
        }
    };
    // SAFETY: the VM calls with the environment of this call.
    unsafe { guarded(raw, run) }
}

/// Runs a NIF's body; whatever panics in it must not unwind into the VM.
///
/// # Safety
/// `raw` is the environment of the running NIF call.
unsafe fn guarded(raw: *mut ErlNifEnv, body: impl FnOnce(Env<'_>) -> ErlNifTerm) -> ErlNifTerm {
    let lifetime = ();
    // SAFETY: by the contract above; the environment does not outlive this call.
    let env = unsafe { Env::new(&lifetime, raw) };
    catch_unwind(AssertUnwindSafe(|| body(env)))
        .unwrap_or_else(|payload| invocation::raise(env, &Panic::caught(payload)))
}
