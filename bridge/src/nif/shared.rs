//! Rust values that terms refer to, as resources of the VM, and monitors of processes by such
//! resources.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::{self, NonNull};

use rustler::sys::{
    ErlNifEnv, ErlNifMonitor, ErlNifPid, enif_alloc_env, enif_compare_monitors,
    enif_demonitor_process, enif_free_env, enif_keep_resource, enif_make_pid, enif_make_resource,
    enif_monitor_process, enif_release_resource,
};

use super::resource::{NifResource, NifResourceType};
use super::{ProcessWord, VmEnv, VmHeap, VmTerm, atom, contained};
use crate::stack;
use crate::term::resource::{AnyResource, Memory, ResourceCell, allocate_by};
use crate::term::types::{Pid, ReferenceParts};
use crate::term::{Lent, Term};

/// A cell in the VM's memory.
#[repr(transparent)]
pub(crate) struct SharedCell(ManuallyDrop<ResourceCell>);

// SAFETY: the cell is `Send` and `Sync`, and its destructor contains the panics of the user's
// destructors.
unsafe impl NifResource for SharedCell {}

impl Drop for SharedCell {
    fn drop(&mut self) {
        // SAFETY: the cell is dropped once, here.
        contained(|| unsafe { ManuallyDrop::drop(&mut self.0) });
    }
}

static RESOURCES: NifResourceType<SharedCell> = NifResourceType::new();

/// The memory of the VM, which counts the references to a resource.
static VM: Memory = Memory {
    // SAFETY: cells of this memory are resources of the VM, and any thread may count.
    keep: |cell| unsafe { enif_keep_resource(cell.as_ptr().cast()) },
    // SAFETY: as above.
    release: |cell| unsafe { enif_release_resource(cell.as_ptr().cast()) },
    parts,
    of_clones: None,
};

/// The memory of the VM, for values that are not counted: a term keeps the resource alive.
static LENT: Memory = Memory {
    keep: |_| (),
    release: |_| (),
    parts,
    of_clones: Some(&VM),
};

/// Registers the type of these resources, and makes the VM allocate new ones. Returns false if the
/// VM refuses.
///
/// # Safety
/// `env` is the environment of the library's load.
pub(crate) unsafe fn open_resources(env: *mut ErlNifEnv) -> bool {
    // SAFETY: by the contract above.
    let opened = unsafe { RESOURCES.open(env, c"otp_rs_resource", Some(down), None) };
    if opened {
        allocate_by(|cell| {
            let cell = RESOURCES.allocate(SharedCell(ManuallyDrop::new(cell)));
            // SAFETY: the resource was allocated for this value, and its cell is at its address.
            unsafe { AnyResource::counted(cell.cast(), &VM) }
        });
    }
    opened
}

/// Returns the parts of the reference that represents a cell.
///
/// # Safety
/// The cell is a resource of the VM.
unsafe fn parts(cell: NonNull<ResourceCell>) -> Option<ReferenceParts> {
    // SAFETY: the environment is new, used by this thread only, and freed once, after the last use
    // of its term. The resource is alive by the contract above.
    let term = unsafe {
        let env = enif_alloc_env();
        let raw = enif_make_resource(env, cell.as_ptr().cast());
        let term = VmTerm::new(env, raw).external();
        enif_free_env(env);
        term
    };
    match term {
        Some(Term::Reference(reference)) => Some(reference.parts().clone()),
        _ => None,
    }
}

impl<'a> VmTerm<'a> {
    /// Returns the resource behind the term, if it belongs to this library.
    pub(super) fn shared(self) -> Option<AnyResource> {
        // SAFETY: the term belongs to its environment, which is valid (`VmTerm::new`) and of this
        // thread.
        let cell = unsafe { RESOURCES.get(VmEnv::new(self.env()), self.raw()) }?;
        let cell = NonNull::from(cell).cast::<ResourceCell>();
        // SAFETY: the term keeps the resource alive; it is counted once more for the new value.
        unsafe {
            enif_keep_resource(cell.as_ptr().cast());
            Some(AnyResource::counted(cell, &VM))
        }
    }
}

