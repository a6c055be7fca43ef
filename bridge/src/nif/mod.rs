//! The Erlang VM's side of terms and processes. This is the only Rust module that calls the NIF
//! interface.

mod atom;
mod clock;
mod copy;
mod env;
mod heap;
mod independent_env;
mod kind;
mod library;
mod map_entries;
mod resource;
mod shared;
mod view;

pub use heap::VmHeap;
pub use library::Entry;
pub(crate) use library::Function;
pub use view::VmTerm;

pub(crate) use clock::{Ticks, duration as duration_of, per_millisecond, ticks_of};
pub(crate) use env::{Env, ProcessSlot, ProcessWord, Thread};
pub(crate) use independent_env::{IndependentTerm, send_from_any_thread};
pub(crate) use library::{Scheduler, entry};
pub(crate) use resource::{Resource, ResourceType};
pub(crate) use shared::{OnDown, VmMonitor, demonitor, monitor, open_resources};

/// The VM's word for a term.
pub(crate) use rustler::sys::ErlNifTerm as RawTerm;

/// Lets the types of terms ask the VM. Called when the VM has loaded the library.
pub fn connect() {
    crate::term::types::ask_vm_by(copy::local_pid_parts);
    clock::calibrate();
}
