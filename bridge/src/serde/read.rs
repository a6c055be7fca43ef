//! Reading terms as values.

use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{DeserializeOwned, Visitor};

use super::access::{ElementsAccess, EntriesAccess, ReadTerm};
use super::error::Error;
use super::variant::Variant;
use super::{Mapping, Structs};
use crate::term::{TermKind, guard_depth, quote_atom};
use crate::{Atom, DecodeError, View};

/// Returns the value of a term.
pub(super) fn read<'a, M: Mapping, V: View<'a>, T: DeserializeOwned>(
    view: V,
) -> Result<T, DecodeError> {
    let read = T::deserialize(ViewReader::<V, M>::of(view));
    read.map_err(|error| error.of(view))
}

/// Reads one term. It compares the texts of atoms and creates none.
pub(super) struct ViewReader<V, M> {
    view: V,
    mapping: PhantomData<fn() -> M>,
}

impl<'de, V: View<'de>, M: Mapping> ViewReader<V, M> {
    /// Returns whether the term is the atom for `None`.
    fn is_nothing(&self) -> bool {
        self.view.is_atom(M::NOTHING.atom())
    }

    fn text(&self) -> Option<&'de str> {
        let bytes = self.view.binary();
        bytes.and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Converts the error of a visitor into one about this term.
    fn visited<T>(view: V, visited: Result<T, Error>) -> Result<T, Error> {
        visited.map_err(|error| Error::Whole(error.of(view)))
    }

    /// Visits the elements of a list or tuple. All of them must be read.
    fn elements<T: Visitor<'de>>(
        view: V,
        mut elements: ElementsAccess<impl ExactSizeIterator<Item = V>, Self>,
        visitor: T,
    ) -> Result<T::Value, Error> {
        let read = guard_depth(|| {
            let read = visitor.visit_seq(&mut elements);
            read.map_err(|error| error.of(view))
        })?;
        match elements.left() {
            0 => Ok(read),
            left => Err(Error::expected(format!("{left} elements less"), view)),
        }
    }

    fn tuple<T: Visitor<'de>>(
        self,
        length: usize,
        visitor: T,
        expected: impl FnOnce() -> String,
    ) -> Result<T::Value, Error> {
        match self.view.tuple_elements() {
            Some(elements) if elements.len() == length => {
                Self::elements(self.view, ElementsAccess::of_tuple(elements, 0), visitor)
            }
            _ => Err(Error::expected(expected(), self.view)),
        }
    }

    fn map<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        let Some(entries) = self.view.map_entries() else {
            return Err(Error::expected("a map()", self.view));
        };
        let read = guard_depth(|| {
            let read = visitor.visit_map(EntriesAccess::<_, Self>::new(entries));
            read.map_err(|error| error.of(self.view))
        });
        read.map_err(Error::Whole)
    }

    fn record<T: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: T,
    ) -> Result<T::Value, Error> {
        let elements = self.view.tuple_elements();
        let elements = elements.filter(|elements| elements.len() == length.saturating_add(1));
        let tagged = elements.and_then(|mut elements| {
            let tag = elements.next()?.atom()?;
            (tag.text() == name).then_some(elements)
        });
        match tagged {
            Some(elements) => {
                Self::elements(self.view, ElementsAccess::of_tuple(elements, 1), visitor)
            }
            None => {
                let expected = format!("a record {} of {length} fields", quote_atom(name));
                Err(Error::expected(expected, self.view))
            }
        }
    }

    fn atom<T: Visitor<'de>>(self, atom: &Atom, visitor: T) -> Result<T::Value, Error> {
        match atom.text() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ if self.is_nothing() => visitor.visit_none(),
            text => visitor.visit_str(text),
        }
    }

    fn integer<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        if let Some(value) = self.view.unsigned() {
            return visitor.visit_u64(value);
        }
        if let Some(value) = self.view.integer() {
            return visitor.visit_i64(value);
        }
        let integer = self.view.big_integer();
        if let Some(value) = integer.as_ref().and_then(|it| u128::try_from(it).ok()) {
            return visitor.visit_u128(value);
        }
        match integer.as_ref().and_then(|it| i128::try_from(it).ok()) {
            Some(value) => visitor.visit_i128(value),
            None => Err(Error::Expected("an integer of 128 bits".to_owned())),
        }
    }

    fn any<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        let unknown = || Error::expected("a term of serde's data model", self.view);
        match self.view.kind() {
            TermKind::Atom => match self.view.atom() {
                Some(atom) => self.atom(&atom, visitor),
                None => Err(unknown()),
            },
            TermKind::Integer => self.integer(visitor),
            TermKind::Float => match self.view.float() {
                Some(float) => visitor.visit_f64(float.value()),
                None => Err(unknown()),
            },
            TermKind::Bitstring => match (self.text(), self.view.binary()) {
                (Some(text), _) => visitor.visit_borrowed_str(text),
                (None, Some(bytes)) => visitor.visit_borrowed_bytes(bytes),
                (None, None) => Err(unknown()),
            },
            TermKind::List => match self.view.list() {
                Some(list) => Self::elements(self.view, ElementsAccess::of_list(list), visitor),
                None => Err(unknown()),
            },
            TermKind::Tuple => match self.view.tuple_elements() {
                Some(elements) if elements.len() == 0 => visitor.visit_unit(),
                Some(elements) => {
                    Self::elements(self.view, ElementsAccess::of_tuple(elements, 0), visitor)
                }
                None => Err(unknown()),
            },
            TermKind::Map => self.map(visitor),
            TermKind::Pid | TermKind::Port | TermKind::Reference | TermKind::Fun => Err(unknown()),
        }
    }

    fn visit_text<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        match self.text() {
            Some(text) => Self::visited(self.view, visitor.visit_borrowed_str(text)),
            None => Err(Error::expected("a binary() of UTF-8", self.view)),
        }
    }
}

