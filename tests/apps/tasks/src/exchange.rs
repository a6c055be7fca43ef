//! Messages between tasks.
use otp_bridge::task::Tasks;
use otp_bridge::task::UNBOUNDED;
use std::time::{Duration, Instant};

use otp_bridge::atoms::ok;
use otp_bridge::task::Refused;
use otp_bridge::{Cx, Result, Term, atom, race};

/// Passes a number around a ring of tasks, in which each task adds one. Returns it after this many
/// rounds.
pub async fn chain(length: u64, rounds: u64, cx: &Cx<'_>) -> Result<u64> {
    let (first, mut last) = cx.channel::<u64>(UNBOUNDED);
    let mut next = first;
    for _ in 0..length {
        let (address, mut mailbox) = cx.channel::<u64>(UNBOUNDED);
        let to = std::mem::replace(&mut next, address);
        cx.spawn_task(async move |_| {
            while let Some(number) = mailbox.receive().await {
                to.send(number + 1)?;
            }
            Ok(())
        });
    }
    let mut number = 0;
    for _ in 0..rounds {
        next.send(number)?;
        number = last.receive().await.unwrap_or_default();
    }
    Ok(number)
}

/// Starts tasks that all wait for a message, and then all answer.
pub async fn many(count: u64, cx: &Cx<'_>) -> Result<u64> {
    let (back, mut answers) = cx.channel::<u64>(UNBOUNDED);
    let mut addresses = Vec::new();
    for _ in 0..count {
        let (address, mut mailbox) = cx.channel::<u64>(UNBOUNDED);
        let back = back.clone();
        addresses.push(address);
        cx.spawn_task(async move |_| {
            let number = mailbox.receive().await.unwrap_or_default();
            Ok(back.send(number)?)
        });
        cx.checkpoint().await;
    }
    drop(back);
    for (number, address) in (1..).zip(&addresses) {
        address.send(number)?;
        cx.checkpoint().await;
    }
    let mut sum = 0;
    while let Some(number) = answers.receive().await {
        sum += number;
        cx.checkpoint().await;
    }
    Ok(sum)
}

pub async fn sleepers(count: u64, time: u64, cx: &Cx<'_>) -> Result<u64> {
    let mut tasks = Vec::new();
    for number in 0..count {
        let time = Duration::from_millis(number * 7919 % time);
        tasks.push(cx.spawn_task(async move |cx| {
            let began = Instant::now();
            cx.sleep(time).await?;
            Ok(u64::from(began.elapsed() < time))
        }));
        cx.checkpoint().await;
    }
    let mut short = 0;
    for task in tasks {
        short += task.await?;
    }
    Ok(short)
}

pub async fn bounded(cx: &Cx<'_>) -> Result<Term> {
    let (address, mut mailbox) = cx.channel::<u64>(1);
    address.send(1)?;
    let full = matches!(address.send(2), Err(Refused::Full(2)));
    let later = address.clone();
    let sender = cx.spawn_task(async move |_| Ok(later.send_when_free(3).await?));
    cx.yield_now().await;
    let waits = !sender.is_finished();
    let received = [mailbox.receive().await, mailbox.receive().await];
    sender.await?;
    drop(mailbox);
    let closed = matches!(address.send(4), Err(Refused::Closed(4)));
    Ok(Term::of(&(full, waits, received, closed)))
}

pub async fn broadcast(cx: &Cx<'_>) -> Result<Term> {
    let all = cx.broadcast::<u64>(2);
    let (mut one, mut other) = (all.subscribe(cx), all.subscribe(cx));
    let first = all.send(&1);
    drop(all.subscribe(cx));
    let second = all.send(&2);
    let third = all.send(&3);
    let got = [
        one.receive().await,
        other.receive().await,
        one.try_receive().ok(),
    ];
    Ok(Term::of(&(first.to, second.to, third.full, got)))
}

pub async fn raced(cx: &Cx<'_>) -> Result<Term> {
    let (address, mut mailbox) = cx.channel::<u64>(UNBOUNDED);
    let (promise, promised) = cx.oneshot::<u64>();
    let waits = cx.spawn_task(async move |_| {
        let won = race(promised, mailbox.receive()).await;
        Ok((won, mailbox.receive().await))
    });
    cx.spawn_task(async move |cx| {
        cx.sleep(Duration::from_millis(1)).await?;
        promise.send(1)?;
        Ok(address.send(2)?)
    });
    let (broken, awaits) = cx.oneshot::<u64>();
    drop(broken);
    let broken = awaits.await.is_none();
    let late = cx
        .timeout(Duration::from_millis(1), std::future::pending::<()>())
        .await;
    let late = if late.is_err() {
        Term::of(&ok)
    } else {
        Term::of(&atom!("never"))
    };
    Ok(Term::of(&(waits.await?, broken, late)))
}
