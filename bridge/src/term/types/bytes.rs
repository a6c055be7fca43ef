//! `binary()` as bytes with several owners.

use bytes::Bytes;

use crate::term::types::{Binary, Bitstring, Iodata};
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Reader, Shape, ToTerm, View};

impl ErlangType for Bytes {
    fn erlang_type() -> String {
        Binary::erlang_type()
    }
}

/// The bytes are not a copy: they own a large binary of the VM (docs/binaries.md).
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
        Binary::from_term(view).map(Binary::into_bytes)
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        Binary::__read(view, reader).map(Binary::into_bytes)
    }
}

impl From<Binary> for Bytes {
    /// Does not copy the bytes.
    fn from(binary: Binary) -> Self {
        binary.into_bytes()
    }
}

impl From<Iodata> for Bytes {
    /// Does not copy the bytes if they are one part.
    fn from(bytes: Iodata) -> Self {
        bytes.into_bytes()
    }
}

impl From<Bytes> for Bitstring {
    /// Does not copy the bytes if they are a `Vec` without another owner.
    fn from(bytes: Bytes) -> Self {
        Bitstring::from(Vec::from(bytes))
    }
}
