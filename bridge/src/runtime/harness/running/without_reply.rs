//! Callers that a callback has dropped without a reply.

use super::Running;
use crate::nif::VmTerm;
use crate::runtime::exchange::step::Step;
use crate::runtime::failure::unanswered;
use crate::runtime::failure::unanswered::Unanswered;
use crate::runtime::raw::outcome::Outcome;

impl<'a> Running<'a> {
    /// Answers the VM for a callback that has completed, and ends the calls of callers that it has
    /// dropped without a reply first.
    #[cold]
    pub(super) fn ended_unanswered(&self, outcome: Outcome) -> VmTerm<'a> {
        let mut unanswered = self.unanswered();
        match &outcome {
            Ok(returned) => {
                let returned = self.frame.encoded(*returned);
                unanswered.retain(|caller| caller.is_left_by(returned));
            }
            Err(_) => unanswered.clear(),
        }
        let answer = self.answer(outcome);
        // Callers of a process that ends get its exit reason.
        if self.frame.clause.callback.facts.ends() {
            answer
        } else {
            self.reporting(&unanswered, answer)
        }
    }

    /// Returns the step of a waiting callback. First, the process ends the calls of callers that
    /// the callback itself has received and dropped.
    #[inline]
    pub(super) fn without_received(&self, step: VmTerm<'a>) -> VmTerm<'a> {
        if unanswered::exist() {
            self.end_received(step)
        } else {
            step
        }
    }

    #[cold]
    fn end_received(&self, step: VmTerm<'a>) -> VmTerm<'a> {
        let all = self.unanswered();
        let (received, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(Unanswered::is_received);
        if !kept.is_empty() {
            self.call().awaiting().unanswered.replace(kept);
        }
        self.reporting(&received, step)
    }

    /// Makes the process log that the callers were dropped, and end their calls, before it
    /// continues.
    fn reporting(&self, unanswered: &[Unanswered], answer: VmTerm<'a>) -> VmTerm<'a> {
        let heap = self.frame.env.heap();
        unanswered.iter().fold(answer, |answer, caller| {
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

    /// Stores these callers until the callback completes, perhaps on another thread.
    #[inline]
    pub(super) fn keep_unanswered(&self) {
        if unanswered::exist() {
            let unanswered = self.unanswered();
            self.call().awaiting().unanswered.replace(unanswered);
        }
    }
}
