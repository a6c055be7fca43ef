//! Dropping the tasks of a process that has ended.

use super::*;
use crate::tasks::executor::MANY_TO_END;

#[test]
fn a_handle_of_a_task_that_was_freed_is_not_that_of_a_later_one_with_its_number() {
    let (executor, _) = executor();
    let old = spawn(&executor, std::future::pending());
    executor.end_all();
    let local = executor.here().expect("this is its thread");
    // Reuse the serial numbers, as after 2^32 tasks.
    local.slab.begin_serials_again();
    let new = spawn(&executor, async { 7 });
    assert_eq!(old.id(), new.id());
    run(&executor);
    assert_eq!(output(&old), Poll::Ready(None));
    drop(old);
    assert_eq!(output(&new), Poll::Ready(Some(7)));
    drop(new);
    executor.close();
}

#[test]
fn many_tasks_of_a_process_that_has_ended_are_dropped_some_at_a_time() {
    let (executor, _) = executor();
    // This task is in the first slot, which is dropped last.
    spawn(&executor, async { 7 });
    let alive = Arc::new(());
    let count = MANY_TO_END + 100;
    let handles: Vec<_> = (0..count)
        .map(|number| {
            let held = Arc::clone(&alive);
            let future = async move {
                let _held = held;
                std::future::pending().await
            };
            let handle = spawn(&executor, future);
            // Some tasks are in the queue, some have handles, and some have ended.
            match number % 3 {
                0 => None,
                _ => Some(handle),
            }
        })
        .collect();
    executor.leave();
    {
        let held = executor.hold().expect("the process lives");
        assert_eq!(executor.close_some(10), Closed::NotNow, "a call runs");
        drop(held);
    }
    assert_eq!(executor.close_some(10), Closed::Some);
    assert!(
        executor.hold().is_none(),
        "its calls must not begin any more"
    );
    assert_eq!(Arc::strong_count(&alive), count + 1 - 10);
    while executor.close_some(1000) == Closed::Some {}
    assert_eq!(Arc::strong_count(&alive), 1);
    drop(handles);
    executor.close();
    executor.enter();
    let local = executor.here().expect("this is its thread");
    assert_eq!((local.live(), local.is_runnable()), (0, false));
    executor.leave();
    assert_eq!(Arc::strong_count(&executor), 1);
}
