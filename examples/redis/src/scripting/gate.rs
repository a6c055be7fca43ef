//! The gate: it lets one script run while no other client runs a command.
//!
//! Clients take turns at the gate. Closing the gate waits until all current turns have ended, and
//! no command starts before it is opened again. So a script is atomic whichever keys it uses, and
//! no client blocks a scheduler by waiting for the script's locks.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::race;

use crate::store::{Bytes, now};

const BUSY: &str =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
const BUSY_FUNCTION: &str =
    "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";

/// The script or the function that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Its name.
    pub name: Bytes,
    /// The words of the request.
    pub words: Vec<Bytes>,
    /// Whether it is a function.
    pub is_function: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Gate {
    turns: AtomicUsize,
    is_closed: AtomicBool,
    /// Start of the running script in milliseconds since 1970.
    since: AtomicU64,
    running: Mutex<Option<Running>>,
    /// Time at which the code of a library must have registered its functions, in milliseconds
    /// since 1970; 0 if there is no limit.
    deadline: AtomicU64,
    /// See `lua-time-limit`, in milliseconds; 0 means that there is no limit.
    pub limit: AtomicI64,
    is_killed: AtomicBool,
    has_written: AtomicBool,
    wakers: Mutex<Vec<Waker>>,
    closers: Mutex<()>,
}

impl Default for Gate {
    fn default() -> Self {
        Gate {
            turns: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            since: AtomicU64::new(0),
            running: Mutex::default(),
            deadline: AtomicU64::new(0),
            limit: AtomicI64::new(5000),
            is_killed: AtomicBool::new(false),
            has_written: AtomicBool::new(false),
            wakers: Mutex::default(),
            closers: Mutex::default(),
        }
    }
}

/// A client's turn. Dropping it ends the turn.
pub struct Turn<'g>(&'g Gate);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.turns.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The closed gate. Dropping it opens the gate.
pub struct Closed<'g> {
    gate: &'g Gate,
    /// Makes others who want to close the gate wait.
    _only: MutexGuard<'g, ()>,
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.gate.is_closed.store(false, Ordering::SeqCst);
        self.gate.wake();
    }
}

