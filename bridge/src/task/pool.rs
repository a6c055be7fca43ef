//! Pools of processes that run tasks on all cores.

mod bounded;
mod membership;

use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::panic::Location;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::task::{Context, Poll};

use super::{OneshotSender, Tasks};
use crate::nif::ProcessWord;
use crate::runtime::output::CurrentSpan;
use crate::runtime::{Body, Cx, Guarded, Here, MayBeIgnored, Result};
use crate::tasks::TaskId;
use crate::{Exit, atom};
use bounded::Admitted;
pub use bounded::{BoundedPool, PoolLimit, PoolRefused};
pub use membership::PoolMembership;

/// A pool of processes that run tasks for the other processes of their application. Usually there
/// is one for each scheduler, under a supervisor.
///
/// [`task_pool!`](macro@crate::task_pool) declares a pool. Its workers are servers of the
/// application whose state holds a [`PoolMembership`]:
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::task::PoolMembership;
///
/// otp_bridge::task_pool! {
///     /// The pool that computes for this application.
///     pub static POOL;
/// }
///
/// /// A process that computes.
/// #[derive(Debug, Term)]
/// pub struct Worker {
///     _member: PoolMembership,
/// }
///
/// #[gen_server]
/// impl GenServer for Worker {
///     /// Its number in the pool, from 0.
///     type Args = u16;
///
///     fn init(number: u16, cx: &Cx<'_>) -> impl InitReturn<Self> {
///         (ok, Worker { _member: POOL.join(number, cx) })
///     }
/// }
///
/// /// Call it in a callback or a task of any process of the application.
/// async fn prices(shops: Vec<String>, cx: &Cx<'_>) -> Result<Vec<u64>> {
///     let prices = shops.into_iter().map(|shop| {
///         POOL.spawn(cx, &shop.clone(), async move |cx| cx.apply("shop", "price", (shop,)).await)
///     });
///     otp_bridge::try_join_all(prices.collect::<Vec<_>>()).await
/// }
/// ```
///
/// Bodies and values move to the other process and back as Rust values: they need not be terms and
/// are not copied. All tasks that one call starts in one worker are sent in a single message of the
/// VM.
pub struct TaskPool {
    /// Identifies the pool to memberships that come from an older build.
    name: &'static str,
    workers: RwLock<Vec<Option<Worker>>>,
}

#[derive(Clone)]
struct Worker {
    /// `None` without a VM.
    process: Option<ProcessWord>,
    /// The number of the pool's tasks that the worker has not finished.
    load: Arc<AtomicUsize>,
}

