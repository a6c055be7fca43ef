//! The executor without a VM: the test's thread stands for its process.
#![allow(unsafe_code)]

mod channels;
mod closing;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::nif::ClockTicks;
use crate::tasks::*;

impl TaskOutput for u32 {
    fn failure(&self) -> Option<TaskFailure> {
        (*self == 0).then(|| Box::new("zero") as TaskFailure)
    }
}

/// Returns an executor and a counter of how often its process was notified of mail.
fn executor() -> (Arc<Executor>, Arc<AtomicUsize>) {
    let told = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&told);
    let tell = move || {
        count.fetch_add(1, Ordering::Relaxed);
    };
    (Executor::new(Box::new(tell)), told)
}

#[track_caller]
fn spawn(
    executor: &Arc<Executor>,
    future: impl Future<Output = u32> + Send + 'static,
) -> Handle<u32> {
    // SAFETY: the future borrows nothing, its output is a `u32`, and there is one handle.
    unsafe {
        let spawned = executor.spawn(future, Location::caller());
        Handle::new(Arc::clone(executor), spawned.expect("there is room").id)
    }
}

fn run(executor: &Arc<Executor>) {
    executor.run(ClockTicks(u64::MAX), || false);
}

fn output(handle: &Handle<u32>) -> Poll<Option<u32>> {
    handle.poll(&Context::from_waker(Waker::noop()))
}

/// Returns a future that is pending once, and that stores a clone of its waker.
fn waits(left: &Arc<Mutex<Option<Waker>>>) -> impl Future<Output = u32> + Send + use<> {
    let left = Arc::clone(left);
    let mut has_waited = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(7);
        }
        *left.lock().expect("nobody panics") = Some(context.waker().clone());
        Poll::Pending
    })
}

#[test]
fn tasks_have_turns_in_their_order_and_are_freed() {
    let (executor, _) = executor();
    let order = Arc::new(Mutex::new(Vec::new()));
    let handles: Vec<_> = (1..=3)
        .map(|number| {
            let order = Arc::clone(&order);
            let mut turns = 0;
            let future = poll_fn(move |context| {
                order.lock().expect("nobody panics").push(number);
                turns += 1;
                context.waker().wake_by_ref();
                if turns == 2 {
                    Poll::Ready(number)
                } else {
                    Poll::Pending
                }
            });
            spawn(&executor, future)
        })
        .collect();
    run(&executor);
    assert_eq!(*order.lock().expect("nobody panics"), [1, 2, 3, 1, 2, 3]);
    let local = executor.here().expect("this is its thread");
    assert_eq!(local.live(), 3, "their handles are there");
    let outputs: Vec<_> = handles.iter().map(output).collect();
    assert_eq!(outputs, [1, 2, 3].map(|number| Poll::Ready(Some(number))));
    drop(handles);
    assert_eq!(local.live(), 0);
    assert_eq!(Arc::strong_count(&executor), 1);
    executor.close();
}

#[test]
fn a_waker_wakes_from_any_thread_and_after_the_end() {
    let (executor, told) = executor();
    let left = Arc::new(Mutex::new(None));
    let handle = spawn(&executor, waits(&left));
    run(&executor);
    assert!(!executor.rest(), "nothing can go on");
    executor.leave();
    let waker = left
        .lock()
        .expect("nobody panics")
        .take()
        .expect("it has waited");
    let wakes = waker.clone();
    let thread = std::thread::spawn(move || {
        wakes.wake_by_ref();
        wakes.wake();
    });
    thread.join().expect("it does not panic");
    assert_eq!(told.load(Ordering::Relaxed), 1, "once");
    executor.enter();
    assert_eq!(output(&handle), Poll::Pending);
    run(&executor);
    assert_eq!(output(&handle), Poll::Ready(Some(7)));
    assert_eq!(output(&handle), Poll::Ready(None), "it was taken");
    drop(handle);
    waker.wake();
    executor.close();
    assert_eq!(Arc::strong_count(&executor), 1);
}

#[test]
fn a_handle_elsewhere_detaches_and_aborts_by_mail() {
    let (executor, _) = executor();
    let alive = Arc::new(());
    let held = Arc::clone(&alive);
    let handle = spawn(&executor, async move {
        let _held = held;
        std::future::pending().await
    });
    run(&executor);
    assert!(!executor.rest());
    let handle = std::thread::spawn(move || {
        assert_eq!(
            output(&handle),
            Poll::Ready(None),
            "only its process can await it"
        );
        handle.with(|local, id| local.abort(id));
        drop(handle);
    });
    handle.join().expect("it does not panic");
    assert!(executor.rest(), "there is mail");
    run(&executor);
    assert_eq!(Arc::strong_count(&alive), 1);
    assert_eq!(executor.here().expect("this is its thread").live(), 0);
    executor.close();
}

