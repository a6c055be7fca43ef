//! What a process owns on the Rust side: its state, its context, and the future of its callback.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::context::{Cx, VmCall};
use super::future_slot::FutureSlot;
use super::state_slot::StateSlot;
use crate::nif::{NifResource, NifResourceType, RawTerm, VmEnv, contained};
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::output;
use crate::runtime::registry::{Module, holders};
use crate::tasks::Held;

/// The resource that stands for a process's state in Erlang. The state lies in the same resource,
/// behind this header. Only the process that owns the cell may open it.
pub(crate) struct ProcessCell {
    cx: Cx<'static>,
    state: UnsafeCell<StateSlot>,
}

// SAFETY: states and futures are `Send` (bounds of `Module::Moved` and `FutureSlot::put`), and only
// the owning process reaches them (`ProcessCell::open`). A process runs on one thread at a time:
// normal and dirty NIFs alike are calls of the process, which does nothing else meanwhile. If a
// process is killed in a dirty NIF, the VM keeps its terms, and with them the cell, until the NIF
// returns. Another process may drop the tasks of one that has ended (`RetainedCell`), unless a
// dirty NIF holds them. A dirty NIF holds them before it uses the state (`hold`). If there were no
// tasks then, it is the NIF itself that starts the first ones, and who drops them is started by the
// process after the NIF has returned. A later process may get the term of an earlier one out of an
// ets table or a persistent term. It owns the cell only if it has the same identifier, and the VM
// gives an identifier again after at least 2^27 other processes, which takes minutes. Then the
// first process is no more: it could still have the cell only if one NIF that it was killed in has
// run for all that time, and a `RetainedCell` looks whether the owner lives for each few tasks that
// it drops. The VM drops the cell when no term refers to it. By then no callback runs that was
// given such a term, on any thread.
unsafe impl Send for ProcessCell {}
// SAFETY: as above.
unsafe impl Sync for ProcessCell {}
// SAFETY: it is `Send`, and its destructor contains the panics of the user's destructors.
unsafe impl NifResource for ProcessCell {}

/// The resource type of cells, opened when the library is loaded.
pub(in crate::runtime) static CELLS: NifResourceType<ProcessCell> = NifResourceType::new();

/// How many cells there are, and bodies on their way to their process. While there are any, the
/// module that has loaded the library must stay.
pub(in crate::runtime) static USERS: AtomicUsize = AtomicUsize::new(0);

