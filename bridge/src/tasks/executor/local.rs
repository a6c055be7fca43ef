//! What only the calls of a process use of its tasks.
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

/// What only the process's own calls use.
pub(crate) struct Local {
    pub(in crate::tasks) slab: Slab,
    /// Memory for tasks, once there are many.
    pub(in crate::tasks) pool: OnceCell<Box<Pool>>,
    pub(in crate::tasks) queue: Queue,
    /// Polled before the queue: it has asked for another kind of scheduler.
    pub(in crate::tasks) first: Cell<Option<TaskId>>,
    /// The task whose turn it is.
    pub(in crate::tasks) polling: Cell<*const Header>,
    pub(in crate::tasks) clock: Clock,
    pub(in crate::tasks) is_closed: Cell<bool>,
    /// See [`Local::sweeps`].
    pub(in crate::tasks) sweeps: Cell<u64>,
    /// Whether another process ends the tasks after this one has ended.
    pub(in crate::tasks) has_drop_process: Cell<bool>,
    /// While all tasks are ended: there are none in this slot and behind it.
    pub(in crate::tasks) swept: Cell<u32>,
    /// Whether a message that the process has sent itself is on its way.
    pub(in crate::tasks) is_kicked: Cell<bool>,
    pub(in crate::tasks) failed: RefCell<Vec<FailedTask>>,
    pub(in crate::tasks) names: RefCell<HashMap<TaskId, Box<str>>>,
    pub(in crate::tasks) timers: RefCell<TaskTimers>,
    /// Whether there is something in `events`.
    pub(in crate::tasks) has_events: Cell<bool>,
    pub(in crate::tasks) events: RefCell<Option<Arc<dyn Events>>>,
}

/// A task whose failure nobody awaits, or that is its process's, too.
pub(crate) struct FailedTask {
    pub(crate) location: &'static Location<'static>,
    pub(crate) name: Option<Box<str>>,
    pub(crate) failure: TaskFailure,
    /// Whether the process ends with it.
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

    /// Memory for tasks, if there were ever many.
    #[inline]
    pub(in crate::tasks) fn pool(&self) -> Option<&Pool> {
        self.pool.get().map(|pool| &**pool)
    }

    /// Gives back memory that is kept for tasks to come.
    pub(in crate::tasks) fn trim(&self) {
        if let Some(pool) = self.pool() {
            pool.trim();
        }
    }

    /// How often all tasks were freed at once, while there may have been handles of them.
    #[inline]
    pub(in crate::tasks) fn sweeps(&self) -> u64 {
        self.sweeps.get()
    }

    /// How many tasks there are.
    pub(crate) fn live(&self) -> usize {
        self.slab.live()
    }

    /// Whether a task can go on.
    pub(crate) fn is_runnable(&self) -> bool {
        !self.queue.is_empty() || self.first.get().is_some()
    }

