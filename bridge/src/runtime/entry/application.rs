//! Which application a library is that of, and what it does first.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::ptr;
use std::sync::OnceLock;

use otp_contract::library_module_suffix;
use otp_contract::package::MARK;

use crate::nif::{self, LibraryEntry};
use crate::runtime::entry;
use crate::runtime::registry::library;

/// An application whose Rust is in the library: `application!()`.
pub struct Application {
    /// The Erlang module that loads the library of this application.
    pub module: &'static CStr,
    /// Runs when it is loaded.
    pub prepare: fn(),
    /// `cargo otp build` looks for it in the library, which must be that of this checkout.
    pub mark: [u8; MARK],
}

inventory::collect!(Application);

/// The application that this is the library of. If it uses other applications, their Rust is in it,
/// too, and the name of its file says which of them it is: `libNAME-….so`, as `cargo otp build`
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

/// Whether a file's name is that of a module by which an upgrade loads a library: `shop_nif_1` for
/// `shop_nif`.
fn is_version(stem: &str, module: &str) -> bool {
    let number = stem
        .strip_prefix(module)
        .and_then(|it| it.strip_prefix('_'));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The module that loads this library. The first version of an application in a VM is loaded by
/// that of the application's own name. An upgrade loads another one, by a module of another name
/// and from a file that is named like it.
fn loaded_by(module: &'static CStr) -> &'static CStr {
    let file = nif::library_file();
    let stem = file.as_ref().and_then(|file| file.file_stem()?.to_str());
    let version = stem.filter(|stem| module.to_str().is_ok_and(|it| is_version(stem, it)));
    match version.and_then(|stem| CString::new(stem).ok()) {
        // The VM reads it as long as the library is loaded.
        Some(name) => Box::leak(name.into_boxed_c_str()),
        None => module,
    }
}

/// Called by the Erlang VM when it loads this library. Null if it is not that of an application.
#[unsafe(no_mangle)]
extern "C" fn nif_init() -> *const LibraryEntry {
    // Before anything is allocated.
    nif::choose_allocator();
    nif::begin_in_vm();
    let Some(Application {
        module, prepare, ..
    }) = application()
    else {
        return ptr::null();
    };
    // The VM asks once for each load, and always with the same function.
    let _ = PREPARE.set(*prepare);
    let module = loaded_by(module);
    library::set(module);
    nif::entry(module, entry::functions, entry::load, entry::unload)
}

/// What the application does when its library is loaded.
static PREPARE: OnceLock<fn()> = OnceLock::new();

/// Does what the application does when its library is loaded.
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
