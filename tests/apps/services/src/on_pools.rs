//! A pool that takes a limited number of tasks, on the Erlang VM.
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::process::ExitKind;
use otp_bridge::task::{PoolHandle, PoolRefused};
use otp_bridge::{Exit, atom};

use crate::tables::{PoolWorker, SMALL_POOL};

/// A task that waits until it is aborted.
fn waiting(cx: &Cx<'_>, key: u64) -> Result<PoolHandle<u64>> {
    let task = SMALL_POOL.spawn(cx, &key, async move |cx| {
        cx.sleep(Duration::from_hours(1)).await?;
        Ok(key)
    });
    Ok(task?)
}

/// Waits until the workers of an earlier test have ended.
async fn no_workers(cx: &Cx<'_>) -> Result<()> {
    let body = async |_: &Cx<'_>| Ok(());
    while !matches!(
        SMALL_POOL.spawn_anywhere(cx, body),
        Err(PoolRefused::NoWorker(_))
    ) {
        cx.sleep(Duration::from_millis(1)).await?;
    }
    counted(cx, 0).await
}

/// Waits until the pool has `count` tasks.
async fn counted(cx: &Cx<'_>, count: usize) -> Result<()> {
    while SMALL_POOL.count() != count {
        cx.sleep(Duration::from_millis(1)).await?;
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_full_pool_gives_the_task_back(cx: &Cx<'_>) -> Result<()> {
    no_workers(cx).await?;
    let body = async |_: &Cx<'_>| Ok(7);
    assert!(matches!(
        SMALL_POOL.spawn(cx, &1, body),
        Err(PoolRefused::NoWorker(_))
    ));
    let _workers = (
        cx.start_link::<PoolWorker>(0).await?,
        cx.start_link::<PoolWorker>(1).await?,
    );
    let tasks = (0..3)
        .map(|key| waiting(cx, key))
        .collect::<Result<Vec<_>>>()?;
    assert_eq!(SMALL_POOL.count(), 3);
    let refused = SMALL_POOL.spawn_anywhere(cx, body);
    let body = match refused {
        Err(PoolRefused::Full(body)) => body,
        other => return Err(Exit::new(format!("{other:?}"))),
    };
    let full = waiting(cx, 4).map_err(|exit| exit.kind());
    assert_eq!(full.err(), Some(ExitKind::Overload));
    tasks[0].abort(cx);
    counted(cx, 2).await?;
    assert_eq!(SMALL_POOL.spawn_anywhere(cx, body)?.await?, 7);
    assert_eq!(SMALL_POOL.count(), 2);
    let panicked = SMALL_POOL.spawn(cx, &1, async |_| -> Result<()> { panic!("told to") });
    let panicked = panicked?.await.map_err(|exit| exit.kind());
    assert_eq!(panicked, Err(ExitKind::Panic));
    assert_eq!(SMALL_POOL.count(), 2);
    for task in &tasks {
        task.abort(cx);
    }
    counted(cx, 0).await
}

#[otp_bridge::test(application = false)]
async fn tasks_of_a_worker_that_is_killed_count_no_more(cx: &Cx<'_>) -> Result<()> {
    no_workers(cx).await?;
    for _ in 0..5 {
        let worker = cx.start_link::<PoolWorker>(0).await?.pid()?;
        let mut tasks = (0..3)
            .map(|key| waiting(cx, key))
            .collect::<Result<Vec<_>>>()?;
        assert!(waiting(cx, 4).is_err());
        let monitor = cx.monitor(&worker).await?;
        cx.unlink(&worker).await?;
        cx.exit(&worker, atom!("kill")).await?;
        let _: Down = monitor.down(cx).await?;
        counted(cx, 0).await?;
        let lost = tasks
            .remove(0)
            .await
            .map_err(|exit| exit.reason().to_string());
        assert_eq!(lost, Err("worker_down".to_owned()));
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn tasks_of_a_caller_that_has_ended_count_until_they_end(cx: &Cx<'_>) -> Result<()> {
    no_workers(cx).await?;
    let _worker = cx.start_link::<PoolWorker>(0).await?;
    let own = cx.pid();
    cx.in_process(async move |cx| {
        let task = SMALL_POOL.spawn(cx, &1, async move |cx| {
            let go: Pid = cx.pid();
            cx.send(&own, (atom!("waits"), go));
            let _: Go = cx.receive().await?;
            Ok(())
        });
        drop(task?);
        Ok(())
    })
    .await?;
    let Waits(worker) = cx.receive().await?;
    assert_eq!(SMALL_POOL.count(), 1);
    cx.send(&worker, Go);
    counted(cx, 0).await
}

/// `{waits, Process}`
#[derive(Debug, Term)]
struct Waits(Pid);

/// `go`
#[derive(Debug, Term)]
struct Go;
