//! The tasks of one process, and their turns.
//!
//! Its callers are `runtime`, in calls of the process, and other threads, which only put requests
//! into its inbox. It does not know what a task waits for.
#![allow(unsafe_code)]

pub(super) mod claim;
pub(super) mod clock;
pub(super) mod closing;
pub(super) mod events;
pub(super) mod inbox;
pub(super) mod local;
pub(super) mod raw;
mod sleepers;
mod status;
pub(super) mod waiter;

use std::future::Future;
use std::panic::Location;
use std::ptr::{NonNull, null};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Context;

use crate::nif::{ClockTicks, ThreadId, contained};
use crate::tasks::raw::pool::Pool;
use crate::tasks::raw::slab::TaskId;
use crate::tasks::raw::task;
use crate::tasks::raw::task::{Flags, Header, TaskOutput};
use claim::Claim;
use clock::{ClockReading, Ended};
use inbox::{Inbox, Mail, Tell};
use local::Local;
use raw::waker::Polling;

/// A process with at least this many tasks has a memory pool for them.
const MANY: usize = 64;

/// If a process has more tasks than this, they are not dropped in one go, which would take longer
/// than a timeslice.
pub(in crate::tasks) const MANY_TO_END: usize = 4096;

/// A task that has been started.
pub(crate) struct Spawned {
    pub(crate) id: TaskId,
    /// Whether another process has to drop the tasks, because there are now too many, and none
    /// does.
    pub(crate) are_many: bool,
}

/// The tasks of one process. Handles on any thread refer to it, but only a call of the process may
/// access its [`Local`].
pub(crate) struct Executor {
    /// The thread that runs a call of the process; 0 between calls.
    thread: AtomicUsize,
    pub(in crate::tasks) inbox: Inbox,
    pub(in crate::tasks) local: Local,
    pub(in crate::tasks) claim: Claim,
}

// SAFETY: `local` is reached only through `here` and `enter`, that is, on the thread that runs a
// call of the process, and by `close` and `close_some`, when no call runs or will run. A process
// runs on one thread at a time. The VM's scheduler hands the process over from one thread to the
// next, which makes the writes of the first visible to the second. The contents of `local` may be
// on any thread: futures, outputs and mail are `Send` by the bounds of `spawn` and `Mail`.
unsafe impl Send for Executor {}
// SAFETY: as above.
unsafe impl Sync for Executor {}

impl Executor {
    /// Creates the executor of the process whose call runs on this thread.
    pub(crate) fn new(tell: Tell) -> Arc<Self> {
        Arc::new(Executor {
            thread: AtomicUsize::new(ThreadId::current().number()),
            inbox: Inbox::new(tell),
            local: Local::new(),
            claim: Claim::new(),
        })
    }

    /// Returns the data that only the process may use. `None` unless this thread runs a call of it.
    #[inline]
    pub(crate) fn here(&self) -> Option<&Local> {
        // Another thread may read the number while this thread writes it, but never reads its own
        // number by mistake.
        let thread = self.thread.load(Ordering::Relaxed);
        (thread == ThreadId::current().number()).then_some(&self.local)
    }

    /// Marks the start of a call of the process on this thread.
    #[inline]
    pub(crate) fn enter(&self) {
        let thread = ThreadId::current().number();
        self.thread.store(thread, Ordering::Relaxed);
    }

    /// Marks the end of the call.
    #[inline]
    pub(crate) fn leave(&self) {
        self.thread.store(0, Ordering::Relaxed);
    }

    /// Leaves a request from another thread.
    pub(crate) fn post(&self, mail: Mail) {
        self.inbox.post(mail);
    }

    #[cfg(feature = "net")]
    /// Runs a closure in the next call of the process. The closure is dropped if the process has
    /// ended.
    pub(crate) fn in_process(&self, action: impl FnOnce() + Send + 'static) {
        self.post(Mail::Run(Box::new(|_| action())));
    }

