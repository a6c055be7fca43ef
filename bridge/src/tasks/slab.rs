//! Where a process keeps its tasks: slots in chunks that do not move.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::ptr::NonNull;

use super::task::Header;

/// Identifies a task of a process. The serial number tells it from an earlier task in the same slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TaskId {
    pub(super) index: u32,
    pub(super) serial: u32,
}

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

/// How many slots the first chunk has. Each of the others has twice as many as the one before it.
const FIRST: usize = 16;

/// What is known of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flags(u8);

impl Flags {
    /// It is in the run queue.
    pub(super) const QUEUED: Flags = Flags(1);
    /// Its future has ended, and its output waits to be taken.
    pub(super) const ENDED: Flags = Flags(2);
    /// Nobody has its handle.
    pub(super) const DETACHED: Flags = Flags(4);
    /// It ends when it is next its turn.
    pub(super) const ABORTED: Flags = Flags(8);
    /// Its failure is its process's.
    pub(super) const LINKED: Flags = Flags(16);
    /// It has been polled before.
    pub(super) const POLLED: Flags = Flags(32);
    /// It has a name.
    pub(super) const NAMED: Flags = Flags(64);

    pub(super) fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }
}

/// A place for a task.
pub(super) struct Slot {
    pub(super) task: Cell<Option<NonNull<Header>>>,
    pub(super) serial: Cell<u32>,
    /// The next slot in the run queue, or the next free one.
    pub(super) next: Cell<u32>,
    /// When it was last polled, in milliseconds of the executor.
    pub(super) since: Cell<u32>,
    pub(super) flags: Cell<Flags>,
}

impl Slot {
    const fn new() -> Self {
        Slot {
            task: Cell::new(None),
            serial: Cell::new(0),
            next: Cell::new(NONE),
            since: Cell::new(0),
            flags: Cell::new(Flags(0)),
        }
    }

    pub(super) fn has(&self, flag: Flags) -> bool {
        self.flags.get().has(flag)
    }

    pub(super) fn set(&self, flag: Flags) {
        self.flags.set(Flags(self.flags.get().0 | flag.0));
    }

    pub(super) fn unset(&self, flag: Flags) {
        self.flags.set(Flags(self.flags.get().0 & !flag.0));
    }
}

/// The slots of one process.
pub(super) struct Slab {
    chunks: UnsafeCell<Vec<NonNull<[Slot]>>>,
    free: Cell<u32>,
    /// How many slots have ever been used since the slab was last empty.
    used: Cell<u32>,
    live: Cell<usize>,
    serial: Cell<u32>,
}

impl Slab {
    pub(super) const fn new() -> Self {
        Slab {
            chunks: UnsafeCell::new(Vec::new()),
            free: Cell::new(NONE),
            used: Cell::new(0),
            live: Cell::new(0),
            serial: Cell::new(0),
        }
    }

    /// How many tasks there are.
    pub(super) fn live(&self) -> usize {
        self.live.get()
    }

    /// The slot of this index, if it has been allocated.
    #[inline]
    pub(super) fn slot(&self, index: u32) -> Option<&Slot> {
        let index = index as usize + FIRST;
        let number = (index / FIRST).ilog2();
        // SAFETY: only `grow` and `shrink` change the vector. Nothing of the user's runs in them, and no reference to
        // the vector outlives this function.
        let chunk = unsafe { &*self.chunks.get() }.get(number as usize)?;
        // SAFETY: a chunk lives until `shrink` or the end of the slab.
        unsafe { chunk.as_ref() }.get(index - (FIRST << number))
    }

    /// The slot of a task that has not been removed.
    #[inline]
    pub(super) fn get(&self, id: TaskId) -> Option<(&Slot, NonNull<Header>)> {
        let slot = self.slot(id.index)?;
        let task = slot.task.get()?;
        (slot.serial.get() == id.serial).then_some((slot, task))
    }

    /// Puts a task into a free slot. `None` if there are 2^32 - 1.
    pub(super) fn insert(&self, task: NonNull<Header>) -> Option<(TaskId, &Slot)> {
        let index = match self.free.get() {
            NONE => self.grow()?,
            index => index,
        };
        let slot = self.slot(index)?;
        if self.free.get() == index {
            self.free.set(slot.next.get());
        }
        self.serial.set(self.serial.get().wrapping_add(1));
        self.live.set(self.live.get() + 1);
        slot.task.set(Some(task));
        slot.serial.set(self.serial.get());
        slot.next.set(NONE);
        slot.flags.set(Flags::default());
        let id = TaskId {
            index,
            serial: self.serial.get(),
        };
        Some((id, slot))
    }

    /// Frees the slot of a task.
    pub(super) fn remove(&self, id: TaskId) -> Option<NonNull<Header>> {
        let (slot, task) = self.get(id)?;
        slot.task.set(None);
        // A slot that is still in the run queue is freed when it leaves that.
        if !slot.has(Flags::QUEUED) {
            self.release(id.index, slot);
        }
        self.live.set(self.live.get() - 1);
        Some(task)
    }

    /// Makes a slot without a task free for the next one.
    pub(super) fn release(&self, index: u32, slot: &Slot) {
        slot.next.set(self.free.get());
        self.free.set(index);
    }

    /// The tasks, in no particular order.
    pub(super) fn ids(&self) -> impl Iterator<Item = TaskId> {
        (0..self.used.get()).filter_map(|index| {
            let slot = self.slot(index)?;
            slot.task.get()?;
            Some(TaskId {
                index,
                serial: slot.serial.get(),
            })
        })
    }

    /// A slot that has never been used.
    fn grow(&self) -> Option<u32> {
        let index = self.used.get();
        if index == NONE {
            return None;
        }
        if self.slot(index).is_none() {
            // SAFETY: as in `slot`: this is the only reference.
            let chunks = unsafe { &mut *self.chunks.get() };
            let chunk: Box<[Slot]> = (0..FIRST << chunks.len()).map(|_| Slot::new()).collect();
            chunks.push(NonNull::from(Box::leak(chunk)));
        }
        self.used.set(index + 1);
        Some(index)
    }

    /// Gives the memory back, except the first chunk. There are no tasks, and no slot is in the run queue.
    #[inline]
    pub(super) fn shrink(&self) {
        if self.used.get() > FIRST as u32 {
            self.keep_chunks(1);
        }
    }

    fn keep_chunks(&self, kept: usize) {
        debug_assert!(self.live.get() == 0, "there are no tasks");
        self.free.set(NONE);
        self.used.set(0);
        // SAFETY: as in `slot`: this is the only reference, and no reference to a slot is used any more, since there are
        // no tasks.
        let chunks = unsafe { &mut *self.chunks.get() };
        for chunk in chunks.drain(kept.min(chunks.len())..) {
            // SAFETY: `grow` has made it of a box, and nobody else frees it.
            drop(unsafe { Box::from_raw(chunk.as_ptr()) });
        }
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        self.keep_chunks(0);
    }
}

/// What a task costs beside its own allocation.
const _: () = assert!(size_of::<Slot>() <= 32);
