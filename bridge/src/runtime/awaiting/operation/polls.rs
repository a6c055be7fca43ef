//! Detection of operations that are polled without an end: in a loop, or by an executor such as
//! `block_on`. Their answers can only arrive while the callback waits.

use std::panic::Location;
use std::task::Waker;

use crate::runtime::raw::context::{Cx, Here};

/// Counts the unsuccessful polls of an operation within one call of the process, because no answer
/// can arrive during a call.
#[derive(Default)]
pub(super) struct Polls {
    /// When the call's slice ends, which identifies the call. The lower bits are enough.
    call: u32,
    count: u32,
    /// The poll of the callback in which a foreign waker was first used, and the number of its uses
    /// in that poll.
    of_others: (u32, u32),
}

/// Code that polls with its own waker more often than this within one poll of the callback is an
/// executor that never yields. A combinator does it a few times.
const POLLS_OF_OTHERS: u32 = 10_000;

/// After this many unsuccessful polls, a future is assumed to be polled in a loop that would hold
/// its scheduler for ever. The limit is lower if its waker does nothing.
const POLLS_IN_VAIN: u32 = 50_000_000;
const POLLS_WITHOUT_A_WAKER: u32 = 1_000_000;

impl Polls {
    /// Counts a poll of an operation that has no answer yet.
    ///
    /// # Panics
    /// If the operation is polled in a loop, which would never end.
    pub(super) fn in_vain(&mut self, cx: &Cx<'_>, waker: &Waker) {
        let call = cx.number_of_the_call();
        if self.call != call {
            (self.call, self.count) = (call, 0);
        }
        self.count += 1;
        let most = match self.count < POLLS_WITHOUT_A_WAKER {
            true => return,
            false if waker.will_wake(Waker::noop()) => POLLS_WITHOUT_A_WAKER,
            false => POLLS_IN_VAIN,
        };
        assert!(
            self.count < most,
            "an operation is polled in a loop, which blocks its scheduler: the answer can arrive only while, \
             the callback waits; write `.await`"
        );
    }

    /// Counts a poll with a foreign waker of an operation that has no answer yet. No answer can
    /// arrive before the callback's poll ends. `block_on` does not let that poll end: it would park
    /// its scheduler for ever. So this wakes its waker, once and again as long as the poll does not
    /// end.
    ///
    /// # Panics
    /// If the poll of the callback does not end.
    pub(super) fn by_another(
        &mut self,
        cx: &Cx<'_>,
        waker: &Waker,
        location: &'static Location<'static>,
    ) {
        let Some(poll) = cx.poll_by_another(waker) else {
            return;
        };
        let (first, count) = self.of_others;
        if count > 0 && first != poll {
            return;
        }
        self.of_others = (poll, count + 1);
        assert!(
            count < POLLS_OF_OTHERS,
            "the operation at {location} is polled by another executor, such as `block_on`, which blocks the process's \
             scheduler: the answer can arrive only while the callback itself waits; make the function `async`, and write `.await`"
        );
        waker.wake_by_ref();
    }
}

impl Cx<'_> {
    /// Returns a number that identifies the running call. The next call has another number.
    fn number_of_the_call(&self) -> u32 {
        match self.here() {
            #[allow(clippy::cast_possible_truncation)]
            Here::Vm(_, now) => now.slice_ends().0 as u32,
            Here::Owned(_) => 0,
        }
    }

    /// Returns the number of the callback's poll, if this waker is neither the callback's own, nor
    /// that of a task, nor one that does nothing.
    fn poll_by_another(&self, waker: &Waker) -> Option<u32> {
        let (root, tasks) = match self.here() {
            Here::Vm(call, _) => {
                let awaiting = call.awaiting();
                (&awaiting.root, &awaiting.tasks)
            }
            Here::Owned(call) => (&call.root, &call.tasks),
        };
        let is_another = !root.is(waker) && !waker.will_wake(Waker::noop());
        let is_in_task = || {
            let executor = tasks.get().and_then(|it| it.here());
            executor.is_some_and(|it| it.in_turn().is_some())
        };
        (is_another && !is_in_task()).then(|| root.number_of_the_poll())
    }
}
