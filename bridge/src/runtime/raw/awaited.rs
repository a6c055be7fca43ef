//! The operations of a process whose callbacks await.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use super::context::Now;
use super::future_slot::FutureSlot;
use super::outbox::Outbox;
use super::wake::Root;
use crate::nif::{ProcessWord, RawTerm, Scheduler};
use crate::runtime::cost::slice::Slices;
use crate::runtime::cost::under_way::WaitingCallback;
use crate::runtime::exchange::inbound::Inbound;
use crate::runtime::exchange::{Exchange, OperationId};
use crate::runtime::failure::unanswered::Unanswered;
use crate::runtime::registry::RunningClause;
use crate::tasks::Executor;

/// The operations that the callbacks of a process await, and related data.
pub(crate) struct Awaiting {
    pub(crate) exchange: RefCell<Exchange<RawTerm>>,
    /// The waker from which all others are cloned.
    pub(crate) root: Root,
    pub(super) future: FutureSlot,
    /// The clause of the future.
    pub(in crate::runtime) clause: Cell<Option<&'static RunningClause>>,
    /// The entry for other processes that list callbacks.
    pub(in crate::runtime) under_way: WaitingCallback,
    /// The kind of scheduler that the callback requested.
    pub(crate) scheduler: Cell<Scheduler>,
    /// Callers that the callback has dropped before it waited.
    pub(in crate::runtime) unanswered: RefCell<Vec<Unanswered>>,
    /// The return value of the callback, if its term is not built yet.
    pub(in crate::runtime) later: Cell<Option<Box<dyn Unencoded>>>,
    /// The tasks of the process, if it has had any.
    pub(in crate::runtime) tasks: OnceCell<Arc<Executor>>,
    /// The mailboxes of tasks that other processes send to.
    pub(in crate::runtime) inbound: RefCell<Inbound>,
    /// The operation that wakes the process for the timers of its tasks, and the millisecond of
    /// their clock at which it does.
    pub(in crate::runtime) alarm: Cell<Option<(OperationId, u64)>>,
    /// The clause that stands for the tasks, if there have been any.
    pub(in crate::runtime) tasks_of: Cell<Option<&'static RunningClause>>,
    /// Whether other processes and threads may send requests at any time, so that the process
    /// cannot wait for one operation alone.
    pub(in crate::runtime) is_asked: Cell<bool>,
    pub(in crate::runtime) slices: Slices,
    /// The deferred sends of the running call.
    pub(in crate::runtime) outbox: Outbox,
}

impl Awaiting {
    /// Creates the data of a process, when its first callback awaits.
    pub(super) fn of(process: ProcessWord) -> Self {
        Awaiting {
            exchange: RefCell::new(Exchange::new()),
            root: Root::new(Some(process)),
            future: FutureSlot::new(),
            clause: Cell::new(None),
            under_way: WaitingCallback::of(process),
            scheduler: Cell::new(Scheduler::Normal),
            unanswered: RefCell::new(Vec::new()),
            later: Cell::new(None),
            tasks: OnceCell::new(),
            inbound: RefCell::new(Inbound::default()),
            alarm: Cell::new(None),
            tasks_of: Cell::new(None),
            is_asked: Cell::new(false),
            slices: Slices::default(),
            outbox: Outbox::default(),
        }
    }

    /// Returns whether there is no operation, no action and no clone of the waker.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        !self.root.is_shared() && self.exchange.borrow().is_idle()
    }
}

/// The return value of a callback whose term is built on a dirty scheduler, because that takes
/// long.
pub(in crate::runtime) trait Unencoded: Send {
    fn encode(&self, now: &Now<'_>) -> RawTerm;
}
