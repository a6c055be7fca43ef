//! Gates in this library. A process opens a gate to signal code that cannot receive messages at
//! that moment.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use otp_bridge::term::{DecodeError, ErlangType, Heap, View};
use otp_bridge::{FromTerm, Term, ToTerm};

static OPEN: [AtomicBool; 16] = [const { AtomicBool::new(false) }; 16];

/// Waiting gives up after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A gate, by its number: each test has its own.
#[derive(Debug, Clone, Copy, Term)]
#[term(transparent)]
pub struct Gate(pub u8);

/// The result of waiting for a gate.
#[derive(Debug, Term)]
pub enum Waited {
    /// `released`: the gate was opened.
    Released,
    /// `gave_up`: the gate was not opened for a long time.
    GaveUp,
}

impl Gate {
    /// Opens the gate, and lets all waiting code continue.
    pub fn open(self) {
        OPEN[usize::from(self.0)].store(true, Ordering::Release);
    }

    /// Returns whether the gate is open.
    #[must_use]
    pub fn is_open(self) -> bool {
        OPEN[usize::from(self.0)].load(Ordering::Acquire)
    }

    /// Blocks the thread until the gate is open.
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

/// A number that takes long to decode: until the gate with this number is open, if there is one.
#[derive(Debug)]
pub struct Slow(pub Waited);

impl ErlangType for Slow {
    fn erlang_type() -> String {
        u64::erlang_type()
    }
}

impl ToTerm for Slow {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        0_u64.to_term(heap)
    }
}

impl FromTerm for Slow {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let number = u64::from_term(view)?;
        let gate = u8::try_from(number)
            .ok()
            .filter(|number| usize::from(*number) < OPEN.len());
        Ok(Slow(
            gate.map_or(Waited::Released, |number| Gate(number).hold()),
        ))
    }
}

/// A gate that is awaited when the value is encoded. Encodes how the waiting ended: `released` if
/// there is no gate.
#[derive(Debug)]
pub struct Written(pub Option<Gate>);

impl ErlangType for Written {
    fn erlang_type() -> String {
        Waited::erlang_type()
    }
}

impl ToTerm for Written {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.map_or(Waited::Released, Gate::hold).to_term(heap)
    }
}

impl FromTerm for Written {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Waited::from_term(view).map(|_| Written(None))
    }
}

/// A time limit for a loop that waits for a gate.
#[derive(Debug)]
pub struct Patience(Instant);

impl Patience {
    /// Creates a limit that starts now.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a time")]
    pub fn new() -> Self {
        Patience(Instant::now())
    }

    /// Returns whether the limit is exceeded.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.elapsed() > PATIENCE
    }
}
