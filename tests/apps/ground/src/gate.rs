//! Gates of this library: one process opens them, others see it that cannot be told otherwise.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use otp_bridge::Term;

static OPEN: [AtomicBool; 16] = [const { AtomicBool::new(false) }; 16];

/// After this long nobody will open it any more.
const PATIENCE: Duration = Duration::from_secs(60);

/// A gate, by its number: each test has its own.
#[derive(Debug, Clone, Copy, Term)]
#[term(transparent)]
pub struct Gate(pub u8);

/// What became of waiting for one.
#[derive(Debug, Term)]
pub enum Waited {
    /// `released`: it was opened.
    Released,
    /// `gave_up`: nobody did, for a long time.
    GaveUp,
}

impl Gate {
    /// Lets whoever waits go on.
    pub fn open(self) {
        OPEN[usize::from(self.0)].store(true, Ordering::Release);
    }

    /// Whether it is open.
    #[must_use]
    pub fn is_open(self) -> bool {
        OPEN[usize::from(self.0)].load(Ordering::Acquire)
    }

    /// Holds the thread until it is open.
    #[must_use]
    pub fn hold(self) -> Waited {
        let patience = Patience::new();
        while !self.is_open() {
            if patience.is_over() {
                return Waited::GaveUp;
            }
            std::hint::spin_loop();
        }
        Waited::Released
    }
}

/// How long a loop waits for a gate.
#[derive(Debug)]
pub struct Patience(Instant);

impl Patience {
    /// From now on.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a time")]
    pub fn new() -> Self {
        Patience(Instant::now())
    }

    /// Whether it was too long.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.elapsed() > PATIENCE
    }
}