    /// Puts a new task at the end of the queue. Returns `None` outside of a call of the process,
    /// and when the process has ended.
    ///
    /// # Safety
    /// All data that the future borrows must live until [`Executor::close`].
    pub(crate) unsafe fn spawn<F>(
        &self,
        future: F,
        location: &'static Location<'static>,
    ) -> Option<Spawned>
    where
        F: Future + Send,
        F::Output: TaskOutput,
    {
        let local = self.here().filter(|local| !local.is_closed.get())?;
        let live = local.live();
        let pool = match live {
            MANY.. => Some(&**local.pool.get_or_init(|| Box::new(Pool::new()))),
            _ => None,
        };
        // SAFETY: by the contract above: `close` drops the future.
        let task = unsafe { task::allocate(pool, future, location) };
        let Some(entry) = local.slab.insert(task) else {
            // SAFETY: no other code has a pointer to the task.
            unsafe {
                task::clear(task);
                task::free(task, local.pool());
            }
            return None;
        };
        local.queue(entry);
        Some(Spawned {
            id: entry.id.get(),
            are_many: live == MANY_TO_END && !local.has_drop_process.get(),
        })
    }

    /// Polls the tasks of the queue, one after the other, until no task is runnable, the slice
    /// ends, or the call is interrupted.
    #[inline]
    pub(crate) fn run(self: &Arc<Self>, ends: ClockTicks, is_interrupted: impl Fn() -> bool) {
        let Some(local) = self.here() else { return };
        if self.inbox.is_due() {
            self.take_mail();
        }
        local.wake_sleepers();
        local.turn_of_events();
        if !local.is_runnable() {
            return;
        }
        local.clock.begin(ends);
        let first = local.first.take();
        let mut next = match first.and_then(|id| local.slab.get(id)) {
            Some(first) => Some(first.task()),
            None => local.next(),
        };
        while let Some(task) = next {
            // SAFETY: a task that is in the slab, or has just come from the queue, has not been
            // removed.
            let id = unsafe { task.as_ref() }.id.get();
            // SAFETY: as above.
            let turn = unsafe { self.turn(local, task, id) };
            if self.inbox.has_mail() {
                self.take_mail();
            }
            if is_interrupted() {
                local.first.set(Some(id));
                break;
            }
            match local.clock.turn_ended(turn) {
                ClockReading::None => {}
                ClockReading::Within => local.wake_sleepers(),
                ClockReading::Over => break,
            }
            next = local.next();
            if next.is_none() {
                local.turn_of_events();
                next = local.next();
            }
        }
    }

    /// Gives a task its turn.
    ///
    /// # Safety
    /// The task must have this number and must not have been removed.
    #[inline(always)]
    unsafe fn turn(self: &Arc<Self>, local: &Local, task: NonNull<Header>, id: TaskId) -> Ended {
        // SAFETY: by the contract. The task is not removed while it is polled: code that aborts it
        // during the poll only marks it.
        let header = unsafe { task.as_ref() };
        let turn = Ended {
            location: header.location,
            is_first: !header.has(Flags::POLLED),
        };
        if header.has(Flags::ENDED.or(Flags::ABORTED)) {
            if !header.has(Flags::ENDED) {
                // SAFETY: the task has not been removed, and no task is being polled.
                unsafe { task::cancel(task) };
                local.ended(id);
            }
            return turn;
        }
        header.set(Flags::POLLED);
        header.since.set(local.clock.milliseconds());
        local.polling.set(task.as_ptr());
        local.clock.turn_begins();
        let polling = Polling { executor: self, id };
        let waker = polling.waker();
        // SAFETY: as above. Tasks are polled only here, one at a time, because a turn does not
        // start another one.
        let has_ended = unsafe { task::poll(task, &mut Context::from_waker(&waker)) };
        local.polling.set(null());
        if has_ended {
            local.ended(id);
        } else if header.has(Flags::ABORTED) {
            local.wake(id);
        }
        turn
    }

    fn take_mail(self: &Arc<Self>) {
        for mail in self.inbox.take() {
            match mail {
                Mail::Wake(id) => self.local.wake(id),
                Mail::Run(body) => contained(|| body(self)),
            }
        }
    }

    /// Called when the process is about to return from its tasks. Returns whether the process must
    /// run them again by itself: then other threads do not notify it of mail.
    pub(crate) fn rest(&self) -> bool {
        if self.local.is_runnable() || !self.inbox.rest() {
            return true;
        }
        self.local.trim();
        !self.local.rest_of_events()
    }

    /// Like `rest`, for a process that runs its tasks again when it gets a message. Returns whether
    /// it has to send itself one.
    pub(crate) fn needs_kick(&self) -> bool {
        self.rest() && !self.local.is_kicked.replace(true)
    }

    /// Called when the message of [`Executor::needs_kick`] has arrived.
    pub(crate) fn kicked(&self) {
        if let Some(local) = self.here() {
            local.is_kicked.set(false);
        }
    }
}
