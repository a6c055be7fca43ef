//! Runs a clause to its end, or puts its future into the cell of its process.

use std::future::Future;

use super::owned::OwnedInvocation;
use crate::nif::Encoded;
use crate::runtime::harness::running::Running;
use crate::runtime::harness::work::{OnScheduler, Starter};
use crate::runtime::raw::context::Cx;
use crate::runtime::raw::outcome::Outcome;

/// Starts the work of a clause, in the VM or without one. Both are one type, so that a clause is
/// compiled once.
pub(super) enum AnyStarter<'c, 'a> {
    Vm(Running<'c>),
    Owned(&'c mut OwnedInvocation<'a>),
}

/// The state and the context for a clause, and the starter of its work.
pub(super) type ClauseStart<'c, 'a, T> = (&'a mut T, &'a Cx<'a>, AnyStarter<'c, 'a>);

impl<'a> Starter<'a, Outcome> for AnyStarter<'_, 'a> {
    type Begun = Encoded;

    #[inline]
    fn ended(self, outcome: Outcome) -> Encoded {
        match self {
            AnyStarter::Vm(running) => running.ended(outcome),
            AnyStarter::Owned(owned) => owned.ended(outcome),
        }
    }

    fn future<F: Future<Output = Outcome> + Send + 'a>(
        self,
        future: F,
        scheduler: OnScheduler,
    ) -> Encoded {
        match self {
            AnyStarter::Vm(running) => running.future(future, scheduler),
            AnyStarter::Owned(owned) => owned.waits(future),
        }
    }
}
