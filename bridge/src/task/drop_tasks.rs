//! Drops the tasks of a process that has ended, if there are many.
//!
//! When a process ends, the VM drops everything it owns in one go, and a million tasks would hold a
//! scheduler for some tenths of a second. So another process, the drop process, keeps a reference
//! to the cell and drops the tasks in small batches.

use std::sync::Arc;
use std::time::Duration;

use crate::Pid;
use crate::process::{Signals, SpawnProcess};
use crate::runtime::{Cx, Result, RetainedCell};
use crate::tasks::{Closed, Executor};

/// The number of tasks that are dropped between two reads of the clock.
const AT_ONCE: usize = 64;

/// The pause before it checks again whether a call of the process on a dirty scheduler has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// Spawns the drop process of this process, which lives until it has dropped the tasks.
#[cold]
pub(super) fn start(cx: &Cx<'_>, tasks: &Arc<Executor>) {
    if let Some(cell) = RetainedCell::of(cx, tasks) {
        tasks.set_has_drop_process();
        let owner = cx.pid();
        let body = async move |cx: &Cx<'_>| drop_all(&owner, cell, cx).await;
        drop(cx.spawn_process(body));
    }
}

async fn drop_all(owner: &Pid, cell: RetainedCell, cx: &Cx<'_>) -> Result<()> {
    let monitor = cx.monitor(owner).await?;
    monitor.down(cx).await?;
    loop {
        match cell.close_some(AT_ONCE, cx) {
            Closed::All => return Ok(()),
            Closed::Some => cx.checkpoint().await,
            Closed::NotNow => cx.sleep(PAUSE).await?,
        }
    }
}
