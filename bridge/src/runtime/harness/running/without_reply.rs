//! The callers that a callback has dropped without a reply.
#![allow(unsafe_code)]

use super::Running;
use crate::nif::RawTerm;
use crate::runtime::exchange::step::Step;
use crate::runtime::failure::unanswered;
use crate::runtime::failure::unanswered::Unanswered;
use crate::runtime::raw::outcome::Outcome;

impl Running<'_> {
    /// Callers may have been dropped without a reply: their calls end before the callback returns.
    #[cold]
    pub(super) fn ended_unanswered(&self, outcome: Outcome) -> RawTerm {
        let mut unanswered = self.unanswered();
        match &outcome {
            Ok(returned) => {
                // SAFETY: the term was made in this call.
                let returned = unsafe { self.frame.env.term(returned.0) };
                unanswered.retain(|caller| caller.is_left_by(returned));
            }
            Err(_) => unanswered.clear(),
        }
        let answer = self.answer(outcome);
        // Callers of a process that ends see why.
        if self.frame.clause.callback.facts.ends() {
            answer
        } else {
            self.reporting(&unanswered, answer)
        }
    }

    /// The future goes on after this step. The calls end before it whose callers it has received
    /// and dropped.
    #[inline]
    pub(super) fn without_received(&self, step: RawTerm) -> RawTerm {
        if unanswered::exist() {
            self.end_received(step)
        } else {
            step
        }
    }

    #[cold]
    fn end_received(&self, step: RawTerm) -> RawTerm {
        let all = self.unanswered();
        let (received, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(Unanswered::is_received);
        if !kept.is_empty() {
            self.call().awaiting().unanswered.replace(kept);
        }
        self.reporting(&received, step)
    }

    /// Has the process log that they were dropped, and end their calls, before it goes on.
    fn reporting(&self, unanswered: &[Unanswered], answer: RawTerm) -> RawTerm {
        let heap = self.frame.env.heap();
        unanswered.iter().fold(answer, |answer, caller| {
            // SAFETY: the answer was made in this call.
            let answer = unsafe { self.frame.env.term(answer) };
            Step::tell(heap, caller.report(heap), answer).answer(heap)
        })
    }

    /// Takes the callers that this callback has dropped without a reply.
    pub(super) fn unanswered(&self) -> Vec<Unanswered> {
        let kept = self.call().has_awaited();
        let mut all = kept.map_or_else(Vec::new, |kept| kept.unanswered.take());
        all.extend(unanswered::take(self.call().process));
        all
    }

    /// Keeps them until the callback ends, perhaps on another thread.
    #[inline]
    pub(super) fn keep_unanswered(&self) {
        if unanswered::exist() {
            let unanswered = self.unanswered();
            self.call().awaiting().unanswered.replace(unanswered);
        }
    }
}
