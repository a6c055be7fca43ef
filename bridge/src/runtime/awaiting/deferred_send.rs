//! What the processes of an application give each other as Rust values: each is done in a call of
//! the process that it is for.

use std::any::Any;

use crate::nif::{ProcessWord, VmTerm, contained};
use crate::runtime::raw::context::{Cx, Here};
use crate::runtime::raw::outbox::{self, Deferred};

impl Cx<'_> {
    /// Has something done in a call of another process, in the order in which this one asks for it.
    /// If that process has ended, it is dropped. Without a VM there is only this process.
    pub(crate) fn send_deferred(&self, to: Option<ProcessWord>, deferred: impl Deferred) {
        match (self.here_if_alive(), to) {
            (Some(Here::Vm(call, _)), Some(to)) if to != call.process => {
                let outbox = &call.awaiting().outbox;
                outbox.with(to, |sends| sends.push(Box::new(deferred)));
            }
            (Some(_), _) => Box::new(deferred).run(self),
            (None, _) => {}
        }
    }

    /// The same, but `join` may put it into the last one for that process, if that has the same
    /// type.
    pub(crate) fn join_deferred<T: Deferred, P>(
        &self,
        to: Option<ProcessWord>,
        part: P,
        join: impl FnOnce(&mut T, P) -> Option<P>,
        new: impl FnOnce(P) -> T,
    ) {
        match (self.here_if_alive(), to) {
            (Some(Here::Vm(call, _)), Some(to)) if to != call.process => {
                call.awaiting().outbox.with(to, |sends| {
                    let last = sends.last_mut().map(|last| &mut **last as &mut dyn Any);
                    let rest = match last.and_then(|last| last.downcast_mut()) {
                        Some(last) => join(last, part),
                        None => Some(part),
                    };
                    sends.extend(rest.map(|part| Box::new(new(part)) as Box<dyn Deferred>));
                });
            }
            (Some(_), _) => Box::new(new(part)).run(self),
            (None, _) => {}
        }
    }
}

/// Does what is in a message of another process, in a call of the process that it is for.
pub(in crate::runtime) fn run(message: VmTerm<'_>, cx: &Cx<'_>) {
    for deferred in outbox::take(message) {
        // It may drop a value of the user's, for which nobody waits any more.
        contained(|| deferred.run(cx));
    }
}
