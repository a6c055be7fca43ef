//! Writing lists, tuples and maps.

use std::marker::PhantomData;

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::Mapping;
use super::error::Error;
use crate::term::{OwnedHeap, PathSegment, Term, deeper};
use crate::{Atom, Heap};

/// Writes one value.
pub(super) struct ValueWriter<H, M> {
    pub(super) heap: H,
    mapping: PhantomData<fn() -> M>,
}

impl<H: Copy, M> Clone for ValueWriter<H, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Copy, M> Copy for ValueWriter<H, M> {}

/// A term, and whether it is the atom for `None`.
pub(super) struct Written<T> {
    pub(super) term: T,
    pub(super) is_nothing: bool,
}

impl<T> Written<T> {
    pub(super) fn new(term: T) -> Self {
        Written {
            term,
            is_nothing: false,
        }
    }
}

impl<H: Heap, M: Mapping> ValueWriter<H, M> {
    pub(super) fn new(heap: H) -> Self {
        ValueWriter {
            heap,
            mapping: PhantomData,
        }
    }

    /// Writes a name in the program's text, which becomes an atom.
    pub(super) fn name(self, name: &'static str) -> Result<H::Term, Error> {
        match Atom::new(name) {
            Ok(atom) => Ok(self.heap.dynamic_atom(&atom)),
            Err(error) => Err(Error::Refused(error.to_string())),
        }
    }

    pub(super) fn part<T: Serialize + ?Sized>(self, value: &T) -> Result<H::Term, Error> {
        deeper(|| value.serialize(self)).map(|written| written.term)
    }
}

/// The elements of a list or tuple.
pub(super) struct ElementsWriter<H: Heap, M> {
    writer: ValueWriter<H, M>,
    is_list: bool,
    terms: Vec<H::Term>,
}

/// The largest number of elements of an Erlang tuple.
const MAX_ELEMENTS: usize = (1 << 24) - 1;

/// The memory that is reserved at most for a length that a type only claims.
const MAX_RESERVED: usize = 4096;

impl<H: Heap, M: Mapping> ElementsWriter<H, M> {
    pub(super) fn list(writer: ValueWriter<H, M>, length: usize) -> Self {
        ElementsWriter {
            writer,
            is_list: true,
            terms: Vec::with_capacity(length.min(MAX_RESERVED)),
        }
    }

    pub(super) fn tuple(writer: ValueWriter<H, M>, length: usize) -> Self {
        ElementsWriter {
            is_list: false,
            ..Self::list(writer, length)
        }
    }

    /// Starts a tuple whose first element is this name.
    pub(super) fn tagged(
        writer: ValueWriter<H, M>,
        tag: &'static str,
        length: usize,
    ) -> Result<Self, Error> {
        let mut elements = Self::tuple(writer, length.saturating_add(1));
        elements.terms.push(writer.name(tag)?);
        Ok(elements)
    }

    pub(super) fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.terms.len();
        let segment = if self.is_list {
            PathSegment::Index(index)
        } else {
            PathSegment::Element(index)
        };
        let written = self.writer.part(value);
        self.terms
            .push(written.map_err(|error| error.written_at(segment))?);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Written<H::Term>, Error> {
        let heap = self.writer.heap;
        if self.is_list {
            return Ok(Written::new(heap.list(self.terms)));
        }
        if self.terms.len() > MAX_ELEMENTS {
            let text = format!("a tuple has at most {MAX_ELEMENTS} elements");
            return Err(Error::Refused(text));
        }
        Ok(Written::new(heap.tuple_from(self.terms)))
    }
}

/// Serde has a trait for each of these, all with two such functions.
macro_rules! elements {
    ($($name:ident::$add:ident)*) => {$(
        impl<H: Heap, M: Mapping> $name for ElementsWriter<H, M> {
            type Ok = Written<H::Term>;
            type Error = Error;

            fn $add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.add(value)
            }

            fn end(self) -> Result<Written<H::Term>, Error> {
                self.finish()
            }
        }
    )*};
}

elements! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

/// The entries of a map.
pub(super) struct EntriesWriter<H: Heap, M> {
    writer: ValueWriter<H, M>,
    /// The variant's name, if the map is a variant's only value.
    tag: Option<H::Term>,
    entries: Vec<(H::Term, H::Term)>,
    /// A key whose value has not been written yet.
    key: Option<H::Term>,
}

impl<H: Heap, M: Mapping> EntriesWriter<H, M> {
    pub(super) fn new(writer: ValueWriter<H, M>, tag: Option<H::Term>) -> Self {
        EntriesWriter {
            writer,
            tag,
            entries: Vec::new(),
            key: None,
        }
    }

    fn add_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let key = self.writer.name(name)?;
        let written = self.writer.part(value);
        let value = written.map_err(|error| error.written_at(PathSegment::Field(name.into())))?;
        self.entries.push((key, value));
        Ok(())
    }

    fn finish(self) -> Result<Written<H::Term>, Error> {
        let heap = self.writer.heap;
        let map = heap.map_from(self.entries);
        Ok(Written::new(match self.tag {
            Some(tag) => heap.tuple([tag, map]),
            None => map,
        }))
    }
}

impl<H: Heap, M: Mapping> SerializeMap for EntriesWriter<H, M> {
    type Ok = Written<H::Term>;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(self.writer.part(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let Some(key) = self.key.take() else {
            return Err(Error::Refused("a value without a key".to_owned()));
        };
        self.entries.push((key, self.writer.part(value)?));
        Ok(())
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), Error> {
        self.serialize_key(key)?;
        self.serialize_value(value).map_err(|error| {
            // The key has been written before, so it can be written again.
            let name = ValueWriter::<OwnedHeap, M>::new(OwnedHeap).part(key);
            let name = name.map_or_else(|_| String::new(), |key| key_text(&key));
            error.written_at(PathSegment::Field(name.into()))
        })
    }

    fn end(self) -> Result<Written<H::Term>, Error> {
        self.finish()
    }
}

/// Returns a key for a path: an atom's text without quotes, or the term.
fn key_text(key: &Term) -> String {
    match key {
        Term::Atom(atom) => atom.text().to_owned(),
        _ => key.to_string(),
    }
}

impl<H: Heap, M: Mapping> SerializeStructVariant for EntriesWriter<H, M> {
    type Ok = Written<H::Term>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.add_field(name, value)
    }

    fn end(self) -> Result<Written<H::Term>, Error> {
        self.finish()
    }
}

/// The fields of a struct, in a map or a record.
pub(super) enum FieldsWriter<H: Heap, M> {
    Map(EntriesWriter<H, M>),
    Record(ElementsWriter<H, M>),
}

impl<H: Heap, M: Mapping> SerializeStruct for FieldsWriter<H, M> {
    type Ok = Written<H::Term>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match self {
            FieldsWriter::Map(entries) => entries.add_field(name, value),
            FieldsWriter::Record(elements) => elements.add(value),
        }
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), Error> {
        match self {
            FieldsWriter::Map(_) => Ok(()),
            FieldsWriter::Record(_) => Err(Error::Refused(format!(
                "a record has all its fields, and `{name}` is skipped"
            ))),
        }
    }

    fn end(self) -> Result<Written<H::Term>, Error> {
        match self {
            FieldsWriter::Map(entries) => entries.finish(),
            FieldsWriter::Record(elements) => elements.finish(),
        }
    }
}
