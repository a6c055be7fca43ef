//! Terms that outlive the call that brought them, without being looked into.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ptr::NonNull;

use rustler::sys::{
    ErlNifEnv, ErlNifTerm, enif_alloc_env, enif_clear_env, enif_free_env, enif_make_copy,
};

use super::VmTerm;
use crate::{DecodeError, ErlangType, Heap, Term, ToTerm, View};

/// A term kept as it is: a copy in an environment of its own, or an owned term without a VM.
pub(crate) struct Saved(Kept);

enum Kept {
    Vm { env: OwnEnv, term: ErlNifTerm },
    Owned(Term),
}

impl Saved {
    pub(crate) fn new<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.vm_term() {
            Some(term) => {
                let env = OwnEnv::take();
                // SAFETY: both environments live; the copy belongs to `env`, kept beside it.
                let term = unsafe { enif_make_copy(env.0.as_ptr(), term.raw()) };
                Ok(Saved(Kept::Vm { env, term }))
            }
            None => Ok(Saved(Kept::Owned(view.to_owned()?))),
        }
    }

    /// The term as an owned one. Looking into a term may write to its environment (a binary that
    /// begins within a byte is copied there), so nobody else may have this one: hence `self`.
    pub(crate) fn into_term(mut self) -> Result<Term, DecodeError> {
        match &mut self.0 {
            // SAFETY: the term belongs to the environment, which lives as long as `self` and which
            // nobody else has.
            Kept::Vm { env, term } => unsafe { VmTerm::new(env.0.as_ptr(), *term) }.to_owned(),
            Kept::Owned(term) => Ok(std::mem::replace(term, Term::nil())),
        }
    }
}

impl Clone for Saved {
    fn clone(&self) -> Self {
        match &self.0 {
            Kept::Vm { env: _, term } => {
                let own = OwnEnv::take();
                // SAFETY: both environments live; the copy belongs to `own`, kept beside it. The
                // other one is only read.
                let term = unsafe { enif_make_copy(own.0.as_ptr(), *term) };
                Saved(Kept::Vm { env: own, term })
            }
            Kept::Owned(term) => Saved(Kept::Owned(term.clone())),
        }
    }
}

impl ErlangType for Saved {
    fn erlang_type() -> String {
        "term()".to_owned()
    }
}

impl ToTerm for Saved {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match &self.0 {
            // SAFETY: the term belongs to the environment, which lives as long as `self`. Other
            // threads may have the same one at hand: a heap does nothing but copy it, by contract.
            Kept::Vm { env, term } => heap.vm_term(unsafe { VmTerm::new(env.0.as_ptr(), *term) }),
            Kept::Owned(term) => term.to_term(heap),
        }
    }
}

/// An environment that no process owns.
struct OwnEnv(NonNull<ErlNifEnv>);

// SAFETY: such an environment may be used by any thread, one at a time; `Saved` only reads it
// after it was filled.
unsafe impl Send for OwnEnv {}
// SAFETY: as above: what has a shared reference only copies out of it (`enif_make_copy`), which
// writes to the copy's environment alone.
unsafe impl Sync for OwnEnv {}

/// How many cleared environments a thread keeps: making one costs more than the copy into it.
const POOLED: usize = 16;

thread_local! {
    static POOL: RefCell<Vec<OwnEnv>> = const { RefCell::new(Vec::new()) };
}

impl OwnEnv {
    fn take() -> Self {
        POOL.with_borrow_mut(Vec::pop).unwrap_or_else(|| {
            // SAFETY: no preconditions; the VM aborts when memory runs out.
            let env = unsafe { enif_alloc_env() };
            OwnEnv(NonNull::new(env).expect("the VM aborts when it cannot allocate"))
        })
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        let Kept::Vm { env, .. } = &self.0 else {
            return;
        };
        // SAFETY: the environment is this value's own and its term is not used any more.
        unsafe { enif_clear_env(env.0.as_ptr()) };
        // A thread that is ending has no pool: then the environment is freed below.
        let Kept::Vm { env, .. } = std::mem::replace(&mut self.0, Kept::Owned(Term::nil())) else {
            return;
        };
        let _ = POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            if pool.len() < POOLED {
                pool.push(env);
            }
        });
    }
}

impl Drop for OwnEnv {
    fn drop(&mut self) {
        // SAFETY: allocated by `enif_alloc_env`, freed once.
        unsafe { enif_free_env(self.0.as_ptr()) };
    }
}
