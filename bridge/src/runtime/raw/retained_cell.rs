//! A process's cell that another process has, too: it drops the process's tasks after that has
//! ended.
#![allow(unsafe_code)]

use std::sync::Arc;

use super::cell::{CELLS, ProcessCell};
use super::context::{Cx, Here};
use crate::nif::ResourceArc;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::output;
use crate::runtime::registry::without_callback::{is_body, keeps_tasks};
use crate::tasks::{Closed, Executor};

/// The VM does not drop what the process has left before this is dropped.
pub(crate) struct RetainedCell {
    tasks: Arc<Executor>,
    cell: ResourceArc<ProcessCell>,
}

impl RetainedCell {
    /// The cell of the process that runs this call. `None` if its tasks end with a callback, or
    /// without a VM.
    pub(crate) fn of(cx: &Cx<'_>, tasks: &Arc<Executor>) -> Option<Self> {
        let Here::Vm(call, now) = cx.here() else {
            return None;
        };
        let clause = call.clause()?;
        if !keeps_tasks(&clause) && !is_body(&clause) {
            return None;
        }
        let tasks = Arc::clone(tasks);
        // SAFETY: the term stands for the cell in this call.
        let cell = unsafe { CELLS.keep(*now, now.state) }?;
        Some(RetainedCell { tasks, cell })
    }

    /// Drops so many tasks of the process, in a call of another one. `Closed::NotNow` if the
    /// process lives, or if a call of it still runs.
    pub(crate) fn close_some(&self, count: usize, cx: &Cx<'_>) -> Closed {
        let owner = self.cell.cx().process();
        match (cx.here(), owner) {
            // A process ends on a normal scheduler, so none of its calls runs on one. Another
            // claims the tasks.
            (Here::Vm(_, now), Some(owner)) if !now.is_alive(owner) => {
                leaving_callers_alone(|| {
                    output::on_behalf_of(Some(owner), || self.tasks.close_some(count))
                })
            }
            _ => Closed::NotNow,
        }
    }
}