/// Declares a static [`TaskPool`](crate::task::TaskPool) without workers: `task_pool!(pub static
/// POOL;)`. `task_pool!(pub static POOL = TaskPool::bounded(100);)` declares a
/// [`BoundedPool`](crate::task::BoundedPool) that takes 100 tasks.
///
/// An upgrade finds the pool of the new build by its name and its Rust module.
#[macro_export]
macro_rules! task_pool {
    ($(#[$attribute:meta])* $visibility:vis static $name:ident $(;)?) => {
        $(#[$attribute])*
        $visibility static $name: $crate::task::TaskPool = $crate::task::TaskPool::__named(
            ::core::concat!(::core::module_path!(), "::", ::core::stringify!($name)),
        );
        const _: () = {
            $crate::__private::inventory::submit! { $crate::task::PoolEntry(&$name) }
        };
    };
    ($(#[$attribute:meta])* $visibility:vis static $name:ident = $limit:expr $(;)?) => {
        $(#[$attribute])*
        $visibility static $name: $crate::task::BoundedPool = $crate::task::PoolLimit::__pool(
            $limit,
            ::core::concat!(::core::module_path!(), "::", ::core::stringify!($name)),
        );
        const _: () = {
            $crate::__private::inventory::submit! { $crate::task::PoolEntry($name.__pool()) }
        };
    };
}

/// A pool of this library.
#[doc(hidden)]
#[derive(Debug)]
pub struct PoolEntry(pub &'static TaskPool);

inventory::collect!(PoolEntry);

impl TaskPool {
    /// Creates a pool without workers, for `task_pool!`.
    #[doc(hidden)]
    #[must_use]
    pub const fn __named(name: &'static str) -> Self {
        TaskPool {
            name,
            workers: RwLock::new(Vec::new()),
        }
    }

    /// Returns the number of workers that use all cores.
    #[must_use]
    pub fn cores() -> u16 {
        std::thread::available_parallelism()
            .map_or(1, |cores| u16::try_from(cores.get()).unwrap_or(u16::MAX))
    }

    /// Makes this process the worker with this number until the returned value is dropped: store it
    /// in the state. A restarted worker replaces its predecessor.
    #[must_use = "the process is a worker until this is dropped: put it into the state"]
    pub fn join(&'static self, number: u16, cx: &Cx<'_>) -> PoolMembership {
        cx.accepts_tasks();
        let worker = self.add(number, cx.process());
        PoolMembership {
            pool: self,
            number,
            worker: Some(worker),
        }
    }

    fn add(&self, number: u16, process: Option<ProcessWord>) -> Worker {
        let worker = Worker {
            process,
            load: Arc::default(),
        };
        let mut workers = self.workers.write().unwrap_or_else(PoisonError::into_inner);
        let number = usize::from(number);
        if workers.len() <= number {
            workers.resize(number + 1, None);
        }
        workers[number] = Some(worker.clone());
        worker
    }

    /// Returns the number of tasks of each worker, by its number; `None` for a missing worker.
    #[must_use]
    pub fn loads(&self) -> Vec<Option<usize>> {
        let workers = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        let load = |worker: &Worker| worker.load.load(Ordering::Relaxed);
        workers.iter().map(|it| it.as_ref().map(load)).collect()
    }

    /// Starts a task in the worker for the key. One key always selects the same worker while the
    /// pool's workers stay the same. So tasks with the same key never run at the same time.
    ///
    /// # Errors
    /// See [`PoolHandle`] for the errors of the handle.
    #[track_caller]
    pub fn spawn<T, B>(&self, cx: &Cx<'_>, key: &(impl Hash + ?Sized), body: B) -> PoolHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        start(cx, self.worker_of(key), body, None, Location::caller())
    }

    /// Starts a task in the worker that has the fewest tasks.
    ///
    /// # Errors
    /// See [`PoolHandle`] for the errors of the handle.
    #[track_caller]
    pub fn spawn_anywhere<T, B>(&self, cx: &Cx<'_>, body: B) -> PoolHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        start(cx, self.least_loaded(), body, None, Location::caller())
    }

    fn worker_of(&self, key: &(impl Hash + ?Sized)) -> Option<Worker> {
        let hash = BuildHasherDefault::<DefaultHasher>::new().hash_one(key);
        self.choose(|workers| {
            let index = hash % u64::try_from(workers.len()).ok().filter(|it| *it > 0)?;
            let (after, before) = usize::try_from(index)
                .ok()
                .map(|index| (index.., ..index))
                .map(|(after, before)| (&workers[after], &workers[before]))?;
            // While a worker is down, its neighbour runs the tasks of its keys.
            after.iter().chain(before).flatten().next()
        })
    }

    fn least_loaded(&self) -> Option<Worker> {
        self.choose(|workers| {
            let load = |worker: &&Worker| worker.load.load(Ordering::Relaxed);
            workers.iter().flatten().min_by_key(load)
        })
    }

    fn choose(&self, choose: impl Fn(&[Option<Worker>]) -> Option<&Worker>) -> Option<Worker> {
        let workers = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        choose(&workers).cloned()
    }
}

impl fmt::Debug for TaskPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaskPool({:?})", self.loads())
    }
}

/// Counts a task of a worker until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(worker: &Worker) -> Self {
        worker.load.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(&worker.load))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The state that a task's handle and the task's process share.
#[derive(Default)]
struct Order {
    is_aborted: AtomicBool,
    /// Whether the handle was dropped. Then no result is sent, because it would stay in the
    /// caller's mailbox if the caller is a function that has returned.
    is_detached: AtomicBool,
    /// Set by the worker when it starts the task.
    task: OnceLock<TaskId>,
}

fn start<T, B>(
    cx: &Cx<'_>,
    worker: Option<Worker>,
    body: B,
    admitted: Option<Admitted>,
    location: &'static Location<'static>,
) -> PoolHandle<T>
where
    T: Send + 'static,
    B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
{
    let (sender, value) = cx.oneshot();
    let order = Arc::new(Order::default());
    let handle = PoolHandle {
        value: Box::pin(value),
        order: Arc::clone(&order),
        process: worker.as_ref().and_then(|worker| worker.process),
        has_worker: worker.is_some(),
    };
    // Without a VM this process is the only one, and runs the task.
    let is_test = matches!(cx.here(), Here::Owned(_));
    if worker.is_none() && !is_test {
        return handle;
    }
    let counted = (worker.as_ref().map(Counted::new), admitted);
    let client = cx.process();
    let span = CurrentSpan::get();
    let begin = move |cx: &Cx<'_>| {
        if order.is_aborted.load(Ordering::Relaxed) {
            return;
        }
        let of_task = Arc::clone(&order);
        // A worker that was upgraded from another build has not announced it yet.
        cx.accepts_tasks();
        let task = cx.spawn_at(
            async move |cx: &Cx<'_>| {
                let result = Guarded(span.around(body(cx))).await;
                drop(counted);
                if !of_task.is_detached.load(Ordering::Relaxed) {
                    answer(cx, client, sender, result);
                }
                Ok(())
            },
            location,
        );
        if let Some(id) = task.id() {
            // This is the only place that sets it.
            let _ = order.task.set(id);
        }
    };
    cx.send_deferred(handle.process, begin);
    handle
}

