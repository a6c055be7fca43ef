//! The application of a library, and its initialization.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::ptr;
use std::sync::OnceLock;

use otp_contract::library_module_suffix;
use otp_contract::package::{MARK, NIF_MARK, nif_mark};
use rustler::sys;

use crate::nif::{self, LibraryEntry};
use crate::runtime::entry;
use crate::runtime::registry::library;

/// An application whose Rust code is in the library: `application!()`.
pub struct Application {
    /// The Erlang module that loads the library of this application.
    pub module: &'static CStr,
    /// Runs when the library is loaded.
    pub prepare: fn(),
    /// A mark that `cargo otp build` searches in the library. It must be that of this checkout.
    pub mark: [u8; MARK],
    /// A mark in which `cargo otp package` finds the version of the NIF interface.
    pub nif_mark: [u8; NIF_MARK],
}

/// The mark of this build.
pub const OWN_NIF_MARK: [u8; NIF_MARK] = {
    let (major, minor) = (sys::NIF_MAJOR_VERSION, sys::NIF_MINOR_VERSION);
    assert!(0 < major && major < 100 && 0 <= minor && minor < 100);
    nif_mark(major as u8, minor as u8)
};

inventory::collect!(Application);

/// Returns the application of this library. If the application uses others, their Rust code is in
/// the library, too. The file name tells which one it is: `libNAME-….so`, as `cargo otp build`
/// names it.
fn application() -> Option<&'static Application> {
    let all: Vec<&Application> = inventory::iter::<Application>().collect();
    if let [one] = all[..] {
        return Some(one);
    }
    let file = nif::library_file()?;
    let stem = file.file_stem()?.to_str()?;
    let built = stem.strip_prefix("lib").and_then(|it| it.split_once('-'));
    let is_it = |it: &&&Application| {
        let Ok(module) = it.module.to_str() else {
            return false;
        };
        let name = module.strip_suffix(library_module_suffix!());
        built.is_some_and(|(built, _)| name == Some(built)) || is_version(stem, module)
    };
    all.iter().find(is_it).copied()
}

/// Returns whether the name of a file is that of a module with which an upgrade loads a library:
/// `shop_nif_1` for `shop_nif`.
fn is_version(stem: &str, module: &str) -> bool {
    let number = stem
        .strip_prefix(module)
        .and_then(|it| it.strip_prefix('_'));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the module that loads this library. The first version of an application in a VM is
/// loaded by the module with the application's own name. An upgrade loads the next version with a
/// module of another name, from a file with that name.
fn loaded_by(module: &'static CStr) -> &'static CStr {
    let file = nif::library_file();
    let stem = file.as_ref().and_then(|file| file.file_stem()?.to_str());
    let version = stem.filter(|stem| module.to_str().is_ok_and(|it| is_version(stem, it)));
    match version.and_then(|stem| CString::new(stem).ok()) {
        // Leaked because the VM reads it as long as the library is loaded.
        Some(name) => Box::leak(name.into_boxed_c_str()),
        None => module,
    }
}

/// Called by the Erlang VM when it loads this library. Returns null if the library has no
/// application.
#[unsafe(no_mangle)]
extern "C" fn nif_init() -> *const LibraryEntry {
    // This has to precede the first allocation.
    nif::choose_allocator();
    nif::begin_in_vm();
    let Some(Application {
        module, prepare, ..
    }) = application()
    else {
        return ptr::null();
    };
    // The VM calls this once for each load, so the value is always the same function.
    let _ = PREPARE.set(*prepare);
    let module = loaded_by(module);
    library::set(module);
    nif::entry(module, entry::functions, entry::load, entry::unload)
}

/// The application's function that runs when its library is loaded.
static PREPARE: OnceLock<fn()> = OnceLock::new();

/// Runs the application's own initialization.
pub(in crate::runtime) fn prepare() {
    if let Some(prepare) = PREPARE.get() {
        prepare();
    }
}

#[cfg(test)]
mod tests {
    use super::is_version;

    #[test]
    fn a_version_is_named_like_its_module() {
        for (stem, module, expected) in [
            ("shop_nif_1", "shop_nif", true),
            ("shop_nif_12", "shop_nif", true),
            ("shop_nif", "shop_nif", false),
            ("shop_nif_", "shop_nif", false),
            ("shop_nif_1a", "shop_nif", false),
            ("libshop-0123456789abcdef", "shop_nif", false),
            ("shop_nif_1", "shop", false),
        ] {
            assert_eq!(is_version(stem, module), expected, "{stem}");
        }
    }
}
