//! Predefined types.

use serde_json::{Value, json};

use super::{
    any_map, any_tuple, array, float, improper, list, lists_of_iodata, range, special, string,
    union,
};
use crate::limits::ATOM_CHARACTERS;
use crate::representation::{SAFE, Special};

/// A predefined type of Erlang that has a schema of its own in a document (Erlang's reference
/// manual, "Predefined Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Predefined {
    /// `atom()`
    Atom,
    /// `integer()`
    Integer,
    /// `non_neg_integer()`
    NonNegInteger,
    /// `pos_integer()`
    PosInteger,
    /// `neg_integer()`
    NegInteger,
    /// `binary()`
    Binary,
    /// `bitstring()`
    Bitstring,
    /// `pid()`
    Pid,
    /// `port()`
    Port,
    /// `reference()`
    Reference,
    /// `fun()`
    Fun,
    /// `iodata()`
    Iodata,
    /// `term()`
    Term,
}

/// The document that schemas stand in.
pub trait Definitions {
    /// A reference to the schema of a predefined type, which the document has from then on.
    fn reference(&mut self, predefined: Predefined) -> Value;
}

impl Predefined {
    /// All of them.
    pub(super) const ALL: [Predefined; 13] = [
        Predefined::Atom,
        Predefined::Integer,
        Predefined::NonNegInteger,
        Predefined::PosInteger,
        Predefined::NegInteger,
        Predefined::Binary,
        Predefined::Bitstring,
        Predefined::Pid,
        Predefined::Port,
        Predefined::Reference,
        Predefined::Fun,
        Predefined::Iodata,
        Predefined::Term,
    ];

    /// Its name in a document.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
    pub fn schema(self, definitions: &mut impl Definitions) -> Value {
        match self {
            Predefined::Atom => json!({
                "type": ["string", "boolean", "null"],
                "maxLength": ATOM_CHARACTERS,
            }),
            Predefined::Integer => integer(-SAFE, SAFE, "^-?[1-9][0-9]*$"),
            Predefined::NonNegInteger => integer(0, SAFE, "^[1-9][0-9]*$"),
            Predefined::PosInteger => integer(1, SAFE, "^[1-9][0-9]*$"),
            Predefined::NegInteger => integer(-SAFE, -1, "^-[1-9][0-9]*$"),
            Predefined::Binary => union(vec![
                special(Special::Text, string()),
                special(Special::Base64, base64()),
            ]),
            Predefined::Bitstring => union(vec![
                definitions.reference(Predefined::Binary),
                matching(Special::Bits, "^[01]*$"),
            ]),
            Predefined::Pid => matching(Special::Pid, r"^[0-9]+\.[0-9]+\.[0-9]+\."),
            Predefined::Port => matching(Special::Port, r"^[0-9]+\.[0-9]+\."),
            Predefined::Reference => {
                matching(Special::Reference, r"^[0-9]+(,[0-9]+){0,4}\.[0-9]+\.")
            }
            Predefined::Fun => {
                let atom = definitions.reference(Predefined::Atom);
                let exported = array(vec![atom.clone(), atom, range(0, 255)]);
                special(Special::Fun, union(vec![exported, base64()]))
            }
            Predefined::Iodata => {
                let binary = definitions.reference(Predefined::Binary);
                union([vec![binary], lists_of_iodata(definitions)].concat())
            }
            Predefined::Term => any_term(definitions),
        }
    }
}

fn any_term(definitions: &mut impl Definitions) -> Value {
    let term = definitions.reference(Predefined::Term);
    union(vec![
        definitions.reference(Predefined::Atom),
        definitions.reference(Predefined::Integer),
        float(),
        definitions.reference(Predefined::Bitstring),
        list(&term),
        improper(&term),
        special(Special::String, string()),
        any_tuple(&term),
        any_map(&term, &term),
        definitions.reference(Predefined::Pid),
        definitions.reference(Predefined::Port),
        definitions.reference(Predefined::Reference),
        definitions.reference(Predefined::Fun),
    ])
}

/// A number, or digits where numbers are no longer exact.
fn integer(low: i64, high: i64, pattern: &str) -> Value {
    union(vec![range(low, high), matching(Special::Integer, pattern)])
}

/// `{"@name": "…"}` of this pattern.
fn matching(special: Special, pattern: &str) -> Value {
    super::special(special, json!({ "type": "string", "pattern": pattern }))
}

fn base64() -> Value {
    json!({ "type": "string", "contentEncoding": "base64" })
}
