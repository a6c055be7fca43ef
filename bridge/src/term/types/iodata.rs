//! `iodata()`

use std::ops::Deref;

use crate::term::depth::check_on_any_stack;
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Kind, Misfit, Reader, Shape, ToTerm, View,
};

/// Bytes that Erlang may give as a binary or as a nested list of bytes and binaries. They are
/// written as a binary.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iodata(
    /// All the bytes in order.
    pub Vec<u8>,
);

impl Deref for Iodata {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Iodata {
    fn from(bytes: Vec<u8>) -> Self {
        Iodata(bytes)
    }
}

impl From<String> for Iodata {
    fn from(text: String) -> Self {
        Iodata(text.into_bytes())
    }
}

impl From<&str> for Iodata {
    fn from(text: &str) -> Self {
        Iodata(text.as_bytes().to_vec())
    }
}

impl ErlangType for Iodata {
    fn erlang_type() -> String {
        "iodata()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Iodata {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.binary(&self.0)
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for Iodata {
    const KIND: Shape = Shape::Union(&[
        Shape::Binaries,
        Shape::EmptyList,
        Shape::Some(&Shape::NonemptyLists),
    ]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        flatten(view, reader)?
            .map(Iodata)
            .ok_or_else(|| DecodeError::expected::<Self, V>(view))
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        match view.kind() {
            Kind::Bitstring => Misfit::unless(view.binary().is_some()),
            Kind::List if reader.looks_at_all() => check_list(view, reader),
            kind => Misfit::unless(kind == Kind::List),
        }
    }
}

/// What has been found out of a list is kept: where lists of something else can hold such lists,
/// each of them is asked about.
pub(super) fn check_list<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
    let number = check_list::<V> as fn(V, Reader<'_>) -> Result<(), Misfit> as usize;
    if let Some(found) = reader.recall_check(number, view) {
        return found;
    }
    let check = |element: V| match element.kind() {
        Kind::Bitstring => Misfit::unless(element.binary().is_some()),
        Kind::Integer => Misfit::unless(element.unsigned().is_some_and(|byte| byte < 256)),
        Kind::List => check_on_any_stack(|| check_list(element, reader)),
        _ => Err(Misfit::HERE),
    };
    let found = match view.list_with_tail() {
        Some((mut elements, None)) => elements.try_for_each(check),
        Some((mut elements, Some(tail))) => elements
            .try_for_each(check)
            .and_then(|()| Misfit::unless(tail.binary().is_some())),
        None => Err(Misfit::HERE),
    };
    let found = found.map_err(|_| Misfit::HERE);
    reader.remember_check(number, view, found);
    found
}

/// The bytes of `view`, if it is `iodata()`. Lists can be nested without limit, so this keeps its
/// own stack.
fn flatten<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut bytes = Vec::new();
    if view.binary().is_some() {
        push_leaf(&mut bytes, view, reader)?;
        return Ok(Some(bytes));
    }
    let Some(list) = view.list_with_tail() else {
        return Ok(None);
    };
    let mut open = vec![list];
    while let Some((elements, tail)) = open.last_mut() {
        let fits = match elements.next() {
            Some(element) => match element.list_with_tail() {
                Some(inner) => {
                    open.push(inner);
                    true
                }
                None => push_leaf(&mut bytes, element, reader)?,
            },
            None => {
                let tail = *tail;
                open.pop();
                // Only a binary may follow the last element.
                match tail {
                    Some(tail) => tail.binary().is_some() && push_leaf(&mut bytes, tail, reader)?,
                    None => true,
                }
            }
        };
        if !fits {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// Adds a binary or a byte. Returns whether it is one.
fn push_leaf<'a, V: View<'a>>(
    bytes: &mut Vec<u8>,
    leaf: V,
    reader: Reader<'_>,
) -> Result<bool, DecodeError> {
    if let Some(binary) = leaf.binary() {
        reader.take(binary.len())?;
        bytes.extend_from_slice(binary);
        return Ok(true);
    }
    reader.take(1)?;
    let byte = leaf.integer().and_then(|value| u8::try_from(value).ok());
    bytes.extend(byte);
    Ok(byte.is_some())
}
