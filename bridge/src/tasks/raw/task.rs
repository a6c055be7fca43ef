//! A task's own memory: one allocation with a header and the future, or the future's output once it
//! has completed.
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

/// The size limit of a task's future in bytes. The future is built on a scheduler's stack, like
/// that of a callback.
const MAX_FUTURE: usize = 16 * 1024;

/// A value of any type that explains why a task has failed.
pub(crate) type TaskFailure = Box<dyn Any + Send>;

/// The output of a task.
pub(crate) trait TaskOutput: Send + 'static {
    /// Returns why the task has failed, if it has.
    fn failure(&self) -> Option<TaskFailure>;
}

/// The flags of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tasks) struct Flags(u8);

impl Flags {
    /// It is in the run queue.
    pub(in crate::tasks) const QUEUED: Flags = Flags(1);
    /// Its future has completed, and its output has not been taken.
    pub(in crate::tasks) const ENDED: Flags = Flags(2);
    /// Its handle was dropped.
    pub(in crate::tasks) const DETACHED: Flags = Flags(4);
    /// It ends at its next turn.
    pub(in crate::tasks) const ABORTED: Flags = Flags(8);
    /// The process fails if the task fails.
    pub(in crate::tasks) const LINKED: Flags = Flags(16);
    /// It has been polled before.
    pub(in crate::tasks) const POLLED: Flags = Flags(32);
    pub(in crate::tasks) const NAMED: Flags = Flags(64);
    /// It has been removed. Its memory is not freed yet, because it is in the run queue.
    pub(in crate::tasks) const REMOVED: Flags = Flags(128);

    pub(in crate::tasks) const fn or(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Returns whether one of these is set.
    #[inline]
    pub(in crate::tasks) fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }
}

/// The part of a task that does not depend on the type of its future.
pub(in crate::tasks) struct Header {
    table: &'static Table,
    /// The line that spawned it.
    pub(in crate::tasks) location: &'static Location<'static>,
    /// The waiter for its end.
    pub(in crate::tasks) joiner: Cell<Waiter>,
    /// The data that the clones of its waker share, once there is a clone.
    pub(in crate::tasks) waker: Cell<Option<Arc<TaskWaker>>>,
    /// The next task in the run queue.
    pub(in crate::tasks) next: Cell<Option<NonNull<Header>>>,
    pub(in crate::tasks) id: Cell<TaskId>,
    /// When it was last polled, in milliseconds of the executor.
    pub(in crate::tasks) since: Cell<u32>,
    /// The offset of its memory in the process's pool. `None` if the system allocated it.
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

/// The functions of a task with a certain type of future.
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

/// The future or the output of a task. [`Holds`] in the header says which. A Rust enum would need a
/// word of its own for this.
union Stage<F: Future> {
    future: ManuallyDrop<F>,
    output: ManuallyDrop<F::Output>,
    nothing: (),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Future,
    Output,
    /// The future was dropped before it completed, or the output has been taken.
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
    /// The task has a future of this type, and no other code uses its stage during the call.
    unsafe fn stage<'t>(task: NonNull<Header>) -> &'t mut Stage<F> {
        // SAFETY: by the contract. The header, which other code may use, is not part of the
        // reference.
        unsafe { &mut *(*task.cast::<Self>().as_ptr()).stage.get() }
    }

    /// Drops the current contents of the stage and stores `next`, even if that drop panics.
    ///
    /// # Safety
    /// Like `stage`; `holds` describes `next`.
    unsafe fn replace(task: NonNull<Header>, next: Stage<F>, holds: Holds) {
        // SAFETY: by the contract. The header describes the contents. They are not used again,
        // because the header is set to `Nothing` before they are dropped.
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
        // SAFETY: a task is not polled while it is being polled already (`Executor::run`).
        let (holds, stage) = unsafe { (task.as_ref().holds.get(), Self::stage(task)) };
        if holds != Holds::Future {
            return true;
        }
        // SAFETY: the stage holds the future, which does not move before it is dropped.
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
        // SAFETY: by the contract of `Header::failure`; the stage holds the output if the header
        // says so.
        unsafe {
            match task.as_ref().holds.get() {
                Holds::Output => Self::stage(task).output.failure(),
                Holds::Future | Holds::Nothing => None,
            }
        }
    }

