//! What only the calls of a process use of its tasks.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::Location;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

use super::clock::{Clock, Long, Turn, milliseconds};
use super::queue::Queue;
use super::slab::{Flags, Slab, TaskId};
use super::sleep::Timers;
use super::status::{Status, Waiting};
use super::task::{self, Failure, Header};
use super::waker::Remote;

/// What only the process's own calls use.
pub(crate) struct Local {
    pub(super) slab: Slab,
    pub(super) queue: Queue,
    /// Polled before the queue: it has asked for another kind of scheduler.
    pub(super) first: Cell<Option<TaskId>>,
    pub(super) polling: Cell<Option<TaskId>>,
    pub(super) clock: Clock,
    pub(super) is_closed: Cell<bool>,
    /// Whether a message that the process has sent itself is on its way.
    pub(super) is_kicked: Cell<bool>,
    pub(super) failed: RefCell<Vec<Failed>>,
    pub(super) names: RefCell<HashMap<TaskId, Box<str>>>,
    pub(super) timers: RefCell<Timers>,
}

/// A task whose failure nobody awaits, or that is its process's, too.
pub(crate) struct Failed {
    pub(crate) location: &'static Location<'static>,
    pub(crate) name: Option<Box<str>>,
    pub(crate) failure: Failure,
    /// Whether the process ends with it.
    pub(crate) is_linked: bool,
}

impl Local {
    pub(super) fn new() -> Self {
        Local {
            slab: Slab::new(),
            queue: Queue::new(),
            first: Cell::new(None),
            polling: Cell::new(None),
            clock: Clock::new(),
            is_closed: Cell::new(false),
            is_kicked: Cell::new(false),
            failed: RefCell::new(Vec::new()),
            names: RefCell::new(HashMap::new()),
            timers: RefCell::new(Timers::new()),
        }
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
        self.polling.get().map(|_| Turn(&self.clock))
    }

    /// Puts a task into the queue, if it waits.
    #[inline]
    pub(crate) fn wake(&self, id: TaskId) {
        if let Some((slot, _)) = self.slab.get(id)
            && !slot.has(Flags::QUEUED)
        {
            self.queue.push(&self.slab, id.index, slot);
        }
    }

