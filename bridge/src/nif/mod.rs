//! The Erlang VM's side of terms and processes. This is the only Rust module that calls the NIF
//! interface.
#![allow(unsafe_code)]

mod allocator;
mod atom;
mod clock;
mod contained;
mod copy;
mod env;
mod heap;
mod independent_env;
mod kind;
mod library;
mod map_entries;
mod resource;
#[cfg(feature = "bytes")]
mod shared;
mod view;

pub use allocator::VmAllocator;
pub use heap::VmHeap;
pub use library::Entry;
pub(crate) use library::Function;
pub use view::VmTerm;

pub(crate) use allocator::choose as choose_allocator;
pub(crate) use clock::{Ticks, duration as duration_of, per_millisecond, ticks_of};
pub(crate) use contained::{contained, discard};
pub(crate) use env::{Env, ProcessSlot, ProcessWord, Thread};
pub(crate) use independent_env::{IndependentTerm, send_from_any_thread};
pub(crate) use library::{Scheduler, entry};
pub(crate) use resource::{Resource, ResourceType};

/// The VM's word for a term.
pub(crate) use rustler::sys::ErlNifTerm as RawTerm;

/// Opens the resource type of the bytes that the VM owns. Returns false if the VM refuses.
///
/// # Safety
/// `env` is the environment of the library's load.
pub(crate) unsafe fn open_shared(env: *mut rustler::sys::ErlNifEnv) -> bool {
    #[cfg(feature = "bytes")]
    // SAFETY: by the contract above.
    return unsafe { shared::OWNED_BY_VM.open(env, c"otp_rs_bytes") };
    #[cfg(not(feature = "bytes"))]
    {
        let _ = env;
        true
    }
}

/// Lets the types of terms ask the VM. Called when the VM has loaded the library.
pub fn connect() {
    crate::term::types::ask_vm_by(copy::local_pid_parts);
    clock::calibrate();
}
