//! A term of the VM and the heap it is on: an environment, and the term's word.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use rustler::sys::{ErlNifEnv, ErlNifTerm};

/// A term of the VM that lives as long as its environment.
#[derive(Clone, Copy)]
pub struct VmTerm<'a> {
    env: *mut ErlNifEnv,
    raw: ErlNifTerm,
    lifetime: PhantomData<&'a ()>,
}

impl<'a> VmTerm<'a> {
    /// Wraps a term of an environment.
    ///
    /// # Safety
    /// `raw` is a term of `env`, which is valid during `'a` and used by this thread only.
    #[inline]
    pub unsafe fn new(env: *mut ErlNifEnv, raw: ErlNifTerm) -> Self {
        VmTerm {
            env,
            raw,
            lifetime: PhantomData,
        }
    }

    /// Returns the VM's word for the term.
    #[inline]
    pub fn raw(self) -> ErlNifTerm {
        self.raw
    }

    /// Returns the environment of the term.
    #[inline]
    pub(super) fn env(self) -> *mut ErlNifEnv {
        self.env
    }

    #[inline]
    pub(super) fn part(self, raw: ErlNifTerm) -> Self {
        VmTerm { raw, ..self }
    }
}

/// The heap of a NIF call or of an environment without a process.
#[derive(Clone, Copy)]
pub struct VmHeap<'a> {
    env: *mut ErlNifEnv,
    lifetime: PhantomData<&'a ()>,
}

impl<'a> VmHeap<'a> {
    /// Wraps the heap of an environment.
    ///
    /// # Safety
    /// During `'a` the environment is valid and only this thread uses it.
    #[inline]
    pub unsafe fn new(env: *mut ErlNifEnv) -> Self {
        VmHeap {
            env,
            lifetime: PhantomData,
        }
    }

    /// Returns the environment.
    #[inline]
    pub(super) fn env(self) -> *mut ErlNifEnv {
        self.env
    }

    #[inline]
    pub(super) fn term(self, raw: ErlNifTerm) -> VmTerm<'a> {
        // SAFETY: each caller has just created `raw` in this environment, which is valid during
        // `'a`.
        unsafe { VmTerm::new(self.env, raw) }
    }
}
