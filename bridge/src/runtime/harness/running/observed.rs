//! Reports the calls of a process to observers.

use super::Running;
use crate::nif::{ClockTicks, VmTerm, duration_of};
use crate::runtime::cost::call_clock::CallTime;
use crate::runtime::harness::ending;
use crate::runtime::registry::without_callback::is_task;

impl<'a> Running<'a> {
    /// Reports the call that ends now. A callback has ended with it, unless the call was for tasks
    /// or the callback still waits.
    #[cold]
    pub(super) fn observe(&self, elapsed: CallTime, waits: bool, answer: VmTerm<'a>) -> VmTerm<'a> {
        if !elapsed.is_exact {
            return answer;
        }
        let clause = self.frame.clause;
        let ended = (!waits && !is_task(clause)).then(|| {
            let waited = self.frame.is_resumed.then(|| self.call().has_awaited());
            let ticks = match waited.flatten() {
                Some(awaiting) => ClockTicks::now().since(awaiting.under_way.began()),
                None => elapsed.ticks,
            };
            (self.frame.outcome.get(), duration_of(ticks))
        });
        ending::observed(self.frame, duration_of(elapsed.ticks), ended, answer)
    }
}
