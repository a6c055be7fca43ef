//! Channels, shared values and pauses without a VM.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;

/// Returns the receiving side of a channel as a future, as `task` has it.
fn receive(channel: &Arc<Channel<u32>>) -> impl Future<Output = Option<u32>> + Send + use<> {
    let channel = Arc::clone(channel);
    poll_fn(move |context| channel.poll_receive(context))
}

#[test]
fn messages_come_in_order_and_then_the_end() {
    let (executor, _) = executor();
    let channel = Channel::new(&executor, usize::MAX);
    let address = ChannelAddress::new(Arc::clone(&channel));
    let receiver = Arc::clone(&channel);
    let sum = spawn(&executor, async move {
        let mut all = 0;
        while let Some(number) = receive(&receiver).await {
            all = all * 10 + number;
        }
        all
    });
    run(&executor);
    assert_eq!(output(&sum), Poll::Pending);
    let other = address.clone();
    for number in [1, 2, 3] {
        other.send(number).expect("it is open");
    }
    drop(other);
    run(&executor);
    assert_eq!(output(&sum), Poll::Pending, "there is an address");
    address.send(4).expect("it is open");
    drop(address);
    run(&executor);
    assert_eq!(output(&sum), Poll::Ready(Some(1234)));
    drop(sum);
    assert_eq!(
        Arc::strong_count(&channel),
        1,
        "the addresses' reference is gone"
    );
    executor.close();
}

#[test]
fn a_full_mailbox_gives_the_message_back_and_room_wakes_its_sender() {
    let (executor, _) = executor();
    let channel = Channel::new(&executor, 1);
    assert_eq!(channel.send(1), Ok(()));
    assert_eq!(channel.send(2), Err(Refused::Full(2)));
    let sender = Arc::clone(&channel);
    let sent = spawn(&executor, async move {
        poll_fn(|context| match sender.send(3) {
            Err(Refused::Full(_)) => {
                sender.wait_for_room(context);
                Poll::Pending
            }
            Ok(()) => Poll::Ready(1),
            Err(_) => Poll::Ready(2),
        })
        .await
    });
    run(&executor);
    assert_eq!(output(&sent), Poll::Pending);
    assert!(matches!(channel.try_receive(), TryReceived::Message(1)));
    run(&executor);
    assert_eq!(output(&sent), Poll::Ready(Some(1)));
    channel.close();
    assert_eq!(channel.send(4), Err(Refused::Closed(4)));
    drop(sent);
    executor.close();
}

#[test]
fn nothing_is_shared_with_another_thread() {
    let (executor, _) = executor();
    let channel = Channel::new(&executor, 10);
    let shared = LocalCell::new(&executor, 5);
    std::thread::scope(|scope| {
        let elsewhere = scope.spawn(|| {
            assert_eq!(channel.send(1), Err(Refused::Elsewhere(1)));
            assert_eq!(shared.try_with(|_| ()), Err(NotNow::Elsewhere));
            assert_eq!(channel.len(), 0);
        });
        elsewhere.join().expect("it does not panic");
        let receives = scope.spawn(|| _ = channel.try_receive()).join();
        assert!(receives.is_err(), "receiving elsewhere panics");
    });
    executor.leave();
    assert_eq!(channel.send(1), Err(Refused::Elsewhere(1)), "no call runs");
    executor.enter();
    assert_eq!(channel.send(1), Ok(()));
    executor.close();
}

#[test]
fn the_last_address_may_go_on_another_thread() {
    let (executor, told) = executor();
    let channel = Channel::new(&executor, 10);
    let address = ChannelAddress::new(Arc::clone(&channel));
    let ended = spawn(&executor, {
        let receiver = Arc::clone(&channel);
        async move { receive(&receiver).await.map_or(1, |_| 2) }
    });
    run(&executor);
    assert!(!executor.rest());
    executor.leave();
    std::thread::scope(|scope| {
        let dropped = scope.spawn(|| drop(address)).join();
        dropped.expect("it does not panic");
    });
    assert_eq!(told.load(Ordering::Relaxed), 1);
    executor.enter();
    run(&executor);
    assert_eq!(output(&ended), Poll::Ready(Some(1)));
    drop(ended);
    executor.close();
}

#[test]
fn a_shared_value_is_used_by_one_at_a_time_also_after_a_panic() {
    let (executor, _) = executor();
    let shared = LocalCell::new(&executor, vec![1]);
    let again = shared.clone();
    let inner = shared.with(|value| {
        value.push(2);
        again.try_with(|value| value.len())
    });
    assert_eq!(inner, Err(NotNow::InUse));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        shared.with(|_| panic!("in use"));
    }));
    assert!(panicked.is_err());
    assert_eq!(shared.get(), [1, 2]);
    executor.close();
}

#[test]
fn a_pause_lasts_at_least_its_time_and_can_be_dropped() {
    const TIME: Duration = Duration::from_millis(20);
    let (executor, _) = executor();
    let local = executor.here().expect("this is its thread");
    let began = Instant::now();
    let pause = Pause::start(&executor, local, TIME);
    let slept = spawn(&executor, async move {
        pause.await;
        u32::from(began.elapsed() >= TIME)
    });
    let forever = Pause::start(&executor, local, Duration::from_secs(1 << 40));
    let never = spawn(&executor, async move {
        forever.await;
        1
    });
    run(&executor);
    let (_, left) = local.next_timer().expect("two wait");
    assert!(
        left <= TIME + Duration::from_millis(1),
        "its time is rounded up"
    );
    let lasted = loop {
        match output(&slept) {
            Poll::Ready(lasted) => break lasted,
            Poll::Pending => std::thread::sleep(Duration::from_millis(1)),
        }
        run(&executor);
    };
    assert_eq!(lasted, Some(1));
    never.with(|local, id| local.abort(id));
    run(&executor);
    assert!(local.next_timer().is_none(), "nobody waits any more");
    drop((slept, never));
    executor.close();
}
