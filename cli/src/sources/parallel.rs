//! Work on many things in parallel. The results are returned in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Maximum number of results that wait for an earlier one: enough to keep every core busy, and a
/// bound on memory.
const AHEAD: usize = 256;
/// The stack of a program's main thread. The limits of nesting are designed for it.
const STACK: usize = 8 << 20;

/// The work on one thing panicked, and the panic was shown on standard error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Calls `work` on this thread.
pub(crate) fn alone<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
}

/// Calls `work` with every number below `count` on up to `threads` threads, and `take` on this
/// thread with each result, in order. Stops early if `take` breaks.
pub(crate) fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(Result<T, Panicked>) -> ControlFlow<()>,
) {
    let attempt = |index| alone(|| work(index));
    let queue = Queue::new(count);
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads.clamp(1, count.max(1)) {
            let worker = thread::Builder::new().stack_size(STACK);
            started += usize::from(worker.spawn_scoped(scope, || queue.serve(attempt)).is_ok());
        }
        for index in 0..count {
            // If no thread could be started, this one does the work.
            let result = match started {
                0 => attempt(index),
                _ => queue.wait_for(index),
            };
            if take(result).is_break() {
                break;
            }
        }
        queue.stop();
    });
}

struct Queue<T> {
    count: usize,
    state: Mutex<State<T>>,
    /// Signals that a result is available.
    ready: Condvar,
    /// Signals that a result was taken.
    room: Condvar,
}

struct State<T> {
    /// The next thing to work on.
    next: usize,
    /// The number of results already taken.
    taken: usize,
    results: BTreeMap<usize, Result<T, Panicked>>,
}

impl<T> Queue<T> {
    fn new(count: usize) -> Self {
        Self {
            count,
            state: Mutex::new(State {
                next: 0,
                taken: 0,
                results: BTreeMap::new(),
            }),
            ready: Condvar::new(),
            room: Condvar::new(),
        }
    }

    fn locked(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, attempt: impl Fn(usize) -> Result<T, Panicked>) {
        while let Some(index) = self.claim() {
            let result = attempt(index);
            self.locked().results.insert(index, result);
            self.ready.notify_one();
        }
    }

    fn claim(&self) -> Option<usize> {
        let is_full = |state: &mut State<T>| {
            state.next < self.count && state.next >= state.taken.saturating_add(AHEAD)
        };
        let guard = self.room.wait_while(self.locked(), is_full);
        let mut state = guard.unwrap_or_else(PoisonError::into_inner);
        let index = state.next;
        (index < self.count).then(|| {
            state.next += 1;
            index
        })
    }

    fn wait_for(&self, index: usize) -> Result<T, Panicked> {
        let mut state = self.locked();
        loop {
            if let Some(result) = state.results.remove(&index) {
                state.taken = index + 1;
                self.room.notify_all();
                return result;
            }
            let woken = self.ready.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Stops starting new work.
    fn stop(&self) {
        self.locked().next = self.count;
        self.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn results(
        count: usize,
        threads: usize,
        work: impl Fn(usize) -> usize + Sync,
    ) -> Vec<Option<usize>> {
        let mut results = Vec::new();
        in_order(count, threads, work, |result| {
            results.push(result.ok());
            ControlFlow::Continue(())
        });
        results
    }

    #[test]
    fn results_come_in_order_whoever_is_first() {
        let slow_at_first = |index: usize| {
            thread::sleep(Duration::from_millis(if index == 0 { 30 } else { 0 }));
            index
        };
        for threads in [1, 2, 7] {
            let expected: Vec<_> = (0..1000).map(Some).collect();
            assert_eq!(results(1000, threads, slow_at_first), expected);
        }
        assert!(results(0, 4, slow_at_first).is_empty());
    }

    #[test]
    fn a_panic_costs_only_its_own_result() {
        let odd_ones_panic = |index: usize| {
            assert!(index.is_multiple_of(2), "an odd number");
            index
        };
        assert_eq!(
            results(4, 2, odd_ones_panic),
            [Some(0), None, Some(2), None]
        );
    }

    #[test]
    fn whoever_breaks_waits_for_nothing_more() {
        let begun = AtomicUsize::new(0);
        let mut taken = 0;
        let work = |_| begun.fetch_add(1, Ordering::Relaxed);
        in_order(100_000, 2, work, |_| {
            taken += 1;
            ControlFlow::Break(())
        });
        assert_eq!(taken, 1);
        assert!(begun.into_inner() <= AHEAD + 2);
    }
}
