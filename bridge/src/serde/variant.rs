//! Reading variants of enums.

use std::marker::PhantomData;

use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use super::access::{ElementsAccess, ReadTerm};
use super::error::Error;
use crate::View;
use crate::term::TermKind;

/// `name`, or `{name, Value, …}`.
pub(super) struct Variant<V, R> {
    whole: V,
    tag: V,
    mapping: PhantomData<fn() -> R>,
}

impl<'de, V: View<'de>, R: ReadTerm<'de, V>> Variant<V, R> {
    /// Returns the term as a variant, if it can be one: an atom or a binary, or a tuple that starts
    /// with one.
    pub(super) fn of(whole: V) -> Option<Self> {
        let tag = match whole.kind() {
            TermKind::Tuple => whole.tuple_elements()?.next()?,
            _ => whole,
        };
        matches!(tag.kind(), TermKind::Atom | TermKind::Bitstring).then_some(Variant {
            whole,
            tag,
            mapping: PhantomData,
        })
    }

    /// Returns the only value of the variant.
    fn value(&self) -> Result<V, Error> {
        match self.whole.tuple::<2>() {
            Some([_, value]) => Ok(value),
            None => Err(self.expected("a tuple of the variant's name and a value")),
        }
    }

    fn expected(&self, expected: impl Into<String>) -> Error {
        Error::expected(expected, self.whole)
    }
}

impl<'de, V: View<'de>, R: ReadTerm<'de, V>> EnumAccess<'de> for Variant<V, R> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Error> {
        let name = seed.deserialize(R::of(self.tag));
        // The path leads to the whole variant.
        let name = name.map_err(|error| Error::Whole(error.of(self.tag)))?;
        Ok((name, self))
    }
}

impl<'de, V: View<'de>, R: ReadTerm<'de, V>> VariantAccess<'de> for Variant<V, R> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.whole.kind() {
            TermKind::Tuple => Err(self.expected("the variant's name alone")),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        let value = self.value()?;
        let read = seed.deserialize(R::of(value));
        read.map_err(|error| Error::Whole(error.of(value).at_element(1)))
    }

    fn tuple_variant<T: Visitor<'de>>(self, length: usize, visitor: T) -> Result<T::Value, Error> {
        let elements = self.whole.tuple_elements();
        let elements = elements.filter(|elements| elements.len() == length.saturating_add(1));
        let Some(mut elements) = elements else {
            let text = format!("a tuple of the variant's name and {length} values");
            return Err(self.expected(text));
        };
        elements.next();
        visitor.visit_seq(&mut ElementsAccess::<_, R>::of_tuple(elements, 1))
    }

    fn struct_variant<T: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: T,
    ) -> Result<T::Value, Error> {
        let value = self.value()?;
        let read = R::of(value).deserialize_map(visitor);
        read.map_err(|error| Error::Whole(error.of(value).at_element(1)))
    }
}
