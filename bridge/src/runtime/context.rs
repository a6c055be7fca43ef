//! The context of a callback: the link between its code and its process.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::thread::{self, ThreadId};

use rustler::sys::ErlNifEnv;

use super::exchange::Exchange;
use super::future_slot::FutureSlot;
use super::registry::RunningClause;
use super::wake::Root;
use crate::nif::{Env, ProcessWord, RawTerm, Scheduler, Thread, Ticks};
use crate::{Pid, Term};

/// What a callback can ask of its process.
///
/// Awaiting never blocks a scheduler thread: the process itself waits, in its own mailbox, as it
/// would in Erlang.
///
/// It belongs to one call of one callback: it cannot be made, kept in a state or used on another
/// thread.
pub struct Cx<'call> {
    backend: Backend,
    call: PhantomData<&'call ()>,
}

enum Backend {
    Vm(VmCall),
    /// Behind a pointer: every process has a context of the other kind.
    Owned(Box<OwnedCall>),
}

/// A process of the VM, and its running call.
pub(crate) struct VmCall {
    /// The environment of the NIF call that polls; null in between.
    env: Cell<*mut ErlNifEnv>,
    /// What kind of thread polls.
    thread: Cell<Thread>,
    /// The process's cell as a term of this call: what stands for the state.
    pub(crate) state: Cell<RawTerm>,
    /// When the running slice is used up.
    pub(crate) slice_ends: Cell<Ticks>,
    /// The callback gives its scheduler back, or wants another kind of it.
    pub(crate) gives_way: Cell<Option<Scheduler>>,
    pub(crate) process: ProcessWord,
    /// A state that is to take the place of the one that there is, when its borrower is done.
    pub(crate) made: Cell<Option<Box<dyn Any + Send>>>,
    /// What only callbacks need that await something, or ask the Erlang side for something.
    awaiting: OnceCell<Box<Awaiting>>,
}

/// What a process's callbacks await.
pub(crate) struct Awaiting {
    pub(crate) exchange: RefCell<Exchange<RawTerm>>,
    /// The root of the wakers.
    pub(crate) root: Root,
    pub(super) future: UnsafeCell<FutureSlot>,
    /// Whose future it is.
    pub(super) clause: Cell<Option<RunningClause>>,
    /// Which schedulers the callback asked for.
    pub(super) home: Cell<Scheduler>,
}

impl Awaiting {
    /// Whether nothing is under way or to be done, and nobody holds a waker.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        !self.root.is_shared() && self.exchange.borrow().is_idle()
    }
}

/// A call without a VM.
pub(crate) struct OwnedCall {
    pub(crate) process: Pid,
    thread: ThreadId,
    pub(crate) exchange: RefCell<Exchange<Term>>,
    pub(crate) root: Root,
}

// SAFETY: a callback's future holds a `&Cx` and must be `Send`, since its process goes from one
// scheduler thread to another between two polls. Nothing else ever uses a context off its thread:
// all its cells are reached by way of `Cx::here`, which looks at nothing but the kind of the calling
// thread and, if that is the one of the poll under way, at the two cells `env` and `thread`. These are
// written only at the beginning and the end of a poll. Of the threads that can have the reference at
// that time (it is no longer than the call, so they are joined before the poll goes on:
// `std::thread::scope` and the like) none is a scheduler thread, which a poll in the VM runs on. For a
// call without a VM it is the thread's own identity.
unsafe impl Sync for Cx<'_> {}

/// The backend, on the thread that it belongs to.
pub(crate) enum Here<'c> {
    Vm(&'c VmCall, Env<'c>),
    Owned(&'c OwnedCall),
}

impl<'call> Cx<'call> {
    /// The context of a process's callbacks.
    pub(crate) fn of_process(process: ProcessWord) -> Self {
        let call = VmCall {
            env: Cell::new(ptr::null_mut()),
            thread: Cell::new(Thread::NONE),
            state: Cell::default(),
            slice_ends: Cell::new(Ticks(0)),
            gives_way: Cell::new(None),
            process,
            made: Cell::new(None),
            awaiting: OnceCell::new(),
        };
        Cx {
            backend: Backend::Vm(call),
            call: PhantomData,
        }
    }

    /// The context of a callback that runs on this thread, without a VM.
    pub(crate) fn without_vm(process: Pid) -> Self {
        let call = OwnedCall {
            process,
            thread: thread::current().id(),
            exchange: RefCell::new(Exchange::new()),
            root: Root::new(None),
        };
        Cx {
            backend: Backend::Owned(Box::new(call)),
            call: PhantomData,
        }
    }

    /// The backend.
    ///
    /// # Panics
    /// On another thread than the one that runs the callback.
    #[inline]
    pub(crate) fn here(&self) -> Here<'_> {
        match self.try_here() {
            Some(here) => here,
            None => elsewhere(),
        }
    }

    /// The same where it may be used after the call: in a destructor.
    #[inline]
    pub(crate) fn try_here(&self) -> Option<Here<'_>> {
        match &self.backend {
            Backend::Vm(call) => {
                let thread = Thread::current();
                if !thread.is_scheduler() || call.thread.get() != thread || call.env.get().is_null()
                {
                    return None;
                }
                // SAFETY: the poll under way set the environment and takes it back before it ends;
                // this is its thread, so that what is done with the answer is done before.
                Some(Here::Vm(call, unsafe { Env::new(call.env.get()) }))
            }
            Backend::Owned(call) => {
                (thread::current().id() == call.thread).then_some(Here::Owned(call))
            }
        }
    }

    /// The VM's side, for whoever runs the process's calls.
    ///
    /// # Safety
    /// The caller is a NIF call of the process that this is the context of.
    pub(crate) unsafe fn vm(&self) -> Option<&VmCall> {
        match &self.backend {
            Backend::Vm(call) => Some(call),
            Backend::Owned(_) => None,
        }
    }
}

impl VmCall {
    /// A NIF call begins.
    #[inline]
    pub(crate) fn enter(&self, env: Env<'_>, thread: Thread, state: RawTerm, slice_ends: Ticks) {
        self.env.set(env.as_ptr());
        self.thread.set(thread);
        self.state.set(state);
        self.slice_ends.set(slice_ends);
    }

    /// It ends.
    #[inline]
    pub(crate) fn leave(&self) {
        self.env.set(ptr::null_mut());
    }

    /// What callbacks await; made when the first one does.
    pub(crate) fn awaiting(&self) -> &Awaiting {
        self.awaiting.get_or_init(|| {
            Box::new(Awaiting {
                exchange: RefCell::new(Exchange::new()),
                root: Root::new(Some(self.process)),
                future: UnsafeCell::new(FutureSlot::new()),
                clause: Cell::new(None),
                home: Cell::new(Scheduler::Normal),
            })
        })
    }

    /// The same, if there has been any.
    #[inline]
    pub(crate) fn has_awaited(&self) -> Option<&Awaiting> {
        self.awaiting.get().map(|awaiting| &**awaiting)
    }

    /// Whether the callback runs on a dirty scheduler.
    pub(crate) fn is_dirty(&self) -> bool {
        !self.thread.get().is_normal_scheduler()
    }
}

#[cold]
fn elsewhere() -> ! {
    panic!(
        "the context of a callback can be used by the thread that runs the callback, while it does; for other \
         threads there is `cx.sender()`"
    )
}

impl fmt::Debug for Cx<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cx")
    }
}
