//! `iolist()`

use std::ops::Deref;

use bytes::Bytes;

use crate::term::types::{Binary, Iodata};
use crate::term::{DecodeError, FromTerm, Heap, Misfit, Reader, Shape, TermKind, ToTerm, View};

/// Bytes that Erlang represents as a nested list of bytes and binaries, but not as a binary. They
/// are written as a list of binaries: see [`Iodata`].
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iolist(Iodata);

impl Deref for Iolist {
    type Target = Iodata;

    fn deref(&self) -> &Iodata {
        &self.0
    }
}

macro_rules! converted {
    ($($source:ty)*) => {$(
        impl From<$source> for Iolist {
            fn from(bytes: $source) -> Self {
                Iolist(bytes.into())
            }
        }
    )*};
}

converted! { Vec<u8> &[u8] String &String &str Binary Bytes Vec<Bytes> Iodata }

impl<const N: usize> From<[u8; N]> for Iolist {
    fn from(bytes: [u8; N]) -> Self {
        Iolist(bytes.into())
    }
}

impl<const N: usize> From<&[u8; N]> for Iolist {
    fn from(bytes: &[u8; N]) -> Self {
        Iolist(bytes.into())
    }
}

impl From<Iolist> for Iodata {
    fn from(list: Iolist) -> Self {
        list.0
    }
}

impl From<Iolist> for Binary {
    fn from(list: Iolist) -> Self {
        Binary::from(list.0)
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Iolist {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.list(self.parts().iter().map(|part| heap.shared_binary(part)))
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Iolist {
    const KIND: Shape = Shape::Union(&[Shape::EmptyList, Shape::Some(&Shape::NonemptyLists)]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        let bytes = match view.kind() {
            TermKind::List => Iodata::__read(view, reader),
            _ => Err(DecodeError::expected::<Self, V>(view)),
        };
        bytes
            .map(Iolist)
            .map_err(|error| error.or_expected::<Self, V>(view))
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        Misfit::unless(view.kind() == TermKind::List)?;
        Iodata::__check(view, reader)
    }
}
