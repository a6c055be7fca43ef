//! Reports the calls of a process to observers.

use super::Running;
use crate::nif::{ClockTicks, duration_of};
use crate::runtime::cost::call_clock::CallTime;
use crate::runtime::cost::observer;
use crate::runtime::registry::without_callback::is_task;

impl Running<'_> {
    /// Reports the call that ends now. A callback has ended with it, unless the call was for tasks
    /// or the callback still waits.
    #[cold]
    pub(super) fn observe(&self, elapsed: CallTime, waits: bool) {
        if !elapsed.is_exact {
            return;
        }
        let clause = &self.frame.clause;
        let ended = (!waits && !is_task(clause)).then(|| {
            let waited = self.frame.is_resumed.then(|| self.call().has_awaited());
            let ticks = match waited.flatten() {
                Some(awaiting) => ClockTicks::now().since(awaiting.under_way.began()),
                None => elapsed.ticks,
            };
            (self.frame.outcome.get(), duration_of(ticks))
        });
        observer::report(clause, duration_of(elapsed.ticks), ended);
    }
}
