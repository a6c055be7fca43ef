//! What a process has while its callbacks or tasks await something.

use std::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use std::sync::Arc;

use super::exchange::{Exchange, OperationId};
use super::forgotten::Forgotten;
use super::future_slot::FutureSlot;
use super::inbound::Inbound;
use super::parcels::Outbox;
use super::registry::{ModuleEntry, RunningClause};
use super::returned::Unencoded;
use super::slice::Slices;
use super::wake::Root;
use crate::nif::{ProcessWord, RawTerm, Scheduler};
use crate::tasks::Executor;
/// What the callbacks of a process await.
pub(crate) struct Awaiting {
    pub(crate) exchange: RefCell<Exchange<RawTerm>>,
    /// The waker that all others are cloned from.
    pub(crate) root: Root,
    pub(super) future: UnsafeCell<FutureSlot>,
    /// The clause whose future this is.
    pub(super) clause: Cell<Option<RunningClause>>,
    /// The kind of scheduler that the callback asked for.
    pub(crate) scheduler: Cell<Scheduler>,
    /// Callers that the callback has dropped before it waited.
    pub(super) forgotten: RefCell<Vec<Forgotten>>,
    /// What the callback has returned, if its term is not built yet.
    pub(super) later: Cell<Option<Box<dyn Unencoded>>>,
    /// The tasks of the process, if it has had any.
    pub(super) tasks: OnceCell<Arc<Executor>>,
    /// The mailboxes of tasks that other processes send to.
    pub(super) inbound: RefCell<Inbound>,
    /// The operation that wakes the process for the timers of its tasks, and for which millisecond of theirs.
    pub(super) alarm: Cell<Option<(OperationId, u64)>>,
    /// The module of the callback that has made them.
    pub(super) tasks_of: Cell<Option<&'static ModuleEntry>>,
    pub(super) slices: Slices,
    /// What the running call has for other processes.
    pub(super) outbox: Outbox,
}

impl Awaiting {
    /// Nothing is awaited yet.
    pub(super) fn new(process: ProcessWord) -> Self {
        Awaiting {
            exchange: RefCell::new(Exchange::new()),
            root: Root::new(Some(process)),
            future: UnsafeCell::new(FutureSlot::new()),
            clause: Cell::new(None),
            scheduler: Cell::new(Scheduler::Normal),
            forgotten: RefCell::new(Vec::new()),
            later: Cell::new(None),
            tasks: OnceCell::new(),
            inbound: RefCell::new(Inbound::default()),
            alarm: Cell::new(None),
            tasks_of: Cell::new(None),
            slices: Slices::default(),
            outbox: Outbox::default(),
        }
    }

    /// Whether no operation has begun, no action is left and nobody holds a waker.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        !self.root.is_shared() && self.exchange.borrow().is_idle()
    }
}
