//! A pool that takes a limited number of tasks.

use std::fmt;
use std::hash::Hash;
use std::panic::Location;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{PoolHandle, PoolMembership, TaskPool, Worker, start};
use crate::runtime::{Body, Cx, ExitOf, Here, Result};
use crate::{Exit, atom};

impl TaskPool {
    /// How many tasks a [`BoundedPool`] takes: `task_pool!(pub static POOL =
    /// TaskPool::bounded(100););`.
    ///
    /// # Panics
    /// `tasks` is 0. In a `static` this is a compile error.
    #[must_use]
    pub const fn bounded(tasks: usize) -> PoolLimit {
        assert!(tasks > 0, "a pool that takes no task");
        PoolLimit(tasks)
    }
}

/// How many tasks a pool takes: [`TaskPool::bounded`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolLimit(usize);

impl PoolLimit {
    /// A pool without workers, for `task_pool!`.
    #[doc(hidden)]
    #[must_use]
    pub const fn __pool(self, name: &'static str) -> BoundedPool {
        BoundedPool {
            pool: TaskPool::__named(name),
            limit: self.0,
            tasks: AtomicUsize::new(0),
        }
    }
}

/// A [`TaskPool`] that takes a limited number of tasks. While as many are running or waiting for
/// their turn, it refuses further ones and gives them back, so that a caller can shed load, retry
/// later, or do the work itself.
///
/// ```
/// # use otp_bridge_novm as _;
/// # use otp_bridge::{Cx, Result};
/// use otp_bridge::task::{PoolRefused, TaskPool};
///
/// otp_bridge::task_pool! {
///     /// Draws thumbnails: at most 100 at once, running or waiting.
///     pub static DRAWING = TaskPool::bounded(100);
/// }
///
/// # fn draw(_: u64) -> Vec<u8> {
/// #     Vec::new()
/// # }
/// async fn thumbnail(picture: u64, cx: &Cx<'_>) -> Result<Vec<u8>> {
///     match DRAWING.spawn(cx, &picture, async move |_| Ok(draw(picture))) {
///         Ok(drawn) => drawn.await,
///         Err(PoolRefused::Full(_)) => Ok(Vec::new()),         // a page without this thumbnail
///         Err(refused) => Err(refused.into()),
///     }
/// }
/// ```
///
/// Workers join it as any pool: [`BoundedPool::join`].
///
/// A task counts until it returns, panics or is aborted, or until its worker ends. If the process
/// that started it ends, the task keeps running. During an upgrade, each build counts its own
/// tasks.
pub struct BoundedPool {
    pool: TaskPool,
    limit: usize,
    /// The number of tasks that have not ended.
    tasks: AtomicUsize,
}

impl BoundedPool {
    /// Returns the pool, for a membership.
    #[doc(hidden)]
    #[must_use]
    pub const fn __pool(&'static self) -> &'static TaskPool {
        &self.pool
    }

    /// As [`TaskPool::join`].
    #[must_use = "the process is a worker until this is dropped: put it into the state"]
    pub fn join(&'static self, number: u16, cx: &Cx<'_>) -> PoolMembership {
        self.pool.join(number, cx)
    }

    /// The number of tasks that are running or waiting.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tasks.load(Ordering::Relaxed)
    }

    /// Starts a task in the worker that the key stands for, as [`TaskPool::spawn`].
    ///
    /// # Errors
    /// [`PoolRefused`], which has the body, if the pool is full or has no worker.
    #[track_caller]
    pub fn spawn<T, B>(
        &'static self,
        cx: &Cx<'_>,
        key: &(impl Hash + ?Sized),
        body: B,
    ) -> Result<PoolHandle<T>, PoolRefused<B>>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        self.start(cx, self.pool.worker_of(key), body, Location::caller())
    }

    /// Starts a task in the worker that has the fewest tasks.
    ///
    /// # Errors
    /// [`PoolRefused`], which has the body, if the pool is full or has no worker.
    #[track_caller]
    pub fn spawn_anywhere<T, B>(
        &'static self,
        cx: &Cx<'_>,
        body: B,
    ) -> Result<PoolHandle<T>, PoolRefused<B>>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        self.start(cx, self.pool.least_loaded(), body, Location::caller())
    }

    fn start<T, B>(
        &'static self,
        cx: &Cx<'_>,
        worker: Option<Worker>,
        body: B,
        location: &'static Location<'static>,
    ) -> Result<PoolHandle<T>, PoolRefused<B>>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        // Without a VM, the process itself is the worker.
        if worker.is_none() && !matches!(cx.here(), Here::Owned(_)) {
            return Err(PoolRefused::NoWorker(body));
        }
        let more = |tasks: usize| (tasks < self.limit).then_some(tasks + 1);
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        match self.tasks.fetch_update(set, get, more) {
            Ok(_) => Ok(start(
                cx,
                worker,
                body,
                Some(Admitted(&self.tasks)),
                location,
            )),
            Err(_) => Err(PoolRefused::Full(body)),
        }
    }
}

impl fmt::Debug for BoundedPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundedPool({} of {})", self.count(), self.limit)
    }
}

/// A task that counts, until this is dropped.
pub(super) struct Admitted(&'static AtomicUsize);

impl Drop for Admitted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why a [`BoundedPool`] has not started a task, with its body. `?` makes an [`Exit`] of it, which
/// is `overload` or `no_worker`: the [`kind`](Exit::kind) of a full pool is `Overload`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PoolRefused<B> {
    /// As many tasks are running or waiting as the pool takes.
    Full(B),
    /// The pool has no worker.
    NoWorker(B),
}

impl<B> PoolRefused<B> {
    /// The body.
    pub fn into_body(self) -> B {
        match self {
            PoolRefused::Full(body) | PoolRefused::NoWorker(body) => body,
        }
    }
}

impl<B> fmt::Display for PoolRefused<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PoolRefused::Full(_) => "the pool is full",
            PoolRefused::NoWorker(_) => "the pool has no worker",
        })
    }
}

impl<B> fmt::Debug for PoolRefused<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<B> std::error::Error for PoolRefused<B> {}

#[diagnostic::do_not_recommend]
impl<B> ExitOf<PoolRefused<B>> for Exit {
    fn of(refused: PoolRefused<B>, location: &'static Location<'static>) -> Self {
        let reason = match refused {
            PoolRefused::Full(_) => atom!("overload"),
            PoolRefused::NoWorker(_) => atom!("no_worker"),
        };
        Exit::new(reason).begun_at(location)
    }
}
