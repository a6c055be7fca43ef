//! Arguments for types that hold only some values, and for times.

use std::num::NonZeroU64;
use std::time::Duration;

use crate::term::types::{NonemptyList, NonemptyString, Ranged, Timeout, milliseconds};
use crate::term::{ErlangType, FromTerm, Heap, Term, ToTerm};

/// A value that is accepted as an argument for a `T`, which holds only some values of its Erlang
/// type: a `u64` for `pos_integer()`, a `Vec` for a list that is not empty. The value is checked
/// when it is passed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given for `{T}`",
    label = "neither `{T}` nor a number, text or list that can be checked"
)]
pub trait GivenFor<T> {
    /// Returns the checked value.
    ///
    /// # Panics
    /// If it is not a value of the type.
    #[track_caller]
    fn checked(self) -> T;
}

impl<T: Constrained> GivenFor<T> for T {
    fn checked(self) -> T {
        self
    }
}

/// A type that holds only some values of another.
pub trait Constrained {}

impl Constrained for NonZeroU64 {}
impl<I, const LOW: i128, const HIGH: i128> Constrained for Ranged<I, LOW, HIGH> {}

impl GivenFor<NonZeroU64> for u64 {
    #[track_caller]
    fn checked(self) -> NonZeroU64 {
        checked(self)
    }
}

impl<T> Constrained for NonemptyList<T> {}
impl Constrained for NonemptyString {}

macro_rules! given_for_nonempty {
    ($(($($generics:tt)*) $given:ty => $nonempty:ty;)*) => {$(
        impl<$($generics)*> GivenFor<$nonempty> for $given {
            #[track_caller]
            fn checked(self) -> $nonempty {
                match <$nonempty>::try_from(self) {
                    Ok(value) => value,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    )*};
}

given_for_nonempty! {
    (T) Vec<T> => NonemptyList<T>;
    () String => NonemptyString;
    () &str => NonemptyString;
}

impl<T, const COUNT: usize> GivenFor<NonemptyList<T>> for [T; COUNT] {
    #[track_caller]
    fn checked(self) -> NonemptyList<T> {
        Vec::from(self).checked()
    }
}

macro_rules! given_for_ranged {
    ($($primitive:ty)*) => {$(
        impl<const LOW: i128, const HIGH: i128> GivenFor<Ranged<$primitive, LOW, HIGH>> for $primitive {
            #[track_caller]
            fn checked(self) -> Ranged<$primitive, LOW, HIGH> {
                checked(self)
            }
        }
    )*};
}

given_for_ranged! { i8 i16 i32 i64 i128 u8 u16 u32 u64 }

/// Returns the value of `T` that is this number.
///
/// # Panics
/// If there is none.
#[doc(hidden)]
#[track_caller]
pub fn checked<T: FromTerm>(number: impl ToTerm) -> T {
    let term = Term::of(&number);
    match T::from_term(&term) {
        Ok(value) => value,
        Err(_) => panic!("`{term}` is not `{}`", T::erlang_type()),
    }
}

/// An argument that Erlang takes in milliseconds: a number of them, or a `Duration`.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::time::Duration;
///
/// use otp_bridge::term::Milliseconds;
/// use otp_bridge::Term;
///
/// assert_eq!(Milliseconds::from(Duration::from_secs(1)), Milliseconds::from(1_000));
/// assert_eq!(Term::of(&Milliseconds::from(1_000)).to_string(), "1000");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Milliseconds(u64);

impl From<u64> for Milliseconds {
    fn from(milliseconds: u64) -> Self {
        Milliseconds(milliseconds)
    }
}

impl From<Duration> for Milliseconds {
    /// Rounds up to milliseconds, so that nothing happens early.
    fn from(duration: Duration) -> Self {
        Milliseconds(milliseconds(duration))
    }
}

impl From<Milliseconds> for Timeout {
    fn from(time: Milliseconds) -> Self {
        Timeout::Milliseconds(time.0)
    }
}

impl ErlangType for Milliseconds {
    fn erlang_type() -> String {
        u64::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Milliseconds {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}
