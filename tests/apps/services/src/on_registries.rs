//! Tests of registries and dynamic supervisors on the Erlang VM.
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::process::ExitKind;
use otp_bridge::start::StartError;
use otp_bridge::{atom, join_all};

use crate::orders::{
    Close, DRAFTS, Ignore, Listen, Number, ORDER, ORDERS, Order, Shop, TOPICS, Take,
};

/// Kills a process, and returns when it has ended.
pub async fn kill(cx: &Cx<'_>, pid: &Pid) -> Result<()> {
    let monitor = cx.monitor(pid).await?;
    cx.exit(pid, atom!("kill")).await?;
    let _: Down = monitor.down(cx).await?;
    Ok(())
}

/// Waits until a process other than `other` has this name on this node, and returns it.
pub async fn registered(cx: &Cx<'_>, name: &str, other: Option<&Pid>) -> Result<Pid> {
    loop {
        let found: Option<Pid> = cx
            .apply("erlang", "whereis", (Atom::new(name).or_exit()?,))
            .await?;
        match found {
            Some(pid) if Some(&pid) != other => return Ok(pid),
            _ => cx.sleep(Duration::from_millis(1)).await?,
        }
    }
}

/// Waits until the registry has `count` orders.
async fn counted(cx: &Cx<'_>, count: u64) -> Result<()> {
    while ORDER.count(cx).await? != count {
        cx.sleep(Duration::from_millis(1)).await?;
    }
    Ok(())
}

async fn start(cx: &Cx<'_>, number: u64) -> Result<Server<Order>> {
    ORDER
        .find_or_start(cx, &number, || cx.start_child(&ORDERS, number))
        .await
}

