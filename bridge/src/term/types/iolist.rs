//! `iolist()`

use std::ops::Deref;

use crate::term::types::{Binary, Iodata};
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Kind, Misfit, Reader, Shape, ToTerm, View,
};

/// Bytes that Erlang gives as a nested list of bytes and binaries, but not as a binary. They are
/// written as a list of one binary.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iolist(
    /// All the bytes in order.
    pub Vec<u8>,
);

impl Deref for Iolist {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Iolist {
    fn from(bytes: Vec<u8>) -> Self {
        Iolist(bytes)
    }
}

impl From<String> for Iolist {
    fn from(text: String) -> Self {
        Iolist(text.into_bytes())
    }
}

impl From<&str> for Iolist {
    fn from(text: &str) -> Self {
        Iolist(text.as_bytes().to_vec())
    }
}

impl From<Iolist> for Iodata {
    fn from(list: Iolist) -> Self {
        Iodata(list.0)
    }
}

impl From<Iolist> for Binary {
    fn from(list: Iolist) -> Self {
        Binary(list.0)
    }
}

impl ErlangType for Iolist {
    fn erlang_type() -> String {
        "iolist()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Iolist {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.list([heap.binary(&self.0)])
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
            Kind::List => Iodata::__read(view, reader),
            _ => Err(DecodeError::expected::<Self, V>(view)),
        };
        match bytes {
            Ok(Iodata(bytes)) => Ok(Iolist(bytes)),
            Err(error) if error.is_of_the_whole() => Err(DecodeError::expected::<Self, V>(view)),
            Err(error) => Err(error),
        }
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        Misfit::unless(view.kind() == Kind::List)?;
        Iodata::__check(view, reader)
    }
}
