//! A clause that is called on a scheduler of another kind than the call is on.

use super::vm::VmInvocation;
use super::{Backend, Invocation};
use crate::DecodeError;
use crate::nif::Scheduler;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::registry::clause_scheduler::ClauseScheduler;

impl Invocation<'_> {
    /// What the clause is called with, if it is called in this call.
    ///
    /// # Errors
    /// It is called on a dirty scheduler, because it was slow: there the arguments are read again.
    #[inline]
    pub(super) fn here<A>(&self, arguments: A) -> Result<A, DecodeError> {
        match &self.backend {
            Backend::Vm(vm) if vm.is_on_normal() => {
                let scheduler = (vm.frame.clause.clause.scheduler)();
                if !scheduler.is_unmoved() && !Self::stays(vm, scheduler) {
                    leaving_callers_alone(|| drop(arguments));
                    return Err(DecodeError::of_giving_way());
                }
            }
            Backend::Vm(_) | Backend::Owned(..) => {}
        }
        Ok(arguments)
    }

    /// Whether a clause that may have been slow is called here, and then measures the call if that
    /// has to be known.
    #[cold]
    fn stays(vm: &VmInvocation<'_>, scheduler: &ClauseScheduler) -> bool {
        if scheduler.is_measured() {
            vm.frame.clock.measure_work();
        }
        scheduler.moved().is_none()
    }

    /// On which kind of scheduler the clause goes on, if not on this one.
    #[inline]
    pub(crate) fn moved(&self) -> Option<Scheduler> {
        match &self.backend {
            Backend::Vm(vm) if vm.is_on_normal() => (vm.frame.clause.clause.scheduler)().moved(),
            Backend::Vm(_) | Backend::Owned(..) => None,
        }
    }
}
