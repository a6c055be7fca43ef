//! A reference to the cell of another process, which drops that process's tasks after the process
//! has ended.
#![allow(unsafe_code)]

use std::sync::Arc;

use super::cell::{CELLS, ProcessCell};
use super::context::{Cx, Here};
use crate::nif::ResourceArc;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::output;
use crate::runtime::registry::without_callback::{is_body, keeps_tasks};
use crate::tasks::{Closed, Executor};

/// Keeps the VM from dropping what the process has left behind.
pub(crate) struct RetainedCell {
    tasks: Arc<Executor>,
    cell: ResourceArc<ProcessCell>,
}

impl RetainedCell {
    /// Returns the cell of the process that runs this call. `None` if its tasks end with a
    /// callback, or without a VM.
    pub(crate) fn of(cx: &Cx<'_>, tasks: &Arc<Executor>) -> Option<Self> {
        let Here::Vm(call, now) = cx.here() else {
            return None;
        };
        let clause = call.clause()?;
        if !keeps_tasks(clause) && !is_body(clause) {
            return None;
        }
        let tasks = Arc::clone(tasks);
        // SAFETY: the term stands for the cell in this call.
        let cell = unsafe { CELLS.keep(*now, now.state().raw()) }?;
        Some(RetainedCell { tasks, cell })
    }

    /// Drops up to `count` tasks of the process, in a call of another one. Returns `Closed::NotNow`
    /// if the process lives, or if one of its calls still runs.
    pub(crate) fn close_some(&self, count: usize, cx: &Cx<'_>) -> Closed {
        let owner = self.cell.cx().process();
        match (cx.here(), owner) {
            // A process ends on a normal scheduler, so none of its calls runs on one. A call on
            // another scheduler has claimed the tasks.
            (Here::Vm(_, now), Some(owner)) if !now.is_alive(owner) => {
                leaving_callers_alone(|| {
                    output::on_behalf_of(Some(owner), || self.tasks.close_some(count))
                })
            }
            _ => Closed::NotNow,
        }
    }
}
