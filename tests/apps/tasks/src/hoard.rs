//! A server that is killed while one of its tasks runs on a dirty scheduler.
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

static BEGUN: AtomicU64 = AtomicU64::new(0);
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Counts its drops.
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// The state.
#[derive(Debug)]
pub struct Hoard;

/// Requests.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `{idle, Count}`: tasks that wait for ever.
    Idle(u64),
    /// `{hold, Numbers, Milliseconds}`: starts a task that holds values for this time, within one
    /// turn.
    Hold(Vec<u64>, u64),
    /// `begun`: returns how many of these tasks have started.
    Begun,
    /// `dropped`: returns how many of the values were dropped.
    Dropped,
}

#[gen_server]
impl GenServer for Hoard {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Hoard)
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        reply(match request {
            Do::Idle(count) => {
                for _ in 0..count {
                    cx.spawn_task(async |_| std::future::pending::<Result<()>>().await);
                    cx.checkpoint().await;
                }
                count
            }
            Do::Hold(_, time) => {
                let counted = Counted;
                let held = cx.spawn_task(async move |_| {
                    let _counted = &counted;
                    BEGUN.fetch_add(1, Ordering::SeqCst);
                    sleep(Duration::from_millis(time));
                    Ok(time)
                });
                held.await?
            }
            Do::Begun => BEGUN.load(Ordering::SeqCst),
            Do::Dropped => DROPPED.load(Ordering::SeqCst),
        })
    }
}
