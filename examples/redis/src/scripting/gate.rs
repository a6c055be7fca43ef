//! One client alone: while a script runs, no command of another client does.
//!
//! Clients take turns in front of the gate. Who closes it waits until the turns that have begun are
//! over; no command begins then until it is opened. So a script is atomic whichever keys it uses,
//! and nobody waits for its locks on a scheduler.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::race;

use crate::store::now;

/// See the module.
#[derive(Debug)]
pub struct Gate {
    turns: AtomicUsize,
    is_closed: AtomicBool,
    /// When it began, in milliseconds since 1970.
    since: AtomicU64,
    /// See `lua-time-limit`, in milliseconds; there is no limit if it is 0.
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
            limit: AtomicI64::new(5000),
            is_killed: AtomicBool::new(false),
            has_written: AtomicBool::new(false),
            wakers: Mutex::default(),
            closers: Mutex::default(),
        }
    }
}

/// A turn of a client, which ends when this is dropped.
pub struct Turn<'g>(&'g Gate);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.turns.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Nobody else has a turn until this is dropped.
pub struct Closed<'g> {
    gate: &'g Gate,
    /// The next one that wants to close it waits until it is open again.
    _only: MutexGuard<'g, ()>,
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.gate.is_closed.store(false, Ordering::SeqCst);
        self.gate.wake();
    }
}

impl Gate {
    /// A turn begins. Its commands ask [`Gate::is_closed`] before each of them.
    pub fn turn(&self) -> Turn<'_> {
        self.turns.fetch_add(1, Ordering::SeqCst);
        Turn(self)
    }

    /// Whether no command may begin.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// Whether a script has run longer than the limit. The clock of whoever asks decides, because
    /// a script that is in a long function does not look at any.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.is_closed() && self.left().is_some_and(|left| left.is_zero())
    }

    /// How long the script that runs may still keep others waiting. `None`: for ever.
    fn left(&self) -> Option<Duration> {
        let limit = u64::try_from(self.limit.load(Ordering::Relaxed)).unwrap_or(0);
        let took = match self.since.load(Ordering::SeqCst) {
            0 => 0,
            since => now().saturating_sub(since),
        };
        (limit > 0).then(|| Duration::from_millis(limit.saturating_sub(took)))
    }

    /// Closes it, and waits for the turns that have begun, which are short, and for whoever has
    /// closed it before: a script may take long, so nobody calls this on a scheduler.
    pub fn close(&self) -> Closed<'_> {
        /// So often it looks before it sleeps.
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

    /// A script begins behind the closed gate.
    pub fn begin(&self) {
        self.is_killed.store(false, Ordering::SeqCst);
        self.has_written.store(false, Ordering::SeqCst);
        self.since.store(now(), Ordering::SeqCst);
    }

    /// It has ended.
    pub fn end(&self) {
        self.since.store(0, Ordering::SeqCst);
    }

    /// It has changed a key.
    pub fn written(&self) {
        self.has_written.store(true, Ordering::SeqCst);
    }

    /// Whether somebody has asked that the script ends.
    #[must_use]
    pub fn is_killed(&self) -> bool {
        self.is_killed.load(Ordering::SeqCst)
    }

    /// See SCRIPT KILL.
    ///
    /// # Errors
    /// Why it does not end.
    pub fn kill(&self) -> Result<(), &'static str> {
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

    /// Waits until commands may begin, or are refused.
    ///
    /// # Errors
    /// There is no timer.
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
            // A script may have begun meanwhile, and then there is some time left.
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
        assert!(gate.kill().is_err_and(|why| why.starts_with("NOTBUSY")));
        let closed = gate.close();
        gate.begin();
        gate.written();
        assert!(gate.kill().is_err_and(|why| why.starts_with("UNKILLABLE")));
        gate.begin();
        assert_eq!(
            (gate.is_killed(), gate.kill(), gate.is_killed()),
            (false, Ok(()), true)
        );
        drop(closed);
    }
}
