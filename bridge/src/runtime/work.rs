//! What a callback is once it has been called: a value, or a future of one.

use std::future::{Future, IntoFuture, Ready, ready};

use crate::nif::Scheduler;

/// A callback's result, there or on its way.
///
/// Every future that may go from one thread to another is one; a callback without `async` gives
/// [`Plain`].
pub trait Work: IntoFuture + Sized {
    /// Hands the value, or the future, to whoever runs the callback.
    #[doc(hidden)]
    fn begin<S: Starter<Self::Output>>(self, starter: S) -> S::Begun;

    /// The work with `map` applied to its result.
    #[doc(hidden)]
    fn mapped<Mapped>(
        self,
        map: impl FnOnce(Self::Output) -> Mapped + Send,
    ) -> impl Work<Output = Mapped>;
}

/// Runs work, or keeps it.
#[doc(hidden)]
pub trait Starter<Output> {
    /// What is known then.
    type Begun;

    /// The value is there.
    fn ended(self, value: Output) -> Self::Begun;

    /// It is a future.
    fn future<F: Future<Output = Output> + Send>(
        self,
        future: F,
        scheduler: OnScheduler,
    ) -> Self::Begun;
}

/// Which schedulers run a callback from its beginning.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnScheduler(pub(crate) Scheduler);

impl<F: Future + Send> Work for F {
    fn begin<S: Starter<Self::Output>>(self, starter: S) -> S::Begun {
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
    fn begin<S: Starter<T>>(self, starter: S) -> S::Begun {
        starter.ended(self.0)
    }

    #[inline]
    fn mapped<Mapped>(self, map: impl FnOnce(T) -> Mapped + Send) -> impl Work<Output = Mapped> {
        Plain(map(self.0))
    }
}

/// A future that runs on other schedulers than the normal ones.
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
    fn begin<S: Starter<F::Output>>(self, starter: S) -> S::Begun {
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

/// A callback under `#[dirty(cpu)]`.
#[doc(hidden)]
pub fn dirty_cpu<F: Future + Send>(future: F) -> impl Work<Output = F::Output> {
    Dirty {
        future,
        scheduler: Scheduler::DirtyCpu,
    }
}

/// A callback under `#[dirty(io)]`.
#[doc(hidden)]
pub fn dirty_io<F: Future + Send>(future: F) -> impl Work<Output = F::Output> {
    Dirty {
        future,
        scheduler: Scheduler::DirtyIo,
    }
}

/// `work` with `map` applied to its result.
#[doc(hidden)]
pub fn map<W: Work, Mapped>(
    work: W,
    map: impl FnOnce(W::Output) -> Mapped + Send,
) -> impl Work<Output = Mapped> {
    work.mapped(map)
}
