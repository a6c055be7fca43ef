//! The start of a clause: it returns a value at once, or its future is put into the cell.
#![allow(unsafe_code)]

use std::future::Future;

use crate::nif::{RawTerm, Scheduler};
use crate::runtime::failure::unanswered;
use crate::runtime::harness::work::{OnScheduler, Starter};
use crate::runtime::raw::cell::ProcessCell;
use crate::runtime::raw::outcome::{Encoded, Outcome};

/// The result of calling a clause.
pub(crate) enum ClauseOutcome {
    Ended(Outcome),
    /// The clause has completed, with this answer for the VM.
    Encoded(RawTerm),
    /// The future of the clause is in the cell, to be polled on this kind of scheduler.
    Future(Scheduler),
}

/// Puts a callback's future into its cell.
pub(crate) struct Begin<'a> {
    pub(super) cell: &'a ProcessCell,
}

impl Starter<Outcome> for Begin<'_> {
    type Begun = ClauseOutcome;

    #[inline]
    fn ended(self, outcome: Outcome) -> ClauseOutcome {
        // SAFETY: this is a call of the owning process.
        let call = unsafe { self.cell.call() };
        match outcome {
            Ok(Encoded(answer)) if call.has_only_ended() && !unanswered::exist() => {
                ClauseOutcome::Encoded(answer)
            }
            outcome => ClauseOutcome::Ended(outcome),
        }
    }

    fn future<F: Future<Output = Outcome> + Send>(
        self,
        future: F,
        OnScheduler(scheduler): OnScheduler,
    ) -> ClauseOutcome {
        // SAFETY: this is a call of the owning process, and no other reference to the slot is held.
        // The future borrows the state and the context. Both are in the same cell, no other code
        // uses them while there is a future, and the cell clears the future before it drops them.
        unsafe { self.cell.future().put(future) };
        // SAFETY: as above.
        let call = unsafe { self.cell.call() };
        call.begins_to_wait();
        call.awaiting().scheduler.set(scheduler);
        ClauseOutcome::Future(scheduler)
    }
}
