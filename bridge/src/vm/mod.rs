//! The Erlang VM: its heap as a back end of terms, and the NIFs through which it calls callbacks.

mod atom;
mod copy;
mod heap;
mod kind;
mod map_entries;
mod view;

mod cell;
mod entry;
pub(crate) mod exchange;
mod invocation;
pub(crate) mod messages;
mod panics;
mod saved;
mod slot;
mod tickets;

pub use entry::entry;
pub use exchange::{Encoded, StateRef};
pub use heap::VmHeap;
pub use invocation::Invocation;
pub use view::VmTerm;

pub(crate) use copy::local_pid_parts;
pub(crate) use saved::Saved;
pub(crate) use tickets::Ticket;
