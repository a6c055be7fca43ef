//! `binary()` of bytes with several owners (feature `bytes`)

use bytes::Bytes;

use crate::term::types::{Binary, Bitstring, Iodata, Iolist};
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Reader, Shape, ToTerm, View};

impl ErlangType for Bytes {
    fn erlang_type() -> String {
        Binary::erlang_type()
    }
}

/// A large binary of the VM owns the bytes, and is not a copy: docs/binaries.md.
///
/// ```
/// # use otp_bridge_novm as _;
/// use bytes::Bytes;
/// use otp_bridge::Term;
///
/// let page = Bytes::from_static(b"<html></html>");
/// let answer = vec![Bytes::from_static(b"HTTP/1.1 200 OK\r\n\r\n"), page.slice(..6)];
///
/// assert_eq!(
///     Term::of(&answer).to_string(),
///     r#"[<<"HTTP/1.1 200 OK\r\n\r\n">>,<<"<html>">>]"#
/// );
/// ```
#[diagnostic::do_not_recommend]
impl ToTerm for Bytes {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.shared_binary(self)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Bytes {
    const KIND: Shape = Binary::KIND;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        view.shared_binary()
            .ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        reader.take(view.binary().map_or(0, <[u8]>::len))?;
        Self::from_term(view)
    }
}

impl From<Binary> for Bytes {
    /// Copies nothing.
    fn from(binary: Binary) -> Self {
        Bytes::from(binary.0)
    }
}

impl From<Iodata> for Bytes {
    /// Copies nothing.
    fn from(bytes: Iodata) -> Self {
        Bytes::from(bytes.0)
    }
}

macro_rules! from_bytes {
    ($($target:ident)*) => {$(
        impl From<Bytes> for $target {
            /// Copies nothing if the bytes are a `Vec` that nobody else owns.
            fn from(bytes: Bytes) -> Self {
                $target::from(Vec::from(bytes))
            }
        }
    )*};
}

from_bytes! { Binary Bitstring Iodata Iolist }