/// Sends the result back to the process that awaits it.
fn answer<T: Send + 'static>(
    cx: &Cx<'_>,
    client: Option<ProcessWord>,
    sender: OneshotSender<Result<T>>,
    result: Result<T>,
) {
    let send = move |_: &Cx<'_>| {
        // An error means that the handle was dropped.
        let _ = sender.send(result);
    };
    cx.send_deferred(client, send);
}

/// A task of a [`TaskPool`]. Await it in the process that has started it to get the task's result.
///
/// Dropping it detaches the task.
///
/// # Errors
/// The error of the body; `{panic, …}` if it panics; `aborted`; `worker_down` if its process ended
/// before the task; `no_worker` if the pool had none.
#[must_use = "if it is dropped, the task keeps running and its failure is lost: write `.await`"]
pub struct PoolHandle<T> {
    /// The receiver of a `oneshot`, boxed to hide its bound `T: Send`. `spawn` has this bound
    /// already, and the compiler reports a violation only once.
    value: Pin<Box<dyn Future<Output = Option<Result<T>>> + Send>>,
    order: Arc<Order>,
    process: Option<ProcessWord>,
    has_worker: bool,
}

impl<T> PoolHandle<T> {
    /// Aborts the task at its next turn. Awaiting the handle then returns the exit `aborted`.
    pub fn abort(&self, cx: &Cx<'_>) {
        self.order.is_aborted.store(true, Ordering::Relaxed);
        let order = Arc::clone(&self.order);
        cx.send_deferred(self.process, move |cx: &Cx<'_>| {
            if let Some(&id) = order.task.get()
                && let Some(local) = cx.has_tasks().and_then(|tasks| tasks.here())
            {
                local.abort(id);
            }
        });
    }

    /// Returns the reason why the task has not returned a value.
    fn lost(&self) -> Exit {
        match self.order.is_aborted.load(Ordering::Relaxed) {
            true => Exit::new(atom!("aborted")),
            false if self.has_worker => Exit::new(atom!("worker_down")),
            false => Exit::new(atom!("no_worker")),
        }
    }
}

impl<T> Drop for PoolHandle<T> {
    fn drop(&mut self) {
        self.order.is_detached.store(true, Ordering::Relaxed);
    }
}

impl<T> Future for PoolHandle<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        let ended = self.value.as_mut().poll(context);
        ended.map(|result| result.unwrap_or_else(|| Err(self.lost())))
    }
}

#[diagnostic::do_not_recommend]
impl<T> MayBeIgnored for PoolHandle<T> {}

impl<T> fmt::Debug for PoolHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolHandle({:?})", self.process)
    }
}
