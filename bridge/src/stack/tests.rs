use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use super::{Exhausted, deeper, run};

/// Recurses with about a kilobyte of stack per level.
fn sum(levels: u64) -> Result<u64, Exhausted> {
    let bytes = std::hint::black_box([levels; 100]);
    match levels {
        0 => Ok(0),
        _ => deeper(|| sum(levels - 1))?.map(|rest| rest + bytes[0]),
    }
}

fn with_stack<T: Send>(bytes: usize, body: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(bytes)
            .spawn_scoped(scope, body)
            .expect("a thread");
        thread.join().expect("no panic")
    })
}

#[test]
fn recursion_goes_on_where_the_threads_own_stack_ends() {
    assert_eq!(with_stack(320 * 1024, || sum(20_000)), Ok(200_010_000));
    assert_eq!(
        with_stack(320 * 1024, || run(|| sum(20_000))),
        Ok(200_010_000)
    );
}

#[test]
fn endless_recursion_is_refused() {
    assert_eq!(with_stack(320 * 1024, || sum(u64::MAX)), Err(Exhausted));
    assert_eq!(
        with_stack(320 * 1024, || run(|| sum(u64::MAX))),
        Err(Exhausted)
    );
}

#[test]
fn a_call_from_the_large_stack_stays_on_it() {
    let nested = with_stack(320 * 1024, || run(|| run(|| sum(20_000))));
    assert_eq!(nested, Ok(200_010_000));
}

#[test]
fn a_panic_comes_back_and_the_stack_can_be_used_again() {
    let outcomes = with_stack(320 * 1024, || {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            run(|| -> u64 { panic!("on the large stack") })
        }));
        let text =
            panicked.map_err(|payload| payload.downcast_ref::<&str>().map(|it| (*it).to_owned()));
        (text, run(|| sum(20_000)))
    });
    let text = Some("on the large stack".to_owned());
    assert_eq!(outcomes, (Err(text), Ok(200_010_000)));
}
