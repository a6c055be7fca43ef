//! The environment of a running NIF call, with its operations of the VM.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZeroUsize;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use otp_contract::library::CALLBACK;
use rustler::sys::{
    ErlNifEnv, ErlNifPid, ErlNifTerm, enif_consume_timeslice, enif_is_process_alive,
    enif_make_badarg, enif_make_pid, enif_raise_exception, enif_schedule_nif, enif_self, enif_send,
    enif_thread_type, enif_whereis_pid,
};

use super::library::Nif;
use super::{Scheduler, VmHeap, VmTerm, atom};
use crate::term::types::{Atom, Identity, Pid};
use crate::term::{Heap, ToTerm};

/// The environment of a NIF call that lasts for `'a`.
#[derive(Clone, Copy)]
pub(crate) struct VmEnv<'a> {
    raw: *mut ErlNifEnv,
    lifetime: PhantomData<&'a ()>,
}

/// The VM's word for a local process. Two processes are the same if their words are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProcessWord(pub(super) NonZeroUsize);

/// The kind of the VM's thread that the code runs on. It is a whole word, because a smaller field
/// would be followed by padding, and the compiler would copy the structure in pieces that do not
/// start at its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thread(isize);

impl Thread {
    /// Returns a thread that runs NIFs of this kind.
    pub(crate) const fn of(scheduler: Scheduler) -> Self {
        // ERL_NIF_THR_NORMAL_SCHEDULER and so on
        Thread(match scheduler {
            Scheduler::Normal => 1,
            Scheduler::DirtyCpu => 2,
            Scheduler::DirtyIo => 3,
        })
    }

    /// Returns the calling thread.
    #[inline]
    pub(crate) fn current() -> Self {
        // SAFETY: no preconditions.
        Thread(unsafe { enif_thread_type() } as isize)
    }

    /// Returns whether the thread is a normal scheduler, which must not be held for long.
    #[inline]
    pub(crate) fn is_normal_scheduler(self) -> bool {
        self == Self::of(Scheduler::Normal)
    }

    /// Returns whether the thread is a scheduler of any kind.
    #[inline]
    pub(crate) fn is_scheduler(self) -> bool {
        self.0 > 0
    }
}

impl<'a> VmEnv<'a> {
    /// # Safety
    /// `raw` is the environment of the running NIF call, which lasts for `'a`.
    #[inline]
    pub(crate) unsafe fn new(raw: *mut ErlNifEnv) -> Self {
        VmEnv {
            raw,
            lifetime: PhantomData,
        }
    }

    pub(super) fn raw(self) -> *mut ErlNifEnv {
        self.raw
    }

