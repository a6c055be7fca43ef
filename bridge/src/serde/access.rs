//! Reading the parts of lists, tuples and maps.

use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::error::Error;
use crate::View;
use crate::term::{PathSegment, describe};

pub(super) trait ReadTerm<'de, V>: Deserializer<'de, Error = Error> {
    fn of(view: V) -> Self;
}

/// The length limit of a key in a path, in characters.
const KEY_LIMIT: usize = 40;

/// The elements of a list or tuple.
pub(super) struct ElementsAccess<I, R> {
    elements: I,
    /// The index of the next one.
    index: usize,
    is_list: bool,
    mapping: PhantomData<fn() -> R>,
}

impl<I: ExactSizeIterator, R> ElementsAccess<I, R> {
    pub(super) fn of_list(elements: I) -> Self {
        ElementsAccess {
            elements,
            index: 0,
            is_list: true,
            mapping: PhantomData,
        }
    }

    /// Returns the elements of a tuple. The first of them has this index.
    pub(super) fn of_tuple(elements: I, index: usize) -> Self {
        ElementsAccess {
            index,
            is_list: false,
            ..Self::of_list(elements)
        }
    }

    /// Returns how many elements have not been read.
    pub(super) fn left(&self) -> usize {
        self.elements.len()
    }
}

impl<'de, V, I, R> SeqAccess<'de> for &mut ElementsAccess<I, R>
where
    V: View<'de>,
    I: ExactSizeIterator<Item = V>,
    R: ReadTerm<'de, V>,
{
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(element) = self.elements.next() else {
            return Ok(None);
        };
        let segment = if self.is_list {
            PathSegment::Index(self.index)
        } else {
            PathSegment::Element(self.index)
        };
        self.index += 1;
        let read = seed.deserialize(R::of(element));
        read.map(Some)
            .map_err(|error| Error::Whole(error.of(element).at(segment)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

/// The entries of a map.
pub(super) struct EntriesAccess<I: Iterator, R> {
    entries: I,
    /// An entry whose value has not been read yet.
    entry: Option<I::Item>,
    mapping: PhantomData<fn() -> R>,
}

impl<I: Iterator, R> EntriesAccess<I, R> {
    pub(super) fn new(entries: I) -> Self {
        EntriesAccess {
            entries,
            entry: None,
            mapping: PhantomData,
        }
    }
}

impl<'de, V, I, R> MapAccess<'de> for EntriesAccess<I, R>
where
    V: View<'de>,
    I: Iterator<Item = (V, V)>,
    R: ReadTerm<'de, V>,
{
    type Error = Error;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.entry = self.entries.next();
        let Some((key, _)) = self.entry else {
            return Ok(None);
        };
        let read = seed.deserialize(R::of(key));
        read.map(Some).map_err(|error| Error::Whole(error.of(key)))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let Some((key, value)) = self.entry.take() else {
            return Err(Error::Refused("a value before its key".to_owned()));
        };
        let read = seed.deserialize(R::of(value));
        read.map_err(|error| Error::Whole(error.of(value).at_field(key_text(key))))
    }
}

/// Returns a key for a path: an atom's text without quotes, or the term.
fn key_text<'a>(key: impl View<'a>) -> String {
    match key.atom() {
        Some(atom) => atom.text().to_owned(),
        None => describe(key, KEY_LIMIT),
    }
}
