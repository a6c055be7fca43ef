//! The run queue: runnable tasks in the order of their turns, linked through their headers.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ptr::NonNull;

use super::task::{Flags, Header};

/// The run queue.
pub(in crate::tasks) struct Queue {
    head: Cell<Option<NonNull<Header>>>,
    tail: Cell<Option<NonNull<Header>>>,
}

impl Queue {
    pub(in crate::tasks) const fn new() -> Self {
        Queue {
            head: Cell::new(None),
            tail: Cell::new(None),
        }
    }

    #[inline]
    pub(in crate::tasks) fn is_empty(&self) -> bool {
        self.head.get().is_none()
    }

    /// Puts a task at the end.
    ///
    /// # Safety
    /// It is not in the queue, and its memory is not freed before it is taken out.
    #[inline]
    pub(in crate::tasks) unsafe fn push(&self, task: NonNull<Header>) {
        // SAFETY: by the contract.
        let header = unsafe { task.as_ref() };
        header.set(Flags::QUEUED);
        header.next.set(None);
        match self.tail.replace(Some(task)) {
            // SAFETY: the last one is in the queue, so its memory is not freed.
            Some(last) => unsafe { last.as_ref() }.next.set(Some(task)),
            None => self.head.set(Some(task)),
        }
    }

    /// Takes the first task, which may have been removed from the slab.
    #[inline]
    pub(in crate::tasks) fn pop(&self) -> Option<NonNull<Header>> {
        let task = self.head.get()?;
        // SAFETY: the task is in the queue, so its memory is not freed.
        let header = unsafe { task.as_ref() };
        let next = header.next.get();
        self.head.set(next);
        if next.is_none() {
            self.tail.set(None);
        }
        header.unset(Flags::QUEUED);
        Some(task)
    }
}
