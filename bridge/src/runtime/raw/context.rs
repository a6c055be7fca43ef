//! The context of a callback: it links the callback's code to its process.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr;
use std::sync::Arc;

use super::awaited::Awaiting;
use super::frame::Frame;
use super::wake::Root;
use crate::nif::{ClockTicks, ProcessWord, Scheduler, ThreadId, VmEnv, VmTerm};
use crate::runtime::exchange::Exchange;
use crate::runtime::registry::{ModuleEntry, RunningClause};
use crate::tasks::Executor;
use crate::{Pid, Term};

/// The context of a callback, with the operations of its process.
///
/// Awaiting never blocks a scheduler thread: the process itself waits for a message, as it would in
/// Erlang.
///
/// A context belongs to one call of one callback. A callback cannot create one, store it in a
/// state, or use it on another thread.
///
/// ```
/// use std::time::Duration;
///
/// use otp_bridge::{Atom, Cx, Result, atom};
/// # use otp_bridge_novm as _;
///
/// async fn note(cx: &Cx<'_>) -> Result<Atom> {
///     cx.send(&atom!("journal"), (cx.pid(), "here"));            // journal ! {self(), <<"here">>}
///     cx.sleep(Duration::from_millis(10)).await?;                // receive after 10 -> ok end
///     cx.apply("erlang", "node", ()).await                       // erlang:node()
/// }
/// ```
pub struct Cx<'call> {
    backend: Backend,
    call: PhantomData<&'call ()>,
}

enum Backend {
    Vm(VmCall),
    /// Boxed, because every process of a VM has a context of the other variant.
    Owned(Box<OwnedCall>),
}

/// A process of the VM, with its running call.
pub(crate) struct VmCall {
    /// The NIF call that runs the callback. Null between calls.
    frame: Cell<*const Frame<'static>>,
    /// Set when the callback yields its scheduler or requests a scheduler of another kind.
    pub(crate) gives_way: Cell<Option<Scheduler>>,
    /// Whether an [`IdleCell`](super::idle_cell::IdleCell) uses the state.
    pub(super) is_used: Cell<bool>,
    /// Ticks that have not been charged to a timeslice yet.
    pub(in crate::runtime) uncharged: Cell<u32>,
    pub(crate) process: ProcessWord,
    /// A state that will replace the current one as soon as the current one is no longer borrowed.
    pub(crate) made: Cell<Option<Made>>,
    /// Created only by callbacks that await an operation or send requests to the Erlang side.
    awaiting: OnceCell<Box<Awaiting>>,
}

/// A state of any type. The outer box makes the pointer thin, since every process has a field for
/// it.
type Made = Box<Box<dyn Any + Send>>;

/// The NIF call that runs a callback, as its own thread sees it.
#[derive(Clone, Copy)]
pub(crate) struct Now<'c>(&'c Frame<'c>);

impl<'c> Deref for Now<'c> {
    type Target = VmEnv<'c>;

    #[inline]
    fn deref(&self) -> &VmEnv<'c> {
        &self.0.env
    }
}

impl<'c> Now<'c> {
    /// Returns the process's cell as a term of this call, which represents the state in return
    /// values.
    #[inline]
    pub(crate) fn state(self) -> VmTerm<'c> {
        self.0.state_term()
    }

    /// Returns the module of the running callback.
    #[inline]
    pub(in crate::runtime) fn module(self) -> &'static ModuleEntry {
        self.0.clause.module
    }

    /// Returns whether the callback runs on a dirty scheduler.
    #[inline]
    pub(crate) fn is_dirty(self) -> bool {
        !self.0.thread.is_normal_scheduler()
    }

    /// Returns when the current slice is used up.
    pub(crate) fn slice_ends(self) -> ClockTicks {
        self.0.slice_ends()
    }
}

