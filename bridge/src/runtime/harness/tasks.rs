//! The connection between the tasks of a process and its calls.

use std::ptr;
use std::sync::Arc;
use std::task::Waker;

use crate::nif::{ClockTicks, per_millisecond, send_from_any_thread};
use crate::runtime::failure::exit::Result;
use crate::runtime::protocol;
use crate::runtime::raw::context::{Cx, Here, VmCall};
use crate::runtime::registry::without_callback::clause_of_tasks;
use crate::tasks::{Executor, TaskFailure, TaskOutput};

impl<T: Send + 'static> TaskOutput for Result<T> {
    fn failure(&self) -> Option<TaskFailure> {
        let exit = self.as_ref().err()?;
        Some(Box::new(exit.clone()))
    }
}

impl Cx<'_> {
    /// Returns the tasks of the process. The first use creates the executor.
    pub(crate) fn tasks(&self) -> &Arc<Executor> {
        match self.here() {
            Here::Vm(call, now) => {
                let tasks_of = &call.awaiting().tasks_of;
                if tasks_of
                    .get()
                    .is_none_or(|it| !ptr::eq(it.module, now.module()))
                {
                    tasks_of.set(Some(clause_of_tasks(now.module())));
                }
                let process = call.process;
                let tell = move || send_from_any_thread(process, &protocol::wake());
                let tasks = &call.awaiting().tasks;
                tasks.get_or_init(|| Executor::new(Box::new(tell)))
            }
            Here::Owned(call) => {
                let waker = Waker::clone(&call.root.waker());
                let tell = move || waker.wake_by_ref();
                call.tasks.get_or_init(|| Executor::new(Box::new(tell)))
            }
        }
    }

    /// Prepares the process for tasks that other processes and threads may start here at any time.
    pub(crate) fn accepts_tasks(&self) {
        self.tasks();
        if let Here::Vm(call, _) = self.here() {
            call.awaiting().is_asked.set(true);
        }
    }

    /// Returns the tasks of the process, if it has had any.
    pub(crate) fn has_tasks(&self) -> Option<&Arc<Executor>> {
        match self.try_here()? {
            Here::Vm(call, _) => call.tasks(),
            Here::Owned(call) => call.tasks.get(),
        }
    }
}

/// The tasks of a call without a VM. They end with the call.
pub(crate) struct TasksOfCall<'c>(pub(crate) &'c Cx<'c>);

impl TasksOfCall<'_> {
    /// Lets the tasks have turns for a while. Returns whether some are still runnable.
    pub(crate) fn run(&self) -> bool {
        let Some(tasks) = self.0.has_tasks() else {
            return false;
        };
        tasks.run(ClockTicks(ClockTicks::now().0 + per_millisecond()), || {
            false
        });
        tasks.rest()
    }
}

impl Drop for TasksOfCall<'_> {
    fn drop(&mut self) {
        if let Some(tasks) = self.0.has_tasks() {
            tasks.close();
        }
    }
}

impl VmCall {
    /// Returns whether there are tasks that have not ended, or whose results are awaited.
    #[inline]
    pub(in crate::runtime) fn has_live_tasks(&self) -> bool {
        let local = self.tasks().and_then(|tasks| tasks.here());
        local.is_some_and(|local| local.live() > 0)
    }
}
