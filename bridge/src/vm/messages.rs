//! Sending within the node, straight from the library.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use rustler::sys::{
    ErlNifEnv, ErlNifPid, enif_get_local_pid, enif_make_pid, enif_self, enif_send, enif_whereis_pid,
};

use super::{VmHeap, VmTerm};
use crate::behaviour::gen_server::ServerRef;
use crate::vm::exchange::{self, Frame};
use crate::{FromTerm, Heap, Pid, ToTerm};

/// Sends `message` to a process of this node; `None` when the target is not one.
pub(crate) fn send_local(to: &ServerRef, message: &impl ToTerm) -> Option<()> {
    exchange::with(|frame| {
        let Frame::Vm(vm) = frame else { return None };
        let heap = vm.heap();
        let (term, is_name) = match to {
            ServerRef::Pid(pid) => (heap.pid(pid), false),
            ServerRef::LocalName(name) => (heap.dynamic_atom(name), true),
            _ => return None,
        };
        // SAFETY: `term` belongs to the environment of this NIF call.
        unsafe {
            match local_process(vm.env, term, is_name) {
                Some(pid) => send(vm.env, heap, &pid, message),
                // A message to a name that nobody has, like one to a dead process, is lost.
                None if is_name => {}
                None => return None,
            }
        }
        Some(())
    })
}

/// # Safety
/// `term` belongs to `env`, the environment of the running NIF call.
unsafe fn local_process(env: *mut ErlNifEnv, term: VmTerm<'_>, is_name: bool) -> Option<ErlNifPid> {
    let mut pid = MaybeUninit::uninit();
    // SAFETY: by the contract above; `pid` is filled in when the answer is not 0.
    unsafe {
        let found = if is_name {
            enif_whereis_pid(env, term.raw(), pid.as_mut_ptr())
        } else {
            enif_get_local_pid(env, term.raw(), pid.as_mut_ptr())
        };
        (found != 0).then(|| pid.assume_init())
    }
}

/// # Safety
/// `env` is the environment of the running NIF call, `heap` its heap.
unsafe fn send(env: *mut ErlNifEnv, heap: VmHeap<'_>, to: &ErlNifPid, message: &impl ToTerm) {
    let message = message.to_term(heap).raw();
    // SAFETY: by the contract above. Without an environment of its own the message is copied. The
    // answer only says whether the process lives, which nobody may rely on.
    unsafe { enif_send(env, to, ptr::null_mut(), message) };
}

/// The calling process.
pub(crate) fn own_pid() -> Pid {
    exchange::with(|frame| match frame {
        Frame::Vm(vm) => {
            let mut pid = MaybeUninit::uninit();
            // SAFETY: `env` is that of the running NIF call, so a process is calling.
            let term = unsafe {
                enif_self(vm.env, pid.as_mut_ptr());
                VmTerm::new(vm.env, enif_make_pid(vm.env, pid.assume_init()))
            };
            Pid::from_term(term).expect("the VM's own pid is a pid")
        }
        Frame::Owned(owned) => owned.own_pid.clone(),
    })
}
