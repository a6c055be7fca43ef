//! `Low..High`

use std::fmt;

use crate::term::types::integers::misfit;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View};

/// An integer from `LOW` to `HIGH`, both included, stored as the primitive type `I`.
///
/// `Ranged::<u8, 1, 100>::new(7)`, or `Ranged::of::<7>()` for a number that the compiler checks.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::Ranged;
///
/// type Percent = Ranged<u8, 0, 100>;
/// assert_eq!(Percent::of::<7>().get(), 7);
/// assert_eq!(Percent::new(101), None);
/// assert_eq!(Percent::try_from(101).unwrap_err().to_string(), "101 is not in 0..100");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ranged<I, const LOW: i128, const HIGH: i128>(I);

/// Erlang's `neg_integer()`, within 64 bits.
pub type NegInteger = Ranged<i64, { i64::MIN as i128 }, -1>;

/// A number is outside the range of a [`Ranged`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    /// The lowest number of the range.
    pub low: i128,
    /// The highest number of the range.
    pub high: i128,
    /// The number.
    pub value: i128,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange { low, high, value } = self;
        write!(formatter, "{value} is not in {low}..{high}")
    }
}

impl std::error::Error for OutOfRange {}

impl<I: Copy + Into<i128>, const LOW: i128, const HIGH: i128> Ranged<I, LOW, HIGH> {
    /// Returns the number, if it is in the range.
    pub fn new(value: I) -> Option<Self> {
        (LOW..=HIGH)
            .contains(&value.into())
            .then_some(Ranged(value))
    }

    /// Returns the number.
    pub const fn get(self) -> I {
        self.0
    }
}

macro_rules! ranged {
    ($($primitive:ty)*) => {$(
        impl<const LOW: i128, const HIGH: i128> Ranged<$primitive, LOW, HIGH> {
            /// Returns the number `N`. If it is out of range, this does not compile.
            pub const fn of<const N: i128>() -> Self {
                const { assert!(LOW <= N && N <= HIGH, "the number is out of range") };
                Ranged(N as $primitive)
            }
        }

        impl<const LOW: i128, const HIGH: i128> TryFrom<$primitive>
            for Ranged<$primitive, LOW, HIGH>
        {
            type Error = OutOfRange;

            fn try_from(value: $primitive) -> Result<Self, OutOfRange> {
                let refused = OutOfRange { low: LOW, high: HIGH, value: value.into() };
                Ranged::new(value).ok_or(refused)
            }
        }

        impl<const LOW: i128, const HIGH: i128> From<Ranged<$primitive, LOW, HIGH>> for $primitive {
            fn from(ranged: Ranged<$primitive, LOW, HIGH>) -> Self {
                ranged.0
            }
        }
    )*};
}

ranged! { i8 i16 i32 i64 i128 u8 u16 u32 u64 }

impl<I: PartialEq, const LOW: i128, const HIGH: i128> PartialEq<I> for Ranged<I, LOW, HIGH> {
    fn eq(&self, other: &I) -> bool {
        self.0 == *other
    }
}

impl<I: fmt::Display, const LOW: i128, const HIGH: i128> fmt::Display for Ranged<I, LOW, HIGH> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<I: fmt::Debug, const LOW: i128, const HIGH: i128> fmt::Debug for Ranged<I, LOW, HIGH> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<I, const LOW: i128, const HIGH: i128> ErlangType for Ranged<I, LOW, HIGH> {
    fn erlang_type() -> String {
        match (LOW, HIGH) {
            (low, -1) if low == i64::MIN.into() => "neg_integer()".to_owned(),
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low}..{high}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<I: ToTerm, const LOW: i128, const HIGH: i128> ToTerm for Ranged<I, LOW, HIGH> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<I, const LOW: i128, const HIGH: i128> FromTerm for Ranged<I, LOW, HIGH>
where
    I: FromTerm + Copy + Into<i128>,
{
    const KIND: Shape = Shape::Integers(Some(LOW), Some(HIGH));

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let value = I::from_term(view).ok().and_then(Ranged::new);
        value.ok_or_else(|| misfit::<Self, V>(view, LOW.into(), HIGH.into()))
    }
}