    unsafe fn take(task: NonNull<Header>, output: NonNull<()>) {
        // SAFETY: by the contract of `Header::take`. The stage holds the output if the header says
        // so, and is marked as empty afterwards.
        unsafe {
            let holds = &task.as_ref().holds;
            if holds.get() == Holds::Output {
                holds.set(Holds::Nothing);
                let taken = ManuallyDrop::take(&mut Self::stage(task).output);
                *output.cast::<Option<F::Output>>().as_mut() = Some(taken);
            }
        }
    }

    /// Drops the contents of the stage.
    unsafe fn clear(task: NonNull<Header>) {
        // SAFETY: by the contract of `cancel` and `clear`.
        unsafe { Self::replace(task, Stage { nothing: () }, Holds::Nothing) };
    }
}

/// Allocates a task, in a piece of the pool if there is one of its size.
///
/// # Safety
/// All data that the future borrows must outlive the task.
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
            "the future of a task, with all variables that live across an `.await`, is larger than 16 KiB: put large \
             variables behind a `Box`"
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
    // SAFETY: the memory has the layout of a task, and no other code uses it.
    unsafe { task.write(Task { header, stage }) };
    task.cast()
}

/// Polls the future. Returns whether it has completed.
///
/// # Safety
/// The task has not been freed and is not being polled.
pub(in crate::tasks) unsafe fn poll(task: NonNull<Header>, context: &mut Context<'_>) -> bool {
    // SAFETY: the table is that of the task's future.
    unsafe { (task.as_ref().table.poll)(task, context) }
}

/// Drops the future, if it has not completed. Panics of its destructor are dropped, too.
///
/// # Safety
/// Like [`poll`].
pub(in crate::tasks) unsafe fn cancel(task: NonNull<Header>) {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.clear)(task) }
}

/// Returns why the task has failed.
///
/// # Safety
/// Like [`poll`].
pub(in crate::tasks) unsafe fn failure(task: NonNull<Header>) -> Option<TaskFailure> {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.failure)(task) }
}

/// Takes the output, if the future has completed and the output has not been taken before.
///
/// # Safety
/// Like [`poll`]; `O` is the output of the task's future.
pub(in crate::tasks) unsafe fn take<O>(task: NonNull<Header>) -> Option<O> {
    let mut output = None::<O>;
    // SAFETY: as in `poll`; the output has the type that the function expects.
    unsafe { (task.as_ref().table.take)(task, NonNull::from(&mut output).cast()) };
    output
}

/// Drops the remaining contents of the task. Panics of destructors are dropped.
///
/// # Safety
/// Like [`poll`]. Afterwards only [`free`] may use the task, and the run queue its header.
pub(in crate::tasks) unsafe fn clear(task: NonNull<Header>) {
    // SAFETY: as in `poll`.
    unsafe {
        (task.as_ref().table.clear)(task);
        let (joiner, waker) = (task.as_ref().joiner.take(), task.as_ref().waker.take());
        if !matches!((&joiner, &waker), (Waiter::Nobody | Waiter::Task(_), None)) {
            // The joiner may be a waker whose destructor is user code.
            contained(|| drop((joiner, waker)));
        }
    }
}

/// Frees the memory of a task that was cleared.
///
/// # Safety
/// No code uses the task any more, and the pool is that of [`allocate`].
#[inline]
pub(in crate::tasks) unsafe fn free(task: NonNull<Header>, pool: Option<&Pool>) {
    // SAFETY: by the contract: the memory is a piece of the pool, or `allocate` has allocated it
    // with this layout.
    unsafe {
        let Header { table, offset, .. } = task.as_ref();
        match (*offset, pool) {
            (Some(offset), Some(pool)) => pool.give(task.cast(), offset),
            _ => dealloc(task.as_ptr().cast(), table.layout),
        }
    }
}

/// The cost of a task in addition to its slot, which is a pointer, and its future.
const _: () = assert!(size_of::<Header>() <= 64);
