//! How the tasks of a process end all at once: with a callback, or with the process. A million of
//! them take some tenths of a second, so that another process drops those of one that has ended,
//! some at a time.
#![allow(unsafe_code)]

use super::Executor;
use super::claim::Held;
use super::local::Local;
use crate::nif::contained;
use crate::tasks::raw::task;
use crate::tasks::raw::task::Flags;

/// What became of the tasks of a process that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// None are left.
    All,
    /// Some are.
    Some,
    /// A call of the process still runs.
    NotNow,
}

impl Executor {
    /// A call of the process begins on a dirty scheduler. `None` if the process has ended and its
    /// tasks are being dropped: the call must leave them alone.
    pub(crate) fn hold(&self) -> Option<Held<'_>> {
        self.claim.hold()
    }

    /// Another process will end the tasks after this one has ended.
    pub(crate) fn set_has_drop_process(&self) {
        if let Some(local) = self.here() {
            local.has_drop_process.set(true);
        }
    }

    /// Drops and frees all tasks, in a call of the process that is not a task's turn.
    pub(crate) fn end_all(&self) {
        let Some(local) = self.here() else { return };
        // Destructors do not start new ones.
        let was_closed = local.is_closed.replace(true);
        local.sweeps.set(local.sweeps.get() + 1);
        local.sweep(usize::MAX);
        local.is_closed.set(was_closed);
    }

    /// The process ends: all tasks are dropped and freed. No call of the process runs.
    pub(crate) fn close(&self) {
        self.close_at_most(usize::MAX);
    }

    /// The process has ended: drops and frees so many tasks. None of its calls runs on a normal
    /// scheduler.
    pub(crate) fn close_some(&self, count: usize) -> Closed {
        match self.claim.close() {
            true if self.close_at_most(count) => Closed::All,
            true => Closed::Some,
            false => Closed::NotNow,
        }
    }

    /// Returns whether none are left.
    fn close_at_most(&self, count: usize) -> bool {
        self.enter();
        self.local.is_closed.set(true);
        // The destructors of what is in there may refer to the executor, too.
        for mail in self.inbox.close() {
            contained(|| drop(mail));
        }
        let is_done = self.local.sweep(count);
        if is_done {
            self.local.end_events();
        }
        self.leave();
        is_done
    }
}

impl Local {
    /// Drops and frees so many tasks. None is being polled, and none is started meanwhile. Returns
    /// whether none are left. The last slot is the first one, so that slots can be given back on
    /// the way.
    fn sweep(&self, count: usize) -> bool {
        for _ in 0..count {
            let Some(task) = self.slab.last_before(self.swept.get()) else {
                while self.next().is_some() {}
                self.swept.set(u32::MAX);
                self.first.set(None);
                self.trim();
                self.names.take();
                return true;
            };
            let id = task.id.get();
            self.swept.set(id.index());
            if !task.has(Flags::ENDED) {
                // SAFETY: the task has not been removed, and none is being polled.
                unsafe { task::cancel(task.task()) };
            }
            self.free(id);
            // What is in the queue is freed when it is taken out, and no task will have a turn. So
            // each takes one out.
            let _ = self.next();
        }
        false
    }
}
