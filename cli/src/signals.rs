//! Handles Ctrl-C, SIGTERM and SIGHUP. By default, they end the command and the programs that it
//! has started. A part of the command can take over the decision, for example to let a program stop
//! in order first.
//!
//! One thread receives all signals. With two threads, the second one could act on a signal that the
//! first has already handled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::platform::{self, Handle, SIGHUP, SIGINT, SIGTERM, Signals};
use crate::report::{Result, catalog};

/// The channel to the part of the command that handles signals. It is kept after that part has
/// ended: a signal that arrives then belongs to the same Ctrl-C, and the command is ending anyway.
static OWNER: Mutex<Option<Sender<i32>>> = Mutex::new(None);
/// The action before the command ends.
static BEFORE: OnceLock<fn()> = OnceLock::new();
/// Whether a signal is ending the command.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Makes a signal that ends the command also end the programs that it has started.
pub(crate) fn receive_all() {
    let _ = receiver();
}

/// Registers an action to run before a signal ends the command.
pub(crate) fn end_after(before: fn()) {
    let _ = BEFORE.set(before);
    receive_all();
}

/// Blocks for ever if a signal is ending the command, because any failure is then a consequence of
/// the signal.
pub(crate) fn wait_for_the_end() {
    while IS_ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// The owner of this value decides how signals are handled, until the command ends.
pub(crate) struct OwnSignals {
    received: Receiver<i32>,
}

impl OwnSignals {
    /// Receives Ctrl-C, SIGTERM and SIGHUP, and `others`, instead of letting them end the command.
    pub(crate) fn take(others: &[i32]) -> Result<Self> {
        let (sender, received) = channel();
        *owner() = Some(sender);
        let failed = |error: &dyn std::fmt::Display| {
            catalog::INTERNAL.with(&[&format!("signals cannot be received: {error}")])
        };
        let receiver = receiver().as_ref().map_err(|error| failed(error))?;
        for other in others {
            receiver
                .add_signal(*other)
                .map_err(|error| failed(&error))?;
        }
        Ok(Self { received })
    }

    /// Returns the received signals, and blocks until the next one.
    pub(crate) fn forever(&self) -> impl Iterator<Item = i32> + '_ {
        self.received.iter()
    }
}

fn owner() -> MutexGuard<'static, Option<Sender<i32>>> {
    OWNER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the thread that receives signals, and starts it at the first call.
fn receiver() -> &'static std::io::Result<Handle> {
    static RECEIVER: OnceLock<std::io::Result<Handle>> = OnceLock::new();
    RECEIVER.get_or_init(|| {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        // A program under `nohup` has to keep running after a hangup.
        if !platform::is_ignored(SIGHUP) {
            signals.add_signal(SIGHUP)?;
        }
        let handle = signals.handle();
        thread::spawn(move || signals.forever().for_each(receive));
        Ok(handle)
    })
}

fn receive(signal: i32) {
    let owner = owner();
    match owner.as_ref() {
        Some(owner) => drop(owner.send(signal)),
        None => {
            IS_ENDING.store(true, Ordering::SeqCst);
            // A terminal sends the signal to these programs as well, but `kill` only to this
            // process.
            platform::ask_descendants_to_end();
            if let Some(before) = BEFORE.get() {
                before();
            }
            platform::end_by(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::*;

    #[test]
    fn signals_are_their_owners_and_end_nothing_afterwards() {
        let interrupt = || {
            let own = std::process::id().to_string();
            let kill = Command::new("kill").args(["-INT", &own]).status();
            assert!(kill.unwrap().success());
        };
        let own = OwnSignals::take(&[]).unwrap();
        interrupt();
        assert_eq!(own.forever().next(), Some(SIGINT));
        drop(own);
        interrupt();
        // Leaves time for a signal that would end this process.
        thread::sleep(Duration::from_millis(100));
    }
}
