//! Methods of the context that start tasks and create what they share.
#![allow(unsafe_code)]

use std::panic::Location;
use std::sync::Arc;

use super::{
    Broadcast, ChannelReceiver, ChannelSender, Client, JoinHandle, OneshotReceiver, OneshotSender,
    Scope, channel, drop_tasks, oneshot,
};
use crate::process::CallbackContext;
use crate::runtime::output::CurrentSpan;
use crate::runtime::{Body, Cx, Guarded, Result};
use crate::tasks::{Handle, LocalCell, Spawned};

/// Methods of [`Cx`] for the tasks of this process and the values that they share.
pub trait Tasks: CallbackContext {
    /// Starts a task: a future that runs in this process, beside its callbacks and its other tasks.
    /// It costs about a hundred bytes and the size of its future.
    ///
    /// The body owns the values that it uses (`move`). The values that it keeps across an `.await`
    /// have to be `Send`, because its process moves between the VM's threads. The body gets the
    /// context of the process. It can await everything that a callback can await. While it waits,
    /// the process serves calls and runs its other tasks.
    ///
    /// Dropping the handle detaches the task. The task ends with its process at the latest.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use std::time::Duration;
    /// use otp_bridge::task::Tasks;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn both(cx: &Cx<'_>) -> Result<u64> {
    ///     let stock = cx.spawn_task(async |cx| cx.apply::<u64, _>("stock", "count", ()).await);
    ///     let orders = cx.spawn_task(async |cx| cx.apply::<u64, _>("orders", "count", ()).await);
    ///     Ok(stock.await? + orders.await?)
    /// }
    /// ```
    ///
    /// # Errors
    /// The handle returns the error of the body, `{panic, …}` if it panics, or `aborted`.
    #[track_caller]
    fn spawn_task<T, B>(&self, body: B) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        self.cx().spawn_at(body, Location::caller())
    }

    /// Creates a scope, a group of tasks that cannot outlive it: when the function that owns the
    /// scope ends in any way (a return, `?`, a panic, an abort), its tasks are aborted.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::task::Tasks;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn fetch(names: Vec<String>, cx: &Cx<'_>) -> Result<()> {
    ///     let scope = cx.scope();
    ///     for name in names {
    ///         scope.spawn(async move |cx| cx.apply::<(), _>("shop", "fetch", (name,)).await);
    ///     }
    ///     scope.join().await        // the first failure aborts the other tasks
    /// }
    /// ```
    #[must_use = "its tasks are aborted when it is dropped"]
    fn scope(&self) -> Scope<'_> {
        Scope::new(self.cx())
    }

    /// Creates a channel between the tasks and callbacks of this process, with a capacity in
    /// messages or with none: [`UNBOUNDED`](super::UNBOUNDED). Messages are Rust values of one
    /// type. They need not be terms, and sending one takes no lock and copies nothing.
    ///
    /// You can move both ends into tasks, into the state and into other messages, but use them only
    /// in calls of this process. Other processes send through [`ChannelSender::shared`] and
    /// [`ChannelSender::open`].
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::task::{Tasks, UNBOUNDED};
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn sum(cx: &Cx<'_>) -> Result<u64> {
    ///     let (sender, mut receiver) = cx.channel::<u64>(UNBOUNDED);
    ///     for number in 0..10 {
    ///         let sender = sender.clone();
    ///         cx.spawn_task(async move |_| Ok(sender.send(number)?));
    ///     }
    ///     drop(sender);
    ///     let mut sum = 0;
    ///     while let Some(number) = receiver.receive().await {
    ///         sum += number;
    ///     }
    ///     Ok(sum)
    /// }
    /// ```
    #[must_use]
    fn channel<T: Send + 'static>(
        &self,
        capacity: usize,
    ) -> (ChannelSender<T>, ChannelReceiver<T>) {
        channel::new(self.cx(), capacity)
    }

    /// Creates a channel for a single message, a value that will be sent later.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::task::Tasks;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn later(cx: &Cx<'_>) -> Result<Option<u64>> {
    ///     let (sender, value) = cx.oneshot();
    ///     cx.spawn_task(async move |_| Ok(sender.send(42)?));
    ///     Ok(value.await)
    /// }
    /// ```
    fn oneshot<T: Send + 'static>(&self) -> (OneshotSender<T>, OneshotReceiver<T>) {
        oneshot::new(self.cx())
    }

    /// Creates a sender to all [subscribers](Broadcast::subscribe). `capacity` is the number of
    /// messages that each subscriber's channel holds.
    #[must_use]
    fn broadcast<T: Clone + Send + 'static>(&self, capacity: usize) -> Broadcast<T> {
        Broadcast::new(self.cx(), capacity)
    }

    /// Creates a client, which sends calls and casts of any thread through this process. Each of
    /// them is a [task](Tasks::spawn_task) of this process, runs beside its callbacks, and ends
    /// with it. Give clones to other threads. They share the capacity, the number of calls that may
    /// be outstanding.
    ///
    /// This works only in a process that has a message loop of its own, such as a `gen_server` or a
    /// `gen_statem`. While one of its callbacks computes, no call of the client starts or
    /// completes.
    #[must_use]
    fn client(&self, capacity: usize) -> Client {
        Client::new(self.cx(), capacity)
    }

    /// Creates a value that the tasks and callbacks of this process share. It has no lock. Clones
    /// refer to the same value.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::task::Tasks;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn count(cx: &Cx<'_>) -> Result<u64> {
    ///     let count = cx.local(0);
    ///     let tasks: Vec<_> = (0..10)
    ///         .map(|_| {
    ///             let count = count.clone();
    ///             cx.spawn_task(async move |_| Ok(count.with(|count| *count += 1)))
    ///         })
    ///         .collect();
    ///     for task in tasks {
    ///         task.await?;
    ///     }
    ///     Ok(count.get())
    /// }
    /// ```
    #[must_use]
    fn local<T: Send + 'static>(&self, value: T) -> LocalCell<T> {
        LocalCell::new(self.cx().tasks(), value)
    }
}

impl Tasks for Cx<'_> {}

impl Cx<'_> {
    pub(crate) fn spawn_at<T, B>(&self, body: B, at: &'static Location<'static>) -> JoinHandle<T>
    where
        T: Send + 'static,
        B: AsyncFnOnce(&Cx<'_>) -> Result<T> + for<'a> Body<'a, T> + Send + 'static,
    {
        let tasks = self.tasks();
        // SAFETY: the context lies in the process's cell, or in a test's call, and does not move.
        // Both end the tasks before they free the context (`ProcessCell::clear`, `TasksOfCall`).
        // The body cannot keep it for longer: it takes a context of any lifetime, so it may rely
        // only on the shortest, and its value is `'static` for each of them.
        let cx: &'static Cx<'static> = unsafe { std::mem::transmute(self) };
        let future = Guarded(CurrentSpan::get().around(body(cx)));
        // SAFETY: the future borrows only the context, see above.
        let spawned = unsafe { tasks.spawn(future, at) };
        let task = spawned.map(|Spawned { id, are_many }| {
            if are_many {
                drop_tasks::start(self, tasks);
            }
            // SAFETY: the task's future is a `Guarded` with the output `Result<T>`, which is the
            // handle's `O`; this is its only handle.
            unsafe { Handle::new(Arc::clone(tasks), id) }
        });
        JoinHandle::new(task)
    }
}
