//! A task's own memory: one allocation with a header and the future, or its output when that has ended.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::ptr::NonNull;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::waiter::Waiter;
use super::waker::Remote;
use crate::nif::contained;

/// The size limit of a task's future in bytes. It is built on a scheduler's stack, as a callback's is.
const MAX_FUTURE: usize = 16 * 1024;

/// A value of any type that says why a task has failed.
pub(crate) type Failure = Box<dyn Any + Send>;

/// What a task evaluates to.
pub(crate) trait Ending: Send + 'static {
    /// Why it has failed, if it has.
    fn failure(&self) -> Option<Failure>;
}

/// What is known of a task whatever its future is.
pub(crate) struct Header {
    table: &'static Table,
    /// Where it was spawned.
    pub(super) location: &'static Location<'static>,
    /// Who waits for its end.
    pub(super) joiner: Cell<Waiter>,
    /// What the clones of its waker share, once there is one.
    pub(super) remote: Cell<Option<Arc<Remote>>>,
}

/// The functions of a task with a certain future.
struct Table {
    poll: unsafe fn(NonNull<Header>, &mut Context<'_>) -> bool,
    cancel: unsafe fn(NonNull<Header>),
    failure: unsafe fn(NonNull<Header>) -> Option<Failure>,
    take: unsafe fn(NonNull<Header>, NonNull<()>),
    free: unsafe fn(NonNull<Header>),
}

#[repr(C)]
struct Task<F: Future> {
    header: Header,
    stage: UnsafeCell<Stage<F>>,
}

enum Stage<F: Future> {
    Running(F),
    Ended(F::Output),
    /// The future was dropped before its end, or the output has been taken.
    Gone,
}

impl<F: Future> Task<F>
where
    F::Output: Ending,
{
    const TABLE: Table = Table {
        poll: Self::poll,
        cancel: Self::cancel,
        failure: Self::failure,
        take: Self::take,
        free: Self::free,
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
    /// As of `stage`.
    unsafe fn replace(task: NonNull<Header>, next: Stage<F>) {
        // SAFETY: by the contract. What is dropped is not used again: it is overwritten without being dropped.
        unsafe {
            let stage: *mut Stage<F> = Self::stage(task);
            contained(|| stage.drop_in_place());
            stage.write(next);
        }
    }

    unsafe fn poll(task: NonNull<Header>, context: &mut Context<'_>) -> bool {
        // SAFETY: a task polls only while it is not being polled (`Executor::run`).
        let Stage::Running(future) = (unsafe { Self::stage(task) }) else {
            return true;
        };
        // SAFETY: the future does not move before it is dropped.
        match unsafe { Pin::new_unchecked(future) }.poll(context) {
            Poll::Pending => false,
            Poll::Ready(output) => {
                // SAFETY: the poll has ended.
                unsafe { Self::replace(task, Stage::Ended(output)) };
                true
            }
        }
    }

    unsafe fn cancel(task: NonNull<Header>) {
        // SAFETY: by the contract of `Header::cancel`.
        unsafe { Self::replace(task, Stage::Gone) };
    }

    unsafe fn failure(task: NonNull<Header>) -> Option<Failure> {
        // SAFETY: by the contract of `Header::failure`.
        match unsafe { Self::stage(task) } {
            Stage::Ended(output) => output.failure(),
            Stage::Running(_) | Stage::Gone => None,
        }
    }

    unsafe fn take(task: NonNull<Header>, output: NonNull<()>) {
        // SAFETY: by the contract of `Header::take`.
        unsafe {
            let stage = Self::stage(task);
            if let Stage::Ended(_) = stage
                && let Stage::Ended(taken) = std::mem::replace(stage, Stage::Gone)
            {
                *output.cast::<Option<F::Output>>().as_mut() = Some(taken);
            }
        }
    }

    unsafe fn free(task: NonNull<Header>) {
        // SAFETY: by the contract of `Header::free`. `Gone` has nothing to drop that could panic.
        unsafe {
            Self::replace(task, Stage::Gone);
            // Whoever waited may be a waker with a destructor of the user's.
            contained(|| drop(Box::from_raw(task.cast::<Self>().as_ptr())));
        }
    }
}

/// Memory for a task.
///
/// # Safety
/// What the future borrows outlives the task.
pub(super) unsafe fn allocate<F>(future: F, location: &'static Location<'static>) -> NonNull<Header>
where
    F: Future + Send,
    F::Output: Ending,
{
    const {
        assert!(
            size_of::<F>() <= MAX_FUTURE,
            "a task's future, which holds every variable that lives across an `.await`, has more than 16 KiB: put the \
             large ones behind a `Box`"
        );
    }
    let task = Box::new(Task {
        header: Header {
            table: const { &Task::<F>::TABLE },
            location,
            joiner: Cell::new(Waiter::Nobody),
            remote: Cell::new(None),
        },
        stage: UnsafeCell::new(Stage::Running(future)),
    });
    NonNull::from(Box::leak(task)).cast()
}

/// Polls the future. Returns whether it has ended.
///
/// # Safety
/// The task has not been freed and is not being polled.
pub(super) unsafe fn poll(task: NonNull<Header>, context: &mut Context<'_>) -> bool {
    // SAFETY: the table is that of the task's future.
    unsafe { (task.as_ref().table.poll)(task, context) }
}

/// Drops the future, if it has not ended. Its panics are dropped, too.
///
/// # Safety
/// As of [`poll`].
pub(super) unsafe fn cancel(task: NonNull<Header>) {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.cancel)(task) }
}

/// Why the task has failed.
///
/// # Safety
/// As of [`poll`].
pub(super) unsafe fn failure(task: NonNull<Header>) -> Option<Failure> {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.failure)(task) }
}

/// Takes the output, if the future has ended and nobody has taken it before.
///
/// # Safety
/// As of [`poll`]; `O` is the output of the task's future.
pub(super) unsafe fn take<O>(task: NonNull<Header>) -> Option<O> {
    let mut output = None::<O>;
    // SAFETY: as in `poll`; the output has the type that the function expects.
    unsafe { (task.as_ref().table.take)(task, NonNull::from(&mut output).cast()) };
    output
}

/// Drops what is left of the task and frees its memory. Panics of destructors are dropped.
///
/// # Safety
/// As of [`poll`], and nobody uses the task afterwards.
pub(super) unsafe fn free(task: NonNull<Header>) {
    // SAFETY: as in `poll`.
    unsafe { (task.as_ref().table.free)(task) }
}

/// What a task costs beside its slot and its future.
const _: () = assert!(size_of::<Header>() <= 48);
