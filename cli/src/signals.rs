//! Who decides what Ctrl-C, SIGTERM and SIGHUP mean: they end the command with the programs that it
//! has started, unless it waits for one that is to end first.
//!
//! One thread receives all signals. With two, the later one would act on a signal that the other
//! has dealt with already.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::platform::{self, Handle, SIGHUP, SIGINT, SIGTERM, Signals};
use crate::report::{Result, catalog};

/// The way to the part of the command that decides. It stays when that part has ended: a signal
/// that comes so late is of the same Ctrl-C, and the command ends by itself.
static OWNER: Mutex<Option<Sender<i32>>> = Mutex::new(None);
/// What is done before the command ends.
static BEFORE: OnceLock<fn()> = OnceLock::new();
/// Whether the command is ending by a signal.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// From now on, a signal that ends the command ends the programs that it has started, too.
pub(crate) fn receive_all() {
    let _ = receiver();
}

/// From now on, a signal that ends the command does so when this has been done.
pub(crate) fn end_after(before: fn()) {
    let _ = BEFORE.set(before);
    receive_all();
}

/// Does not return if a signal ends the command: what has failed meanwhile has failed because of
/// it.
pub(crate) fn wait_for_the_end() {
    while IS_ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Whoever holds it decides what signals mean. It is the last that a command does.
pub(crate) struct OwnSignals {
    received: Receiver<i32>,
}

impl OwnSignals {
    /// From now on, Ctrl-C, SIGTERM and SIGHUP do not end the command. They are received, and
    /// `others`, too.
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

    /// Waits for each.
    pub(crate) fn forever(&self) -> impl Iterator<Item = i32> + '_ {
        self.received.iter()
    }
}

fn owner() -> MutexGuard<'static, Option<Sender<i32>>> {
    OWNER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that receives signals, which begins with the first call.
fn receiver() -> &'static std::io::Result<Handle> {
    static RECEIVER: OnceLock<std::io::Result<Handle>> = OnceLock::new();
    RECEIVER.get_or_init(|| {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        // Whoever runs a program by `nohup` has it go on.
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
            // A terminal signals them, too, but `kill` only this process.
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
        // Time for a signal that would end this process.
        thread::sleep(Duration::from_millis(100));
    }
}
