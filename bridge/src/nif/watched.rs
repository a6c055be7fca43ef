//! A file descriptor that the VM watches for a process: `enif_select_read`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use rustler::sys::{
    ERL_NIF_SELECT_READ, ERL_NIF_SELECT_STOP, ErlNifEnv, ErlNifEvent, ErlNifSelectFlags,
    enif_select, enif_select_x,
};

use super::independent_env::IndependentEnv;
use super::resource::{NifResource, NifResourceType, ResourceArc};
use super::{ProcessWord, VmHeap, atom};
use crate::ToTerm;

/// The message is one of our own (`erl_nif.h`, NIF version 2.15).
const CUSTOM_MESSAGE: ErlNifSelectFlags = 1 << 4;

/// The resource that the VM counts while it watches the descriptor. The descriptor is closed when
/// neither the VM nor this library uses it any more.
struct Descriptor(Box<dyn AsRawFd + Send + Sync>);

// SAFETY: a descriptor may be closed on any thread, and that does not unwind.
unsafe impl NifResource for Descriptor {}

static DESCRIPTORS: NifResourceType<Descriptor> = NifResourceType::new();

/// Registers the type of these resources. Returns false if the VM refuses.
///
/// # Safety
/// `env` is the environment of the library's load.
pub(super) unsafe fn open(env: *mut ErlNifEnv) -> bool {
    // SAFETY: by the contract above.
    unsafe { DESCRIPTORS.open(env, c"otp_rs_descriptor", None, Some(stop)) }
}

/// Called when the VM does not watch the descriptor any more. The resource is destroyed after this,
/// which closes the descriptor.
unsafe extern "C" fn stop(_: *mut ErlNifEnv, _: *mut c_void, _: ErlNifEvent, _: c_int) {}

/// A descriptor that the VM can watch for a process.
pub(crate) struct Watched {
    descriptor: ResourceArc<Descriptor>,
    process: ProcessWord,
    /// Whether the VM has ever watched it.
    is_known: AtomicBool,
}

impl Watched {
    /// Wraps a descriptor, which is closed when its owner is dropped. `None` without a VM.
    pub(crate) fn new(
        owner: impl AsRawFd + Send + Sync + 'static,
        process: ProcessWord,
    ) -> Option<Self> {
        Some(Watched {
            descriptor: DESCRIPTORS.counted(Descriptor(Box::new(owner)))?,
            process,
            is_known: AtomicBool::new(false),
        })
    }

    fn number(&self) -> ErlNifEvent {
        self.descriptor.0.as_raw_fd()
    }

    /// Makes the VM send this message to the process once, when the descriptor can be read, which
    /// may be now.
    ///
    /// # Errors
    /// The operating system cannot watch it.
    pub(crate) fn tell_once(&self, message: &impl ToTerm) -> io::Result<()> {
        self.is_known.store(true, Ordering::Relaxed);
        let env = IndependentEnv::take();
        // SAFETY: the environment is this function's own and valid to its end.
        let message = unsafe { message.to_term(VmHeap::new(env.raw())) }.raw();
        let process = self.process.pid();
        let flags = ERL_NIF_SELECT_READ | CUSTOM_MESSAGE;
        // SAFETY: the descriptor is open as long as its resource, which `self` counts, and belongs
        // to this resource only. The message is a term of `env`, which the VM clears. Any thread
        // may call this; the VM reads the environment of a caller only if the process is not
        // passed.
        let outcome = unsafe {
            enif_select_x(
                ptr::null_mut(),
                self.number(),
                flags,
                self.descriptor.as_ptr(),
                &raw const process,
                message,
                env.raw(),
            )
        };
        env.give_back();
        match outcome {
            0.. => Ok(()),
            _ => Err(io::Error::other("the VM cannot watch the descriptor")),
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.is_known.load(Ordering::Relaxed) {
            return;
        }
        // OTP 29 reads the environment of a caller here, too, if the process is not passed.
        let process = self.process.pid();
        // SAFETY: as in `tell_once`; the VM reads no reference here, so the word need not be a
        // term. It calls `stop` when it does not use the descriptor any more, now or later, and
        // counts the resource until then.
        unsafe {
            enif_select(
                ptr::null_mut(),
                self.number(),
                ERL_NIF_SELECT_STOP,
                self.descriptor.as_ptr(),
                &raw const process,
                atom::term(0),
            )
        };
    }
}