/// A call without a VM.
pub(crate) struct OwnedCall {
    pub(crate) process: Pid,
    /// The module of the callback, if it is called as Erlang would call it.
    pub(in crate::runtime) module: Option<&'static ModuleEntry>,
    thread: ThreadId,
    pub(crate) exchange: RefCell<Exchange<Term>>,
    pub(crate) root: Root,
    /// The tasks of the call, if it has had any.
    pub(in crate::runtime) tasks: OnceCell<Arc<Executor>>,
    /// The return value of the callback.
    pub(crate) returned: RefCell<Option<Term>>,
    /// A state that the callback has created.
    pub(crate) made: RefCell<Option<Box<dyn Any + Send>>>,
}

// SAFETY: a callback's future holds a `&Cx` and must be `Send`, since its process moves from one
// scheduler thread to another between two polls. Apart from that, no code uses a context on another
// thread. All its fields are accessed through `Cx::here`, which reads only the field `frame`, and
// in the frame the thread that runs the call. The field is written only at the start and the end of
// a call, when no other thread has the reference. Other threads can have the reference during the
// call only if they are joined before the poll continues (`std::thread::scope` and the like), since
// the reference does not outlive the call. None of them is the thread that runs the call. A call
// without a VM compares the thread, too.
unsafe impl Sync for Cx<'_> {}

/// The backend, on the thread that may use it.
pub(crate) enum Here<'c> {
    Vm(&'c VmCall, Now<'c>),
    Owned(&'c OwnedCall),
}

impl<'call> Cx<'call> {
    /// Creates the context of a process's callbacks.
    pub(crate) fn of_process(process: ProcessWord) -> Self {
        let call = VmCall {
            frame: Cell::new(ptr::null()),
            gives_way: Cell::new(None),
            is_used: Cell::new(false),
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

    /// Creates the context of a callback that runs on this thread without a VM.
    pub(crate) fn without_vm(process: Pid, module: Option<&'static ModuleEntry>) -> Self {
        let call = OwnedCall {
            process,
            module,
            thread: ThreadId::current(),
            exchange: RefCell::new(Exchange::new()),
            root: Root::new(None),
            tasks: OnceCell::new(),
            returned: RefCell::new(None),
            made: RefCell::new(None),
        };
        Cx {
            backend: Backend::Owned(Box::new(call)),
            call: PhantomData,
        }
    }

    /// Returns the backend of this call.
    ///
    /// # Panics
    /// If the calling thread is not the one that runs the callback.
    #[inline]
    pub(crate) fn here(&self) -> Here<'_> {
        match self.try_here() {
            Some(here) => here,
            None => elsewhere(),
        }
    }

    /// Like [`Cx::here`], but returns `None` if the process has ended. If a callback is killed
    /// while it waits, the destructors of its variables run later and may still use the context.
    ///
    /// # Panics
    /// Like [`Cx::here`].
    #[inline]
    pub(crate) fn here_if_alive(&self) -> Option<Here<'_>> {
        match self.try_here() {
            None if !self.is_left() => elsewhere(),
            here => here,
        }
    }

    /// Returns whether no call of the process runs. Then the context is being used to drop what the
    /// process has left behind, on some thread of the VM. If threads of a callback have the
    /// context, its call runs.
    #[cold]
    fn is_left(&self) -> bool {
        match &self.backend {
            Backend::Vm(call) => call.frame.get().is_null(),
            Backend::Owned(_) => false,
        }
    }

    /// Returns the process, if there is a VM.
    pub(crate) fn process(&self) -> Option<ProcessWord> {
        match &self.backend {
            Backend::Vm(call) => Some(call.process),
            Backend::Owned(_) => None,
        }
    }

