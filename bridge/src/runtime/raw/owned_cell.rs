//! The cell of the process that makes the running NIF call.
#![allow(unsafe_code)]

use std::future::Future;
use std::marker::PhantomData;
use std::task::{Context, Poll};

use super::cell::{CELLS, ProcessCell};
use super::context::{Cx, VmCall};
use super::outcome::Outcome;
use super::state_slot::StateSlot;
use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::registry::Module;
use crate::tasks::Held;

/// Evidence that this is a NIF call of the process that owns the cell. It stays on the thread of
/// the call and does not outlive the call.
#[derive(Clone, Copy)]
pub(crate) struct OwnedCell<'call> {
    cell: &'call ProcessCell,
    thread: PhantomData<*const ()>,
}

impl<'call> OwnedCell<'call> {
    /// Returns the cell behind a term of this call. `None` if the term is not a cell, or the cell
    /// belongs to another process.
    ///
    /// # Panics
    /// If the term belongs to another environment.
    #[inline]
    pub(crate) fn open(env: VmEnv<'call>, term: VmTerm<'call>) -> Option<Self> {
        assert!(env.has(term), "a term of another environment");
        // SAFETY: the term belongs to the environment.
        let cell = unsafe { CELLS.get(env, term.raw()) }?;
        let own = OwnedCell {
            cell,
            thread: PhantomData,
        };
        // Of the cell of another process, only the owner is read, which never changes.
        env.is_of(own.call().process).then_some(own)
    }

    /// Creates a cell of the calling process with memory for a state of type `T`, and the term that
    /// keeps the cell alive.
    pub(crate) fn create<T: Module>(env: VmEnv<'call>) -> (Self, VmTerm<'call>) {
        Self::of_new(env, ProcessCell::create::<T>(env))
    }

    /// Creates a cell of the calling process without a state.
    pub(crate) fn create_without_state(env: VmEnv<'call>) -> (Self, VmTerm<'call>) {
        Self::of_new(env, ProcessCell::create_without_state(env))
    }

    fn of_new(
        env: VmEnv<'call>,
        (cell, term): (&'call ProcessCell, RawTerm),
    ) -> (Self, VmTerm<'call>) {
        let thread = PhantomData;
        // SAFETY: the term was made in this call.
        (OwnedCell { cell, thread }, unsafe { env.term(term) })
    }

    /// Returns the context of the process's callbacks.
    #[inline]
    pub(crate) fn cx(self) -> &'call Cx<'static> {
        self.cell.cx()
    }

    /// Returns the part of the context that calls in the VM use.
    #[inline]
    pub(crate) fn call(self) -> &'call VmCall {
        // SAFETY: this is a NIF call of the owning process.
        unsafe { self.cell.call() }
    }

    /// Returns whether a callback has started and not completed: it runs or it waits.
    #[inline]
    pub(crate) fn is_busy(self) -> bool {
        let awaiting = self.call().has_awaited();
        awaiting.is_some_and(|awaiting| awaiting.future.is_occupied())
    }

    /// Starts a call on a dirty scheduler: until its end, no other process drops the tasks of this
    /// one. Returns `None` if the tasks are already being dropped, because the process has been
    /// killed.
    pub(crate) fn hold(self) -> Option<Option<Held<'call>>> {
        let tasks = self.call().tasks();
        tasks.map_or(Some(None), |tasks| tasks.hold().map(Some))
    }

    /// Stores the first state of the process. If the process already has a state, returns the new
    /// one.
    #[inline]
    pub(crate) fn begin_with<T: Module>(self, state: T::Moved) -> Option<T::Moved> {
        if self.call().is_used.get() {
            return Some(state);
        }
        // SAFETY: this is a call of the owning process. A clause that has a reference to the slot
        // has a state, and otherwise only an `IdleCell` has a reference.
        unsafe { self.cell.begin_with::<T>(state) }
    }

    /// Returns the slot of the state.
    ///
    /// # Safety
    /// No other reference to the slot is held: neither by the clause, nor by its future, nor by an
    /// `IdleCell`.
    #[inline]
    pub(crate) unsafe fn state(self) -> &'call mut StateSlot {
        // SAFETY: by the contract above, and this is a call of the owning process.
        unsafe { self.cell.state() }
    }

    /// Puts a future into the cell, which has none.
    ///
    /// # Safety
    /// The data that the future borrows must outlive it: they may be dropped only after the slot
    /// has been cleared.
    pub(crate) unsafe fn put_future<F: Future<Output = Outcome> + Send>(self, future: F) {
        // SAFETY: by the contract above.
        unsafe { self.call().awaiting().future.put(future) }
    }

    /// Polls the future once and drops it when it has completed. Returns `None` if there is no
    /// future.
    pub(crate) fn poll_future(self, context: &mut Context<'_>) -> Option<Poll<Outcome>> {
        self.call().awaiting().future.poll(context)
    }

    /// Drops the future, if there is one.
    pub(crate) fn clear_future(self) {
        if let Some(awaiting) = self.call().has_awaited() {
            awaiting.future.clear();
        }
    }
}

/// Returns whether the term is a cell of this library, of any process.
pub(in crate::runtime) fn is_cell<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> bool {
    assert!(env.has(term), "a term of another environment");
    // SAFETY: the term belongs to the environment.
    unsafe { CELLS.get(env, term.raw()) }.is_some()
}
