//! The start of a clause: it returns a value at once, or its future is put into the cell.
#![allow(unsafe_code)]

use std::future::Future;

use super::Running;
use crate::nif::{Encoded, VmTerm};
use crate::runtime::failure::unanswered;
use crate::runtime::harness::work::{OnScheduler, Starter};
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::state::RunState;

/// Answers the VM for a clause that has completed. Otherwise, it puts the clause's future into the
/// cell and polls it.
impl<'f> Starter<'f, Outcome> for Running<'_> {
    type Begun = Encoded;

    #[inline]
    fn ended(self, outcome: Outcome) -> Encoded {
        match outcome {
            Ok(answer) if self.call().has_only_ended() && !unanswered::exist() => answer,
            outcome => self.ended_with_work(outcome),
        }
    }

    fn future<F: Future<Output = Outcome> + Send + 'f>(
        self,
        future: F,
        scheduler: OnScheduler,
    ) -> Encoded {
        Encoded(self.starts_future(future, scheduler).raw())
    }
}

impl<'a> Running<'a> {
    /// Puts the future of a clause into the cell, and polls it.
    pub(in crate::runtime) fn starts_future<F>(
        self,
        future: F,
        OnScheduler(scheduler): OnScheduler,
    ) -> VmTerm<'a>
    where
        F: Future<Output = Outcome> + Send,
    {
        // SAFETY: the future borrows the state and the context. Both are in the same cell, no other
        // code uses them while there is a future, and the cell clears the future before it drops
        // them.
        unsafe { self.cell.put_future(future) };
        let call = self.call();
        call.begins_to_wait();
        call.awaiting().scheduler.set(scheduler);
        self.go_through(RunState::call(scheduler))
    }

    /// Answers the VM for a clause that has failed, or has left work to its process.
    #[cold]
    #[inline(never)]
    fn ended_with_work(self, outcome: Outcome) -> Encoded {
        Encoded(self.completed(outcome).raw())
    }
}
