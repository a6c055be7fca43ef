//! The schemas of Erlang's predefined types, each of which has a name in a document

use std::borrow::Cow;

use otp_contract::schema::{Definitions, Predefined};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::schema;

/// A document that schemars makes.
pub(super) struct Document<'g>(pub(super) &'g mut SchemaGenerator);

impl Definitions for Document<'_> {
    fn reference(&mut self, predefined: Predefined) -> Value {
        reference(self.0, predefined).to_value()
    }
}

/// schemars knows a schema by a type: here is one for each.
macro_rules! predefined {
    ($($name:ident),*) => {
        /// A reference to the schema of a predefined type.
        pub(super) fn reference(generator: &mut SchemaGenerator, predefined: Predefined) -> Schema {
            match predefined {
                $(Predefined::$name => generator.subschema_for::<$name>(),)*
            }
        }

        $(
            struct $name;

            impl JsonSchema for $name {
                fn schema_name() -> Cow<'static, str> {
                    Predefined::$name.name().into()
                }

                fn schema_id() -> Cow<'static, str> {
                    concat!(module_path!(), "::", stringify!($name)).into()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    schema::of(Predefined::$name.schema(&mut Document(generator)))
                }
            }
        )*
    };
}

predefined! {
    Atom, Integer, NonNegInteger, PosInteger, NegInteger, Binary, Bitstring, Pid, Port, Reference, Fun, Iodata, Term
}
