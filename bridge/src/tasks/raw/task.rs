//! A task's own memory: one allocation with a header and the future, or its output when that has
//! ended.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::future::Future;
use std::mem::ManuallyDrop;
use std::panic::Location;
use std::pin::Pin;
use std::ptr::NonNull;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::pool::{Offset, Pool};
use super::slab::TaskId;
use super::waiter::{TaskWaker, Waiter};
use crate::nif::contained;

/// The size limit of a task's future in bytes. It is built on a scheduler's stack, as a callback's
/// is.
const MAX_FUTURE: usize = 16 * 1024;

/// A value of any type that says why a task has failed.
pub(crate) type TaskFailure = Box<dyn Any + Send>;

/// What a task evaluates to.
pub(crate) trait TaskOutput: Send + 'static {
    /// Why it has failed, if it has.
    fn failure(&self) -> Option<TaskFailure>;
}

/// What is known of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tasks) struct Flags(u8);

impl Flags {
    /// It is in the run queue.
    pub(in crate::tasks) const QUEUED: Flags = Flags(1);
    /// Its future has ended, and its output waits to be taken.
    pub(in crate::tasks) const ENDED: Flags = Flags(2);
    /// Nobody has its handle.
    pub(in crate::tasks) const DETACHED: Flags = Flags(4);
    /// It ends when it is next its turn.
    pub(in crate::tasks) const ABORTED: Flags = Flags(8);
    /// Its failure is its process's.
    pub(in crate::tasks) const LINKED: Flags = Flags(16);
    /// It has been polled before.
    pub(in crate::tasks) const POLLED: Flags = Flags(32);
    pub(in crate::tasks) const NAMED: Flags = Flags(64);
    /// It has been removed, and only its memory is there, because it is in the run queue.
    pub(in crate::tasks) const REMOVED: Flags = Flags(128);

    pub(in crate::tasks) const fn or(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Whether one of these is set.
    #[inline]
    pub(in crate::tasks) fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }
}

/// What is known of a task whatever its future is.
pub(in crate::tasks) struct Header {
    table: &'static Table,
    /// Where it was spawned.
    pub(in crate::tasks) location: &'static Location<'static>,
    /// Who waits for its end.
    pub(in crate::tasks) joiner: Cell<Waiter>,
    /// What the clones of its waker share, once there is one.
    pub(in crate::tasks) waker: Cell<Option<Arc<TaskWaker>>>,
    /// The next task in the run queue.
    pub(in crate::tasks) next: Cell<Option<NonNull<Header>>>,
    pub(in crate::tasks) id: Cell<TaskId>,
    /// When it was last polled, in milliseconds of the executor.
    pub(in crate::tasks) since: Cell<u32>,
    /// Where its memory is in the process's pool. `None`: it is the system's.
    offset: Option<Offset>,
    flags: Cell<Flags>,
    holds: Cell<Holds>,
}

impl Header {
    #[inline]
    pub(in crate::tasks) fn has(&self, flags: Flags) -> bool {
        self.flags.get().has(flags)
    }

    #[inline]
    pub(in crate::tasks) fn set(&self, flag: Flags) {
        self.flags.set(self.flags.get().or(flag));
    }

    #[inline]
    pub(in crate::tasks) fn unset(&self, flag: Flags) {
        self.flags.set(Flags(self.flags.get().0 & !flag.0));
    }
}

