//! `binary()`

use std::ops::Deref;

use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Reader, Shape, ToTerm, View};

/// The bytes of an Erlang binary. A `Vec<u8>` alone is a list of integers.
///
/// ```
/// use otp_bridge::{Binary, Term};
///
/// assert_eq!(Term::of(&Binary(vec![0, 255])).to_string(), "<<0,255>>");
/// assert_eq!(Term::of(&vec![0, 255]).to_string(), "[0,255]");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binary(
    /// The bytes.
    pub Vec<u8>,
);

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

impl From<Vec<u8>> for Binary {
    fn from(bytes: Vec<u8>) -> Self {
        Binary(bytes)
    }
}

impl From<&[u8]> for Binary {
    fn from(bytes: &[u8]) -> Self {
        Binary(bytes.to_vec())
    }
}

impl From<String> for Binary {
    fn from(text: String) -> Self {
        Binary(text.into_bytes())
    }
}

impl From<&str> for Binary {
    fn from(text: &str) -> Self {
        Binary(text.as_bytes().to_vec())
    }
}

impl ErlangType for Binary {
    fn erlang_type() -> String {
        "binary()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Binary {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.binary(&self.0)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Binary {
    const KIND: Shape = Shape::Binaries;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.binary() {
            Some(bytes) => Ok(Binary(bytes.to_vec())),
            None => Err(DecodeError::expected::<Self, V>(view)),
        }
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.take(view.binary().map_or(0, <[u8]>::len))?;
        Self::from_term(view)
    }
}
