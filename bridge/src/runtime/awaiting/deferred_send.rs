//! Deferred sends: closures and Rust values that one process of an application hands to another
//! one, to be used in a call of the receiver.

use std::any::Any;

use crate::nif::{ProcessWord, VmTerm, contained};
use crate::runtime::raw::context::{Cx, Here};
use crate::runtime::raw::outbox::{self, Deferred};

impl Cx<'_> {
    /// Runs something in a call of another process, in the order in which this process sends it. If
    /// the receiver has ended, it is dropped. Without a VM, this process is also the receiver.
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

    /// Like `send_deferred`, but `join` may merge it into the last one for that process, if both
    /// have the same type.
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

/// Runs the contents of another process's message, in a call of the receiver.
pub(in crate::runtime) fn run(message: VmTerm<'_>, cx: &Cx<'_>) {
    for deferred in outbox::take(message) {
        // This may drop a value of the user's whose receiver has ended.
        contained(|| deferred.run(cx));
    }
}