impl<'a> VmTerm<'a> {
    /// Like `shared`, but does not count the resource.
    pub(super) fn lent(self) -> Option<Lent<'a, AnyResource>> {
        // SAFETY: the term belongs to its environment, which is valid (`VmTerm::new`) and of this
        // thread.
        let cell = unsafe { RESOURCES.get(VmEnv::new(self.env()), self.raw()) }?;
        let cell = NonNull::from(cell).cast::<ResourceCell>();
        // SAFETY: the term keeps the resource alive during `'a`, and values of `LENT` are not
        // counted.
        Some(Lent::new(unsafe { AnyResource::counted(cell, &LENT) }))
    }
}

impl<'a> VmHeap<'a> {
    /// Returns the term of a resource of the VM. `None` for a resource that was created without the
    /// VM.
    pub(super) fn shared(self, resource: &AnyResource) -> Option<VmTerm<'a>> {
        let cell = resource.cell_of(&VM)?;
        // SAFETY: the environment is valid and of this thread (`VmHeap::new`), and the resource is
        // alive.
        Some(unsafe {
            VmTerm::new(
                self.env(),
                enif_make_resource(self.env(), cell.as_ptr().cast()),
            )
        })
    }
}

/// A monitor of a process by a resource.
#[derive(Clone, Copy)]
pub(crate) struct VmMonitor(ErlNifMonitor);

impl PartialEq for VmMonitor {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: both are monitors that the VM has filled in.
        unsafe { enif_compare_monitors(&self.0, &other.0) == 0 }
    }
}

/// The function that runs when a process that a resource monitors has ended. It is stored in the
/// resource's cell.
pub(crate) struct OnDown(pub(crate) fn(AnyResource, Pid, VmMonitor));

/// Monitors a local process. `None` if it has ended.
pub(crate) fn monitor(
    env: VmEnv<'_>,
    resource: &AnyResource,
    process: ProcessWord,
) -> Option<VmMonitor> {
    let cell = resource.cell_of(&VM)?;
    let mut monitor = MaybeUninit::uninit();
    // SAFETY: the environment is that of the running call, the resource is alive and its type has a
    // callback for this. If the result is 0, `monitor` is filled in.
    unsafe {
        let failed = enif_monitor_process(
            env.raw(),
            cell.as_ptr().cast(),
            &process.pid(),
            monitor.as_mut_ptr(),
        );
        (failed == 0).then(|| VmMonitor(monitor.assume_init()))
    }
}

/// Removes a monitor. Returns false if it had ended.
pub(crate) fn demonitor(env: VmEnv<'_>, resource: &AnyResource, monitor: &VmMonitor) -> bool {
    let Some(cell) = resource.cell_of(&VM) else {
        return false;
    };
    // SAFETY: the environment is that of the running call, and the resource is alive.
    unsafe { enif_demonitor_process(env.raw(), cell.as_ptr().cast(), &monitor.0) == 0 }
}

/// Called by the VM when a monitored process has ended.
unsafe extern "C" fn down(
    env: *mut ErlNifEnv,
    resource: *mut c_void,
    process: *const ErlNifPid,
    monitor: *const ErlNifMonitor,
) {
    let Some(cell) = NonNull::new(resource.cast::<ResourceCell>()) else {
        return;
    };
    // SAFETY: the VM calls with a resource of this type, which lives during the call and is counted
    // once more for the new value, and with the process and the monitor.
    let (resource, process, monitor) = unsafe {
        enif_keep_resource(cell.as_ptr().cast());
        let resource = AnyResource::counted(cell, &VM);
        let word = atom::word(enif_make_pid(env, ptr::read(process)));
        (resource, word, VmMonitor(ptr::read(monitor)))
    };
    let Some(process) = std::num::NonZeroUsize::new(process).map(Pid::local) else {
        return;
    };
    let on_down = resource.cell().extension.get();
    if let Some(OnDown(call)) = on_down.and_then(|it| it.downcast_ref()) {
        let call = *call;
        stack::call(|| contained(|| call(resource, process, monitor)));
    }
}
