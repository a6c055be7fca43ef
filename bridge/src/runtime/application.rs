//! Which application a library is that of, and what it does first.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr;
use std::sync::OnceLock;

use otp_contract::library_module_suffix;

use super::{entry, spawned};
use crate::Atom;
use crate::nif::{self, Entry};

/// An application whose Rust is in the library: `application!()`.
pub struct Application {
    /// The Erlang module that loads the library of this application.
    pub module: &'static CStr,
    /// Runs when it is loaded.
    pub prepare: fn(),
}

inventory::collect!(Application);

/// The application that this is the library of. If it uses other applications, their Rust is in it, too, and the name of
/// its file says which of them it is: `libNAME-….so`, as `cargo otp build` names it.
fn application() -> Option<&'static Application> {
    let all: Vec<&Application> = inventory::iter::<Application>().collect();
    if let [one] = all[..] {
        return Some(one);
    }
    let file = nif::library_file()?;
    let stem = file.file_stem()?.to_str()?.strip_prefix("lib")?;
    let name = stem.split_once('-').map_or(stem, |(name, _)| name);
    let is_it = |it: &&&Application| {
        let module = it.module.to_str().ok();
        module.and_then(|it| it.strip_suffix(library_module_suffix!())) == Some(name)
    };
    all.iter().find(is_it).copied()
}

/// Called by the Erlang VM when it loads this library. Null if it is not that of an application.
#[unsafe(no_mangle)]
extern "C" fn nif_init() -> *const Entry {
    // Before anything is allocated.
    nif::choose_allocator();
    let Some(Application { module, prepare }) = application() else {
        return ptr::null();
    };
    // The VM asks once for each load, and always with the same function.
    let _ = PREPARE.set(*prepare);
    let name = module.to_str().ok().and_then(|name| Atom::new(name).ok());
    let _ = name.map(|name| MODULE.set(name));
    spawned::set_library(module);
    nif::entry(module, entry::functions, entry::load)
}

/// What the application does when its library is loaded.
static PREPARE: OnceLock<fn()> = OnceLock::new();

/// The module that loads the library.
static MODULE: OnceLock<Atom> = OnceLock::new();

/// The module that loads the library.
#[cfg(feature = "output")]
pub(crate) fn library_module() -> Option<&'static Atom> {
    MODULE.get()
}

/// Does what the application does when its library is loaded.
pub(super) fn prepare() {
    if let Some(prepare) = PREPARE.get() {
        prepare();
    }
}
