//! The part of a process's tasks that only calls of the process use.
#![allow(unsafe_code)]

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::panic::Location;
use std::ptr::{NonNull, null};
use std::sync::Arc;
use std::time::Duration;

use super::clock::{Clock, Long, Turn, milliseconds};
use super::events::Events;
use super::status::{Status, Waiting};
use crate::tasks::raw::pool::Pool;
use crate::tasks::raw::queue::Queue;
use crate::tasks::raw::slab::{Slab, TaskEntry, TaskId};
use crate::tasks::raw::task;
use crate::tasks::raw::task::{Flags, Header, TaskFailure};
use crate::tasks::raw::waiter::TaskWaker;
use crate::tasks::timers::TaskTimers;

/// The part of a process's tasks that only its own calls use.
pub(crate) struct Local {
    pub(in crate::tasks) slab: Slab,
    /// The memory pool, once there are many tasks.
    pub(in crate::tasks) pool: OnceCell<Box<Pool>>,
    pub(in crate::tasks) queue: Queue,
    /// The task to poll before the queue: it has requested another kind of scheduler.
    pub(in crate::tasks) first: Cell<Option<TaskId>>,
    /// The task that is being polled.
    pub(in crate::tasks) polling: Cell<*const Header>,
    pub(in crate::tasks) clock: Clock,
    pub(in crate::tasks) is_closed: Cell<bool>,
    /// See [`Local::sweeps`].
    pub(in crate::tasks) sweeps: Cell<u64>,
    /// Whether another process drops the tasks after this process has ended.
    pub(in crate::tasks) has_drop_process: Cell<bool>,
    /// Used while all tasks are dropped: this slot and those after it are empty.
    pub(in crate::tasks) swept: Cell<u32>,
    /// Whether a message that the process has sent to itself is on its way.
    pub(in crate::tasks) is_kicked: Cell<bool>,
    pub(in crate::tasks) failed: RefCell<Vec<FailedTask>>,
    pub(in crate::tasks) names: RefCell<HashMap<TaskId, Box<str>>>,
    pub(in crate::tasks) timers: RefCell<TaskTimers>,
    /// Whether `events` has a source.
    pub(in crate::tasks) has_events: Cell<bool>,
    pub(in crate::tasks) events: RefCell<Option<Arc<dyn Events>>>,
}

/// A failed task that is detached or linked to its process.
pub(crate) struct FailedTask {
    pub(crate) location: &'static Location<'static>,
    pub(crate) name: Option<Box<str>>,
    pub(crate) failure: TaskFailure,
    /// Whether the process fails if the task fails.
    pub(crate) is_linked: bool,
}

impl Local {
    pub(in crate::tasks) fn new() -> Self {
        Local {
            slab: Slab::new(),
            pool: OnceCell::new(),
            queue: Queue::new(),
            first: Cell::new(None),
            polling: Cell::new(null()),
            clock: Clock::new(),
            is_closed: Cell::new(false),
            sweeps: Cell::new(0),
            has_drop_process: Cell::new(false),
            swept: Cell::new(u32::MAX),
            is_kicked: Cell::new(false),
            failed: RefCell::new(Vec::new()),
            names: RefCell::new(HashMap::new()),
            timers: RefCell::new(TaskTimers::new()),
            has_events: Cell::new(false),
            events: RefCell::new(None),
        }
    }

    /// Returns the memory pool, if there have ever been many tasks.
    #[inline]
    pub(in crate::tasks) fn pool(&self) -> Option<&Pool> {
        self.pool.get().map(|pool| &**pool)
    }

    /// Frees memory that is reserved for future tasks.
    pub(in crate::tasks) fn trim(&self) {
        if let Some(pool) = self.pool() {
            pool.trim();
        }
    }

    /// Returns how often all tasks were freed at once while handles of them may have existed.
    #[inline]
    pub(in crate::tasks) fn sweeps(&self) -> u64 {
        self.sweeps.get()
    }

    /// Returns the number of tasks.
    pub(crate) fn live(&self) -> usize {
        self.slab.live()
    }

    /// Returns whether a task is runnable.
    pub(crate) fn is_runnable(&self) -> bool {
        !self.queue.is_empty() || self.first.get().is_some()
    }

