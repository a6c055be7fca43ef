//! `integer()`, of any size

use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, Sign, TryFromBigIntError};

/// An integer of any size, as Erlang's are.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::Integer;
///
/// let large: Integer = "18446744073709551616".parse()?;
/// assert!(u64::try_from(&large).is_err());
/// assert_eq!(Integer::from(5).to_string(), "5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Integer(BigInt);

impl Integer {
    /// Returns the integer as the type of `num-bigint`, for arithmetic.
    pub fn as_big_int(&self) -> &BigInt {
        &self.0
    }

    /// Creates an integer from its sign and magnitude, as the External Term Format has them. The
    /// magnitude starts with its lowest byte.
    pub(crate) fn from_sign_and_bytes(negative: bool, magnitude: &[u8]) -> Self {
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Integer(BigInt::from_bytes_le(sign, magnitude))
    }

    pub(crate) fn to_sign_and_bytes(&self) -> (bool, Vec<u8>) {
        let (sign, magnitude) = self.0.to_bytes_le();
        (sign == Sign::Minus, magnitude)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        Integer(value)
    }
}

impl From<Integer> for BigInt {
    fn from(value: Integer) -> Self {
        value.0
    }
}

macro_rules! from_and_into_primitives {
    ($($primitive:ty)*) => {$(
        impl From<$primitive> for Integer {
            fn from(value: $primitive) -> Self {
                Integer(BigInt::from(value))
            }
        }

        impl TryFrom<&Integer> for $primitive {
            type Error = TryFromBigIntError<()>;

            fn try_from(value: &Integer) -> Result<Self, Self::Error> {
                Self::try_from(&value.0)
            }
        }
    )*};
}

from_and_into_primitives! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl FromStr for Integer {
    type Err = num_bigint::ParseBigIntError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        digits.parse().map(Integer)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}
