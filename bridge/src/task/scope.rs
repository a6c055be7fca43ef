//! Scopes: groups of tasks that end before the function that started them continues.

use std::collections::HashMap;
use std::collections::hash_map::IntoValues;
use std::fmt;
use std::future::poll_fn;
use std::panic::Location;
use std::task::{Poll, Waker};
use std::time::Duration;

use super::{JoinHandle, Tasks};
use crate::runtime::{Body, Cx, Result};
use crate::tasks::{LocalCell, TaskId};
use crate::{Exit, atom};

/// A group of tasks: see [`Tasks::scope`].
pub struct Scope<'call> {
    cx: &'call Cx<'call>,
    members: LocalCell<Members>,
    limit: Option<Duration>,
}

#[derive(Default)]
struct Members {
    live: HashMap<u64, TaskId>,
    started: u64,
    failed: Option<Exit>,
    waiter: Option<Waker>,
}

/// Removes a task from its scope when the task ends in any way.
struct Member {
    members: LocalCell<Members>,
    number: u64,
    failed: Option<Exit>,
}

impl Drop for Member {
    fn drop(&mut self) {
        let failed = self.failed.take();
        let waiter = self.members.try_with(|members| {
            members.live.remove(&self.number);
            if members.failed.is_none() {
                members.failed = failed;
            }
            if members.live.is_empty() || members.failed.is_some() {
                members.waiter.take()
            } else {
                None
            }
        });
        if let Ok(Some(waiter)) = waiter {
            waiter.wake();
        }
    }
}

impl<'call> Scope<'call> {
    pub(super) fn new(cx: &'call Cx<'call>) -> Self {
        Scope {
            cx,
            members: cx.local(Members::default()),
            limit: None,
        }
    }

    /// Sets a watchdog: a task of [`Scope::spawn_watched`] is restarted if it has had no turn for
    /// `limit`.
    pub fn watchdog(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Starts a task of the scope: see [`Tasks::spawn_task`].
    #[track_caller]
    pub fn spawn<T, B>(&self, body: B) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        self.spawn_at(body, Location::caller())
    }

    fn spawn_at<T, B>(&self, body: B, location: &'static Location<'static>) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        let number = self.members.with(|members| {
            members.started += 1;
            members.started
        });
        let mut member = Member {
            members: self.members.clone(),
            number,
            failed: None,
        };
        let of_scope = async move |cx: &Cx<'_>| {
            let result = body(cx).await;
            member.failed = result.as_ref().err().cloned();
            drop(member);
            result
        };
        let task = self.cx.spawn_at(of_scope, location);
        if let Some(id) = task.id() {
            self.members.with(|members| members.live.insert(number, id));
        }
        task
    }

    /// Starts a task of the scope that is aborted and restarted when it has had no turn for the
    /// time limit of [`Scope::watchdog`]. Each restart is logged. Without a watchdog, the task is
    /// started once.
    ///
    /// A task that never awaits cannot be aborted: the warning about long callbacks names it.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// use otp_bridge::task::Tasks;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn poll(cx: &Cx<'_>) -> Result<()> {
    ///     let scope = cx.scope().watchdog(Duration::from_secs(5));
    ///     scope.spawn_watched(|| async |cx| cx.apply::<(), _>("device", "read", ()).await);
    ///     scope.join().await
    /// }
    /// ```
    #[track_caller]
    pub fn spawn_watched<T, B>(&self, body: impl Fn() -> B + Send + Sync + 'static) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        let (limit, location) = (self.limit, Location::caller());
        let guardian = async move |cx: &Cx<'_>| loop {
            let task = Ending(cx.spawn_at(body(), location));
            if let Some(result) = watch(cx, task, limit).await? {
                return result;
            }
        };
        self.spawn_at(guardian, location)
    }

    /// Waits until all tasks have ended. If one fails, the others are aborted, and its failure is
    /// the result.
    ///
    /// # Errors
    /// The first failure of a task.
    pub async fn join(self) -> Result<()> {
        let joined = self.joined().await;
        self.end().await;
        joined
    }

    /// Aborts the tasks, and yields between batches of them. Dropping a scope with very many tasks
    /// would take longer than a timeslice.
    pub async fn end(self) {
        let live = self
            .members
            .with(|members| std::mem::take(&mut members.live));
        let mut left = Left {
            cx: self.cx,
            tasks: live.into_values(),
        };
        while left.end_some(AT_ONCE) {
            self.cx.checkpoint().await;
        }
    }

    async fn joined(&self) -> Result<()> {
        poll_fn(|context| {
            let waker = context.waker().clone();
            self.members.with(|members| {
                if let Some(exit) = members.failed.take() {
                    return Poll::Ready(Err(exit));
                }
                if members.live.is_empty() {
                    return Poll::Ready(Ok(()));
                }
                members.waiter = Some(waker);
                Poll::Pending
            })
        })
        .await
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        let members = self
            .members
            .try_with(|members| std::mem::take(&mut members.live));
        drop(Left {
            cx: self.cx,
            tasks: members.unwrap_or_default().into_values(),
        });
    }
}

/// The number of tasks that are aborted between two checkpoints.
const AT_ONCE: usize = 64;

/// Remaining tasks of a scope, which are aborted when this is dropped.
struct Left<'call> {
    cx: &'call Cx<'call>,
    tasks: IntoValues<u64, TaskId>,
}

impl Left<'_> {
    /// Aborts at most `count` tasks. Returns whether some may be left.
    fn end_some(&mut self, count: usize) -> bool {
        let Some(local) = self.cx.has_tasks().and_then(|tasks| tasks.here()) else {
            return false;
        };
        let ids = self.tasks.by_ref().take(count);
        ids.map(|id| local.end_now(id)).count() == count
    }
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.end_some(usize::MAX);
    }
}

/// A task that is aborted when this is dropped.
struct Ending<T>(JoinHandle<T>);

impl<T> Drop for Ending<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Awaits a task as long as it has turns. Returns `None` if it has had none for `limit`.
async fn watch<T>(
    cx: &Cx<'_>,
    mut task: Ending<T>,
    limit: Option<Duration>,
) -> Result<Option<Result<T>>> {
    let Some(limit) = limit else {
        return Ok(Some((&mut task.0).await));
    };
    let mut left = limit;
    loop {
        if let Ok(result) = cx.timeout(left, &mut task.0).await {
            return Ok(Some(result));
        }
        let idle = task.0.idle().unwrap_or_default();
        if idle >= limit {
            let milliseconds = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
            task.0
                .restarted(Exit::new((atom!("no_progress"), milliseconds)));
            return Ok(None);
        }
        left = limit - idle;
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let live = self.members.try_with(|members| members.live.len());
        write!(f, "Scope({live:?})")
    }
}