    /// Returns the turn of the task that is being polled.
    #[inline]
    pub(crate) fn in_turn(&self) -> Option<Turn<'_>> {
        (!self.polling.get().is_null()).then_some(Turn(&self.clock))
    }

    /// Puts a task into the queue, unless it is there already.
    #[inline]
    pub(crate) fn wake(&self, id: TaskId) {
        if let Some(task) = self.slab.get(id) {
            self.queue(task);
        }
    }

    /// Like `wake`, for a task that was looked up.
    #[inline]
    pub(in crate::tasks) fn queue(&self, task: TaskEntry<'_>) {
        if !task.has(Flags::QUEUED) {
            // SAFETY: the task is not in the queue, and `free` does not free the memory of tasks
            // that are.
            unsafe { self.queue.push(task.task()) };
        }
    }

    /// Aborts a task at its next turn.
    pub(crate) fn abort(&self, id: TaskId) {
        if let Some(task) = self.slab.get(id) {
            task.set(Flags::ABORTED);
            self.queue(task);
        }
    }

    /// Drops a task's future at once. A task that is being polled, and so aborts itself, ends after
    /// its turn.
    pub(crate) fn end_now(&self, id: TaskId) {
        match self.slab.get(id) {
            Some(task) if task.has(Flags::ENDED) => {}
            Some(task) if std::ptr::eq(self.polling.get(), &raw const *task) => {
                task.set(Flags::ABORTED);
            }
            Some(task) => {
                // SAFETY: the task has not been removed, and it is not being polled: only one task
                // is polled at a time, and that is another one.
                unsafe { task::cancel(task.task()) };
                self.ended(id);
            }
            None => {}
        }
    }

    /// Returns how long a task has waited since its last turn. `None` if it has ended.
    pub(crate) fn idle(&self, id: TaskId) -> Option<Duration> {
        let task = self.slab.get(id)?;
        if task.has(Flags::ENDED) {
            return None;
        }
        let waited = if task.has(Flags::QUEUED) {
            0
        } else {
            milliseconds().wrapping_sub(task.since.get())
        };
        Some(Duration::from_millis(u64::from(waited)))
    }

    /// Reports a failure that has no task, or whose task is detached.
    pub(crate) fn report(&self, location: &'static Location<'static>, failure: TaskFailure) {
        self.failed.borrow_mut().push(FailedTask {
            location,
            name: None,
            failure,
            is_linked: false,
        });
    }

    /// Reports the first task that has not ended, if there is one. None of the remaining tasks will
    /// run again.
    pub(crate) fn report_left(&self, why: impl FnOnce() -> TaskFailure) {
        let left = self.slab.tasks().find(|task| !task.has(Flags::ENDED));
        if let Some(task) = left {
            self.restarted(task.id.get(), why());
        }
    }

    /// Reports that a task is restarted, like the failure of a detached task.
    pub(crate) fn restarted(&self, id: TaskId, failure: TaskFailure) {
        if let Some(task) = self.slab.get(id) {
            self.failed.borrow_mut().push(FailedTask {
                location: task.location,
                name: self.name_of(id).map(String::into_boxed_str),
                failure,
                is_linked: false,
            });
        }
    }

    /// Links a task to its process, which then fails with the task.
    pub(crate) fn link(&self, id: TaskId) {
        if let Some(task) = self.slab.get(id) {
            task.set(Flags::LINKED);
        }
    }

    /// Gives a task a name for reports.
    pub(crate) fn name(&self, id: TaskId, name: Box<str>) {
        if let Some(task) = self.slab.get(id) {
            task.set(Flags::NAMED);
            self.names.borrow_mut().insert(id, name);
        }
    }

    /// Marks a task as detached.
    #[inline]
    pub(crate) fn detach(&self, id: TaskId) {
        match self.slab.get(id) {
            Some(task) if task.has(Flags::ENDED) => self.free(id),
            Some(task) => task.set(Flags::DETACHED),
            None => {}
        }
    }

    /// Returns whether a task has ended.
    pub(crate) fn has_ended(&self, id: TaskId) -> bool {
        let task = self.slab.get(id);
        task.is_none_or(|task| task.has(Flags::ENDED))
    }

    /// Returns a task, unless it has been removed.
    pub(in crate::tasks) fn entry(&self, id: TaskId) -> Option<TaskEntry<'_>> {
        self.slab.get(id)
    }

    /// Returns the data that clones of the task's waker share.
    pub(in crate::tasks) fn waker(
        &self,
        id: TaskId,
        new: impl FnOnce() -> Arc<TaskWaker>,
    ) -> Arc<TaskWaker> {
        let Some(task) = self.slab.get(id) else {
            return new();
        };
        let waker = task.waker.take().unwrap_or_else(new);
        task.waker.set(Some(Arc::clone(&waker)));
        waker
    }

    /// Called when a task's future has completed or was dropped.
    pub(in crate::tasks) fn ended(&self, id: TaskId) {
        let Some(task) = self.slab.get(id) else {
            return;
        };
        task.set(Flags::ENDED);
        let name = if task.has(Flags::NAMED) {
            self.names.borrow_mut().remove(&id)
        } else {
            None
        };
        let is_linked = task.has(Flags::LINKED);
        let is_detached = task.has(Flags::DETACHED);
        if is_linked || is_detached {
            // SAFETY: the task has not been removed and is not being polled.
            if let Some(failure) = unsafe { task::failure(task.task()) } {
                self.failed.borrow_mut().push(FailedTask {
                    location: task.location,
                    name,
                    failure,
                    is_linked,
                });
            }
        }
        let joiner = task.joiner.take();
        if is_detached {
            self.free(id);
        }
        // A waker is user code: it may free the task by dropping its handle.
        joiner.wake(self);
    }

    /// Removes a task that is not being polled.
    pub(in crate::tasks) fn free(&self, id: TaskId) {
        let Some(task) = self.slab.remove(id) else {
            return;
        };
        // SAFETY: the task has just been removed, so that it can no longer be looked up, and it is
        // not being polled: a task is freed when it has ended, or by `close`. If it is in the
        // queue, its memory stays until it is taken out.
        unsafe {
            task::clear(task);
            if task.as_ref().has(Flags::QUEUED) {
                task.as_ref().set(Flags::REMOVED)
            } else {
                task::free(task, self.pool())
            }
        }
    }

    /// Takes the first task out of the queue. Queued tasks that have been removed are skipped and
    /// freed.
    #[inline(always)]
    pub(in crate::tasks) fn next(&self) -> Option<NonNull<Header>> {
        loop {
            let task = self.queue.pop()?;
            // SAFETY: the memory of a task in the queue is not freed, and the task has just been
            // taken out of the queue.
            unsafe {
                if !task.as_ref().has(Flags::REMOVED) {
                    return Some(task);
                }
                self.free_memory(task);
            }
        }
    }

    /// # Safety
    /// Like `task::free`.
    #[cold]
    unsafe fn free_memory(&self, task: NonNull<Header>) {
        // SAFETY: by the contract.
        unsafe { task::free(task, self.pool()) };
    }

    /// Takes the failures of detached and linked tasks.
    pub(crate) fn failures(&self) -> Vec<FailedTask> {
        self.failed.take()
    }

    /// Takes a failure of a linked task.
    pub(crate) fn linked_failure(&self) -> Option<FailedTask> {
        let mut failed = self.failed.borrow_mut();
        let linked = failed.iter().position(|it| it.is_linked)?;
        Some(failed.remove(linked))
    }

    /// Takes the longest of the turns that took too long.
    pub(crate) fn long(&self) -> Option<Long> {
        self.clock.long.take()
    }

    /// Returns a summary of all tasks. It visits each of them, which takes some nanoseconds per
    /// task.
    pub(crate) fn status(&self) -> Status {
        let now = milliseconds();
        let runs = |task: &TaskEntry<'_>| task.has(Flags::QUEUED);
        let waits = |task: &TaskEntry<'_>| !task.has(Flags::QUEUED.or(Flags::ENDED));
        let age = |task: &TaskEntry<'_>| now.wrapping_sub(task.since.get());
        let running = self.slab.tasks().filter(runs).count();
        let longest = self.slab.tasks().filter(waits).max_by_key(age);
        Status {
            running,
            waiting: self.slab.live().saturating_sub(running),
            longest: longest.map(|task| Waiting {
                time: Duration::from_millis(u64::from(age(&task))),
                location: task.location,
                name: self.name_of(task.id.get()),
            }),
        }
    }

    pub(crate) fn name_of(&self, id: TaskId) -> Option<String> {
        self.names.borrow().get(&id).map(|name| name.to_string())
    }
}
