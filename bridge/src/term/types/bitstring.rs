//! `bitstring()`

use std::cmp::Ordering;

use crate::term::{DecodeError, FromTerm, Heap, Reader, Shape, ToTerm, View};

/// A sequence of bits, of any number.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Bitstring {
    /// The first bit is the highest bit of the first byte. Unused low bits of the last byte are 0.
    bytes: Vec<u8>,
    /// How many low bits of the last byte are unused, 0 to 7.
    unused: u8,
}

impl Bitstring {
    /// Returns the first `bits` bits of `bytes`, the highest bit of each byte first.
    ///
    /// Returns `None` if there are fewer bits.
    pub fn new(mut bytes: Vec<u8>, bits: usize) -> Option<Self> {
        let length = bits.div_ceil(8);
        if bytes.len() < length {
            return None;
        }
        bytes.truncate(length);
        let unused = (8 - bits % 8) % 8;
        if let Some(last) = bytes.last_mut() {
            *last = *last >> unused << unused;
        }
        Some(Bitstring {
            bytes,
            unused: unused as u8,
        })
    }

    /// Returns the number of bits.
    pub fn bit_count(&self) -> usize {
        self.bytes.len() * 8 - usize::from(self.unused)
    }

    /// Returns the bytes. The unused low bits of the last one are 0.
    pub fn padded_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes, if the bits are whole bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        (self.unused == 0).then_some(self.bytes.as_slice())
    }
}

impl From<Vec<u8>> for Bitstring {
    fn from(bytes: Vec<u8>) -> Self {
        Bitstring { bytes, unused: 0 }
    }
}

impl Ord for Bitstring {
    /// Bitstrings are compared bit by bit, as in Erlang. A prefix comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        // The padding bits are 0, so comparing bytes compares bits. If the bytes are equal, the
        // number of bits decides.
        let bytes = self.bytes.cmp(&other.bytes);
        bytes.then_with(|| self.bit_count().cmp(&other.bit_count()))
    }
}

impl PartialOrd for Bitstring {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Bitstring {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.bitstring(self)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Bitstring {
    const KIND: Shape = Shape::Bitstrings;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        view.bitstring()
            .ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.take(view.binary().map_or(0, <[u8]>::len))?;
        Self::from_term(view)
    }
}