    /// Returns the backend, if this thread runs a call of the process. For destructors, which may
    /// run after the call.
    #[inline]
    pub(crate) fn try_here(&self) -> Option<Here<'_>> {
        match &self.backend {
            Backend::Vm(call) => {
                // SAFETY: the running call set the pointer to a frame on its stack and resets it
                // before it ends. All users of the context during the call, on whichever thread,
                // are done before the call ends (see `Sync`).
                let frame = unsafe { call.frame.get().as_ref() }?;
                if frame.runs_on != ThreadId::current() {
                    return None;
                }
                Some(Here::Vm(call, Now(frame)))
            }
            Backend::Owned(call) => {
                (ThreadId::current() == call.thread).then_some(Here::Owned(call))
            }
        }
    }

    /// Returns the part that calls in the VM use, for the code that runs the process's calls.
    ///
    /// # Safety
    /// The caller must be a NIF call of the process that this context belongs to.
    pub(crate) unsafe fn vm(&self) -> Option<&VmCall> {
        match &self.backend {
            Backend::Vm(call) => Some(call),
            Backend::Owned(_) => None,
        }
    }
}

impl Cx<'_> {
    /// Like [`Cx::vm`], for the context of a process of the VM.
    ///
    /// # Safety
    /// Like [`Cx::vm`], and the context was created by [`Cx::of_process`].
    #[inline]
    pub(super) unsafe fn of_vm(&self) -> &VmCall {
        match &self.backend {
            Backend::Vm(call) => call,
            // SAFETY: by the contract above.
            Backend::Owned(_) => unsafe { std::hint::unreachable_unchecked() },
        }
    }
}

impl VmCall {
    /// Starts a NIF call.
    ///
    /// # Safety
    /// The frame must not be moved until the same call has called [`VmCall::leave`].
    #[inline]
    pub(crate) unsafe fn enter(&self, frame: &Frame<'_>) {
        self.frame.set(ptr::from_ref(frame).cast());
    }

    /// Returns whether a NIF call runs a clause or a task.
    pub(super) fn is_running(&self) -> bool {
        !self.frame.get().is_null()
    }

    /// Returns the running clause, in a NIF call of this process.
    pub(in crate::runtime) fn clause(&self) -> Option<&'static RunningClause> {
        // SAFETY: the pointer is to the frame of the running call, or null. Only the thread that
        // runs the call executes this.
        unsafe { self.frame.get().as_ref() }.map(|frame| frame.clause)
    }

    /// Records that the running clause has a future, and so may wait.
    pub(in crate::runtime) fn begins_to_wait(&self) {
        self.measure();
        // SAFETY: as in `clause`.
        if let Some(frame) = unsafe { self.frame.get().as_ref() } {
            let awaiting = self.awaiting();
            awaiting.clause.set(Some(frame.clause));
            awaiting.under_way.begins(frame.clause, frame.clock.began());
        }
    }

    /// Measures when the running NIF call started, if that is not known.
    pub(in crate::runtime) fn measure(&self) {
        // SAFETY: as in `clause`.
        if let Some(frame) = unsafe { self.frame.get().as_ref() } {
            frame.clock.measure();
        }
    }

    /// Ends the NIF call.
    #[inline]
    pub(crate) fn leave(&self) {
        self.frame.set(ptr::null());
    }

    /// Returns the data of awaited operations, created when the first callback awaits one.
    pub(crate) fn awaiting(&self) -> &Awaiting {
        self.awaiting
            .get_or_init(|| Box::new(Awaiting::of(self.process)))
    }

    /// Returns the tasks of the process, if it has had any.
    #[inline]
    pub(crate) fn tasks(&self) -> Option<&Arc<Executor>> {
        self.has_awaited()?.tasks.get()
    }

    /// Returns whether a completed callback has left no work to do, as far as the context knows.
    #[inline]
    pub(crate) fn has_only_ended(&self) -> bool {
        let made = self.made.take();
        let has_made = made.is_some();
        self.made.set(made);
        !has_made && self.has_awaited().is_none()
    }

    /// Returns the data of awaited operations, if they have been created.
    #[inline]
    pub(crate) fn has_awaited(&self) -> Option<&Awaiting> {
        self.awaiting.get().map(|awaiting| &**awaiting)
    }
}

#[cold]
fn elsewhere() -> ! {
    panic!(
        "the context of a callback can be used only by the thread that runs the callback, and only until it \
         returns; use `cx.sender()` in other threads"
    )
}

impl fmt::Debug for Cx<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cx")
    }
}