impl<'de, V: View<'de>, M: Mapping> ReadTerm<'de, V> for ViewReader<V, M> {
    fn of(view: V) -> Self {
        ViewReader {
            view,
            mapping: PhantomData,
        }
    }
}

macro_rules! any {
    ($($name:ident)*) => {$(
        fn $name<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
            let view = self.view;
            Self::visited(view, self.any(visitor))
        }
    )*};
}

macro_rules! text {
    ($($name:ident)*) => {$(
        fn $name<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
            self.visit_text(visitor)
        }
    )*};
}

impl<'de, V: View<'de>, M: Mapping> Deserializer<'de> for ViewReader<V, M> {
    type Error = Error;

    any! {
        deserialize_any deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f64
    }

    text! { deserialize_char deserialize_str deserialize_string }

    fn deserialize_f32<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        match self.view.float() {
            Some(float) if !(float.value() as f32).is_finite() => {
                Err(Error::expected("f32", self.view))
            }
            _ => self.deserialize_f64(visitor),
        }
    }

    fn deserialize_bytes<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        match self.view.binary() {
            Some(bytes) => Self::visited(self.view, visitor.visit_borrowed_bytes(bytes)),
            None => Err(Error::expected("a binary()", self.view)),
        }
    }

    fn deserialize_byte_buf<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        let view = self.view;
        if self.is_nothing() {
            visitor.visit_none()
        } else {
            Self::visited(view, visitor.visit_some(self))
        }
    }

    fn deserialize_unit<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        match self.view.tuple_arity() {
            Some(0) => visitor.visit_unit(),
            _ => Err(Error::expected("{}", self.view)),
        }
    }

    fn deserialize_unit_struct<T: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: T,
    ) -> Result<T::Value, Error> {
        match self.view.atom() {
            Some(atom) if atom.text() == name => visitor.visit_unit(),
            _ => Err(Error::expected(quote_atom(name), self.view)),
        }
    }

    fn deserialize_newtype_struct<T: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: T,
    ) -> Result<T::Value, Error> {
        let view = self.view;
        // A type may contain itself through such structs alone.
        guard_depth(|| {
            visitor
                .visit_newtype_struct(self)
                .map_err(|error| error.of(view))
        })
        .map_err(Error::Whole)
    }

    fn deserialize_seq<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        match self.view.list() {
            Some(list) => Self::elements(self.view, ElementsAccess::of_list(list), visitor),
            None => Err(Error::expected("a list()", self.view)),
        }
    }

    fn deserialize_tuple<T: Visitor<'de>>(
        self,
        length: usize,
        visitor: T,
    ) -> Result<T::Value, Error> {
        self.tuple(length, visitor, || format!("a tuple of {length} elements"))
    }

    fn deserialize_tuple_struct<T: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: T,
    ) -> Result<T::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        self.map(visitor)
    }

    fn deserialize_struct<T: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: T,
    ) -> Result<T::Value, Error> {
        match M::STRUCTS {
            Structs::Maps => self.map(visitor),
            Structs::Records => self.record(name, fields.len(), visitor),
        }
    }

    fn deserialize_enum<T: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: T,
    ) -> Result<T::Value, Error> {
        match Variant::<V, Self>::of(self.view) {
            Some(variant) => {
                let read = guard_depth(|| {
                    let read = visitor.visit_enum(variant);
                    read.map_err(|error| error.of(self.view))
                });
                read.map_err(Error::Whole)
            }
            None => Err(Error::expected(variants.join(" | "), self.view)),
        }
    }

    fn deserialize_identifier<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        let visited = match (self.view.atom(), self.text()) {
            (Some(atom), _) => visitor.visit_str(atom.text()),
            (None, Some(text)) => visitor.visit_borrowed_str(text),
            // These bytes are not a name. Derived code would interpret an integer as the number of
            // a field.
            (None, None) => visitor.visit_bytes(&[0xff]),
        };
        Self::visited(self.view, visited)
    }

    fn deserialize_ignored_any<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, Error> {
        visitor.visit_unit()
    }
}
