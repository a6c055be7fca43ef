//! Which application a library is that of.

use std::ffi::CStr;

use otp_contract::library_module_suffix;

use crate::nif;

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
pub(super) fn application() -> Option<&'static Application> {
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
