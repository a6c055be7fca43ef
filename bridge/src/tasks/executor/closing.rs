//! Dropping all tasks of a process at once, with a callback or with the process. A million tasks
//! take some tenths of a second. So if a process with many tasks has ended, another process drops
//! them in small batches.
#![allow(unsafe_code)]

use super::Executor;
use super::claim::Held;
use super::local::Local;
use crate::nif::contained;
use crate::tasks::raw::task;
use crate::tasks::raw::task::Flags;

/// The result of dropping tasks of a process that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// All tasks are dropped.
    All,
    /// Some tasks are left.
    Some,
    /// A call of the process still runs.
    NotNow,
}

impl Executor {
    /// Registers a call that starts on a dirty scheduler. Returns `None` if the process has ended
    /// and its tasks are being dropped: then the call must not touch them.
    pub(crate) fn hold(&self) -> Option<Held<'_>> {
        self.claim.hold()
    }

    /// Records that another process will drop the tasks after this process has ended.
    pub(crate) fn set_has_drop_process(&self) {
        if let Some(local) = self.here() {
            local.has_drop_process.set(true);
        }
    }

    /// Drops and frees all tasks, in a call of the process, outside of a task's turn.
    pub(crate) fn end_all(&self) {
        let Some(local) = self.here() else { return };
        // Destructors cannot start new tasks.
        let was_closed = local.is_closed.replace(true);
        local.sweeps.set(local.sweeps.get() + 1);
        local.sweep(usize::MAX);
        local.is_closed.set(was_closed);
    }

    /// Drops and frees all tasks when the process ends. No call of the process runs.
    pub(crate) fn close(&self) {
        self.close_at_most(usize::MAX);
    }

    /// Drops and frees up to `count` tasks of a process that has ended. None of its calls runs on a
    /// normal scheduler.
    pub(crate) fn close_some(&self, count: usize) -> Closed {
        match self.claim.close() {
            true if self.close_at_most(count) => Closed::All,
            true => Closed::Some,
            false => Closed::NotNow,
        }
    }

    /// Closes the inbox and drops up to `count` tasks. Returns whether none are left.
    fn close_at_most(&self, count: usize) -> bool {
        self.enter();
        self.local.is_closed.set(true);
        // The destructors of the mail may use the executor.
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
    /// Drops and frees up to `count` tasks, from the last slot to the first, so that slots can be
    /// freed at the same time. No task is being polled, and none is started until it returns.
    /// Returns whether none are left.
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
            // A removed task in the queue is freed when it is taken out of the queue, and no task
            // will have a turn. So take one out for each task.
            let _ = self.next();
        }
        false
    }
}