impl Gate {
    /// Starts a turn. The client has to check [`Gate::is_closed`] before each command of its turn.
    pub fn turn(&self) -> Turn<'_> {
        self.turns.fetch_add(1, Ordering::SeqCst);
        Turn(self)
    }

    /// Returns whether no command may start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// Returns whether a script has run longer than the limit. The caller's clock decides, because
    /// a script inside a long function checks no clock.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.is_closed() && self.left().is_some_and(|left| left.is_zero())
    }

    /// Returns how long the running script may still make others wait; `None` means for ever.
    fn left(&self) -> Option<Duration> {
        let limit = u64::try_from(self.limit.load(Ordering::Relaxed)).unwrap_or(0);
        let took = match self.since.load(Ordering::SeqCst) {
            0 => 0,
            since => now().saturating_sub(since),
        };
        (limit > 0).then(|| Duration::from_millis(limit.saturating_sub(took)))
    }

    /// Closes the gate. Waits for the current turns, which are short, and for an earlier closer,
    /// which may run a long script. So this must not be called on a scheduler.
    pub fn close(&self) -> Closed<'_> {
        /// Number of checks before the thread sleeps.
        const LOOKS: u32 = 200;
        const REST: Duration = Duration::from_micros(50);
        let only = self.closers.lock();
        let closed = Closed {
            gate: self,
            _only: only.unwrap_or_else(PoisonError::into_inner),
        };
        self.is_closed.store(true, Ordering::SeqCst);
        let mut looks = 0;
        while self.turns.load(Ordering::SeqCst) > 0 {
            looks += 1;
            if looks < LOOKS {
                std::hint::spin_loop();
            } else {
                std::thread::sleep(REST);
            }
        }
        closed
    }

    /// Records the start of a script. The gate must be closed.
    pub fn begin(&self, running: Running) {
        self.is_killed.store(false, Ordering::SeqCst);
        self.has_written.store(false, Ordering::SeqCst);
        *self.running() = Some(running);
        self.since.store(now(), Ordering::SeqCst);
    }

    /// Records the end of the script.
    pub fn end(&self) {
        self.since.store(0, Ordering::SeqCst);
        *self.running() = None;
    }

    /// Records the start of a library's code, which may run for a limited time.
    pub fn begin_loading(&self, limit: Option<Duration>) {
        self.is_killed.store(false, Ordering::SeqCst);
        let limit = limit.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        let deadline = limit.map_or(0, |it| now().saturating_add(it));
        self.deadline.store(deadline, Ordering::SeqCst);
    }

    /// Records the end of a library's code. Returns whether its time was up.
    pub fn end_loading(&self) -> bool {
        let is_late = self.is_late();
        self.deadline.store(0, Ordering::SeqCst);
        is_late
    }

    fn is_late(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != 0 && now() >= deadline
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the running script, and for how many milliseconds it has been running.
    #[must_use]
    pub fn present(&self) -> Option<(Running, u64)> {
        let running = self.running().clone();
        let since = self.since.load(Ordering::SeqCst);
        running.map(|it| (it, now().saturating_sub(since)))
    }

    /// Returns the error for commands that cannot run because a script is running.
    #[must_use]
    pub fn busy(&self) -> &'static str {
        match &*self.running() {
            Some(running) if running.is_function => BUSY_FUNCTION,
            _ => BUSY,
        }
    }

    /// Records that the script has changed a key.
    pub fn written(&self) {
        self.has_written.store(true, Ordering::SeqCst);
    }

    /// Returns whether the running script has changed a key.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.has_written.load(Ordering::SeqCst)
    }

    /// Returns whether the script has to end, because it was killed or its time is up.
    #[must_use]
    pub fn is_killed(&self) -> bool {
        self.is_killed.load(Ordering::SeqCst) || self.is_late()
    }

    /// Kills the running script (SCRIPT KILL), or the running function (FUNCTION KILL).
    ///
    /// # Errors
    /// The reason why the script cannot be killed.
    pub fn kill(&self, is_function: bool) -> Result<(), &'static str> {
        if !self.is_closed() || self.since.load(Ordering::SeqCst) == 0 {
            return Err("NOTBUSY No scripts in execution right now.");
        }
        if self.has_written.load(Ordering::SeqCst) {
            return Err(
                "UNKILLABLE Sorry the script already executed write commands against the dataset. \
                 You can either wait the script termination or kill the server in a hard way using \
                 the SHUTDOWN NOSAVE command.",
            );
        }
        let running = self.running();
        if running
            .as_ref()
            .is_some_and(|it| it.is_function != is_function)
        {
            drop(running);
            return Err(self.busy());
        }
        self.is_killed.store(true, Ordering::SeqCst);
        Ok(())
    }

    fn wakers(&self) -> MutexGuard<'_, Vec<Waker>> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        let wakers = std::mem::take(&mut *self.wakers());
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Waits until commands may start, or are refused.
    ///
    /// # Errors
    /// The timer failed.
    pub async fn opened(&self, cx: &Cx<'_>) -> std::io::Result<()> {
        while self.is_closed() && !self.is_busy() {
            let opened = async {
                self.is_open().await;
                Ok(())
            };
            let Some(left) = self.left() else {
                opened.await?;
                continue;
            };
            // If another script has started in the meantime, the loop computes its remaining time.
            let late = async { cx.sleep(left).await.map_err(std::io::Error::other) };
            race(opened, late).await?;
        }
        Ok(())
    }

    async fn is_open(&self) {
        poll_fn(|context| {
            let mut wakers = self.wakers();
            if !self.is_closed() {
                return Poll::Ready(());
            }
            wakers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_that_has_begun_ends_before_the_gate_is_closed() {
        let gate = Gate::default();
        let turn = gate.turn();
        std::thread::scope(|scope| {
            let closing = scope.spawn(|| drop(gate.close()));
            while !gate.is_closed() {
                std::hint::spin_loop();
            }
            assert!(!closing.is_finished());
            drop(turn);
        });
        assert!(!gate.is_closed());
    }

    #[test]
    fn only_a_script_that_has_not_written_is_killed() {
        let gate = Gate::default();
        let running = |is_function| Running {
            name: Box::default(),
            words: Vec::new(),
            is_function,
        };
        let is = |killed: Result<(), &str>, word| killed.is_err_and(|why| why.starts_with(word));
        assert!(is(gate.kill(false), "NOTBUSY"));
        let closed = gate.close();
        gate.begin(running(false));
        gate.written();
        assert!(is(gate.kill(false), "UNKILLABLE"));
        gate.begin(running(true));
        assert!(is(gate.kill(false), "BUSY"));
        assert_eq!(
            (gate.is_killed(), gate.kill(true), gate.is_killed()),
            (false, Ok(()), true)
        );
        drop(closed);
    }
}
