//! Schemas of Erlang's predefined types that have a name of their own in a document.

use serde_json::{Value, json};

use super::shapes::{SAFE, any_tuple, array, improper, object, pairs, range, special, text, union};
use super::types::Types;

/// A predefined type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Predefined {
    Atom,
    Integer,
    NonNegInteger,
    PosInteger,
    NegInteger,
    Binary,
    Bitstring,
    Pid,
    Port,
    Reference,
    Fun,
    Iodata,
    Term,
}

impl Predefined {
    /// Its name in a document.
    pub(super) fn name(self) -> &'static str {
        match self {
            Predefined::Atom => "atom()",
            Predefined::Integer => "integer()",
            Predefined::NonNegInteger => "non_neg_integer()",
            Predefined::PosInteger => "pos_integer()",
            Predefined::NegInteger => "neg_integer()",
            Predefined::Binary => "binary()",
            Predefined::Bitstring => "bitstring()",
            Predefined::Pid => "pid()",
            Predefined::Port => "port()",
            Predefined::Reference => "reference()",
            Predefined::Fun => "fun()",
            Predefined::Iodata => "iodata()",
            Predefined::Term => "term()",
        }
    }

    /// Its schema.
    pub(super) fn schema(self, types: &mut Types<'_>) -> Value {
        match self {
            Predefined::Atom => json!({ "type": ["string", "boolean", "null"], "maxLength": 255 }),
            Predefined::Integer => integer(-SAFE, SAFE, "^-?[1-9][0-9]*$"),
            Predefined::NonNegInteger => integer(0, SAFE, "^[1-9][0-9]*$"),
            Predefined::PosInteger => integer(1, SAFE, "^[1-9][0-9]*$"),
            Predefined::NegInteger => integer(-SAFE, -1, "^-[1-9][0-9]*$"),
            Predefined::Binary => union(vec![
                special("text", json!({ "type": "string" })),
                special("base64", base64()),
            ]),
            Predefined::Bitstring => union(vec![
                types.predefined(Predefined::Binary),
                text("bits", "^[01]*$"),
            ]),
            Predefined::Pid => text("pid", r"^[0-9]+\.[0-9]+\.[0-9]+\."),
            Predefined::Port => text("port", r"^[0-9]+\.[0-9]+\."),
            Predefined::Reference => text("reference", r"^[0-9]+(,[0-9]+){0,4}\.[0-9]+\."),
            Predefined::Fun => {
                let atom = types.predefined(Predefined::Atom);
                let exported = array(vec![atom.clone(), atom, range(0, 255)]);
                special("fun", union(vec![exported, base64()]))
            }
            Predefined::Iodata => {
                let mut members = vec![types.predefined(Predefined::Binary)];
                members.extend(lists_of_iodata(types));
                union(members)
            }
            Predefined::Term => any_term(types),
        }
    }
}

fn base64() -> Value {
    json!({ "type": "string", "contentEncoding": "base64" })
}

/// A number, or digits where numbers are no longer exact.
fn integer(low: i128, high: i128, pattern: &str) -> Value {
    union(vec![range(low, high), text("integer", pattern)])
}

/// `iolist()`
pub(super) fn lists_of_iodata(types: &mut Types<'_>) -> Vec<Value> {
    let part = union(vec![range(0, 255), types.predefined(Predefined::Iodata)]);
    vec![json!({ "type": "array", "items": part }), improper(&part)]
}

fn any_term(types: &mut Types<'_>) -> Value {
    let own = types.predefined(Predefined::Term);
    union(vec![
        types.predefined(Predefined::Atom),
        types.predefined(Predefined::Integer),
        json!({ "type": "number" }),
        types.predefined(Predefined::Bitstring),
        json!({ "type": "array", "items": own }),
        improper(&own),
        special("string", json!({ "type": "string" })),
        any_tuple(&own),
        union(vec![object(&own), pairs(&own, &own)]),
        types.predefined(Predefined::Pid),
        types.predefined(Predefined::Port),
        types.predefined(Predefined::Reference),
        types.predefined(Predefined::Fun),
    ])
}
