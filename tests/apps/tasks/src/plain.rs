//! A process without a behaviour, with tasks.
use otp_bridge::task::Tasks;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use otp_bridge::{Cx, Pid, Result, Term, atom};

use crate::scopes;

/// Number of waiting tasks that were not dropped.
static WAITING: AtomicU64 = AtomicU64::new(0);

pub fn waiting() -> u64 {
    WAITING.load(Ordering::Acquire)
}

/// Counts a task until it is dropped.
struct Waits;

impl Waits {
    fn new() -> Self {
        WAITING.fetch_add(1, Ordering::AcqRel);
        Waits
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::AcqRel);
    }
}

/// `{stop, Reason}`
#[derive(Debug, Term)]
struct Stop(Term);

/// Waits for `{stop, Reason}`, while its tasks receive words, sleep and wait for ever.
pub async fn run(to: &Pid, words: u64, waiting: u64, cx: &Cx<'_>) -> Result<()> {
    for _ in 0..waiting {
        let waits = Waits::new();
        cx.spawn_task(async move |_| -> Result<()> {
            let _waits = waits;
            std::future::pending().await
        });
        cx.checkpoint().await;
    }
    let (listener, sleeper) = (to.clone(), to.clone());
    cx.spawn_task(async move |cx| scopes::listen(&listener, words, cx).await);
    cx.spawn_task(async move |cx| {
        cx.sleep(Duration::from_millis(1)).await?;
        cx.send(&sleeper, (cx.pid(), atom!("slept")));
        Ok(())
    });
    let Stop(why) = cx.receive().await?;
    cx.send(to, (cx.pid(), atom!("stopped"), why));
    Ok(())
}