    /// Returns the heap of the calling process.
    #[inline]
    pub(crate) fn heap(self) -> VmHeap<'a> {
        // SAFETY: by `new`, the environment is valid during `'a` and used by this thread only.
        unsafe { VmHeap::new(self.raw) }
    }

    /// Returns an argument of this call, or a term that was made in it.
    ///
    /// # Safety
    /// `raw` is a term of this environment.
    #[inline]
    pub(crate) unsafe fn term(self, raw: ErlNifTerm) -> VmTerm<'a> {
        // SAFETY: by the contract above.
        unsafe { VmTerm::new(self.raw, raw) }
    }

    /// Returns whether a term belongs to this environment.
    #[inline]
    pub(crate) fn has(self, term: VmTerm<'_>) -> bool {
        term.env() == self.raw
    }

    /// Returns the calling process.
    #[inline]
    pub(crate) fn process(self) -> ProcessWord {
        ProcessWord(NonZeroUsize::new(self.process_number()).unwrap_or(NonZeroUsize::MIN))
    }

    /// Returns whether this is the calling process.
    #[inline]
    pub(crate) fn is_of(self, process: ProcessWord) -> bool {
        self.process_number() == process.number()
    }

    #[inline]
    fn process_number(self) -> usize {
        let mut pid = MaybeUninit::uninit();
        // SAFETY: `enif_self` fills `pid` in whenever a process is calling, as in every NIF.
        atom::word(unsafe {
            enif_self(self.raw, pid.as_mut_ptr());
            enif_make_pid(self.raw, pid.assume_init())
        })
    }

    /// Reports to the VM which share of a timeslice the call has used, in per cent.
    pub(crate) fn consume_timeslice(self, percent: i32) {
        // SAFETY: the environment is that of the running call; the VM accepts 1 to 100.
        unsafe { enif_consume_timeslice(self.raw, percent.clamp(1, 100)) };
    }

    /// Makes the call raise `error:Reason`.
    pub(crate) fn raise(self, reason: &impl ToTerm) -> ErlNifTerm {
        let reason = reason.to_term(self.heap()).raw();
        // SAFETY: the environment is that of the running call, and the reason belongs to it.
        unsafe { enif_raise_exception(self.raw, reason) }
    }

    /// Makes the VM call another function with these arguments, on a scheduler of this kind. The
    /// result of that function becomes the result of this call.
    ///
    /// # Safety
    /// The arguments must be terms of this environment, as many as the function takes.
    pub(crate) unsafe fn go_on_by(
        self,
        function: Nif,
        scheduler: Scheduler,
        arguments: &[ErlNifTerm],
    ) -> ErlNifTerm {
        let (name, count) = (CALLBACK, c_int::try_from(arguments.len()).unwrap_or(0));
        // SAFETY: by the contract above. The name is a C string, and the VM copies it and the
        // arguments.
        unsafe {
            enif_schedule_nif(
                self.raw,
                name.as_ptr(),
                c_int::from(scheduler.flags()),
                function,
                count,
                arguments.as_ptr(),
            )
        }
    }

    /// Makes the call raise `error:badarg`.
    pub(crate) fn badarg(self) -> ErlNifTerm {
        // SAFETY: the environment is that of the running call.
        unsafe { enif_make_badarg(self.raw) }
    }

    /// Returns the local process with this identifier.
    #[inline]
    pub(crate) fn local(pid: &Pid) -> Option<ProcessWord> {
        match pid.identity() {
            Identity::Local(word) => Some(ProcessWord(*word)),
            Identity::External(_) => None,
        }
    }

    /// Returns the local process of a pid that was read from bytes or created from its parts.
    #[inline]
    pub(crate) fn find_local(self, pid: &Pid) -> Option<ProcessWord> {
        use crate::term::View;
        let found = self.heap().pid(pid).pid()?;
        Self::local(&found)
    }

    /// Returns whether a process has not ended.
    pub(crate) fn is_alive(self, process: ProcessWord) -> bool {
        let mut pid = process.pid();
        // SAFETY: the environment is this call's, and the identifier is one of a local process.
        unsafe { enif_is_process_alive(self.raw, &raw mut pid) != 0 }
    }

    /// Returns the process that is registered under a name.
    pub(crate) fn whereis(self, name: &Atom) -> Option<ProcessWord> {
        let name = self.heap().dynamic_atom(name).raw();
        let mut pid = MaybeUninit::<ErlNifPid>::uninit();
        // SAFETY: the name is a term of the environment, and `pid` is filled in if the result is
        // not 0.
        unsafe {
            if enif_whereis_pid(self.raw, name, pid.as_mut_ptr()) == 0 {
                return None;
            }
            let term = enif_make_pid(self.raw, pid.assume_init());
            NonZeroUsize::new(atom::word(term)).map(ProcessWord)
        }
    }

    /// Sends a term of this environment. If the process has ended, the message is lost, as in
    /// Erlang.
    ///
    /// # Panics
    /// If the message is a term of another environment.
    #[inline]
    pub(crate) fn send(self, to: ProcessWord, message: VmTerm<'_>) {
        assert!(self.has(message), "a term of another environment");
        let to = to.pid();
        // SAFETY: the message is a term of this environment. Without a message environment, the VM
        // copies it.
        unsafe { enif_send(self.raw, &to, ptr::null_mut(), message.raw()) };
    }
}

/// A process that any thread may look up and set. Initially there is none.
pub(crate) struct ProcessSlot(AtomicUsize);

impl ProcessSlot {
    pub(crate) const fn new() -> Self {
        ProcessSlot(AtomicUsize::new(0))
    }

    /// Sets the process. Returns whether it was another one.
    pub(crate) fn set(&self, process: ProcessWord) -> bool {
        self.0.swap(process.0.get(), Ordering::Relaxed) != process.0.get()
    }

    pub(crate) fn get(&self) -> Option<ProcessWord> {
        NonZeroUsize::new(self.0.load(Ordering::Relaxed)).map(ProcessWord)
    }
}

impl ProcessWord {
    /// Returns a process that does not exist.
    #[cfg(test)]
    pub(crate) fn of_test(word: NonZeroUsize) -> Self {
        ProcessWord(word)
    }

    pub(crate) fn identifier(self) -> Pid {
        Pid::local(self.0)
    }

    /// Returns the word as a number, which is not 0.
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0.get()
    }

    /// Returns the process with that number.
    pub(crate) fn of_number(number: usize) -> Option<Self> {
        NonZeroUsize::new(number).map(ProcessWord)
    }

    #[inline]
    pub(super) fn pid(self) -> ErlNifPid {
        let mut pid = MaybeUninit::<ErlNifPid>::uninit();
        // SAFETY: a local pid is an immediate, and an `ErlNifPid` holds just that. The VM's own
        // `enif_make_pid` only reads that field.
        unsafe {
            pid.as_mut_ptr()
                .cast::<ErlNifTerm>()
                .write(atom::term(self.0.get()));
            pid.assume_init()
        }
    }
}

const _: () = assert!(size_of::<ErlNifPid>() == size_of::<ErlNifTerm>());
