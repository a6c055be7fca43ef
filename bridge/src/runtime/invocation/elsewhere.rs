//! Moves a clause to another kind of scheduler than that of the current call.

use super::vm::VmInvocation;
use super::{Backend, Invocation};
use crate::DecodeError;
use crate::nif::Scheduler;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::registry::clause_scheduler::ClauseScheduler;

impl Invocation<'_> {
    /// Returns the arguments if the clause is called in this call.
    ///
    /// # Errors
    /// The clause is called on a dirty scheduler, because it was slow. There, the arguments are
    /// decoded again.
    #[inline]
    pub(super) fn here<A>(&self, arguments: A) -> Result<A, DecodeError> {
        match &self.backend {
            Backend::Vm(vm) if vm.is_on_normal() => {
                let scheduler = vm.frame.clause.scheduler;
                if !scheduler.is_unmoved() && !Self::stays(vm, scheduler) {
                    leaving_callers_alone(|| drop(arguments));
                    return Err(DecodeError::of_giving_way());
                }
            }
            Backend::Vm(_) | Backend::Owned(..) => {}
        }
        Ok(arguments)
    }

    /// Returns whether a clause that may have been slow is called in this call. Measures the call
    /// if the clause is suspected to be slow.
    #[cold]
    fn stays(vm: &VmInvocation<'_>, scheduler: &ClauseScheduler) -> bool {
        if scheduler.is_measured() {
            vm.frame.clock.measure_work();
        }
        scheduler.moved().is_none()
    }

    /// Returns the kind of scheduler that the clause moves to, if it cannot stay on this one.
    #[inline]
    pub(crate) fn moved(&self) -> Option<Scheduler> {
        match &self.backend {
            Backend::Vm(vm) if vm.is_on_normal() => vm.frame.clause.scheduler.moved(),
            Backend::Vm(_) | Backend::Owned(..) => None,
        }
    }
}
