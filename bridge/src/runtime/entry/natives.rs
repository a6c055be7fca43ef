//! rustler's functions and resources, beside the library's own (feature `nifs`).
#![allow(unsafe_code)]

use rustler::sys::{ErlNifEnv, ErlNifTerm};

use crate::nif::{RawTerm, VmEnv};

/// Calls the function with this id, if there is one.
///
/// # Safety
/// The arguments are those of the running call.
#[cold]
pub(in crate::runtime) unsafe fn call(
    env: VmEnv<'_>,
    id: Option<u64>,
    arguments: &[RawTerm],
) -> RawTerm {
    #[cfg(feature = "nifs")]
    if let Some(native) = id
        .and_then(|id| crate::runtime::registry::LibraryModules::get().native(id, arguments.len()))
    {
        // SAFETY: by the contract above; the function takes this number of arguments.
        return unsafe { native.call(env, arguments) };
    }
    let _ = (id, arguments);
    env.badarg()
}

/// Registers resource types, and calls the library's own function. Returns whether both have
/// succeeded.
///
/// # Safety
/// `env` is the environment of the library's load, and `info` a term of it.
#[cfg(feature = "nifs")]
pub(in crate::runtime) unsafe fn load(env: *mut ErlNifEnv, info: ErlNifTerm) -> bool {
    let load = crate::runtime::registry::native_module().and_then(|module| module.load);
    // SAFETY: by the contract above.
    unsafe { crate::nif::load_rustler(env, info, load) }
}

/// Does nothing without the feature.
///
/// # Safety
/// None.
#[cfg(not(feature = "nifs"))]
pub(in crate::runtime) unsafe fn load(_: *mut ErlNifEnv, _: ErlNifTerm) -> bool {
    true
}
