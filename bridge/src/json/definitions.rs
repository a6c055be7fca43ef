//! Schemas that have a name of their own: those of Erlang's predefined types

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema::{special, union};

/// The largest integer that every reader of JSON keeps exactly (RFC 8259, section 6).
pub(super) const SAFE: i64 = (1 << 53) - 1;

/// A predefined type.
pub(super) trait Definition {
    /// Its Erlang text.
    const NAME: &'static str;
    /// Its schema.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

/// A reference to the schema of a predefined type.
pub(super) fn reference<D: Definition>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Defined<D>>()
}

struct Defined<D>(PhantomData<D>);

impl<D: Definition> JsonSchema for Defined<D> {
    fn schema_name() -> Cow<'static, str> {
        D::NAME.into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("{}::{}", module_path!(), D::NAME).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        D::schema(generator)
    }
}

macro_rules! definitions {
    ($($(#[$doc:meta])* $name:ident $text:literal => |$generator:ident| $schema:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Definition for $name {
            const NAME: &'static str = $text;

            fn schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

definitions! {
    /// Any atom
    AnyAtom "atom()" => |_generator| json_schema!({
        "type": ["string", "boolean", "null"],
        "maxLength": 255,
    });
    /// Any integer
    AnyInteger "integer()" => |_generator| integer(-SAFE, SAFE, "^-?[1-9][0-9]*$");
    /// From 0
    NonNegInteger "non_neg_integer()" => |_generator| integer(0, SAFE, "^[1-9][0-9]*$");
    /// From 1
    PosInteger "pos_integer()" => |_generator| integer(1, SAFE, "^[1-9][0-9]*$");
    /// To -1
    NegInteger "neg_integer()" => |_generator| integer(-SAFE, -1, "^-[1-9][0-9]*$");
    /// Any binary
    AnyBinary "binary()" => |_generator| union(vec![
        special("text", json_schema!({ "type": "string" })),
        special("base64", json_schema!({ "type": "string", "contentEncoding": "base64" })),
    ]);
    /// Any bits
    AnyBitstring "bitstring()" => |generator| union(vec![
        reference::<AnyBinary>(generator),
        special("bits", json_schema!({ "type": "string", "pattern": "^[01]*$" })),
    ]);
    /// A process
    AnyPid "pid()" => |_generator| text("pid", r"^[0-9]+\.[0-9]+\.[0-9]+\.");
    /// A port
    AnyPort "port()" => |_generator| text("port", r"^[0-9]+\.[0-9]+\.");
    /// A reference
    AnyReference "reference()" => |_generator| text("reference", r"^[0-9]+(,[0-9]+){0,4}\.[0-9]+\.");
    /// A fun
    AnyFun "fun()" => |generator| {
        let atom = reference::<AnyAtom>(generator);
        special("fun", union(vec![
            json_schema!({
                "type": "array",
                "prefixItems": [atom, atom, { "type": "integer", "minimum": 0, "maximum": 255 }],
                "items": false,
                "minItems": 3,
            }),
            json_schema!({ "type": "string", "contentEncoding": "base64" }),
        ]))
    };
    /// Bytes, in any nesting
    AnyIodata "iodata()" => |generator| {
        let binary = reference::<AnyBinary>(generator);
        let part = part_of_iodata(generator);
        union(std::iter::once(binary).chain(lists_of_iodata(part)).collect())
    };
    /// Any term
    AnyTerm "term()" => |generator| any_term(generator);
}

/// An integer within bounds: a number, or digits where numbers are no longer exact.
fn integer(low: i64, high: i64, pattern: &str) -> Schema {
    union(vec![
        json_schema!({ "type": "integer", "minimum": low, "maximum": high }),
        text("integer", pattern),
    ])
}

/// `{"@name": "…"}` of this pattern.
fn text(name: &str, pattern: &str) -> Schema {
    special(name, json_schema!({ "type": "string", "pattern": pattern }))
}

/// What a list of bytes holds.
pub(super) fn part_of_iodata(generator: &mut SchemaGenerator) -> Schema {
    let byte = json_schema!({ "type": "integer", "minimum": 0, "maximum": 255 });
    union(vec![byte, reference::<AnyIodata>(generator)])
}

/// `iolist()`
pub(super) fn lists_of_iodata(part: Schema) -> Vec<Schema> {
    vec![
        json_schema!({ "type": "array", "items": part }),
        improper(part),
    ]
}

/// `tuple()`
pub(super) fn any_tuple(generator: &mut SchemaGenerator) -> Schema {
    let own = reference::<AnyTerm>(generator);
    json_schema!({
        "type": "object",
        "patternProperties": { r"^\$": { "type": "array", "items": own } },
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    })
}

/// `{"@improper": [element, …, tail]}`
pub(super) fn improper(part: Schema) -> Schema {
    let array = json_schema!({ "type": "array", "items": part, "minItems": 2 });
    special("improper", array)
}

/// The keys of a map's entries: those that begin with `$` or `@` have an `@` before that.
pub(super) const KEY: &str = "^($|[^$@]|@[$@])";

fn any_term(generator: &mut SchemaGenerator) -> Schema {
    let own = reference::<AnyTerm>(generator);
    let terms = json_schema!({ "type": "array", "items": own });
    union(vec![
        reference::<AnyAtom>(generator),
        reference::<AnyInteger>(generator),
        json_schema!({ "type": "number" }),
        reference::<AnyBitstring>(generator),
        terms,
        improper(own.clone()),
        special("string", json_schema!({ "type": "string" })),
        any_tuple(generator),
        map(own.clone(), own),
        reference::<AnyPid>(generator),
        reference::<AnyPort>(generator),
        reference::<AnyReference>(generator),
        reference::<AnyFun>(generator),
    ])
}

/// A map of these keys and values: an object where all keys are atoms.
pub(super) fn map(key: Schema, value: Schema) -> Schema {
    union(vec![object(value.clone()), pairs(key, value)])
}

/// A map of atoms.
pub(super) fn object(value: Schema) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": KEY },
        "additionalProperties": value,
    })
}

/// `{"@map": [[key, value], …]}`
pub(super) fn pairs(key: Schema, value: Schema) -> Schema {
    let pair = json_schema!({
        "type": "array",
        "prefixItems": [key, value],
        "items": false,
        "minItems": 2,
    });
    special("map", json_schema!({ "type": "array", "items": pair }))
}
