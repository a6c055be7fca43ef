//! The callers that a callback has dropped without a reply.
#![allow(unsafe_code)]

use super::Running;
use crate::nif::RawTerm;
use crate::runtime::exchange::step::Step;
use crate::runtime::failure::forgotten;
use crate::runtime::failure::forgotten::Forgotten;
use crate::runtime::harness::returned::Outcome;

impl Running<'_> {
    /// Callers may have been dropped without a reply: their calls end before the callback returns.
    #[cold]
    pub(super) fn ended_unanswered(&self, outcome: Outcome) -> RawTerm {
        let mut forgotten = self.forgotten();
        match &outcome {
            Ok(returned) => {
                // SAFETY: the term was made in this call.
                let returned = unsafe { self.env.term(returned.0) };
                forgotten.retain(|caller| caller.is_left_by(returned));
            }
            Err(_) => forgotten.clear(),
        }
        let answer = self.answer(outcome);
        // Callers of a process that ends see why.
        match self.frame.clause.callback.ends {
            true => answer,
            false => self.reporting(&forgotten, answer),
        }
    }

    /// The future goes on after this step. The calls end before it whose callers it has received and dropped.
    #[inline]
    pub(super) fn without_received(&self, step: RawTerm) -> RawTerm {
        match forgotten::exist() {
            true => self.end_received(step),
            false => step,
        }
    }

    #[cold]
    fn end_received(&self, step: RawTerm) -> RawTerm {
        let all = self.forgotten();
        let (received, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(Forgotten::is_received);
        if !kept.is_empty() {
            self.call().awaiting().forgotten.replace(kept);
        }
        self.reporting(&received, step)
    }

    /// Has the process log that they were dropped, and end their calls, before it goes on.
    fn reporting(&self, forgotten: &[Forgotten], answer: RawTerm) -> RawTerm {
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
