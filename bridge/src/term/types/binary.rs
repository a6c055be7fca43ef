//! `binary()`

use std::ops::Deref;

use bytes::Bytes;

use crate::term::{DecodeError, FromTerm, Heap, Reader, Shape, ToTerm, View};

/// The bytes of an Erlang binary. A `Vec<u8>` alone is a list of integers.
///
/// The bytes may have several owners, in the VM and in Rust. A large binary is not copied when it
/// is passed, cloned or sliced: docs/binaries.md.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::Binary;
/// use otp_bridge::Term;
///
/// assert_eq!(Term::of(&Binary::from(vec![0, 255])).to_string(), "<<0,255>>");
/// assert_eq!(Term::of(&vec![0, 255]).to_string(), "[0,255]");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binary(Bytes);

impl Binary {
    /// Returns the bytes. The result is one of their owners.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl Deref for Binary {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Binary {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Bytes> for Binary {
    /// Does not copy the bytes.
    fn from(bytes: Bytes) -> Self {
        Binary(bytes)
    }
}

impl From<Vec<u8>> for Binary {
    /// Does not copy the bytes.
    fn from(bytes: Vec<u8>) -> Self {
        Binary(Bytes::from(bytes))
    }
}

impl From<&[u8]> for Binary {
    fn from(bytes: &[u8]) -> Self {
        Binary(Bytes::copy_from_slice(bytes))
    }
}

impl From<String> for Binary {
    /// Does not copy the text.
    fn from(text: String) -> Self {
        Binary(Bytes::from(text))
    }
}

impl From<&str> for Binary {
    fn from(text: &str) -> Self {
        Binary::from(text.as_bytes())
    }
}

impl From<Binary> for Vec<u8> {
    /// Does not copy the bytes if they are a `Vec` without another owner.
    fn from(binary: Binary) -> Self {
        Vec::from(binary.0)
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Binary {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.shared_binary(&self.0)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Binary {
    const KIND: Shape = Shape::Binaries;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        view.shared_binary()
            .map(Binary)
            .ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.share(view.binary().map_or(0, <[u8]>::len))?;
        Self::from_term(view)
    }
}
