//! Lightweight tasks: futures that run in the process of the callback that has started them.
#![allow(unsafe_code)]

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::reaper;
use crate::runtime::{Body, Cx, Guarded, MayBeIgnored, Result};
use crate::tasks::{Handle, Local, Spawned, TaskId};
use crate::{Exit, atom};

impl Cx<'_> {
    /// Starts a task: a future that runs in this process, beside its callbacks and its other tasks. It costs about a
    /// hundred bytes and its future's own size.
    ///
    /// The body owns what it uses (`move`), and what it keeps across an `.await` is `Send`, since its process moves
    /// between the VM's threads. Its context is the process's: whatever a callback can await, a task can await while
    /// the process serves calls and its other tasks run.
    ///
    /// The task goes on if the handle is dropped. It ends with its process at the latest.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn both(cx: &Cx<'_>) -> Result<u64> {
    ///     let stock = cx.spawn(async |cx| cx.apply::<u64, _>("stock", "count", ()).await);
    ///     let orders = cx.spawn(async |cx| cx.apply::<u64, _>("orders", "count", ()).await);
    ///     Ok(stock.await? + orders.await?)
    /// }
    /// ```
    ///
    /// # Errors
    /// Of the handle: the error of the body; `{panic, …}` if it panics; `aborted`.
    #[track_caller]
    pub fn spawn<T, B>(&self, body: B) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        self.spawn_at(body, Location::caller())
    }

    pub(super) fn spawn_at<T, B>(&self, body: B, at: &'static Location<'static>) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        let tasks = self.tasks();
        // SAFETY: the context lies in the process's cell, or in a test's call, and does not move. Both end the tasks
        // before it goes (`ProcessCell::clear`, `TasksOfCall`). The body cannot keep it for longer: it takes a context of
        // any lifetime, so it may rely only on the shortest, and its value is `'static` for each of them.
        let cx: &'static Cx<'static> = unsafe { std::mem::transmute(self) };
        let future = Guarded(body(cx));
        // SAFETY: the future borrows the context, see above, and nothing else.
        let spawned = unsafe { tasks.spawn(future, at) };
        let task = spawned.map(|Spawned { id, are_many }| {
            if are_many {
                reaper::start(self, tasks);
            }
            // SAFETY: the task's future is a `Guarded` of one of `T`; this is its only handle.
            unsafe { Handle::new(Arc::clone(tasks), id) }
        });
        JoinHandle { task }
    }
}

/// A task of this process: see [`Cx::spawn`]. Awaited, it is what the task evaluates to.
///
/// The task goes on if this is dropped.
pub struct JoinHandle<T> {
    /// `None` if the process was ending.
    task: Option<Handle<Result<T>>>,
}

impl<T> JoinHandle<T> {
    /// Ends the task where it waits, when it is next its turn. Whoever awaits it gets the exit `aborted`. A task that has
    /// ended is not affected.
    pub fn abort(&self) {
        self.with(|local, id| local.abort(id));
    }

    /// The same task. If it fails, its process fails with the same exit, as one does that is linked to another.
    pub fn linked(self) -> Self {
        self.with(|local, id| local.link(id));
        self
    }

    /// The same task with a name, for reports and `sys:get_status/1`.
    pub fn named(self, name: impl Into<String>) -> Self {
        let name = name.into().into_boxed_str();
        self.with(|local, id| local.name(id, name));
        self
    }

    /// The task's name.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let task = self.task.as_ref()?;
        task.here()?.name_of(task.id())
    }

    pub(super) fn id(&self) -> Option<TaskId> {
        self.task.as_ref().map(Handle::id)
    }

    /// For how long the task has waited since its last turn.
    pub(super) fn idle(&self) -> Option<Duration> {
        let task = self.task.as_ref()?;
        task.here()?.idle(task.id())
    }

    /// The task is started again: a report says why.
    pub(super) fn restarted(&self, why: Exit) {
        self.with(|local, id| local.restarted(id, Box::new(why)));
    }

    /// Whether the task has ended. Outside of its process it is not known, and the answer is `true`.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let here = self
            .task
            .as_ref()
            .and_then(|task| Some((task.here()?, task.id())));
        here.is_none_or(|(local, id)| local.has_ended(id))
    }

    fn with(&self, action: impl FnOnce(&Local, TaskId) + Send + 'static) {
        if let Some(task) = &self.task {
            task.with(action);
        }
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        let aborted = || Err(Exit::new(atom!("aborted")));
        match &self.task {
            Some(task) => task
                .poll(context)
                .map(|output| output.unwrap_or_else(aborted)),
            None => Poll::Ready(aborted()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T> MayBeIgnored for JoinHandle<T> {}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.task.as_ref().map(Handle::id);
        write!(f, "JoinHandle({id:?})")
    }
}
