//! Ends the tasks of a process that has ended, if they are many.
//!
//! The VM drops what a process has left in one go, and a million tasks would hold a scheduler for
//! some tenths of a second. So another process has its cell, too, and drops the tasks some at a
//! time.

use std::sync::Arc;
use std::time::Duration;

use crate::Pid;
use crate::process::{Signals, SpawnProcess};
use crate::runtime::{Cx, Result, RetainedCell};
use crate::tasks::{Closed, Executor};

/// So many tasks are ended between two looks at the clock.
const AT_ONCE: usize = 64;

/// For how long it waits until a call of the process on a dirty scheduler is over.
const PAUSE: Duration = Duration::from_millis(10);

/// Has a process see to the end of the tasks of this one. It lives as long.
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
