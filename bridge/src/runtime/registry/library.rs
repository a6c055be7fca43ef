//! The Erlang module that loads the library.

use std::ffi::CStr;
use std::panic::Location;
use std::sync::OnceLock;

use super::ModuleEntry;
#[cfg(feature = "output")]
use crate::Atom;

static LIBRARY: OnceLock<ModuleEntry> = OnceLock::new();

/// Sets the module that loads the library.
pub(in crate::runtime) fn set(module: &'static CStr) {
    LIBRARY.get_or_init(|| ModuleEntry {
        name: module.to_str().unwrap_or_default(),
        protocol: None,
        rust_path: "",
        location: Location::caller(),
        doc: &[],
        implements: None,
        callbacks: &[],
    });
}

/// Returns the module, as reports name it.
pub(super) fn library() -> &'static ModuleEntry {
    LIBRARY
        .get()
        .expect("it was set when the library was loaded")
}

/// Returns the module's name, if there is a VM.
#[cfg(feature = "output")]
pub(crate) fn library_module() -> Option<&'static Atom> {
    static NAME: OnceLock<Option<Atom>> = OnceLock::new();
    let library = LIBRARY.get()?;
    NAME.get_or_init(|| Atom::new(library.name).ok()).as_ref()
}
