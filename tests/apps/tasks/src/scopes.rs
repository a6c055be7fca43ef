//! Tasks in scopes, and concurrent tasks.
use otp_bridge::task::Tasks;
use otp_bridge::task::UNBOUNDED;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use otp_bridge::task::OpenSender;
use otp_bridge::{Cx, Exit, Pid, Result, Term, atom};

/// Returns the number of owners.
fn held(alive: &Arc<()>) -> u64 {
    Arc::strong_count(alive) as u64 - 1
}

pub async fn scoped(cx: &Cx<'_>) -> Result<Term> {
    let alive = Arc::new(());
    let waits = |held: Arc<()>| {
        async move |_: &Cx<'_>| -> Result<()> {
            let _held = held;
            std::future::pending().await
        }
    };
    let scope = cx.scope();
    for _ in 0..10 {
        scope.spawn(waits(Arc::clone(&alive)));
    }
    cx.yield_now().await;
    drop(scope);
    let after_the_scope = held(&alive);

    let scope = cx.scope();
    for _ in 0..10 {
        scope.spawn(waits(Arc::clone(&alive)));
    }
    scope.spawn(async |cx| -> Result<()> {
        cx.sleep(Duration::from_millis(1)).await?;
        Err(Exit::new((atom!("failed"), 1)))
    });
    let failed = scope.join().await.expect_err("one fails").into_reason();
    Ok(Term::of(&(after_the_scope, failed, held(&alive))))
}

pub async fn watched(time: u64, cx: &Cx<'_>) -> Result<Term> {
    let scope = cx.scope().watchdog(Duration::from_millis(time));
    let starts = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&starts);
    let task = scope.spawn_watched(move || {
        let start = count.fetch_add(1, Ordering::Relaxed);
        async move |_: &Cx<'_>| {
            if start < 2 {
                std::future::pending::<()>().await;
            }
            Ok(atom!("ok"))
        }
    });
    let ended = task.await?;
    scope.join().await?;
    Ok(Term::of(&(ended, starts.load(Ordering::Relaxed))))
}

/// `{heard, Word}`
#[derive(Debug, Term)]
struct Heard(String);

pub async fn listen(to: &Pid, count: u64, cx: &Cx<'_>) -> Result<()> {
    let mut words = Vec::new();
    for _ in 0..count {
        let Heard(word) = cx.receive().await?;
        words.push(word);
    }
    cx.send(to, (atom!("all"), words));
    Ok(())
}

/// `{add, Number, From}`
#[derive(Debug, Term)]
pub struct Add(u64, Pid);

pub fn open(cx: &Cx<'_>) -> OpenSender<Add> {
    let (address, mut mailbox) = cx.channel::<Add>(UNBOUNDED);
    cx.spawn_task(async move |cx| {
        let mut sum = 0;
        while let Some(Add(number, from)) = mailbox.receive().await {
            sum += number;
            cx.send(&from, (atom!("sum"), sum));
        }
        Ok(())
    });
    address.open(cx)
}

/// Computes for a time.
pub fn compute(time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Returns how many turns a task got while another one computed with checkpoints.
pub async fn fair(time: u64, cx: &Cx<'_>) -> Result<u64> {
    let turns = cx.local(0);
    let counted = turns.clone();
    let scope = cx.scope();
    scope.spawn(async move |cx| -> Result<()> {
        loop {
            counted.with(|turns| *turns += 1);
            cx.yield_now().await;
        }
    });
    let long = scope.spawn(async move |cx| {
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(time) {
            compute(Duration::from_micros(10));
            cx.checkpoint().await;
        }
        Ok(())
    });
    long.await?;
    Ok(turns.get())
}
