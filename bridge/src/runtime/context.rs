//! The context of a callback: the link between its code and its process.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
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
    /// The NIF call that runs the callback; null in between.
    frame: Cell<*const Frame>,
    /// The callback gives its scheduler back, or wants another kind of it.
    pub(crate) gives_way: Cell<Option<Scheduler>>,
    /// Ticks that no timeslice has been charged with yet.
    pub(super) uncharged: Cell<u32>,
    pub(crate) process: ProcessWord,
    /// A state that is to take the place of the one that there is, when its borrower is done.
    pub(crate) made: Cell<Option<Made>>,
    /// What only callbacks need that await something, or ask the Erlang side for something.
    awaiting: OnceCell<Box<Awaiting>>,
}

/// A state of any type, behind a thin pointer: every process has room for one.
type Made = Box<Box<dyn Any + Send>>;

/// A NIF call that runs a callback. It lies on the stack of its thread.
pub(crate) struct Frame {
    env: *mut ErlNifEnv,
    pub(super) thread: Thread,
    /// The process's cell as a term of this call.
    pub(super) state: RawTerm,
    pub(super) slice_ends: Ticks,
}

/// The NIF call that runs a callback, on its own thread.
pub(crate) struct Now<'c> {
    env: Env<'c>,
    thread: Thread,
    /// The process's cell as a term of this call: what stands for the state.
    pub(crate) state: RawTerm,
    /// When the running slice is used up.
    pub(crate) slice_ends: Ticks,
}

impl<'c> Deref for Now<'c> {
    type Target = Env<'c>;

    #[inline]
    fn deref(&self) -> &Env<'c> {
        &self.env
    }
}

impl Now<'_> {
    /// Whether the callback runs on a dirty scheduler.
    pub(crate) fn is_dirty(&self) -> bool {
        !self.thread.is_normal_scheduler()
    }
}

impl Frame {
    #[inline]
    pub(crate) fn new(env: Env<'_>, thread: Thread, state: RawTerm, slice_ends: Ticks) -> Self {
        Frame {
            env: env.as_ptr(),
            thread,
            state,
            slice_ends,
        }
    }
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
// thread and the cell `frame`. That is written only at the beginning and the end of a call, when no
// other thread has the reference. Of the threads that can have it during the call (it is no longer than
// the call, so they are joined before the poll goes on: `std::thread::scope` and the like) none is a
// scheduler thread, which a poll in the VM runs on. For a call without a VM it is the thread's own
// identity.
unsafe impl Sync for Cx<'_> {}

/// The backend, on the thread that it belongs to.
pub(crate) enum Here<'c> {
    Vm(&'c VmCall, Now<'c>),
    Owned(&'c OwnedCall),
}

impl<'call> Cx<'call> {
    /// The context of a process's callbacks.
    pub(crate) fn of_process(process: ProcessWord) -> Self {
        let call = VmCall {
            frame: Cell::new(ptr::null()),
            gives_way: Cell::new(None),
            uncharged: Cell::new(0),
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

    /// The same for what means nothing when the process is gone; `None` then. A callback that is
    /// killed while it waits leaves variables, and their destructors may still use the context.
    ///
    /// # Panics
    /// As [`Cx::here`].
    #[inline]
    pub(crate) fn here_if_alive(&self) -> Option<Here<'_>> {
        match self.try_here() {
            None if !self.is_left() => elsewhere(),
            here => here,
        }
    }

    /// Whether no call of the process runs: whoever has the context drops what the process has left, on
    /// whichever thread of the VM. While threads of a callback's own have it, its call runs.
    #[cold]
    fn is_left(&self) -> bool {
        match &self.backend {
            Backend::Vm(call) => call.frame.get().is_null(),
            Backend::Owned(_) => false,
        }
    }

    /// The process, where there is a VM.
    pub(crate) fn process(&self) -> Option<ProcessWord> {
        match &self.backend {
            Backend::Vm(call) => Some(call.process),
            Backend::Owned(_) => None,
        }
    }

    /// The backend, if this is the thread that runs a call of the process: for destructors, which may
    /// run after it.
    #[inline]
    pub(crate) fn try_here(&self) -> Option<Here<'_>> {
        match &self.backend {
            Backend::Vm(call) => {
                let thread = Thread::current();
                if !thread.is_scheduler() {
                    return None;
                }
                // SAFETY: the call under way set the pointer, to a frame on its stack, and takes it
                // back before it ends. This is a scheduler, so it is its thread: what is done with
                // the answer is done before.
                let frame = unsafe { call.frame.get().as_ref() }?;
                if frame.thread != thread {
                    return None;
                }
                let now = Now {
                    // SAFETY: as above.
                    env: unsafe { Env::new(frame.env) },
                    thread,
                    state: frame.state,
                    slice_ends: frame.slice_ends,
                };
                Some(Here::Vm(call, now))
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
    ///
    /// # Safety
    /// The frame stays where it is until [`VmCall::leave`] is called, by the same call.
    #[inline]
    pub(crate) unsafe fn enter(&self, frame: &Frame) {
        self.frame.set(frame);
    }

    /// It ends.
    #[inline]
    pub(crate) fn leave(&self) {
        self.frame.set(ptr::null());
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
