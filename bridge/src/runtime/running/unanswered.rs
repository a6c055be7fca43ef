//! The callers that a callback has dropped without a reply.
#![allow(unsafe_code)]

use super::Running;
use crate::nif::RawTerm;
use crate::runtime::Outcome;
use crate::runtime::forgotten::{self, Forgotten};
use crate::runtime::step::Step;

impl Running<'_> {
    /// Callers may have been dropped without a reply: their calls end before the callback returns.
    #[cold]
    pub(super) fn ended_unanswered(&self, outcome: Outcome) -> RawTerm {
        let forgotten = self.forgotten();
        let stays = match &outcome {
            // SAFETY: the term was made in this call.
            Ok(returned) => forgotten::is_final(unsafe { self.env.term(returned.0) }),
            Err(_) => false,
        };
        let answer = self.answer(outcome);
        // Callers of a process that ends see why.
        if !stays || self.frame.clause.callback.ends {
            return answer;
        }
        let heap = self.env.heap();
        forgotten.iter().fold(answer, |answer, caller| {
            // SAFETY: the answer was made in this call.
            let answer = unsafe { self.env.term(answer) };
            Step::tell(heap, caller.report(heap), answer).answer(heap)
        })
    }

    /// Takes the callers that this callback has dropped without a reply.
    pub(super) fn forgotten(&self) -> Vec<Forgotten> {
        let kept = self.call().has_awaited();
        let mut all = kept.map_or_else(Vec::new, |kept| kept.forgotten.take());
        all.extend(forgotten::take(self.call().process));
        all
    }

    /// Keeps them until the callback ends, perhaps on another thread.
    #[inline]
    pub(super) fn keep_forgotten(&self) {
        if forgotten::exist() {
            let forgotten = self.forgotten();
            self.call().awaiting().forgotten.replace(forgotten);
        }
    }
}
