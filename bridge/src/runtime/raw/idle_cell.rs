//! A process's cell in a call of its own process, while none of its callbacks runs or waits.
#![allow(unsafe_code)]

use super::context::VmCall;
use super::owned_cell::OwnedCell;
use super::state_slot::StateSlot;
use crate::nif::{VmEnv, VmTerm};
use crate::runtime::registry::Module;
use crate::tasks::Held;

/// A cell whose state may be read and replaced. There is at most one for each cell at a time.
pub(in crate::runtime) struct IdleCell<'a>(OwnedCell<'a>);

impl<'a> IdleCell<'a> {
    /// Returns the cell behind a term of this call. `None` if the cell belongs to another process,
    /// or is in use.
    pub(in crate::runtime) fn open(env: VmEnv<'a>, term: VmTerm<'a>) -> Option<Self> {
        IdleCell::of(OwnedCell::open(env, term)?)
    }

    /// Returns this cell. `None` if it is in use.
    pub(in crate::runtime) fn of(cell: OwnedCell<'a>) -> Option<Self> {
        let call = cell.call();
        if call.is_running() || cell.is_busy() || call.is_used.replace(true) {
            return None;
        }
        Some(IdleCell(cell))
    }

    pub(in crate::runtime) fn state(&mut self) -> &mut StateSlot {
        // SAFETY: no clause runs and no future waits that borrows the state, and this is the only
        // value of its kind, borrowed together with the slot.
        unsafe { self.0.state() }
    }

    /// Returns the part of the context that calls in the VM use.
    pub(in crate::runtime) fn call(&self) -> &'a VmCall {
        self.0.call()
    }
}

impl Drop for IdleCell<'_> {
    fn drop(&mut self) {
        self.call().is_used.set(false);
    }
}

/// Returns whether the term is the cell of the calling process.
pub(in crate::runtime) fn is_own<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> bool {
    OwnedCell::open(env, term).is_some()
}

/// Starts a call on a dirty scheduler: see [`OwnedCell::hold`]. Any other term needs no hold.
pub(in crate::runtime) fn hold<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> Option<Option<Held<'a>>> {
    OwnedCell::open(env, term).map_or(Some(None), OwnedCell::hold)
}

/// Creates a cell of the calling process with this state.
pub(in crate::runtime) fn with_state<'a, T: Module>(env: VmEnv<'a>, state: T::Moved) -> VmTerm<'a> {
    let (cell, term) = OwnedCell::create::<T>(env);
    let refused = cell.begin_with::<T>(state);
    debug_assert!(refused.is_none(), "a new cell has no state");
    term
}
