//! The library's entry, which `erlang:load_nif/2` looks up.
#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr, c_char, c_int, c_uint, c_void};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use rustler::sys::{ErlNifEntry, ErlNifEnv, ErlNifFunc, ErlNifTerm};

/// The entry, in the layout that the VM reads.
pub type LibraryEntry = ErlNifEntry;

pub(crate) type Nif = unsafe extern "C" fn(*mut ErlNifEnv, c_int, *const ErlNifTerm) -> ErlNifTerm;

/// A NIF and its Erlang name.
pub(crate) struct NifFunction {
    name: &'static CStr,
    arity: usize,
    function: Nif,
    scheduler: Scheduler,
}

/// The kind of scheduler that runs a NIF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scheduler {
    /// A normal scheduler, for at most a millisecond.
    Normal,
    /// A dirty CPU scheduler, for work that computes.
    DirtyCpu,
    /// A dirty IO scheduler, for work that waits.
    DirtyIo,
}

impl Scheduler {
    /// Returns the VM's flags for NIFs on this scheduler.
    pub(super) fn flags(self) -> u8 {
        match self {
            Scheduler::Normal => 0,
            Scheduler::DirtyCpu => 1,
            Scheduler::DirtyIo => 2,
        }
    }
}

impl NifFunction {
    pub(crate) fn new(name: &'static CStr, arity: usize, function: Nif) -> Self {
        NifFunction {
            name,
            arity,
            function,
            scheduler: Scheduler::Normal,
        }
    }

    pub(crate) fn on(self, scheduler: Scheduler) -> Self {
        NifFunction { scheduler, ..self }
    }

    fn into_raw(self) -> ErlNifFunc {
        ErlNifFunc {
            name: self.name.as_ptr().cast::<c_char>(),
            arity: c_uint::try_from(self.arity).unwrap_or(c_uint::MAX),
            function: self.function,
            flags: c_uint::from(self.scheduler.flags()),
        }
    }
}

type Unload = unsafe extern "C" fn(*mut ErlNifEnv, *mut c_void);
type Load = unsafe extern "C" fn(*mut ErlNifEnv, *mut *mut c_void, ErlNifTerm) -> c_int;

/// Returns the entry of the library that the Erlang module `module` loads. It is created once.
pub(crate) fn entry(
    module: &'static CStr,
    functions: impl FnOnce() -> Vec<NifFunction>,
    load: Load,
    unload: Unload,
) -> *const LibraryEntry {
    struct Shared(ErlNifEntry);
    // SAFETY: the entry points to leaked, immutable data.
    unsafe impl Send for Shared {}
    // SAFETY: as above.
    unsafe impl Sync for Shared {}
    static ENTRY: OnceLock<Shared> = OnceLock::new();
    let entry = ENTRY.get_or_init(|| {
        let functions: Vec<ErlNifFunc> =
            functions().into_iter().map(NifFunction::into_raw).collect();
        let mut entry = ErlNifEntry::new(module, functions.leak(), load);
        entry.unload = Some(unload);
        Shared(entry)
    });
    &raw const entry.0
}

/// Returns the file of the library that contains this code.
pub(crate) fn library_file() -> Option<PathBuf> {
    let mut found = MaybeUninit::<libc::Dl_info>::zeroed();
    let own: fn() -> Option<PathBuf> = library_file;
    // SAFETY: `dladdr` only compares the address, and writes to `found`, which has the type that it
    // expects.
    let is_known = unsafe { libc::dladdr(own as *const c_void, found.as_mut_ptr()) } != 0;
    if !is_known {
        return None;
    }
    // SAFETY: all zeros are a `Dl_info`, whose fields are pointers that may be null.
    let file = unsafe { found.assume_init() }.dli_fname;
    if file.is_null() {
        return None;
    }
    // SAFETY: `dladdr` returns a text that ends with a NUL and lives as long as the library is
    // loaded, which it is while its own code runs.
    let file = unsafe { CStr::from_ptr(file) };
    Some(PathBuf::from(OsStr::from_bytes(file.to_bytes())))
}
