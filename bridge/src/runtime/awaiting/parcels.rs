//! What the processes of an application give each other as Rust values: errands, each of which is done in the process
//! that it is for. All errands of a call for one process are one message of the VM: `{'$otp_rs', to, 0, Parcel}`.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::nif::{Env, ProcessWord, VmTerm, contained};
use crate::runtime::protocol;
use crate::runtime::raw::context::{Cx, Here};
use crate::{FromTerm, Shared, ToTerm};

/// The number of the mailbox that parcels come to. Every process of the library has it.
pub(in crate::runtime) const NUMBER: u64 = 0;

/// Something that is done in a call of another process. Its destructor runs anywhere, if that process has ended.
pub(crate) trait Errand: Any + Send {
    /// Does it. It may start tasks and put messages into mailboxes, but runs no code of the user's.
    fn run(self: Box<Self>, cx: &Cx<'_>);
}

impl<F: FnOnce(&Cx<'_>) + Send + 'static> Errand for F {
    fn run(self: Box<Self>, cx: &Cx<'_>) {
        self(cx);
    }
}

/// Errands for one process, in their order.
type Errands = Vec<Box<dyn Errand>>;

/// Errands of the running call, by the process that they are for.
#[derive(Default)]
pub(crate) struct Outbox(RefCell<Vec<(ProcessWord, Errands)>>);

/// Errands on their way. The process that they are for takes them.
pub(crate) struct Parcel(Mutex<Errands>);

impl Outbox {
    /// Gives `add` the errands for a process.
    fn with<R>(&self, process: ProcessWord, add: impl FnOnce(&mut Errands) -> R) -> R {
        let mut batches = self.0.borrow_mut();
        let known = batches.iter().position(|(to, _)| *to == process);
        let index = known.unwrap_or_else(|| {
            batches.push((process, Vec::new()));
            batches.len() - 1
        });
        add(&mut batches[index].1)
    }

    /// The call ends: sends what it has collected.
    #[inline]
    pub(in crate::runtime) fn flush(&self, env: Env<'_>) {
        if !self.0.borrow().is_empty() {
            self.send(env);
        }
    }

    #[cold]
    fn send(&self, env: Env<'_>) {
        for (process, errands) in self.0.take() {
            let parcel = Shared::new(Parcel(Mutex::new(errands)));
            let message = protocol::to(NUMBER, &parcel).to_term(env.heap()).raw();
            // SAFETY: the message was made in this call.
            unsafe { env.send(process, message) };
        }
    }
}

impl Cx<'_> {
    /// Has an errand done in a call of another process, in the order of the errands of this one. If that process has
    /// ended, it is dropped. Without a VM there is only this process.
    pub(crate) fn send_errand(&self, to: Option<ProcessWord>, errand: impl Errand) {
        match (self.here_if_alive(), to) {
            (Some(Here::Vm(call, _)), Some(to)) if to != call.process => {
                let outbox = &call.awaiting().outbox;
                outbox.with(to, |errands| errands.push(Box::new(errand)));
            }
            (Some(_), _) => Box::new(errand).run(self),
            (None, _) => {}
        }
    }

    /// The same, but `join` may put it into the last errand for that process, if that has the same type.
    pub(crate) fn join_errand<T: Errand, P>(
        &self,
        to: Option<ProcessWord>,
        part: P,
        join: impl FnOnce(&mut T, P) -> Option<P>,
        new: impl FnOnce(P) -> T,
    ) {
        match (self.here_if_alive(), to) {
            (Some(Here::Vm(call, _)), Some(to)) if to != call.process => {
                call.awaiting().outbox.with(to, |errands| {
                    let last = errands.last_mut().map(|last| &mut **last as &mut dyn Any);
                    let rest = match last.and_then(|last| last.downcast_mut()) {
                        Some(last) => join(last, part),
                        None => Some(part),
                    };
                    errands.extend(rest.map(|part| Box::new(new(part)) as Box<dyn Errand>));
                });
            }
            (Some(_), _) => Box::new(new(part)).run(self),
            (None, _) => {}
        }
    }
}

/// Does what is in a parcel, in a call of the process that it is for.
pub(in crate::runtime) fn open(parcel: VmTerm<'_>, cx: &Cx<'_>) {
    let Ok(parcel) = Shared::<Parcel>::from_term(parcel) else {
        return;
    };
    let errands = std::mem::take(&mut *parcel.0.lock().unwrap_or_else(PoisonError::into_inner));
    for errand in errands {
        // It may drop a value of the user's, for which nobody waits any more.
        contained(|| errand.run(cx));
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Outbox({})", self.0.borrow().len())
    }
}
