//! Where a process finds its tasks: a slot for each, which is a pointer.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{NonNull, without_provenance_mut};

use super::task::Header;

/// Identifies a task of a process: the index of its slot, and above that a serial number, which
/// tells it from an earlier task in the same slot. It is one word, so that it is read as it was
/// written. The serial number begins again after 2^32 tasks, so nothing unsafe relies on it: a
/// waker may wake another task once too often, and a `Handle` knows by itself whether its task can
/// have been freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TaskId(u64);

impl TaskId {
    /// The number of a task that is not in a slab yet.
    pub(in crate::tasks) const NONE: TaskId = TaskId::new(NONE, 0);

    const fn new(index: u32, serial: u32) -> Self {
        TaskId((serial as u64) << 32 | index as u64)
    }

    /// Its slot.
    #[inline]
    pub(in crate::tasks) fn index(self) -> u32 {
        self.0 as u32
    }
}

/// No slot. A link of the free ones has a bit less than a pointer.
const NONE: u32 = u32::MAX >> 1;

/// With so few slots none is given back.
const FEW: usize = 64;

/// A pointer to a task, which is even, or the index of the next free slot, made odd.
#[derive(Clone, Copy)]
struct Slot(*mut Header);

impl Slot {
    fn free(next: u32) -> Self {
        Slot(without_provenance_mut(((next as usize) << 1) | 1))
    }

    #[inline]
    fn task(self) -> Option<NonNull<Header>> {
        match self.0.addr() & 1 {
            // SAFETY: what is even is a pointer to a task.
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
    /// With so many tasks memory is given back.
    shrinks_at: Cell<usize>,
    serial: Cell<u32>,
}

/// A task that has not been removed. It is not used after the task has been freed.
#[derive(Clone, Copy)]
pub(in crate::tasks) struct TaskEntry<'s> {
    task: NonNull<Header>,
    slab: PhantomData<&'s Slab>,
}

impl TaskEntry<'_> {
    /// The task, for what works on all of it.
    #[inline]
    pub(in crate::tasks) fn task(self) -> NonNull<Header> {
        self.task
    }
}

impl Deref for TaskEntry<'_> {
    type Target = Header;

    #[inline]
    fn deref(&self) -> &Header {
        // SAFETY: a task's memory lives until it is removed from the slab, and who removes it uses
        // no entry of it afterwards. All fields that change are cells.
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

    /// How many tasks there are.
    pub(in crate::tasks) fn live(&self) -> usize {
        self.live.get()
    }

    /// How many slots there are.
    #[cfg(test)]
    pub(in crate::tasks) fn slots(&self) -> usize {
        self.with(|slots| slots.len())
    }

    /// The next task has the serial number of the first one.
    #[cfg(test)]
    pub(in crate::tasks) fn begin_serials_again(&self) {
        self.serial.set(0);
    }

    #[inline]
    fn with<R>(&self, body: impl FnOnce(&mut Vec<Slot>) -> R) -> R {
        // SAFETY: the slab is its process's. The bodies are those below: they run no code of the
        // user's, so they do not come here again.
        body(unsafe { &mut *self.slots.get() })
    }

    #[inline]
    fn at(&self, index: u32) -> Option<TaskEntry<'_>> {
        let slot = self.with(|slots| slots.get(index as usize).copied())?;
        let slab = PhantomData;
        slot.task().map(|task| TaskEntry { task, slab })
    }

    /// The task, if it has not been removed.
    #[inline]
    pub(in crate::tasks) fn get(&self, id: TaskId) -> Option<TaskEntry<'_>> {
        self.at(id.index()).filter(|task| task.id.get() == id)
    }

    /// Puts a task into a free slot. `None` if there are 2^31 - 1.
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

    /// A new slot, which is the only free one.
    fn grow(&self) -> Option<u32> {
        self.with(|slots| {
            let index = u32::try_from(slots.len()).ok().filter(|it| *it < NONE)?;
            slots.push(Slot::free(NONE));
            self.shrinks_at.set(slots.len() / 4);
            Some(index)
        })
    }

    /// Frees the slot of a task. Its memory is the caller's.
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

    /// The tasks, in no particular order.
    pub(in crate::tasks) fn tasks(&self) -> impl Iterator<Item = TaskEntry<'_>> {
        (0..)
            .take_while(|index| self.with(|slots| (*index as usize) < slots.len()))
            .filter_map(|index| self.at(index))
    }

    /// The last task in a slot before this one.
    pub(in crate::tasks) fn last_before(&self, index: u32) -> Option<TaskEntry<'_>> {
        let slots = self.with(|slots| slots.len()) as u32;
        (0..slots.min(index)).rev().find_map(|index| self.at(index))
    }

    /// Gives back the memory of slots at the end that have no task.
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
            // The next time is when half of what is left has ended: each slot is looked at a few
            // times in all.
            let quarter = slots.len() / 4;
            self.shrinks_at.set(quarter.min(self.live.get() / 2));
        });
    }
}

const _: () = assert!(size_of::<Slot>() == size_of::<usize>());