    /// The turn of the task that is being polled.
    #[inline]
    pub(crate) fn in_turn(&self) -> Option<Turn<'_>> {
        (!self.polling.get().is_null()).then_some(Turn(&self.clock))
    }

    /// Puts a task into the queue, if it waits.
    #[inline]
    pub(crate) fn wake(&self, id: TaskId) {
        if let Some(task) = self.slab.get(id) {
            self.queue(task);
        }
    }

    /// The same.
    #[inline]
    pub(in crate::tasks) fn queue(&self, task: TaskEntry<'_>) {
        if !task.has(Flags::QUEUED) {
            // SAFETY: it is not in the queue, and `free` does not free the memory of tasks that
            // are.
            unsafe { self.queue.push(task.task()) };
        }
    }

    /// Ends a task when it is next its turn.
    pub(crate) fn abort(&self, id: TaskId) {
        if let Some(task) = self.slab.get(id) {
            task.set(Flags::ABORTED);
            self.queue(task);
        }
    }

    /// Ends a task at once. One that is being polled, and so ends itself, ends after its turn.
    pub(crate) fn end_now(&self, id: TaskId) {
        match self.slab.get(id) {
            Some(task) if task.has(Flags::ENDED) => {}
            Some(task) if std::ptr::eq(self.polling.get(), &raw const *task) => {
                task.set(Flags::ABORTED);
            }
            Some(task) => {
                // SAFETY: the task has not been removed, and it is not being polled: only one is,
                // and that is another.
                unsafe { task::cancel(task.task()) };
                self.ended(id);
            }
            None => {}
        }
    }

    /// For how long a task has waited since its last turn. `None` if it has ended.
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

    /// Reports what is wrong where nobody awaits it.
    pub(crate) fn report(&self, location: &'static Location<'static>, failure: TaskFailure) {
        self.failed.borrow_mut().push(FailedTask {
            location,
            name: None,
            failure,
            is_linked: false,
        });
    }

    /// Reports a task that has not ended, if there is one: the first. None of them will go on.
    pub(crate) fn report_left(&self, why: impl FnOnce() -> TaskFailure) {
        let left = self.slab.tasks().find(|task| !task.has(Flags::ENDED));
        if let Some(task) = left {
            self.restarted(task.id.get(), why());
        }
    }

    /// Reports that a task is started again, as a failure that nobody awaits.
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

    /// A task's failure is its process's, too.
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

    /// Nobody awaits a task any more.
    #[inline]
    pub(crate) fn detach(&self, id: TaskId) {
        match self.slab.get(id) {
            Some(task) if task.has(Flags::ENDED) => self.free(id),
            Some(task) => task.set(Flags::DETACHED),
            None => {}
        }
    }

    /// Whether a task has ended.
    pub(crate) fn has_ended(&self, id: TaskId) -> bool {
        let task = self.slab.get(id);
        task.is_none_or(|task| task.has(Flags::ENDED))
    }

    /// A task that has not been removed.
    pub(in crate::tasks) fn entry(&self, id: TaskId) -> Option<TaskEntry<'_>> {
        self.slab.get(id)
    }

    /// What clones of the task's waker share.
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

    /// A task's future has ended or was dropped.
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
        // A waker's code is the user's: it may free the task by dropping its handle.
        joiner.wake(self);
    }

    /// Removes a task that is not being polled.
    pub(in crate::tasks) fn free(&self, id: TaskId) {
        let Some(task) = self.slab.remove(id) else {
            return;
        };
        // SAFETY: it has just been removed, so nobody finds it any more, and it is not being
        // polled: a task is freed when it has ended, or by `close`. What is in the queue keeps its
        // memory until it is taken out.
        unsafe {
            task::clear(task);
            if task.as_ref().has(Flags::QUEUED) {
                task.as_ref().set(Flags::REMOVED)
            } else {
                task::free(task, self.pool())
            }
        }
    }

    /// Takes the first task out of the queue. Those that were removed meanwhile are freed.
    #[inline(always)]
    pub(in crate::tasks) fn next(&self) -> Option<NonNull<Header>> {
        loop {
            let task = self.queue.pop()?;
            // SAFETY: the memory of a task in the queue is not freed, and the task is not in the
            // queue any more.
            unsafe {
                if !task.as_ref().has(Flags::REMOVED) {
                    return Some(task);
                }
                self.free_memory(task);
            }
        }
    }

    /// # Safety
    /// As of `task::free`.
    #[cold]
    unsafe fn free_memory(&self, task: NonNull<Header>) {
        // SAFETY: by the contract.
        unsafe { task::free(task, self.pool()) };
    }

    /// Takes the failures that nobody awaits.
    pub(crate) fn failures(&self) -> Vec<FailedTask> {
        self.failed.take()
    }

    /// Takes a failure that is the process's, too.
    pub(crate) fn linked_failure(&self) -> Option<FailedTask> {
        let mut failed = self.failed.borrow_mut();
        let linked = failed.iter().position(|it| it.is_linked)?;
        Some(failed.remove(linked))
    }

    /// Takes the longest turn that was too long.
    pub(crate) fn long(&self) -> Option<Long> {
        self.clock.long.take()
    }

    /// How the tasks are. It looks at each of them, which takes some nanoseconds.
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
