//! Deferred sends: actions of the running call that run in other processes of the library after the
//! call. All actions for one process are sent in a single message of the VM:
//! `{'$otp_rs', to, 0, Batch}`. Actions from a thread are sent as `{'$otp_rs', to, 1, Batch}`. The
//! numbers differ because an upgrade waits until no message of a call is left, but cannot wait for
//! threads, which may send at any time.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use otp_contract::library::{OF_PROCESSES, OF_THREADS};

use super::context::Cx;
use crate::nif::{ProcessWord, VmEnv, VmTerm, send_from_any_thread};
use crate::runtime::protocol;
use crate::{FromTerm, Shared, ToTerm};

/// Returns whether this is the number of a mailbox for batches.
pub(in crate::runtime) fn has_number(number: Option<u64>) -> bool {
    number.is_some_and(|number| number == OF_PROCESSES || number == OF_THREADS)
}

/// An action that runs in a call of another process. If that process has ended, its destructor runs
/// on any thread.
pub(crate) trait Deferred: Any + Send {
    /// Runs the action. It may start tasks and put messages into mailboxes, but runs no user code.
    fn run(self: Box<Self>, cx: &Cx<'_>);
}

impl<F: FnOnce(&Cx<'_>) + Send + 'static> Deferred for F {
    fn run(self: Box<Self>, cx: &Cx<'_>) {
        self(cx);
    }
}

/// Actions for one process, in order.
pub(in crate::runtime) type Sends = Vec<Box<dyn Deferred>>;

/// The actions of the running call, by process.
#[derive(Default)]
pub(crate) struct Outbox(RefCell<Vec<(ProcessWord, Sends)>>);

/// Actions on their way to a process, which takes them.
struct Batch(Mutex<Sends>);

impl Outbox {
    /// Calls `add` with the actions for a process.
    pub(in crate::runtime) fn with<R>(
        &self,
        process: ProcessWord,
        add: impl FnOnce(&mut Sends) -> R,
    ) -> R {
        let mut batches = self.0.borrow_mut();
        let known = batches.iter().position(|(to, _)| *to == process);
        let index = known.unwrap_or_else(|| {
            batches.push((process, Vec::new()));
            batches.len() - 1
        });
        add(&mut batches[index].1)
    }

    /// Sends the collected actions at the end of the call.
    #[inline]
    pub(in crate::runtime) fn flush(&self, env: VmEnv<'_>) {
        if !self.0.borrow().is_empty() {
            self.send(env);
        }
    }

    #[cold]
    fn send(&self, env: VmEnv<'_>) {
        for (process, sends) in self.0.take() {
            let batch = Shared::new(Batch(Mutex::new(sends)));
            env.send(
                process,
                protocol::to(OF_PROCESSES, &batch).to_term(env.heap()),
            );
        }
    }
}

/// Runs an action in a process, from any thread. The action is dropped if the process has ended.
pub(crate) fn send_deferred_from_any_thread(to: ProcessWord, deferred: impl Deferred) {
    let batch = Shared::new(Batch(Mutex::new(vec![Box::new(deferred)])));
    send_from_any_thread(to, &protocol::to(OF_THREADS, &batch));
}

/// Takes the actions in a message. The result is empty if the message is not a batch, or if its
/// actions have been taken.
pub(in crate::runtime) fn take(message: VmTerm<'_>) -> Sends {
    let Ok(batch) = Shared::<Batch>::from_term(message) else {
        return Vec::new();
    };
    std::mem::take(&mut *batch.0.lock().unwrap_or_else(PoisonError::into_inner))
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Outbox({})", self.0.borrow().len())
    }
}
