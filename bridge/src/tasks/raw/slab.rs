//! The table of a process's tasks: one slot for each, which is a pointer.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{NonNull, without_provenance_mut};

use super::task::Header;

/// Identifies a task of a process: the index of its slot in the low half, and above it a serial
/// number, which distinguishes it from earlier tasks in the same slot. It is one word, so that a
/// read sees exactly what was written. The serial number wraps around after 2^32 tasks, so no
/// unsafe code relies on it: a waker may wake another task once too often, and a `Handle` knows by
/// itself whether its task can have been freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TaskId(u64);

impl TaskId {
    /// The number of a task that is not in a slab yet.
    pub(in crate::tasks) const NONE: TaskId = TaskId::new(NONE, 0);

    const fn new(index: u32, serial: u32) -> Self {
        TaskId((serial as u64) << 32 | index as u64)
    }

    /// Returns the index of its slot.
    #[inline]
    pub(in crate::tasks) fn index(self) -> u32 {
        self.0 as u32
    }
}

/// No slot. A link in the list of free slots has one bit less than a pointer.
const NONE: u32 = u32::MAX >> 1;

/// A slab with fewer slots than this does not shrink.
const FEW: usize = 64;

/// A pointer to a task, which is even, or the index of the next free slot, encoded as an odd
/// number.
#[derive(Clone, Copy)]
struct Slot(*mut Header);

impl Slot {
    fn free(next: u32) -> Self {
        Slot(without_provenance_mut(((next as usize) << 1) | 1))
    }

    #[inline]
    fn task(self) -> Option<NonNull<Header>> {
        match self.0.addr() & 1 {
            // SAFETY: an even value is a pointer to a task.
            0 => Some(unsafe { NonNull::new_unchecked(self.0) }),
            _ => None,
        }
    }

    fn next_free(self) -> u32 {
        (self.0.addr() >> 1) as u32
    }
}

/// The tasks of one process, by their numbers.
pub(in crate::tasks) struct Slab {
    slots: UnsafeCell<Vec<Slot>>,
    free: Cell<u32>,
    live: Cell<usize>,
    /// The slab shrinks when the number of tasks falls below this.
    shrinks_at: Cell<usize>,
    serial: Cell<u32>,
}

/// A task that has not been removed. The entry is not used after the task has been freed.
#[derive(Clone, Copy)]
pub(in crate::tasks) struct TaskEntry<'s> {
    task: NonNull<Header>,
    slab: PhantomData<&'s Slab>,
}

impl TaskEntry<'_> {
    /// Returns a pointer to the whole task.
    #[inline]
    pub(in crate::tasks) fn task(self) -> NonNull<Header> {
        self.task
    }
}

impl Deref for TaskEntry<'_> {
    type Target = Header;

    #[inline]
    fn deref(&self) -> &Header {
        // SAFETY: a task's memory lives until it is removed from the slab, and the code that
        // removes it uses no entry of it afterwards. All fields that change are cells.
        unsafe { self.task.as_ref() }
    }
}

impl Slab {
    pub(in crate::tasks) const fn new() -> Self {
        Slab {
            slots: UnsafeCell::new(Vec::new()),
            free: Cell::new(NONE),
            live: Cell::new(0),
            shrinks_at: Cell::new(0),
            serial: Cell::new(0),
        }
    }

    /// Returns the number of tasks.
    pub(in crate::tasks) fn live(&self) -> usize {
        self.live.get()
    }

    /// Returns the number of slots.
    #[cfg(test)]
    pub(in crate::tasks) fn slots(&self) -> usize {
        self.with(|slots| slots.len())
    }

    /// Resets the serial number, so that the next task has that of the first one.
    #[cfg(test)]
    pub(in crate::tasks) fn begin_serials_again(&self) {
        self.serial.set(0);
    }

    #[inline]
    fn with<R>(&self, body: impl FnOnce(&mut Vec<Slot>) -> R) -> R {
        // SAFETY: only its process uses the slab. The bodies are those below: they run no user
        // code, so they do not call this function again.
        body(unsafe { &mut *self.slots.get() })
    }

    #[inline]
    fn at(&self, index: u32) -> Option<TaskEntry<'_>> {
        let slot = self.with(|slots| slots.get(index as usize).copied())?;
        let slab = PhantomData;
        slot.task().map(|task| TaskEntry { task, slab })
    }

    /// Returns the task, unless it has been removed.
    #[inline]
    pub(in crate::tasks) fn get(&self, id: TaskId) -> Option<TaskEntry<'_>> {
        self.at(id.index()).filter(|task| task.id.get() == id)
    }

    /// Puts a task into a free slot. Returns `None` if there are 2^31 - 1 slots.
    pub(in crate::tasks) fn insert(&self, task: NonNull<Header>) -> Option<TaskEntry<'_>> {
        let index = match self.free.get() {
            NONE => self.grow()?,
            index => index,
        };
        self.with(|slots| {
            let slot = &mut slots[index as usize];
            self.free.set(slot.next_free());
            *slot = Slot(task.as_ptr());
        });
        let serial = self.serial.get().wrapping_add(1);
        self.serial.set(serial);
        self.live.set(self.live.get() + 1);
        let slab = PhantomData;
        let entry = TaskEntry { task, slab };
        entry.id.set(TaskId::new(index, serial));
        Some(entry)
    }

    /// Adds a slot, which is then the only free one.
    fn grow(&self) -> Option<u32> {
        self.with(|slots| {
            let index = u32::try_from(slots.len()).ok().filter(|it| *it < NONE)?;
            slots.push(Slot::free(NONE));
            self.shrinks_at.set(slots.len() / 4);
            Some(index)
        })
    }

    /// Frees the slot of a task. The caller frees the task's memory.
    pub(in crate::tasks) fn remove(&self, id: TaskId) -> Option<NonNull<Header>> {
        let task = self.get(id)?.task();
        self.with(|slots| slots[id.index() as usize] = Slot::free(self.free.get()));
        self.free.set(id.index());
        self.live.set(self.live.get() - 1);
        if self.live.get() <= self.shrinks_at.get() {
            self.shrink();
        }
        Some(task)
    }

    /// Returns the tasks, in no particular order.
    pub(in crate::tasks) fn tasks(&self) -> impl Iterator<Item = TaskEntry<'_>> {
        (0..)
            .take_while(|index| self.with(|slots| (*index as usize) < slots.len()))
            .filter_map(|index| self.at(index))
    }

    /// Returns the last task in a slot before this one.
    pub(in crate::tasks) fn last_before(&self, index: u32) -> Option<TaskEntry<'_>> {
        let slots = self.with(|slots| slots.len()) as u32;
        (0..slots.min(index)).rev().find_map(|index| self.at(index))
    }

    /// Frees the memory of unused slots at the end.
    #[cold]
    fn shrink(&self) {
        self.with(|slots| {
            if slots.len() <= FEW {
                return;
            }
            let last = slots.iter().rposition(|slot| slot.task().is_some());
            slots.truncate(last.map_or(0, |last| last + 1));
            slots.shrink_to(FEW);
            let mut free = NONE;
            for (index, slot) in slots.iter_mut().enumerate().rev() {
                if slot.task().is_none() {
                    *slot = Slot::free(free);
                    free = index as u32;
                }
            }
            self.free.set(free);
            // Shrink again when half of the remaining tasks have ended. So each slot is visited
            // only a few times in total.
            let quarter = slots.len() / 4;
            self.shrinks_at.set(quarter.min(self.live.get() / 2));
        });
    }
}

const _: () = assert!(size_of::<Slot>() == size_of::<usize>());
