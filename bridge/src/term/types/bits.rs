//! `<<_:Size, _:_*Unit>>`

use std::fmt;
use std::ops::Deref;

use crate::term::types::Bitstring;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Reader, Shape, ToTerm, View};

/// A bitstring of `SIZE` bits plus any multiple of `UNIT` bits. If `UNIT` is 0, it has exactly
/// `SIZE` bits.
///
/// `nonempty_binary()` is `Bits<8, 8>`. `binary()` and `bitstring()` have types of their own.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::{Bits, Bitstring};
///
/// let digest = Bitstring::new(vec![7; 32], 256).and_then(Bits::<256, 0>::new);
/// assert!(digest.is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<const SIZE: u64, const UNIT: u64>(Bitstring);

/// The number of bits is not one that the type allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongSize {
    /// The type as Erlang writes it.
    pub expected: String,
    /// The number of bits.
    pub bits: usize,
}

impl fmt::Display for WrongSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bits are not a {}", self.bits, self.expected)
    }
}

impl std::error::Error for WrongSize {}

impl<const SIZE: u64, const UNIT: u64> Bits<SIZE, UNIT> {
    /// Returns the bits, if the type allows their number.
    pub fn new(bits: Bitstring) -> Option<Self> {
        let more = (bits.bit_count() as u64).checked_sub(SIZE)?;
        let fits = match UNIT {
            0 => more == 0,
            unit => more.is_multiple_of(unit),
        };
        fits.then_some(Bits(bits))
    }

    /// Returns the bits.
    pub fn into_bitstring(self) -> Bitstring {
        self.0
    }
}

impl<const SIZE: u64, const UNIT: u64> Deref for Bits<SIZE, UNIT> {
    type Target = Bitstring;

    fn deref(&self) -> &Bitstring {
        &self.0
    }
}

impl<const SIZE: u64, const UNIT: u64> TryFrom<Bitstring> for Bits<SIZE, UNIT> {
    type Error = WrongSize;

    fn try_from(bits: Bitstring) -> Result<Self, WrongSize> {
        let wrong = WrongSize {
            expected: Self::erlang_type(),
            bits: bits.bit_count(),
        };
        Bits::new(bits).ok_or(wrong)
    }
}

impl<const SIZE: u64, const UNIT: u64> TryFrom<Vec<u8>> for Bits<SIZE, UNIT> {
    type Error = WrongSize;

    fn try_from(bytes: Vec<u8>) -> Result<Self, WrongSize> {
        Bitstring::from(bytes).try_into()
    }
}

impl<const SIZE: u64, const UNIT: u64> From<Bits<SIZE, UNIT>> for Bitstring {
    fn from(bits: Bits<SIZE, UNIT>) -> Self {
        bits.0
    }
}

impl<const SIZE: u64, const UNIT: u64> ErlangType for Bits<SIZE, UNIT> {
    fn erlang_type() -> String {
        match (SIZE, UNIT) {
            (0, 0) => "<<>>".to_owned(),
            (8, 8) => "nonempty_binary()".to_owned(),
            (1, 1) => "nonempty_bitstring()".to_owned(),
            (size, 0) => format!("<<_:{size}>>"),
            (0, unit) => format!("<<_:_*{unit}>>"),
            (size, unit) => format!("<<_:{size}, _:_*{unit}>>"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<const SIZE: u64, const UNIT: u64> ToTerm for Bits<SIZE, UNIT> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<const SIZE: u64, const UNIT: u64> FromTerm for Bits<SIZE, UNIT> {
    const KIND: Shape = match (SIZE, UNIT) {
        (0, 1) => Shape::Bitstrings,
        (0, 8) => Shape::Binaries,
        (_, 0) if SIZE.is_multiple_of(8) => Shape::Some(&Shape::Binaries),
        _ if UNIT > 0 && UNIT.is_multiple_of(8) && SIZE.is_multiple_of(8) => {
            Shape::Some(&Shape::Binaries)
        }
        _ => Shape::Some(&Shape::Bitstrings),
    };

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let bits = view.bitstring().and_then(Bits::new);
        bits.ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.take(view.binary().map_or(0, <[u8]>::len))?;
        Self::from_term(view)
    }
}
