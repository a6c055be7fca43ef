//! A process's cell in a call of its own process, while none of its callbacks runs or waits.
#![allow(unsafe_code)]

use super::cell::ProcessCell;
use super::context::VmCall;
use super::state_slot::StateSlot;
use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::registry::Module;
use crate::tasks::Held;

/// A cell whose state may be read and replaced. There is at most one for each cell at a time.
pub(in crate::runtime) struct IdleCell<'a>(&'a ProcessCell);

impl<'a> IdleCell<'a> {
    /// Returns the cell behind a term of this call. `None` if the cell belongs to another process,
    /// or is in use.
    pub(in crate::runtime) fn open(env: VmEnv<'a>, term: VmTerm<'a>) -> Option<Self> {
        let cell = of_caller(env, term)?;
        // SAFETY: this is a call of the owning process; the reference to the future ends in this
        // line.
        let is_busy = unsafe { cell.is_busy() };
        // SAFETY: as above.
        let is_used = &unsafe { cell.call() }.is_used;
        (!is_busy && !is_used.replace(true)).then_some(IdleCell(cell))
    }

    pub(in crate::runtime) fn state(&mut self) -> &mut StateSlot {
        // SAFETY: this is a call of the owning process, there is no future that borrows the state,
        // and this is the only value of its kind, borrowed together with the slot.
        unsafe { self.0.state() }
    }

    /// Returns the part of the context that calls in the VM use.
    pub(in crate::runtime) fn call(&self) -> &'a VmCall {
        // SAFETY: this is a call of the owning process.
        unsafe { self.0.call() }
    }
}

impl Drop for IdleCell<'_> {
    fn drop(&mut self) {
        self.call().is_used.set(false);
    }
}

/// Returns the cell behind a term of this call, if the calling process owns it.
fn of_caller<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> Option<&'a ProcessCell> {
    assert!(env.has(term), "a term of another environment");
    // SAFETY: the term belongs to the environment.
    unsafe { ProcessCell::open(env, term.raw()) }
}

/// Returns whether the term is the cell of the calling process.
pub(in crate::runtime) fn is_own<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> bool {
    of_caller(env, term).is_some()
}

/// Starts a call on a dirty scheduler: see [`ProcessCell::hold`]. Any other term needs no hold.
pub(in crate::runtime) fn hold<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> Option<Option<Held<'a>>> {
    match of_caller(env, term) {
        // SAFETY: this is a call of the owning process.
        Some(cell) => unsafe { cell.hold() },
        None => Some(None),
    }
}

/// Creates a cell of the calling process with this state.
pub(in crate::runtime) fn with_state<'a, T: Module>(env: VmEnv<'a>, state: T::Moved) -> VmTerm<'a> {
    let (cell, term): (_, RawTerm) = ProcessCell::create::<T>(env);
    // SAFETY: this is a call of the process that has just created the cell, and no other code has
    // it.
    let refused = unsafe { cell.begin_with::<T>(state) };
    debug_assert!(refused.is_none(), "a new cell has no state");
    // SAFETY: the term was made in this call.
    unsafe { env.term(term) }
}