/// The functions of a task with a certain future.
struct Table {
    poll: unsafe fn(NonNull<Header>, &mut Context<'_>) -> bool,
    failure: unsafe fn(NonNull<Header>) -> Option<TaskFailure>,
    take: unsafe fn(NonNull<Header>, NonNull<()>),
    clear: unsafe fn(NonNull<Header>),
    layout: Layout,
}

#[repr(C)]
struct Task<F: Future> {
    header: Header,
    stage: UnsafeCell<Stage<F>>,
}

/// What a task has, as its header's [`Holds`] says. An enum of Rust's would say so in a word of its
/// own.
union Stage<F: Future> {
    future: ManuallyDrop<F>,
    output: ManuallyDrop<F::Output>,
    nothing: (),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Future,
    Output,
    /// The future was dropped before its end, or the output has been taken.
    Nothing,
}

impl<F: Future> Task<F>
where
    F::Output: TaskOutput,
{
    const TABLE: Table = Table {
        poll: Self::poll,
        failure: Self::failure,
        take: Self::take,
        clear: Self::clear,
        layout: Layout::new::<Self>(),
    };

    /// # Safety
    /// The task is one with this future, and nobody else uses its stage during the call.
    unsafe fn stage<'t>(task: NonNull<Header>) -> &'t mut Stage<F> {
        // SAFETY: by the contract. The header, which others may use, is not part of the reference.
        unsafe { &mut *(*task.cast::<Self>().as_ptr()).stage.get() }
    }

    /// Drops what is there, and puts something else in its place even if that panics.
    ///
    /// # Safety
    /// As of `stage`; the second argument is what `next` is.
    unsafe fn replace(task: NonNull<Header>, next: Stage<F>, holds: Holds) {
        // SAFETY: by the contract. The header says what is there. It is not used again: nothing is
        // said to be there before it is dropped.
        unsafe {
            let stage = Self::stage(task);
            match task.as_ref().holds.replace(Holds::Nothing) {
                Holds::Future => contained(|| ManuallyDrop::drop(&mut stage.future)),
                Holds::Output => contained(|| ManuallyDrop::drop(&mut stage.output)),
                Holds::Nothing => {}
            }
            *stage = next;
            task.as_ref().holds.set(holds);
        }
    }

    unsafe fn poll(task: NonNull<Header>, context: &mut Context<'_>) -> bool {
        // SAFETY: a task polls only while it is not being polled (`Executor::run`).
        let (holds, stage) = unsafe { (task.as_ref().holds.get(), Self::stage(task)) };
        if holds != Holds::Future {
            return true;
        }
        // SAFETY: the future is there, and does not move before it is dropped.
        match unsafe { Pin::new_unchecked(&mut *stage.future) }.poll(context) {
            Poll::Pending => false,
            Poll::Ready(output) => {
                let output = ManuallyDrop::new(output);
                // SAFETY: the poll has ended.
                unsafe { Self::replace(task, Stage { output }, Holds::Output) };
                true
            }
        }
    }

    unsafe fn failure(task: NonNull<Header>) -> Option<TaskFailure> {
        // SAFETY: by the contract of `Header::failure`; the output is there if the header says so.
        unsafe {
            match task.as_ref().holds.get() {
                Holds::Output => Self::stage(task).output.failure(),
                Holds::Future | Holds::Nothing => None,
            }
        }
    }

    unsafe fn take(task: NonNull<Header>, output: NonNull<()>) {
        // SAFETY: by the contract of `Header::take`. The output is there if the header says so, and
        // not any more afterwards.
        unsafe {
            let holds = &task.as_ref().holds;
            if holds.get() == Holds::Output {
                holds.set(Holds::Nothing);
                let taken = ManuallyDrop::take(&mut Self::stage(task).output);
                *output.cast::<Option<F::Output>>().as_mut() = Some(taken);
            }
        }
    }

    /// Drops what is there.
    unsafe fn clear(task: NonNull<Header>) {
        // SAFETY: by the contract of `cancel` and `clear`.
        unsafe { Self::replace(task, Stage { nothing: () }, Holds::Nothing) };
    }
}

/// A new task, in a piece of the pool if there are such.
///
/// # Safety
/// What the future borrows outlives the task.
#[inline]
pub(in crate::tasks) unsafe fn allocate<F>(
    pool: Option<&Pool>,
    future: F,
    location: &'static Location<'static>,
) -> NonNull<Header>
where
    F: Future + Send,
    F::Output: TaskOutput,
{
    const {
        assert!(
            size_of::<F>() <= MAX_FUTURE,
            "a task's future, which holds every variable that lives across an `.await`, has more than 16 KiB: put the \
             large ones behind a `Box`"
        );
    }
    let layout = Layout::new::<Task<F>>();
    let (memory, offset) = match pool.filter(|_| const { Pool::has(Layout::new::<Task<F>>()) }) {
        Some(pool) => {
            let (memory, offset) = pool.take(layout);
            (memory, Some(offset))
        }
        // SAFETY: a task has a header, so its size is not 0.
        None => match NonNull::new(unsafe { alloc(layout) }) {
            Some(memory) => (memory, None),
            None => handle_alloc_error(layout),
        },
    };
    let task = memory.cast::<Task<F>>();
    let header = Header {
        table: const { &Task::<F>::TABLE },
        location,
        joiner: Cell::new(Waiter::Nobody),
        waker: Cell::new(None),
        next: Cell::new(None),
        id: Cell::new(TaskId::NONE),
        since: Cell::new(0),
        offset,
        flags: Cell::new(Flags::default()),
        holds: Cell::new(Holds::Future),
    };
    let future = ManuallyDrop::new(future);
    let stage = UnsafeCell::new(Stage { future });
    // SAFETY: the memory has the layout of a task, and nobody else has it.
    unsafe { task.write(Task { header, stage }) };
    task.cast()
}

/// Polls the future. Returns whether it has ended.
///
/// # Safety
/// The task has not been freed and is not being polled.
pub(in crate::tasks) unsafe fn poll(task: NonNull<Header>, context: &mut Context<'_>) -> bool {
    // SAFETY: the table is that of the task's future.
    unsafe { (task.as_ref().table.poll)(task, context) }
}

/// Drops the future, if it has not ended. Its panics are dropped, too.
///
/// # Safety
/// As of [`poll`].
pub(in crate::tasks) unsafe fn cancel(task: NonNull<Header>) {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.clear)(task) }
}

