//! A task, from outside.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::runtime::{MayBeIgnored, Result};
use crate::tasks::{Handle, Local, TaskId};
use crate::{Exit, atom};

/// A task of this process: see [`Tasks::spawn_task`](super::Tasks::spawn_task). Awaited, it is what
/// the task evaluates to.
///
/// The task goes on if this is dropped.
pub struct JoinHandle<T> {
    /// `None` if the process was ending.
    task: Option<Handle<Result<T>>>,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(task: Option<Handle<Result<T>>>) -> Self {
        JoinHandle { task }
    }

    /// Ends the task where it waits, when it is next its turn. Whoever awaits it gets the exit
    /// `aborted`. A task that has ended is not affected.
    pub fn abort(&self) {
        self.with(|local, id| local.abort(id));
    }

    /// The same task. If it fails, its process fails with the same exit, as one does that is linked
    /// to another.
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

    /// Whether the task has ended. Outside of its process it is not known, and the answer is
    /// `true`.
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
