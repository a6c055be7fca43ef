//! What a process owns on the Rust side: its state between callbacks and the callback's future.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustler::sys::{ErlNifEnv, ErlNifTerm, enif_make_pid, enif_self};

use super::exchange::Tickets;
use super::slot::{FutureSlot, StateSlot};

/// The resource behind a process's state term. Only its owner may open it.
pub(crate) struct ProcessCell {
    owner: ErlNifTerm,
    state: UnsafeCell<StateSlot>,
    future: UnsafeCell<FutureSlot>,
    /// Which operation the future waits for.
    pub(crate) tickets: Tickets,
}

// SAFETY: states and futures are `Send` (bounds of `StateSlot::put` and `FutureSlot::put`), and
// only the owning process reaches them (`ProcessCell::is_owner`), which runs on one thread at a
// time. The VM drops the cell when no term refers to it, so when no callback runs.
unsafe impl Send for ProcessCell {}
// SAFETY: as above.
unsafe impl Sync for ProcessCell {}

impl rustler::Resource for ProcessCell {}

// A cell that a panic left behind holds no state, which every later use answers by an error.
impl std::panic::RefUnwindSafe for ProcessCell {}

impl ProcessCell {
    /// A cell owned by the process of `env`.
    ///
    /// # Safety
    /// `env` is the environment of a running NIF call.
    pub(crate) unsafe fn new(env: *mut ErlNifEnv) -> Self {
        ProcessCell {
            // SAFETY: by the contract above.
            owner: unsafe { process(env) },
            state: UnsafeCell::new(StateSlot::new()),
            future: UnsafeCell::new(FutureSlot::new()),
            tickets: Tickets::default(),
        }
    }

    /// # Safety
    /// `env` is the environment of a running NIF call.
    pub(crate) unsafe fn is_owner(&self, env: *mut ErlNifEnv) -> bool {
        // SAFETY: by the contract above.
        self.owner == unsafe { process(env) }
    }

    /// # Safety
    /// The caller runs in the owning process and holds no other reference to the state slot.
    #[expect(
        clippy::mut_from_ref,
        reason = "the owner's one thread stands in for the borrow"
    )]
    pub(crate) unsafe fn state(&self) -> &mut StateSlot {
        // SAFETY: by the contract above.
        unsafe { &mut *self.state.get() }
    }

    /// # Safety
    /// The caller runs in the owning process and holds no other reference to the future slot.
    #[expect(
        clippy::mut_from_ref,
        reason = "the owner's one thread stands in for the borrow"
    )]
    pub(crate) unsafe fn future(&self) -> &mut FutureSlot {
        // SAFETY: by the contract above.
        unsafe { &mut *self.future.get() }
    }
}

impl Drop for ProcessCell {
    fn drop(&mut self) {
        // The VM collects the cell: a destructor of the user's that panics must not unwind into it.
        let _ = catch_unwind(AssertUnwindSafe(|| self.future.get_mut().clear()));
        let _ = catch_unwind(AssertUnwindSafe(|| self.state.get_mut().clear()));
    }
}

/// The calling process as a word; a local pid is an immediate term, equal in every environment.
///
/// # Safety
/// `env` is the environment of a running NIF call.
unsafe fn process(env: *mut ErlNifEnv) -> ErlNifTerm {
    let mut pid = MaybeUninit::uninit();
    // SAFETY: by the contract above; `enif_self` fills `pid` in whenever a process is calling.
    unsafe {
        enif_self(env, pid.as_mut_ptr());
        enif_make_pid(env, pid.assume_init())
    }
}
