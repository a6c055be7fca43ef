//! The cell of a process: the data that it owns on the Rust side, which are its state, its context,
//! and the future of its callback.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::context::{Cx, VmCall};
use super::state_slot::StateSlot;
use crate::nif::{NifResource, NifResourceType, RawTerm, VmEnv, contained};
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::output;
use crate::runtime::registry::{Module, holders};

/// The resource that represents a process's state in Erlang. The state is in the same resource,
/// behind this header. Only the process that owns the cell may open it.
pub(crate) struct ProcessCell {
    cx: Cx<'static>,
    state: UnsafeCell<StateSlot>,
}

// SAFETY: states and futures are `Send` (bounds of `Module::Moved` and `FutureSlot::put`), and only
// the owning process accesses them (`OwnedCell::open`). A process runs on one thread at a time:
// normal and dirty NIFs alike are calls of the process, which runs no other code during a call.
//
// If a process is killed in a dirty NIF, the VM keeps its terms, and with them the cell, until the
// NIF returns. Another process may drop the tasks of one that has ended (`RetainedCell`), unless a
// dirty NIF holds them. A dirty NIF holds them before it uses the state (`OwnedCell::hold`). If
// there were no tasks at that time, the NIF itself starts the first ones, and the owner starts the
// process that will drop them only after the NIF has returned.
//
// A later process may get the term of an earlier one out of an ets table or a persistent term. It
// owns the cell only if it has the same identifier. The VM reuses an identifier after at least 2^27
// other processes, which takes minutes. The first process has ended by then: it could still use the
// cell only if a single NIF in which it was killed has been running for all that time, and a
// `RetainedCell` checks whether the owner lives before each few tasks that it drops.
//
// The VM drops the cell when no term refers to it. By then, no callback that was called with such a
// term runs on any thread.
unsafe impl Send for ProcessCell {}
// SAFETY: as above.
unsafe impl Sync for ProcessCell {}
// SAFETY: it is `Send`, and its destructor contains the panics of the user's destructors.
unsafe impl NifResource for ProcessCell {}

/// The resource type of cells, opened when the library is loaded.
pub(in crate::runtime) static CELLS: NifResourceType<ProcessCell> = NifResourceType::new();

/// The number of cells, and of bodies on their way to their process. While it is not 0, the module
/// that has loaded the library must stay.
pub(in crate::runtime) static USERS: AtomicUsize = AtomicUsize::new(0);

impl ProcessCell {
    /// Creates a cell of the calling process with memory for a state of type `T`, and the term that
    /// keeps the cell alive.
    pub(super) fn create<T: Module>(env: VmEnv<'_>) -> (&ProcessCell, RawTerm) {
        let state = StateSlot::layout::<T>();
        // The VM aligns a resource for any C type. A state with a larger alignment starts at a
        // larger offset.
        let slack = state.align().saturating_sub(align_of::<ProcessCell>());
        let size = size_of::<ProcessCell>() + state.size() + slack;
        USERS.fetch_add(1, Ordering::Relaxed);
        if let Some(module) = holders::listed::<T>() {
            holders::add(env.process(), module);
        }
        CELLS.create(env, size, |cell| {
            // SAFETY: the resource has memory for the state behind the cell, including the padding
            // for its alignment, and no other code uses that memory.
            let state = unsafe {
                let behind = cell.add(1).cast::<u8>();
                let padding = behind.align_offset(state.align());
                StateSlot::new::<T>(behind.add(padding))
            };
            ProcessCell {
                cx: Cx::of_process(env.process()),
                state: UnsafeCell::new(state),
            }
        })
    }

    /// Creates a cell of the calling process without a state.
    pub(super) fn create_without_state(env: VmEnv<'_>) -> (&ProcessCell, RawTerm) {
        USERS.fetch_add(1, Ordering::Relaxed);
        CELLS.create(env, size_of::<ProcessCell>(), |_| ProcessCell {
            cx: Cx::of_process(env.process()),
            state: UnsafeCell::new(StateSlot::none()),
        })
    }

    #[inline]
    pub(super) fn cx(&self) -> &Cx<'static> {
        &self.cx
    }

    /// Returns the part of the context that calls in the VM use.
    ///
    /// # Safety
    /// The caller must be a NIF call of the owning process.
    #[inline]
    pub(super) unsafe fn call(&self) -> &VmCall {
        // SAFETY: by the contract above; `create` made it the context of a process.
        unsafe { self.cx.of_vm() }
    }

    /// # Safety
    /// The caller must run in the owning process and hold no other reference to the state slot. No
    /// future may hold one either: there is none, or it has completed.
    #[expect(
        clippy::mut_from_ref,
        reason = "only the thread that runs the owner has the cell"
    )]
    #[inline]
    pub(super) unsafe fn state(&self) -> &mut StateSlot {
        // SAFETY: by the contract above.
        unsafe { &mut *self.state.get() }
    }

    /// Stores the first state of the process. If the process already has a state, returns the new
    /// one.
    ///
    /// # Safety
    /// The caller must run in the owning process. If there is a reference to the state slot, there
    /// must be a state.
    #[inline]
    pub(super) unsafe fn begin_with<T: Module>(&self, state: T::Moved) -> Option<T::Moved> {
        let slot = self.state.get();
        // SAFETY: the slot is not written while there is a reference to it, because there is a
        // state then. Otherwise this is the only reference.
        unsafe {
            if (*slot).is_held() {
                Some(state)
            } else {
                (*slot).begin_with::<T>(state)
            }
        }
    }
}

impl Drop for ProcessCell {
    fn drop(&mut self) {
        // The VM's collector calls this, so a panic in one of the user's destructors must not
        // unwind into the VM. The process has ended, and its callers have already got its exit
        // reason.
        let process = self.cx.process();
        if let (Some(process), Some(module)) = (process, self.state.get_mut().listed()) {
            holders::remove(process, module);
        }
        output::on_behalf_of(process, || self.clear());
        USERS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ProcessCell {
    /// Drops everything that the process has left behind.
    fn clear(&mut self) {
        leaving_callers_alone(|| {
            // SAFETY: no other code has the cell, since it is being dropped.
            let call = unsafe { self.cx.vm() };
            // Tasks borrow the context, and the callback's future may await one.
            if let Some(tasks) = call.and_then(VmCall::tasks) {
                contained(|| tasks.close());
            }
            if let Some(awaiting) = call.and_then(VmCall::has_awaited) {
                contained(|| awaiting.future.clear());
                awaiting.exchange.borrow_mut().forget();
            }
            contained(|| self.state.get_mut().clear());
            contained(|| drop(call.and_then(|call| call.made.take())));
        });
    }
}

/// The cost of a process in addition to its state. An application may have a million processes.
const _: () = assert!(size_of::<ProcessCell>() <= 64);
