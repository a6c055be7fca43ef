//! Handles of tasks.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::runtime::{MayBeIgnored, Result};
use crate::tasks::{Handle, Local, TaskId};
use crate::{Exit, atom};

/// A task of this process: see [`Tasks::spawn_task`](super::Tasks::spawn_task). Await it to get the
/// task's result.
///
/// Dropping it detaches the task.
pub struct JoinHandle<T> {
    /// `None` if the process was ending.
    task: Option<Handle<Result<T>>>,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(task: Option<Handle<Result<T>>>) -> Self {
        JoinHandle { task }
    }

    /// Aborts the task at its next turn. Awaiting the handle then returns the exit `aborted`. A
    /// task that has ended is not affected.
    pub fn abort(&self) {
        self.with(|local, id| local.abort(id));
    }

    /// Links the task to its process: if the task fails, the process fails with the same exit, like
    /// a process that is linked to another one.
    pub fn linked(self) -> Self {
        self.with(|local, id| local.link(id));
        self
    }

    /// Gives the task a name, for reports and `sys:get_status/1`.
    pub fn named(self, name: impl Into<String>) -> Self {
        let name = name.into().into_boxed_str();
        self.with(|local, id| local.name(id, name));
        self
    }

    /// Returns the task's name.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let task = self.task.as_ref()?;
        task.here()?.name_of(task.id())
    }

    pub(super) fn id(&self) -> Option<TaskId> {
        self.task.as_ref().map(Handle::id)
    }

    /// Returns how long the task has waited since its last turn.
    pub(super) fn idle(&self) -> Option<Duration> {
        let task = self.task.as_ref()?;
        task.here()?.idle(task.id())
    }

    /// Reports that the task is being restarted, and why.
    pub(super) fn restarted(&self, why: Exit) {
        self.with(|local, id| local.restarted(id, Box::new(why)));
    }

    /// Returns whether the task has ended. Outside of its process this is not known, and the result
    /// is `true`.
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
