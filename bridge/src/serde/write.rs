//! Writing values as terms.

use serde::{Serialize, Serializer};

use super::compound::{ElementsWriter, EntriesWriter, FieldsWriter, ValueWriter, Written};
use super::error::Error;
use super::{Mapping, Structs};
use crate::term::deeper;
use crate::{DecodeError, Float, Heap, ToTerm};

/// Returns the term of a value.
pub(super) fn write<M: Mapping, H: Heap, T: Serialize + ?Sized>(
    value: &T,
    heap: H,
) -> Result<H::Term, DecodeError> {
    let written = value.serialize(ValueWriter::<H, M>::new(heap));
    written.map(|it| it.term).map_err(Error::of_writing)
}

type Outcome<H> = Result<Written<<H as Heap>::Term>, Error>;

impl<H: Heap, M: Mapping> ValueWriter<H, M> {
    /// Writes a value of one of otp-rs's own types.
    fn term(self, value: &(impl ToTerm + ?Sized)) -> Outcome<H> {
        Ok(Written::new(value.to_term(self.heap)))
    }

    /// Writes a name that is a whole value.
    fn value_of_name(self, name: &'static str) -> Outcome<H> {
        Ok(Written {
            term: self.name(name)?,
            is_nothing: name == M::NOTHING.atom().text(),
        })
    }
}

/// Writes values of types that otp-rs writes as well, with the same terms.
macro_rules! terms {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, value: $type) -> Outcome<H> {
            self.term(&value)
        }
    )*};
}

impl<H: Heap, M: Mapping> Serializer for ValueWriter<H, M> {
    type Ok = Written<H::Term>;
    type Error = Error;
    type SerializeSeq = ElementsWriter<H, M>;
    type SerializeTuple = ElementsWriter<H, M>;
    type SerializeTupleStruct = ElementsWriter<H, M>;
    type SerializeTupleVariant = ElementsWriter<H, M>;
    type SerializeMap = EntriesWriter<H, M>;
    type SerializeStruct = FieldsWriter<H, M>;
    type SerializeStructVariant = EntriesWriter<H, M>;

    terms! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128)
    }

    fn serialize_f32(self, value: f32) -> Outcome<H> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Outcome<H> {
        match Float::new(value) {
            Some(float) => self.term(&float),
            None => Err(DecodeError::new("a finite float", value.to_string()).into()),
        }
    }

    fn serialize_char(self, value: char) -> Outcome<H> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Outcome<H> {
        self.term(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Outcome<H> {
        Ok(Written::new(self.heap.binary(value)))
    }

    fn serialize_none(self) -> Outcome<H> {
        Ok(Written {
            term: self.heap.atom(M::NOTHING.atom()),
            is_nothing: true,
        })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Outcome<H> {
        let written = deeper(|| value.serialize(self))?;
        if written.is_nothing {
            Err(DecodeError::new(
                format!(
                    "a value other than {}, which is `None`",
                    M::NOTHING.atom().text()
                ),
                "`Some` of it",
            )
            .into())
        } else {
            Ok(written)
        }
    }

    fn serialize_unit(self) -> Outcome<H> {
        self.term(&())
    }

    fn serialize_unit_struct(self, name: &'static str) -> Outcome<H> {
        self.value_of_name(name)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Outcome<H> {
        self.value_of_name(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Outcome<H> {
        deeper(|| value.serialize(self))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Outcome<H> {
        let mut elements = ElementsWriter::tagged(self, variant, 1)?;
        elements.add(value)?;
        elements.finish()
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ElementsWriter<H, M>, Error> {
        Ok(ElementsWriter::list(self, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<ElementsWriter<H, M>, Error> {
        Ok(ElementsWriter::tuple(self, length))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        length: usize,
    ) -> Result<ElementsWriter<H, M>, Error> {
        Ok(ElementsWriter::tuple(self, length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<ElementsWriter<H, M>, Error> {
        ElementsWriter::tagged(self, variant, length)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<EntriesWriter<H, M>, Error> {
        Ok(EntriesWriter::new(self, None))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<FieldsWriter<H, M>, Error> {
        match M::STRUCTS {
            Structs::Maps => Ok(FieldsWriter::Map(EntriesWriter::new(self, None))),
            Structs::Records => {
                ElementsWriter::tagged(self, name, length).map(FieldsWriter::Record)
            }
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<EntriesWriter<H, M>, Error> {
        let tag = self.name(variant)?;
        Ok(EntriesWriter::new(self, Some(tag)))
    }
}
