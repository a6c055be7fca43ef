//! Yielding, and other schedulers. Without a VM no process has to wait.

use futures_util::StreamExt;

use crate::{noproc, run};

#[test]
fn nobody_is_given_way_to() {
    let (_, asked) = run(
        async |cx| {
            cx.checkpoint().await;
            cx.yield_now().await;
        },
        &noproc,
    );
    assert!(asked.is_empty());
}

#[test]
fn politely_gives_every_element_in_order() {
    let rows = vec![1, 2, 3];
    let (sum, _) = run(
        async |cx| {
            let mut seen = Vec::new();
            let mut polite = cx.yielding(&rows);
            while let Some(row) = polite.next().await {
                seen.push(*row);
            }
            seen
        },
        &noproc,
    );
    assert_eq!(sum, rows);
}

#[test]
fn politely_is_a_stream() {
    let (squares, _) = run(
        async |cx| {
            let squares = cx.yielding(1..=3).map(|number| number * number);
            squares.collect::<Vec<_>>().await
        },
        &noproc,
    );
    assert_eq!(squares, [1, 4, 9]);
}

#[test]
fn dirty_work_borrows_and_is_done_where_it_is_awaited() {
    let mut rows = vec![3, 1, 2];
    let (first, _) = run(
        async |cx| {
            let sorting = cx.dirty(|| rows.sort_unstable());
            sorting.await;
            cx.blocking(|| rows[0]).await
        },
        &noproc,
    );
    assert_eq!((first, rows), (1, vec![1, 2, 3]));
}
