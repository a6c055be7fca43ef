//! The Erlang VM's side of terms and processes. This is the only Rust module that calls the NIF
//! interface.

mod allocator;
mod atom;
mod binary_reference;
mod clock;
mod contained;
mod copy;
mod encoded;
mod env;
mod external;
mod heap;
mod immediate;
mod independent_env;
mod kind;
mod large_binary;
mod library;
mod map_entries;
mod os_thread;
mod read_binary;
mod resource;
#[cfg(feature = "nifs")]
mod rustler;
mod shared;
mod thread_exit;
mod thread_id;
mod view;
mod vm_term;
#[cfg(feature = "net")]
mod watched;

pub use allocator::VmAllocator;
pub use encoded::Encoded;
pub use library::LibraryEntry;
pub(crate) use library::{Nif, NifFunction};
pub use vm_term::{VmHeap, VmTerm};

#[cfg(feature = "nifs")]
pub(crate) use self::rustler::Load as RustlerLoad;
#[cfg(feature = "nifs")]
pub(crate) use self::rustler::{
    RustlerNif, decoded, encoded, load as load_rustler, nifs as rustler_nifs,
};
#[cfg(feature = "serde_rustler")]
pub(crate) use self::rustler::{read as read_by_rustler, written as written_by_rustler};
pub(crate) use allocator::choose as choose_allocator;
pub(crate) use clock::{ClockTicks, duration as duration_of, per_millisecond, ticks_of};
pub(crate) use contained::{contained, discard};
pub(crate) use env::{ProcessSlot, ProcessWord, Thread, VmEnv};
pub(crate) use independent_env::{IndependentTerm, send_from_any_thread};
pub(crate) use library::{Scheduler, entry, library_file};
pub(crate) use os_thread::OsThread;
pub(crate) use read_binary::in_call;
pub(crate) use resource::{NifResource, NifResourceType, ResourceArc};
pub(crate) use shared::{OnDown, VmMonitor, demonitor, monitor};
pub(crate) use thread_exit::{begin as begin_in_vm, stop_counting, threads};
pub(crate) use thread_id::ThreadId;
#[cfg(feature = "net")]
pub(crate) use watched::Watched;

/// The VM's word for a term.
pub(crate) use ::rustler::sys::ErlNifTerm as RawTerm;

/// Registers the resource types of terms. Returns false if the VM refuses.
///
/// # Safety
/// `env` is the environment of the library's load.
#[allow(unsafe_code)]
pub(crate) unsafe fn open_resources(env: *mut ::rustler::sys::ErlNifEnv) -> bool {
    // SAFETY: by the contract above.
    if !unsafe { large_binary::open(env) } {
        return false;
    }
    // SAFETY: by the contract above.
    #[cfg(feature = "net")]
    if !unsafe { watched::open(env) } {
        return false;
    }
    // SAFETY: by the contract above.
    unsafe { shared::open_resources(env) }
}

/// Gives the types of terms access to the VM, and reads the VM's representation of small integers.
///
/// # Safety
/// `env` is the environment of the library's load.
#[allow(unsafe_code)]
pub(crate) unsafe fn connect(env: *mut ::rustler::sys::ErlNifEnv) {
    crate::term::types::ask_vm_by(copy::local_pid_parts);
    clock::calibrate();
    // SAFETY: by the contract above.
    unsafe { immediate::learn(env) };
}
