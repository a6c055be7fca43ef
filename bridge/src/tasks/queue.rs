//! The tasks that can go on, in turn. The queue is linked through their slots.

use std::cell::Cell;

use super::slab::{Flags, NONE, Slab, Slot, TaskId};

/// The run queue.
pub(super) struct Queue {
    head: Cell<u32>,
    tail: Cell<u32>,
    length: Cell<usize>,
}

impl Queue {
    pub(super) const fn new() -> Self {
        Queue {
            head: Cell::new(NONE),
            tail: Cell::new(NONE),
            length: Cell::new(0),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.head.get() == NONE
    }

    /// How many tasks are in it.
    pub(super) fn len(&self) -> usize {
        self.length.get()
    }

    /// Puts a slot at the end. It is not in the queue yet.
    #[inline]
    pub(super) fn push(&self, slab: &Slab, index: u32, slot: &Slot) {
        slot.set(Flags::QUEUED);
        slot.next.set(NONE);
        match slab.slot(self.tail.get()) {
            Some(last) if self.tail.get() != NONE => last.next.set(index),
            _ => self.head.set(index),
        }
        self.tail.set(index);
        self.length.set(self.length.get() + 1);
    }

    /// Takes the first task. Slots whose tasks are gone become free.
    #[inline]
    pub(super) fn pop(&self, slab: &Slab) -> Option<TaskId> {
        loop {
            let index = self.head.get();
            let slot = slab.slot(index)?;
            self.head.set(slot.next.get());
            if self.head.get() == NONE {
                self.tail.set(NONE);
            }
            self.length.set(self.length.get() - 1);
            slot.unset(Flags::QUEUED);
            if slot.task.get().is_some() {
                let serial = slot.serial.get();
                return Some(TaskId { index, serial });
            }
            slab.release(index, slot);
        }
    }

    /// Forgets all of them. The slab is given back afterwards.
    pub(super) fn clear(&self) {
        self.head.set(NONE);
        self.tail.set(NONE);
        self.length.set(0);
    }
}
