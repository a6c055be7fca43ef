//! What a process owns on the Rust side: its state between callbacks and the callback's future.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use rustler::sys::{
    ErlNifEnv, ErlNifResourceFlags, ErlNifResourceType, ErlNifTerm, enif_alloc_resource,
    enif_get_resource, enif_make_pid, enif_make_resource, enif_open_resource_type,
    enif_release_resource, enif_self,
};

use super::panics::contained;
use super::slot::{FutureSlot, StateSlot};
use super::tickets::Tickets;

/// The resource behind a process's state term. Only its owner may open it.
pub(crate) struct ProcessCell {
    owner: ErlNifTerm,
    state: UnsafeCell<StateSlot>,
    future: UnsafeCell<FutureSlot>,
    /// Which operation the future waits for.
    pub(crate) tickets: Tickets,
}

// SAFETY: states and futures are `Send` (bounds of `StateSlot::put` and `FutureSlot::put`), and
// only the owning process reaches them (`ProcessCell::open`), which runs on one thread at a
// time: the NIFs are not dirty, so a process that is killed ends its call first. A later process
// with the same identifier finds the cell of one that has ended. The VM drops the cell when no
// term refers to it, so when no callback runs that was given one, on whichever thread.
unsafe impl Send for ProcessCell {}
// SAFETY: as above.
unsafe impl Sync for ProcessCell {}

/// The VM's handle for cells, set when the library is loaded.
static TYPE: AtomicPtr<ErlNifResourceType> = AtomicPtr::new(ptr::null_mut());

/// The VM aligns a resource for any C type.
const _: () = assert!(align_of::<ProcessCell>() <= align_of::<u64>());

/// Makes cells known to the VM; false when it refuses.
///
/// # Safety
/// `env` is the environment of the library's load.
pub(crate) unsafe fn register(env: *mut ErlNifEnv) -> bool {
    // SAFETY: by the contract above; the name is a C string. Every load has a type of its own: the
    // cells of a library that was purged are none to the next one, and the VM keeps the code that
    // destroys them for as long as there are any.
    let handle = unsafe {
        enif_open_resource_type(
            env,
            ptr::null(),
            c"otp_rs_process".as_ptr(),
            Some(destroy),
            ErlNifResourceFlags::ERL_NIF_RT_CREATE,
            ptr::null_mut(),
        )
    };
    TYPE.store(handle.cast_mut(), Ordering::Relaxed);
    !handle.is_null()
}

unsafe extern "C" fn destroy(_: *mut ErlNifEnv, cell: *mut c_void) {
    // SAFETY: the VM destroys each cell once, after the last term that referred to it.
    unsafe { ptr::drop_in_place(cell.cast::<ProcessCell>()) };
}

impl ProcessCell {
    /// A new cell of the calling process, and the term that keeps it.
    ///
    /// # Safety
    /// `env` is the environment of a running NIF call, and `'a` is no longer than that call.
    pub(crate) unsafe fn create<'a>(env: *mut ErlNifEnv) -> (&'a ProcessCell, ErlNifTerm) {
        let cell = ProcessCell {
            // SAFETY: by the contract above.
            owner: unsafe { process(env) },
            state: UnsafeCell::new(StateSlot::new()),
            future: UnsafeCell::new(FutureSlot::new()),
            tickets: Tickets::default(),
        };
        // SAFETY: the VM gives room for the cell, which is written before anyone can see it. The
        // term, which lives as long as the call, takes over the reference that `alloc` gave.
        unsafe {
            let room = enif_alloc_resource(TYPE.load(Ordering::Relaxed), size_of::<ProcessCell>());
            ptr::write(room.cast::<ProcessCell>(), cell);
            let term = enif_make_resource(env, room);
            enif_release_resource(room);
            (&*room.cast::<ProcessCell>(), term)
        }
    }

    /// The cell behind a term; `None` when it is none, or another process's.
    ///
    /// # Safety
    /// `term` belongs to `env`, the environment of a running NIF call, and `'a` is no longer than
    /// that call.
    pub(crate) unsafe fn open<'a>(
        env: *mut ErlNifEnv,
        term: ErlNifTerm,
    ) -> Option<&'a ProcessCell> {
        let mut found = ptr::null();
        // SAFETY: by the contract above; a term of this type refers to a cell that `create` wrote
        // and keeps it alive.
        unsafe {
            let handle = TYPE.load(Ordering::Relaxed);
            if enif_get_resource(env, term, handle, &raw mut found) == 0 {
                return None;
            }
            let cell = &*found.cast::<ProcessCell>();
            (cell.owner == process(env)).then_some(cell)
        }
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
        contained(|| self.future.get_mut().clear());
        contained(|| self.state.get_mut().clear());
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
