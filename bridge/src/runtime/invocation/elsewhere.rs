//! A clause that is called on a scheduler of another kind than the call is on.

use super::{Backend, Invocation};
use crate::DecodeError;
use crate::nif::Scheduler;
use crate::runtime::failure::unanswered::leaving_callers_alone;

impl Invocation<'_> {
    /// What the clause is called with, if it is called in this call.
    ///
    /// # Errors
    /// It is called on a dirty scheduler, because it was slow: there the arguments are read again.
    #[inline]
    pub(super) fn here<A>(&self, arguments: A) -> Result<A, DecodeError> {
        match self.moved() {
            None => Ok(arguments),
            Some(_) => {
                leaving_callers_alone(|| drop(arguments));
                Err(DecodeError::of_giving_way())
            }
        }
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