#[otp_bridge::test(application = false)]
async fn callers_at_once_start_one_process(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    for number in 10..30 {
        let started = join_all((0..20).map(|_| start(cx, number))).await;
        let started = started.into_iter().collect::<Result<Vec<_>>>()?;
        assert!(
            started.iter().all(|order| *order == started[0]),
            "{started:?}"
        );
        assert_eq!(cx.call(&started[0], Number).await?, number);
        assert_eq!(cx.call(&ORDER.process(&number), Number).await?, number);
    }
    let counted = cx.count_children(&ORDERS).await?;
    assert_eq!((counted.active, ORDER.count(cx).await?), (20, 21));
    let mut all = ORDER.list(cx).await?;
    all.sort_by_key(|(number, _)| *number);
    assert_eq!((all[0].0, all[20].0), (1, 29));
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_key_ends_with_its_process_in_order_or_by_a_kill(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let (killed, closed) = (start(cx, 7).await?, start(cx, 8).await?);
    kill(cx, &killed.pid()?).await?;
    assert_eq!(ORDER.find(cx, &7).await?, None);
    let monitor = cx.monitor(&closed).await?;
    cx.cast(&closed, Close);
    let _: Down = monitor.down(cx).await?;
    assert_eq!(ORDER.find(cx, &8).await?, None);
    let called = cx.call(ORDER.process(&8), Number).await;
    assert_eq!(called.map_err(|exit| exit.kind()), Err(ExitKind::NoProcess));
    counted(cx, 1).await?;
    assert_ne!(start(cx, 7).await?, killed);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_child_that_is_restarted_has_its_key_again(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    for _ in 0..30 {
        let before = ORDER.find(cx, &1).await?;
        let before = before.ok_or_else(|| Exit::new("it is not there"))?;
        kill(cx, &before.pid()?).await?;
        let mut after = None;
        while after.is_none() {
            after = ORDER.find(cx, &1).await?;
        }
        assert_ne!(after.as_ref(), Some(&before));
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_key_in_use_is_refused_with_its_process(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let order = start(cx, 7).await?;
    let again = cx
        .start_child(&ORDERS, 7)
        .registered(&ORDER.process(&7))
        .await;
    let again = again.map_err(|exit| exit.start_error());
    assert_eq!(again, Err(StartError::AlreadyStarted(order.pid()?)));
    let own = ORDER.register(cx, &7).await;
    let own = own.map_err(|exit| exit.reason().clone());
    let reason = (atom!("already_registered"), order.pid()?);
    assert_eq!(own, Err(Term::of(&reason)));
    assert!(cx.call(&order, Take(9)).await?);
    let mut keys = ORDER.keys(cx, &order).await?;
    keys.sort_unstable();
    assert_eq!(keys, [7, 9]);
    assert_eq!(ORDER.keys(cx, &ORDER.process(&9)).await?.len(), 2);
    kill(cx, &order.pid()?).await?;
    counted(cx, 1).await
}

#[otp_bridge::test(application = false)]
async fn a_registry_that_is_killed_keeps_its_names(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let order = start(cx, 7).await?;
    let mut registry = registered(cx, "order_registry", None).await?;
    for _ in 0..5 {
        kill(cx, &registry).await?;
        assert_eq!(ORDER.find(cx, &7).await?.as_ref(), Some(&order));
        registry = registered(cx, "order_registry", Some(&registry)).await?;
        assert_eq!(ORDER.keys(cx, &order).await?, [7]);
        assert_eq!(start(cx, 7).await?, order);
        // The process that would have inherited its table is killed as well.
        let table = (atom!("order_registry"), atom!("heir"));
        let keeper: Pid = cx.apply("ets", "info", table).await?;
        kill(cx, &keeper).await?;
        let mut next = keeper.clone();
        while next == keeper {
            let table = (atom!("order_registry"), atom!("heir"));
            next = cx.apply("ets", "info", table).await?;
        }
    }
    kill(cx, &order.pid()?).await?;
    counted(cx, 1).await
}

#[otp_bridge::test(application = false)]
async fn a_registry_that_is_stopped_has_no_names(cx: &Cx<'_>) -> Result<()> {
    let shop = cx.start_link::<Shop>(()).await?;
    start(cx, 7).await?;
    cx.terminate_child(&shop, &atom!("order_registry")).await?;
    let found = ORDER.find(cx, &7).await.map_err(|exit| exit.kind());
    assert_eq!(found, Err(ExitKind::NoProcess));
    let entered = ORDER.register(cx, &7).await.map_err(|exit| exit.kind());
    assert_eq!(entered, Err(ExitKind::NoProcess));
    let called = cx.call(ORDER.process(&7), Number).await;
    assert_eq!(called.map_err(|exit| exit.kind()), Err(ExitKind::NoProcess));
    cx.restart_child(&shop, &atom!("order_registry")).await?;
    assert_eq!(ORDER.find(cx, &7).await?, None);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_message_that_is_not_true_removes_nothing(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let order = start(cx, 7).await?;
    let registry = registered(cx, "order_registry", None).await?;
    let process = atom!("process");
    let reference: otp_bridge::Reference = cx.apply("erlang", "make_ref", ()).await?;
    let down = (atom!("DOWN"), reference, process, order.pid()?, atom!("x"));
    cx.send(&registry, down);
    cx.send(&registry, (atom!("leaves"), order.pid()?, 8));
    cx.send(&registry, (atom!("enters"), order.pid()?, 8));
    cx.send(&registry, (atom!("enters"), 1, 8));
    cx.send(&registry, atom!("timeout"));
    let asked: Term = cx.apply("gen_server", "call", (registry, 7)).await?;
    assert_eq!(asked.to_string(), "{error,bad_request}");
    assert_eq!(ORDER.find(cx, &7).await?, Some(order));
    assert_eq!(ORDER.find(cx, &8).await?, None);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_key_of_several_processes_finds_all(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let (one, other) = (start(cx, 7).await?, start(cx, 8).await?);
    cx.call(&one, Listen("news".to_owned())).await?;
    assert_eq!(cx.call(&other, Listen("news".to_owned())).await?, 2);
    let found = TOPICS.find_all(cx, "news").await?;
    assert!(found.contains(&one) && found.contains(&other) && found.len() == 2);
    assert!(TOPICS.find_all(cx, "sports").await?.is_empty());
    assert!(cx.call(&one, Ignore("news".to_owned())).await?);
    assert!(!cx.call(&one, Ignore("news".to_owned())).await?);
    assert_eq!(
        TOPICS.find_all(cx, "news").await?,
        std::slice::from_ref(&other)
    );
    kill(cx, &other.pid()?).await?;
    assert!(TOPICS.find_all(cx, "news").await?.is_empty());
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_dynamic_supervisor_knows_its_children(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let (one, other) = (
        cx.start_child(&ORDERS, 7).await?,
        cx.start_child(&ORDERS, 8).await?,
    );
    assert_eq!(cx.call(&other, Number).await?, 8);
    assert_eq!(cx.count_children(&ORDERS).await?.active, 2);
    cx.terminate_child(&ORDERS, &one).await?;
    let children = cx.which_children(&ORDERS).await?.into_iter();
    let running: Vec<Server<Order>> = children
        .filter_map(|child| child.process.running())
        .collect();
    assert_eq!(running, [other]);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_child_of_a_template_that_is_restarted_has_its_key_again(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let draft = ORDER.find_or_start(cx, &7, || cx.start_child(&DRAFTS, 7));
    let draft = draft.await?;
    assert_eq!(start(cx, 7).await?, draft);
    kill(cx, &draft.pid()?).await?;
    let mut after = None;
    while after.is_none() {
        after = ORDER.find(cx, &7).await?;
    }
    assert_ne!(after, Some(draft));
    assert_eq!(cx.call(ORDER.process(&7), Number).await?, 7);
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_dynamic_supervisor_that_is_killed_starts_without_children(cx: &Cx<'_>) -> Result<()> {
    let _shop = cx.start_link::<Shop>(()).await?;
    let order = start(cx, 7).await?;
    let monitor = cx.monitor(&order).await?;
    let supervisor = registered(cx, "orders", None).await?;
    kill(cx, &supervisor).await?;
    let _: Down = monitor.down(cx).await?;
    registered(cx, "orders", Some(&supervisor)).await?;
    assert_eq!(cx.count_children(&ORDERS).await?.active, 0);
    assert_eq!(ORDER.find(cx, &7).await?, None);
    assert_ne!(start(cx, 7).await?, order);
    Ok(())
}