#[test]
fn a_process_that_ends_drops_everything_wherever_it_is() {
    let (executor, _) = executor();
    let alive = Arc::new(());
    let left = Arc::new(Mutex::new(None));
    let waiting = spawn(&executor, waits(&left));
    let ended = spawn(&executor, async { 5 });
    let held = Arc::clone(&alive);
    let never = spawn(&executor, async move {
        let _held = (held, ended);
        std::future::pending().await
    });
    run(&executor);
    executor.leave();
    let closing = Arc::clone(&executor);
    let thread = std::thread::spawn(move || closing.close());
    thread.join().expect("it does not panic");
    assert_eq!(Arc::strong_count(&alive), 1);
    drop((waiting, never));
    left.lock()
        .expect("nobody panics")
        .take()
        .expect("it has waited")
        .wake();
    assert_eq!(Arc::strong_count(&executor), 1);
}

#[test]
fn failures_that_nobody_awaits_are_told() {
    let (executor, _) = executor();
    let awaited = spawn(&executor, async { 0 });
    let linked = spawn(&executor, async { 0 });
    linked.with(|local, id| local.link(id));
    let local = executor.here().expect("this is its thread");
    local.name(linked.id(), "broken".into());
    drop(spawn(&executor, async { 0 }));
    drop(spawn(&executor, async { 1 }));
    run(&executor);
    let failed = local.failures();
    let told: Vec<_> = failed
        .iter()
        .map(|it| (it.name.as_deref(), it.is_linked))
        .collect();
    assert_eq!(told, [(Some("broken"), true), (None, false)]);
    assert_eq!(output(&awaited), Poll::Ready(Some(0)));
    drop((awaited, linked));
    executor.close();
}

#[test]
fn many_tasks_give_their_memory_back() {
    let (executor, _) = executor();
    for _ in 0..3 {
        let sum = Arc::new(AtomicUsize::new(0));
        for number in 0..5000 {
            let sum = Arc::clone(&sum);
            drop(spawn(&executor, async move {
                sum.fetch_add(number, Ordering::Relaxed);
                1
            }));
        }
        run(&executor);
        assert_eq!(sum.load(Ordering::Relaxed), 5000 * 4999 / 2);
        let local = executor.here().expect("this is its thread");
        assert_eq!(local.live(), 0);
        assert!(local.slab.slots() <= 64, "the slots are gone");
    }
    executor.close();
}

#[test]
fn memory_comes_back_while_some_tasks_go_on() {
    let (executor, _) = executor();
    let local = executor.here().expect("this is its thread");
    let stays = spawn(&executor, std::future::pending());
    for round in 0..3 {
        let mut many: Vec<_> = (0..5000)
            .map(|_| spawn(&executor, std::future::pending()))
            .collect();
        run(&executor);
        let blocks = || local.pool().map_or(0, |pool| pool.blocks());
        assert!(local.slab.slots() > 5000 && blocks() > 10);
        // Remove them in a different order each time.
        while let Some(index) = many.len().checked_sub(1) {
            let ends = many.swap_remove(index * round / 3);
            ends.with(|local, id| local.end_now(id));
        }
        assert_eq!(local.live(), 1);
        assert!(local.slab.slots() <= 64, "in round {round}");
        assert!(!executor.rest());
        assert_eq!(blocks(), 0, "in round {round}");
    }
    assert!(!local.has_ended(stays.id()));
    drop(stays);
    executor.close();
}

#[test]
fn a_destructor_that_panics_ends_only_its_task() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in a destructor");
        }
    }
    let (executor, _) = executor();
    let handle = spawn(&executor, async {
        let _bomb = Bomb;
        std::future::pending().await
    });
    run(&executor);
    handle.with(|local, id| local.abort(id));
    run(&executor);
    assert_eq!(output(&handle), Poll::Ready(None));
    drop(handle);
    executor.close();
}

#[test]
fn the_status_names_who_waits() {
    let (executor, _) = executor();
    let handle = spawn(&executor, std::future::pending());
    let local = executor.here().expect("this is its thread");
    local.name(handle.id(), "sleeper".into());
    drop(spawn(&executor, async { 1 }));
    let text = local.status().to_string();
    assert_eq!(text, " with 2 tasks: 2 ready, 0 waiting");
    run(&executor);
    let text = local.status().to_string();
    let (before, after) = text.split_once(" ms ").expect("it has waited");
    assert!(
        before.starts_with(" with 1 tasks: 0 ready, 1 waiting, the longest for "),
        "{text}"
    );
    assert!(
        after.starts_with("(sleeper, ") && after.contains("tests.rs:"),
        "{text}"
    );
    drop(handle);
    executor.close();
}

#[test]
fn turns_end_with_the_slice() {
    let (executor, _) = executor();
    let turns = Rc::new(RefCell::new(0));
    let spinning = spawn(&executor, async {
        loop {
            yield_once().await;
        }
    });
    executor.run(ClockTicks(ClockTicks::now().0 + 1), || {
        *turns.borrow_mut() += 1;
        false
    });
    assert!(*turns.borrow() >= 1 && executor.rest());
    spinning.with(|local, id| local.abort(id));
    run(&executor);
    assert!(!executor.rest());
    drop(spinning);
    executor.close();
}

async fn yield_once() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
