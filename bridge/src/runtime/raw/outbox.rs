//! What the running call does in other processes of the library once it has ended. All of it for
//! one process is one message of the VM: `{'$otp_rs', to, 0, Batch}`. What a thread has done in a
//! process is `{'$otp_rs', to, 1, Batch}`: threads send at any time, so no upgrade waits until
//! there is none.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use otp_contract::library::{OF_PROCESSES, OF_THREADS};

use super::context::Cx;
use crate::nif::{ProcessWord, VmEnv, VmTerm, send_from_any_thread};
use crate::runtime::protocol;
use crate::{FromTerm, Shared, ToTerm};

/// Whether batches come to the mailbox of this number.
pub(in crate::runtime) fn has_number(number: Option<u64>) -> bool {
    number.is_some_and(|number| number == OF_PROCESSES || number == OF_THREADS)
}

/// Something that is done in a call of another process. Its destructor runs anywhere, if that
/// process has ended.
pub(crate) trait Deferred: Any + Send {
    /// Does it. It may start tasks and put messages into mailboxes, but runs no code of the user's.
    fn run(self: Box<Self>, cx: &Cx<'_>);
}

impl<F: FnOnce(&Cx<'_>) + Send + 'static> Deferred for F {
    fn run(self: Box<Self>, cx: &Cx<'_>) {
        self(cx);
    }
}

/// What is done in one process, in order.
pub(in crate::runtime) type Sends = Vec<Box<dyn Deferred>>;

/// What the running call does in other processes, by the process.
#[derive(Default)]
pub(crate) struct Outbox(RefCell<Vec<(ProcessWord, Sends)>>);

/// What is on its way to a process, which takes it.
struct Batch(Mutex<Sends>);

impl Outbox {
    /// Gives `add` what is done in a process.
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

    /// The call ends: sends what it has collected.
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

/// Has something done in a process, from any thread. If that process has ended, it is dropped.
pub(crate) fn send_deferred_from_any_thread(to: ProcessWord, deferred: impl Deferred) {
    let batch = Shared::new(Batch(Mutex::new(vec![Box::new(deferred)])));
    send_from_any_thread(to, &protocol::to(OF_THREADS, &batch));
}

/// What is in a message for the process. Nothing if it is not a batch, or if it has been taken.
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