    #[inline]
    pub(super) fn next(&self) -> Option<TaskId> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        self.queue.pop(&self.slab)
    }

    /// Ends a task when it is next its turn.
    pub(crate) fn abort(&self, id: TaskId) {
        if let Some((slot, _)) = self.slab.get(id) {
            slot.set(Flags::ABORTED);
            self.wake(id);
        }
    }

    /// Ends a task at once. One that is being polled, and so ends itself, ends after its turn.
    pub(crate) fn end_now(&self, id: TaskId) {
        match self.slab.get(id) {
            Some((slot, _)) if slot.has(Flags::ENDED) => {}
            Some((slot, _)) if self.polling.get() == Some(id) => slot.set(Flags::ABORTED),
            Some((_, task)) => {
                // SAFETY: the task has not been removed, and it is not being polled: only one is, and that is another.
                unsafe { task::cancel(task) };
                self.ended(id);
            }
            None => {}
        }
    }

    /// For how long a task has waited since its last turn. `None` if it has ended.
    pub(crate) fn idle(&self, id: TaskId) -> Option<Duration> {
        let (slot, _) = self.slab.get(id)?;
        if slot.has(Flags::ENDED) {
            return None;
        }
        let waited = match slot.has(Flags::QUEUED) {
            true => 0,
            false => milliseconds().wrapping_sub(slot.since.get()),
        };
        Some(Duration::from_millis(u64::from(waited)))
    }

    /// Reports what is wrong where nobody awaits it.
    pub(crate) fn report(&self, location: &'static Location<'static>, failure: Failure) {
        self.failed.borrow_mut().push(Failed {
            location,
            name: None,
            failure,
            is_linked: false,
        });
    }

    /// Reports that a task is started again, as a failure that nobody awaits.
    pub(crate) fn restarted(&self, id: TaskId, failure: Failure) {
        if let Some(task) = self.header(id) {
            self.failed.borrow_mut().push(Failed {
                // SAFETY: the task has not been removed, and nothing here removes it.
                location: unsafe { task.as_ref() }.location,
                name: self.name_of(id).map(String::into_boxed_str),
                failure,
                is_linked: false,
            });
        }
    }

    /// A task's failure is its process's, too.
    pub(crate) fn link(&self, id: TaskId) {
        if let Some((slot, _)) = self.slab.get(id) {
            slot.set(Flags::LINKED);
        }
    }

    /// Gives a task a name for reports.
    pub(crate) fn name(&self, id: TaskId, name: Box<str>) {
        if let Some((slot, _)) = self.slab.get(id) {
            slot.set(Flags::NAMED);
            self.names.borrow_mut().insert(id, name);
        }
    }

    /// Nobody awaits a task any more.
    pub(crate) fn detach(&self, id: TaskId) {
        match self.slab.get(id) {
            Some((slot, _)) if slot.has(Flags::ENDED) => self.free(id),
            Some((slot, _)) => slot.set(Flags::DETACHED),
            None => {}
        }
    }

    /// Whether a task has ended.
    pub(crate) fn has_ended(&self, id: TaskId) -> bool {
        let slot = self.slab.get(id);
        slot.is_none_or(|(slot, _)| slot.has(Flags::ENDED))
    }

    /// The header of a task that has not been removed.
    pub(super) fn header(&self, id: TaskId) -> Option<NonNull<Header>> {
        Some(self.slab.get(id)?.1)
    }

    /// What clones of the task's waker share.
    pub(super) fn remote(&self, id: TaskId, new: impl FnOnce() -> Arc<Remote>) -> Arc<Remote> {
        let Some(task) = self.header(id) else {
            return new();
        };
        // SAFETY: the task has not been removed, and nothing that runs here removes it.
        let kept = &unsafe { task.as_ref() }.remote;
        let remote = kept.take().unwrap_or_else(new);
        kept.set(Some(Arc::clone(&remote)));
        remote
    }

    /// A task's future has ended or was dropped.
    pub(super) fn ended(&self, id: TaskId) {
        let Some((slot, task)) = self.slab.get(id) else {
            return;
        };
        slot.set(Flags::ENDED);
        let name = match slot.has(Flags::NAMED) {
            true => self.names.borrow_mut().remove(&id),
            false => None,
        };
        let is_linked = slot.has(Flags::LINKED);
        if is_linked || slot.has(Flags::DETACHED) {
            // SAFETY: the task has not been removed and is not being polled.
            if let Some(failure) = unsafe { task::failure(task) } {
                self.failed.borrow_mut().push(Failed {
                    // SAFETY: as above.
                    location: unsafe { task.as_ref() }.location,
                    name,
                    failure,
                    is_linked,
                });
            }
        }
        // SAFETY: as above.
        let joiner = unsafe { task.as_ref() }.joiner.take();
        joiner.wake(self);
        if slot.has(Flags::DETACHED) {
            self.free(id);
        }
    }

    pub(super) fn free(&self, id: TaskId) {
        if let Some(task) = self.slab.remove(id) {
            // SAFETY: it has just been removed, so nobody finds it any more, and it is not being polled: a task is
            // freed when it has ended, or by `close`.
            unsafe { task::free(task) };
            self.shrink();
        }
    }

    /// Gives memory back when all tasks have ended.
    pub(super) fn shrink(&self) {
        if self.slab.live() == 0 && self.queue.is_empty() {
            self.slab.shrink();
        }
    }

    /// Takes the failures that nobody awaits.
    pub(crate) fn failures(&self) -> Vec<Failed> {
        self.failed.take()
    }

    /// Takes a failure that is the process's, too.
    pub(crate) fn linked_failure(&self) -> Option<Failed> {
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
        let waits = |id: &TaskId| {
            let slot = self.slab.slot(id.index);
            slot.is_some_and(|slot| !slot.has(Flags::QUEUED) && !slot.has(Flags::ENDED))
        };
        let age = |id: &TaskId| {
            let slot = self.slab.slot(id.index);
            slot.map_or(0, |slot| now.wrapping_sub(slot.since.get()))
        };
        let longest = self.slab.ids().filter(waits).max_by_key(age);
        let running = self.queue.len();
        Status {
            running,
            waiting: self.slab.live().saturating_sub(running),
            longest: longest.and_then(|id| {
                // SAFETY: the task has not been removed, and nothing here removes it.
                let location = unsafe { self.header(id)?.as_ref() }.location;
                Some(Waiting {
                    time: Duration::from_millis(u64::from(age(&id))),
                    location,
                    name: self.name_of(id),
                })
            }),
        }
    }

    /// A task's name.
    pub(crate) fn name_of(&self, id: TaskId) -> Option<String> {
        self.names.borrow().get(&id).map(|name| name.to_string())
    }
}
