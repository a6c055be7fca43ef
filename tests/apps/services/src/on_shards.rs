//! Tests of dynamic supervisors with shards and limits on the Erlang VM.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::join_all;
use otp_bridge::messages::Down;
use otp_bridge::process::ExitKind;

use crate::on_registries::{kill, registered};
use crate::orders::{FEW, Number, ORDER, Order, PARTNERS, SHARDS, Shop};

async fn start(cx: &Cx<'_>, number: u64) -> Result<Server<Order>> {
    ORDER
        .find_or_start(cx, &number, || cx.start_child(&SHARDS, number))
        .await
}

/// The `init` of each waits for the others. A supervisor without shards would start the first one
/// for ever.
#[otp_bridge::test(application = false)]
async fn shards_start_children_at_the_same_time(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let numbers = PARTNERS..PARTNERS + 3;
    let started = join_all(numbers.clone().map(|number| start(cx, number))).await;
    for (started, number) in started.into_iter().zip(numbers) {
        assert_eq!(cx.call(&started?, Number).await?, number);
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn children_of_shards_are_listed_counted_and_terminated(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let started = join_all((10..20).map(|number| start(cx, number))).await;
    let started = started.into_iter().collect::<Result<Vec<_>>>()?;
    let counted = cx.count_children(&SHARDS).await?;
    assert_eq!(
        (counted.specs, counted.active, counted.workers),
        (1, 10, 10)
    );
    let listed = cx.which_children(&SHARDS).await?.into_iter();
    let mut running: Vec<_> = listed.filter_map(|child| child.process.running()).collect();
    assert_eq!(running.len(), 10);
    running.retain(|child| !started.contains(child));
    assert!(running.is_empty(), "{running:?}");
    for order in &started[..4] {
        cx.terminate_child(&SHARDS, order).await?;
        let again = cx.terminate_child(&SHARDS, order).await;
        assert_eq!(again, Err(Exit::new(atom!("not_found"))));
    }
    let other = registered(cx, "orders", None).await?;
    let other = cx.terminate_child(&SHARDS, &Server::from(other)).await;
    assert_eq!(other, Err(Exit::new(atom!("not_found"))));
    assert_eq!(cx.count_children(&SHARDS).await?.active, 6);
    for shard in ["order_shards/1", "order_shards/2", "order_shards/3"] {
        let shard = registered(cx, shard, None).await?;
        let children: Vec<Term> = cx.apply("supervisor", "which_children", (shard,)).await?;
        assert!((1..=4).contains(&children.len()), "{}", children.len());
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_shard_restarts_its_child_and_all_end_with_a_killed_shard(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let (one, other) = (start(cx, 10).await?, start(cx, 11).await?);
    kill(cx, &one.pid()?).await?;
    let mut after = None;
    while after.is_none() {
        after = ORDER.find(cx, &10).await?;
    }
    assert_ne!(after, Some(one));
    assert_eq!(ORDER.find(cx, &11).await?.as_ref(), Some(&other));
    let above = registered(cx, "order_shards", None).await?;
    let shard = registered(cx, "order_shards/2", None).await?;
    let monitor = cx.monitor(&other).await?;
    kill(cx, &shard).await?;
    let _: Down = monitor.down(cx).await?;
    registered(cx, "order_shards", Some(&above)).await?;
    registered(cx, "order_shards/3", None).await?;
    assert_eq!(cx.count_children(&SHARDS).await?.active, 0);
    start(cx, 10).await?;
    assert_eq!(cx.count_children(&SHARDS).await?.active, 1);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn shards_that_are_stopped_start_no_child(cx: &Cx<'_>) -> Result<()> {
    let shop = cx.start_link::<Shop>(()).await?;
    cx.terminate_child(&shop, &atom!("order_shards")).await?;
    let refused = start(cx, 10).await.map_err(|exit| exit.kind());
    assert_eq!(refused, Err(ExitKind::NoProcess));
    cx.restart_child(&shop, &atom!("order_shards")).await?;
    start(cx, 10).await.map(drop)
}

/// Beyond the limit a start is refused, both alone and together with others, until a child ends.
#[otp_bridge::test(application = false)]
async fn a_limited_supervisor_refuses_children_beyond_its_limit(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let together = join_all((0..6).map(|number| cx.start_child(&FEW, number))).await;
    let (started, refused): (Vec<_>, Vec<_>) = together.into_iter().partition(Result::is_ok);
    assert_eq!((started.len(), refused.len()), (4, 2));
    let alone = cx.start_child(&FEW, 7).await.map_err(|exit| exit.kind());
    assert_eq!(alone, Err(ExitKind::Overload));
    assert_eq!(cx.count_children(&FEW).await?.active, 4);
    for order in started {
        cx.terminate_child(&FEW, &order?).await?;
        // A refusal holds for some milliseconds.
        while cx.start_child(&FEW, 8).await.is_err() {
            cx.sleep(Duration::from_millis(1)).await?;
        }
        let again = cx.start_child(&FEW, 9).await.map_err(|exit| exit.kind());
        assert_eq!(again, Err(ExitKind::Overload));
    }
    Ok(())
}
