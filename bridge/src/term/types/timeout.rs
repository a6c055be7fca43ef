//! `timeout()`

use std::time::Duration;

use crate::term::types::integers::misfit;
use crate::term::{DecodeError, FromTerm, Heap, Shape, StaticAtom, ToTerm, View};

static INFINITY: StaticAtom = StaticAtom::new("infinity");

/// A waiting time: a number of milliseconds, or forever.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::time::Duration;
///
/// use otp_bridge::{Term, Timeout};
///
/// assert_eq!(Timeout::from(Duration::from_secs(1)), Timeout::Milliseconds(1000));
/// assert_eq!(Term::of(&Timeout::Infinity).to_string(), "infinity");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timeout {
    /// For this number of milliseconds
    Milliseconds(u64),
    /// Forever: the atom `infinity`
    Infinity,
}

impl Timeout {
    /// Returns a number of milliseconds.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Timeout::Milliseconds(milliseconds)
    }

    /// Returns a number of seconds. If the milliseconds exceed 64 bits, it is the largest such
    /// number.
    pub const fn from_secs(seconds: u64) -> Self {
        Timeout::Milliseconds(seconds.saturating_mul(1000))
    }

    /// Returns the duration, if there is a limit.
    pub const fn duration(self) -> Option<Duration> {
        match self {
            Timeout::Milliseconds(milliseconds) => Some(Duration::from_millis(milliseconds)),
            Timeout::Infinity => None,
        }
    }
}

impl From<Duration> for Timeout {
    /// Rounds up to milliseconds, so that nothing times out early.
    fn from(duration: Duration) -> Self {
        Timeout::Milliseconds(milliseconds(duration))
    }
}

/// Returns the milliseconds of a duration, rounded up.
#[doc(hidden)]
pub fn milliseconds(duration: Duration) -> u64 {
    let milliseconds = duration.as_nanos().div_ceil(1_000_000);
    u64::try_from(milliseconds).unwrap_or(u64::MAX)
}

#[diagnostic::do_not_recommend]
impl ToTerm for Timeout {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Timeout::Milliseconds(milliseconds) => heap.unsigned(*milliseconds),
            Timeout::Infinity => heap.atom(&INFINITY),
        }
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Timeout {
    const KIND: Shape = Shape::Union(&[
        Shape::Integers(Some(0), Some(u64::MAX as i128)),
        Shape::Atom("infinity"),
    ]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        if let Some(milliseconds) = view.unsigned() {
            Ok(Timeout::Milliseconds(milliseconds))
        } else if view.is_atom(&INFINITY) {
            Ok(Timeout::Infinity)
        } else {
            Err(misfit::<Self, V>(view, 0.into(), u64::MAX.into()))
        }
    }
}
