//! Work that takes longer than a callback may hold its scheduler: yielding, and dirty schedulers.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;

use crate::nif::{ClockTicks, Scheduler};
use crate::runtime::{Cx, Here};
use crate::tasks::Turn;

impl Cx<'_> {
    /// Yields the scheduler if the slice is used up, and otherwise returns at once. The first slice
    /// is a tenth of a millisecond. While no other process waits for the scheduler, slices grow to
    /// nearly a millisecond.
    ///
    /// A checkpoint within the slice costs some nanoseconds, so every step of a loop may have one.
    /// In a [task](crate::task::Tasks::spawn_task) it lets the other tasks have their turns after a
    /// tenth of a timeslice.
    pub fn checkpoint(&self) -> impl Future<Output = ()> {
        GiveWay::new(self, Needs::UsedUp)
    }

    /// Lets other processes run: `erlang:yield/0`.
    pub fn yield_now(&self) -> impl Future<Output = ()> {
        GiveWay::new(self, Needs::Always)
    }

    /// Iterates over `items`, with a [checkpoint](Cx::checkpoint) before each.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::Cx;
    /// async fn sum(rows: &[u64], cx: &Cx<'_>) -> u64 {
    ///     let mut sum = 0;
    ///     let mut rows = cx.yielding(rows);
    ///     while let Some(row) = rows.next().await {
    ///         sum += row;
    ///     }
    ///     sum
    /// }
    /// ```
    pub fn yielding<I: IntoIterator>(&self, items: I) -> Yielding<'_, I::IntoIter> {
        Yielding {
            cx: self,
            items: items.into_iter(),
        }
    }

    /// Runs a long computation on a dirty CPU scheduler. There are as many of these as cores.
    /// `work` may borrow from the state. The process waits for it, and a panic of `work` is a panic
    /// of the callback.
    ///
    /// The switch to another scheduler takes some microseconds each way. If the process is killed
    /// while `work` runs, other processes see its exit at once, but `work` runs to its end.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::Cx;
    /// async fn sort(rows: &mut [u64], cx: &Cx<'_>) {
    ///     cx.dirty(|| rows.sort_unstable()).await;
    /// }
    /// ```
    pub fn dirty<T, F: FnOnce() -> T>(&self, work: F) -> impl Future<Output = T> {
        Dirty {
            cx: self,
            work: Some(work),
            scheduler: Scheduler::DirtyCpu,
            has_moved: false,
        }
    }

    /// Runs work that waits for the operating system, such as reading a file, on a dirty IO
    /// scheduler. There are ten of these unless the VM is started with another number
    /// (`erl +SDio`). The process waits for the work, as for [`Cx::dirty`].
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Exit, Result};
    ///
    /// async fn read(path: &str, cx: &Cx<'_>) -> Result<String> {
    ///     let text = cx.blocking(|| std::fs::read_to_string(path)).await;
    ///     text.map_err(|error| Exit::error(error.to_string()))
    /// }
    /// ```
    pub fn blocking<T, F: FnOnce() -> T>(&self, work: F) -> impl Future<Output = T> {
        Dirty {
            cx: self,
            work: Some(work),
            scheduler: Scheduler::DirtyIo,
            has_moved: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    UsedUp,
    Always,
    Nothing,
}

/// The future of [`Cx::checkpoint`] and [`Cx::yield_now`].
struct GiveWay<'call> {
    cx: &'call Cx<'call>,
    needs: Needs,
}

impl<'call> GiveWay<'call> {
    fn new(cx: &'call Cx<'call>, needs: Needs) -> Self {
        GiveWay { cx, needs }
    }
}

impl GiveWay<'_> {
    /// In a task, lets the other tasks have their turns; its process checks when the slice is over.
    fn poll_in_task(&mut self, task: Turn<'_>, context: &Context<'_>) -> Poll<()> {
        let gives_way = match self.needs {
            Needs::Always => true,
            Needs::UsedUp => task.is_used_up(),
            Needs::Nothing => false,
        };
        if !gives_way {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        self.needs = Needs::Nothing;
        Poll::Pending
    }
}

impl Future for GiveWay<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Here::Vm(call, now) = self.cx.here() else {
            return Poll::Ready(());
        };
        if let Some(task) = call.tasks().and_then(|tasks| tasks.here()?.in_turn()) {
            return self.poll_in_task(task, context);
        }
        let gives_way = match self.needs {
            Needs::Always => true,
            // A dirty scheduler need not be yielded to other processes, but this one may have been
            // killed.
            Needs::UsedUp => ClockTicks::now() > now.slice_ends(),
            Needs::Nothing => false,
        };
        if !gives_way {
            return Poll::Ready(());
        }
        // Resume on the kind of scheduler that the clause runs on.
        call.gives_way.set(Some(call.awaiting().scheduler.get()));
        context.waker().wake_by_ref();
        self.needs = Needs::Nothing;
        Poll::Pending
    }
}

/// An iterator with a checkpoint before each element, and a `Stream`: see [`Cx::yielding`].
#[derive(Debug)]
pub struct Yielding<'call, I> {
    cx: &'call Cx<'call>,
    items: I,
}

impl<I: Iterator> Yielding<'_, I> {
    /// Returns the next element.
    pub async fn next(&mut self) -> Option<I::Item> {
        self.cx.checkpoint().await;
        self.items.next()
    }
}

impl<I: Iterator + Unpin> Stream for Yielding<'_, I> {
    type Item = I::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<I::Item>> {
        let mut checkpoint = GiveWay::new(self.cx, Needs::UsedUp);
        match Pin::new(&mut checkpoint).poll(context) {
            Poll::Ready(()) => Poll::Ready(self.items.next()),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Work for another kind of scheduler: see [`Cx::dirty`] and [`Cx::blocking`].
///
/// The whole callback is polled on the other scheduler, and the work runs within that poll. That is
/// why the work may borrow from the state, and why two threads never use the process's values at
/// the same time.
struct Dirty<'call, F> {
    cx: &'call Cx<'call>,
    work: Option<F>,
    scheduler: Scheduler,
    /// Whether it has yielded, so that the next poll is on its scheduler and at the start of a
    /// timeslice.
    has_moved: bool,
}

impl<F> Unpin for Dirty<'_, F> {}

impl<T, F: FnOnce() -> T> Future for Dirty<'_, F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // If a process is killed while it runs on a dirty scheduler, it ends only when it returns
        // to Erlang. So a callback that runs several such pieces of work returns between them.
        if let Here::Vm(call, now) = self.cx.here()
            && (!now.is_dirty() || !self.has_moved && ClockTicks::now() > now.slice_ends())
        {
            self.has_moved = true;
            call.gives_way.set(Some(self.scheduler));
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let work = self.work.take();
        let work = work.expect("a future is not polled after it has ended");
        Poll::Ready(work())
    }
}