/// Why the task has failed.
///
/// # Safety
/// As of [`poll`].
pub(in crate::tasks) unsafe fn failure(task: NonNull<Header>) -> Option<TaskFailure> {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.failure)(task) }
}

/// Takes the output, if the future has ended and nobody has taken it before.
///
/// # Safety
/// As of [`poll`]; `O` is the output of the task's future.
pub(in crate::tasks) unsafe fn take<O>(task: NonNull<Header>) -> Option<O> {
    let mut output = None::<O>;
    // SAFETY: as in `poll`; the output has the type that the function expects.
    unsafe { (task.as_ref().table.take)(task, NonNull::from(&mut output).cast()) };
    output
}

/// Drops what is left of the task. Panics of destructors are dropped.
///
/// # Safety
/// As of [`poll`]. Afterwards only [`free`] uses the task, and the run queue its header.
pub(in crate::tasks) unsafe fn clear(task: NonNull<Header>) {
    // SAFETY: as in `poll`.
    unsafe {
        (task.as_ref().table.clear)(task);
        let (joiner, waker) = (task.as_ref().joiner.take(), task.as_ref().waker.take());
        if !matches!((&joiner, &waker), (Waiter::Nobody | Waiter::Task(_), None)) {
            // Whoever waited may be a waker with a destructor of the user's.
            contained(|| drop((joiner, waker)));
        }
    }
}

/// Frees the memory of a task that was cleared.
///
/// # Safety
/// Nobody uses the task any more, and the pool is that of [`allocate`].
#[inline]
pub(in crate::tasks) unsafe fn free(task: NonNull<Header>, pool: Option<&Pool>) {
    // SAFETY: by the contract: the memory is of the pool, or `allocate` has allocated it with this
    // layout.
    unsafe {
        let Header { table, offset, .. } = task.as_ref();
        match (*offset, pool) {
            (Some(offset), Some(pool)) => pool.give(task.cast(), offset),
            _ => dealloc(task.as_ptr().cast(), table.layout),
        }
    }
}

/// What a task costs beside its slot, which is a pointer, and its future.
const _: () = assert!(size_of::<Header>() <= 64);