impl ProcessCell {
    /// A new cell of the calling process with memory for a state of type `T`, and the term that
    /// keeps it alive.
    pub(crate) fn create<T: Module>(env: VmEnv<'_>) -> (&ProcessCell, RawTerm) {
        let state = StateSlot::layout::<T>();
        // The VM aligns a resource for any C type. A state that needs a larger alignment begins
        // further behind.
        let slack = state.align().saturating_sub(align_of::<ProcessCell>());
        let size = size_of::<ProcessCell>() + state.size() + slack;
        USERS.fetch_add(1, Ordering::Relaxed);
        if let Some(module) = holders::listed::<T>() {
            holders::add(env.process(), module);
        }
        CELLS.create(env, size, |cell| {
            // SAFETY: the resource has memory for the state behind the cell, wherever within its
            // alignment it begins, and nobody else uses that memory.
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

    /// A new cell of the calling process, which has no state.
    pub(crate) fn create_without_state(env: VmEnv<'_>) -> (&ProcessCell, RawTerm) {
        USERS.fetch_add(1, Ordering::Relaxed);
        CELLS.create(env, size_of::<ProcessCell>(), |_| ProcessCell {
            cx: Cx::of_process(env.process()),
            state: UnsafeCell::new(StateSlot::none()),
        })
    }

    /// The cell behind an argument. `None` when the argument is not a cell, or is another
    /// process's.
    ///
    /// # Safety
    /// `term` belongs to the environment.
    #[inline]
    pub(crate) unsafe fn open(env: VmEnv<'_>, term: RawTerm) -> Option<&ProcessCell> {
        // SAFETY: by the contract above.
        let cell = unsafe { CELLS.get(env, term) }?;
        // SAFETY: only the owner's identifier is read, and nobody changes it.
        let owner = unsafe { cell.call() }.process;
        (owner == env.process()).then_some(cell)
    }

    /// A call on a dirty scheduler begins: until its end nobody else drops the process's tasks.
    /// `None` if somebody does, because the process has been killed.
    ///
    /// # Safety
    /// As of [`ProcessCell::call`].
    pub(crate) unsafe fn hold(&self) -> Option<Option<Held<'_>>> {
        // SAFETY: by the contract above. Only calls of the process write to what is read here.
        let tasks = unsafe { self.call() }.tasks();
        tasks.map_or(Some(None), |tasks| tasks.hold().map(Some))
    }

    #[inline]
    pub(crate) fn cx(&self) -> &Cx<'static> {
        &self.cx
    }

    /// The part of the context that calls in the VM use.
    ///
    /// # Safety
    /// The caller is a NIF call of the owning process.
    #[inline]
    pub(crate) unsafe fn call(&self) -> &VmCall {
        // SAFETY: by the contract above.
        unsafe { self.cx.vm() }.expect("`create` made it the context of a process")
    }

    /// Whether a callback has begun and not ended: it runs or it waits.
    ///
    /// # Safety
    /// As of [`ProcessCell::future`].
    #[inline]
    pub(crate) unsafe fn is_busy(&self) -> bool {
        // SAFETY: by the contract above.
        unsafe { self.call() }
            .has_awaited()
            // SAFETY: as above; the reference ends here.
            .is_some_and(|awaiting| unsafe { &*awaiting.future.get() }.is_occupied())
    }

    /// # Safety
    /// The caller runs in the owning process and holds no other reference to the state slot. No
    /// future holds one either: there is none, or it has ended.
    #[expect(
        clippy::mut_from_ref,
        reason = "only the thread that runs the owner has the cell"
    )]
    #[inline]
    pub(crate) unsafe fn state(&self) -> &mut StateSlot {
        // SAFETY: by the contract above.
        unsafe { &mut *self.state.get() }
    }

    /// Stores the first state of the process. If it has one already, this one comes back.
    ///
    /// # Safety
    /// The caller runs in the owning process. If anybody has a reference to the state slot, there
    /// is a state.
    #[inline]
    pub(crate) unsafe fn begin_with<T: Module>(&self, state: T::Moved) -> Option<T::Moved> {
        let slot = self.state.get();
        // SAFETY: nobody writes to the slot while there is a reference to it, because there is a
        // state then. Otherwise this is the only reference.
        unsafe {
            if (*slot).is_held() {
                Some(state)
            } else {
                (*slot).begin_with::<T>(state)
            }
        }
    }

    /// # Safety
    /// The caller runs in the owning process and holds no other reference to the future slot.
    #[expect(
        clippy::mut_from_ref,
        reason = "only the thread that runs the owner has the cell"
    )]
    #[inline]
    pub(crate) unsafe fn future(&self) -> &mut FutureSlot {
        // SAFETY: by the contract above.
        unsafe { &mut *self.call().awaiting().future.get() }
    }
}

impl Drop for ProcessCell {
    fn drop(&mut self) {
        // The VM collects the cell here, so a panic in one of the user's destructors must not
        // unwind into it. The process has ended, and whoever waited for its reply has been told.
        let process = self.cx.process();
        if let (Some(process), Some(module)) = (process, self.state.get_mut().listed()) {
            holders::remove(process, module);
        }
        output::on_behalf_of(process, || self.clear());
        USERS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ProcessCell {
    /// Drops what the process has left.
    fn clear(&mut self) {
        leaving_callers_alone(|| {
            // SAFETY: nobody else has the cell any more, since it is being dropped.
            let call = unsafe { self.cx.vm() };
            // Tasks borrow the context, and the callback's future may await one.
            if let Some(tasks) = call.and_then(VmCall::tasks) {
                contained(|| tasks.close());
            }
            if let Some(awaiting) = call.and_then(VmCall::has_awaited) {
                // SAFETY: as above; the reference ends here.
                contained(|| unsafe { &mut *awaiting.future.get() }.clear());
                awaiting.exchange.borrow_mut().forget();
            }
            contained(|| self.state.get_mut().clear());
            contained(|| drop(call.and_then(|call| call.made.take())));
        });
    }
}

/// What a process costs beside its state. An application may have a million processes.
const _: () = assert!(size_of::<ProcessCell>() <= 64);
