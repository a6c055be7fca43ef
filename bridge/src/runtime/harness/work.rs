//! The result of calling a callback: a value, or a future of one.

use std::future::{Future, IntoFuture, Ready, ready};

use crate::nif::Scheduler;

/// The result of a callback, now or later.
///
/// Every future that is `Send` implements it. A callback without `async` gives [`Plain`].
pub trait Work: IntoFuture + Sized {
    /// Passes the value, or the future, to the starter.
    #[doc(hidden)]
    fn begin<'f, S: Starter<'f, Self::Output>>(self, starter: S) -> S::Begun
    where
        Self: 'f;

    /// Returns the work with `map` applied to its result.
    #[doc(hidden)]
    fn mapped<Mapped>(
        self,
        map: impl FnOnce(Self::Output) -> Mapped + Send,
    ) -> impl Work<Output = Mapped>;
}

/// Runs work at once or stores it. The work borrows only values that outlive `'f`.
#[doc(hidden)]
pub trait Starter<'f, Output> {
    /// The result of the start.
    type Begun;

    /// Called with the value if the work has completed.
    fn ended(self, value: Output) -> Self::Begun;

    /// Called with the future otherwise.
    fn future<F: Future<Output = Output> + Send + 'f>(
        self,
        future: F,
        scheduler: OnScheduler,
    ) -> Self::Begun;
}

/// The kind of scheduler on which a callback starts.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnScheduler(pub(crate) Scheduler);

impl<F: Future + Send> Work for F {
    fn begin<'f, S: Starter<'f, Self::Output>>(self, starter: S) -> S::Begun
    where
        Self: 'f,
    {
        starter.future(self, OnScheduler(Scheduler::Normal))
    }

    fn mapped<Mapped>(
        self,
        map: impl FnOnce(Self::Output) -> Mapped + Send,
    ) -> impl Work<Output = Mapped> {
        async move { map(self.await) }
    }
}

/// The result of a callback that does not wait.
#[derive(Debug)]
pub struct Plain<T>(T);

impl<T> Plain<T> {
    /// Runs a callback's body.
    #[doc(hidden)]
    #[inline]
    pub fn run(body: impl FnOnce() -> T) -> Self {
        Plain(body())
    }
}

impl<T> IntoFuture for Plain<T> {
    type Output = T;
    type IntoFuture = Ready<T>;

    fn into_future(self) -> Ready<T> {
        ready(self.0)
    }
}

impl<T> Work for Plain<T> {
    #[inline]
    fn begin<'f, S: Starter<'f, T>>(self, starter: S) -> S::Begun
    where
        Self: 'f,
    {
        starter.ended(self.0)
    }

    #[inline]
    fn mapped<Mapped>(self, map: impl FnOnce(T) -> Mapped + Send) -> impl Work<Output = Mapped> {
        Plain(map(self.0))
    }
}

/// A future that runs on a dirty scheduler.
struct Dirty<F> {
    future: F,
    scheduler: Scheduler,
}

impl<F: Future> IntoFuture for Dirty<F> {
    type Output = F::Output;
    type IntoFuture = F;

    fn into_future(self) -> F {
        self.future
    }
}

impl<F: Future + Send> Work for Dirty<F> {
    fn begin<'f, S: Starter<'f, F::Output>>(self, starter: S) -> S::Begun
    where
        Self: 'f,
    {
        starter.future(self.future, OnScheduler(self.scheduler))
    }

    fn mapped<Mapped>(
        self,
        map: impl FnOnce(F::Output) -> Mapped + Send,
    ) -> impl Work<Output = Mapped> {
        let future = self.future;
        Dirty {
            future: async move { map(future.await) },
            scheduler: self.scheduler,
        }
    }
}

/// Runs a callback under `#[dirty(cpu)]`.
#[doc(hidden)]
pub fn dirty_cpu<F: Future + Send>(future: F) -> impl Work<Output = F::Output> {
    Dirty {
        future,
        scheduler: Scheduler::DirtyCpu,
    }
}

/// Runs a callback under `#[dirty(io)]`.
#[doc(hidden)]
pub fn dirty_io<F: Future + Send>(future: F) -> impl Work<Output = F::Output> {
    Dirty {
        future,
        scheduler: Scheduler::DirtyIo,
    }
}

/// Returns `work`, with `map` applied to its result.
#[doc(hidden)]
pub fn map<W: Work, Mapped>(
    work: W,
    map: impl FnOnce(W::Output) -> Mapped + Send,
) -> impl Work<Output = Mapped> {
    work.mapped(map)
}
