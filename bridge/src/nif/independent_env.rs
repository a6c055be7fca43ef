//! Process independent environments: for terms that outlive their call, and for messages from any
//! thread.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ptr::{self, NonNull};

use rustler::sys::{
    ErlNifEnv, ErlNifTerm, enif_alloc_env, enif_clear_env, enif_free_env, enif_make_copy, enif_send,
};

use super::{ProcessWord, VmHeap, VmTerm};
use crate::term::{DecodeError, Foreign, Term, ToTerm, View};

/// A term in an environment of its own.
pub(crate) struct IndependentTerm {
    /// `None` only while the term is dropped.
    env: Option<IndependentEnv>,
    term: ErlNifTerm,
}

// SAFETY: any thread may use such an environment, one thread at a time. This one is only read after
// it has been filled.
unsafe impl Send for IndependentTerm {}
// SAFETY: as above. A shared reference only permits copying out of it (`enif_make_copy`), which
// writes only to the copy's environment.
unsafe impl Sync for IndependentTerm {}

impl IndependentTerm {
    pub(crate) fn copy(term: VmTerm<'_>) -> Self {
        let env = IndependentEnv::take();
        // SAFETY: both environments are alive, and the copy belongs to `env`, which is stored
        // beside it.
        let term = unsafe { enif_make_copy(env.0.as_ptr(), term.raw()) };
        IndependentTerm {
            env: Some(env),
            term,
        }
    }

    pub(crate) fn copy_to<'a>(&self, heap: VmHeap<'a>) -> VmTerm<'a> {
        // SAFETY: the environment of the heap is valid and of this thread. The environment of this
        // term is not changed, and lives as long as `self`.
        unsafe { VmTerm::new(heap.env(), enif_make_copy(heap.env(), self.term)) }
    }
}

impl Foreign for IndependentTerm {
    fn duplicate(&self) -> Box<dyn Foreign> {
        let env = IndependentEnv::take();
        // SAFETY: both environments are alive, and the copy belongs to `env`, which is stored
        // beside it. The other one is only read.
        let term = unsafe { enif_make_copy(env.0.as_ptr(), self.term) };
        Box::new(IndependentTerm {
            env: Some(env),
            term,
        })
    }

    fn to_owned_term(&self) -> Result<Term, DecodeError> {
        // Reading a term may write to its environment (a binary that starts within a byte is copied
        // there), while another thread copies out of this one. So a copy is read instead.
        let env = IndependentEnv::take();
        // SAFETY: both environments are alive. The copy belongs to `env`, which only this thread
        // has and which lives to the end of this function.
        unsafe {
            let term = enif_make_copy(env.0.as_ptr(), self.term);
            VmTerm::new(env.0.as_ptr(), term).to_owned()
        }
    }
}

impl Drop for IndependentTerm {
    fn drop(&mut self) {
        if let Some(env) = self.env.take() {
            env.give_back();
        }
    }
}

/// Builds a message and sends it, from any thread.
///
/// The message is built in an environment without a process.
pub(crate) fn send_from_any_thread(to: ProcessWord, message: &impl ToTerm) {
    let env = IndependentEnv::take();
    // SAFETY: the environment is this function's own and valid to its end.
    let message = unsafe { message.to_term(VmHeap::new(env.0.as_ptr())) }.raw();
    let pid = to.pid();
    // SAFETY: the message belongs to `env`, which the VM clears with the call. Any thread may send
    // if it passes no environment of a caller.
    unsafe { enif_send(ptr::null_mut(), &pid, env.0.as_ptr(), message) };
    env.give_back();
}

/// A process independent environment.
pub(super) struct IndependentEnv(NonNull<ErlNifEnv>);

/// The number of cleared environments that a thread keeps. Creating one costs more than copying a
/// term into it.
const POOLED: usize = 16;

thread_local! {
    static POOL: RefCell<Vec<IndependentEnv>> = const { RefCell::new(Vec::new()) };
}

impl IndependentEnv {
    pub(super) fn take() -> Self {
        let pooled = POOL.try_with(|pool| pool.borrow_mut().pop());
        pooled.ok().flatten().unwrap_or_else(|| {
            // SAFETY: no preconditions; the VM aborts when memory runs out.
            let env = unsafe { enif_alloc_env() };
            IndependentEnv(NonNull::new(env).expect("the VM aborts when it cannot allocate"))
        })
    }

    #[cfg(feature = "net")]
    pub(super) fn raw(&self) -> *mut ErlNifEnv {
        self.0.as_ptr()
    }

    /// Clears the environment and keeps it for the next use by this thread.
    pub(super) fn give_back(self) {
        // SAFETY: the environment is this value's own, and its terms are not used any more.
        unsafe { enif_clear_env(self.0.as_ptr()) };
        // While a thread ends, it has no pool. Then the environment is freed.
        let _ = POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            if pool.len() < POOLED {
                pool.push(self);
            }
        });
    }
}

impl Drop for IndependentEnv {
    fn drop(&mut self) {
        // SAFETY: allocated by `enif_alloc_env`, freed once.
        unsafe { enif_free_env(self.0.as_ptr()) };
    }
}
