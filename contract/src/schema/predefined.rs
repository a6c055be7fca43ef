//! Predefined types.

use serde_json::{Value, json};

use super::decimals::decimals;
use super::{
    Names, any_map, any_tuple, array, float, improper, list, lists_of_iodata, range, special,
    string, union,
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

/// The document that contains the schemas.
pub trait Definitions {
    /// Returns a reference to the schema of a predefined type, and adds that schema to the
    /// document.
    fn reference(&mut self, predefined: Predefined) -> Value;
}

impl Predefined {
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
                "not": { "enum": ["true", "false", "undefined"] },
            }),
            Predefined::Integer => integer(i128::MIN, i128::MAX),
            Predefined::NonNegInteger => integer(0, i128::MAX),
            Predefined::PosInteger => integer(1, i128::MAX),
            Predefined::NegInteger => integer(i128::MIN, -1),
            Predefined::Binary => union(vec![
                special(Special::Text, string()),
                special(Special::Base64, base64()),
            ]),
            Predefined::Bitstring => union(vec![
                definitions.reference(Predefined::Binary),
                matching(Special::Bits, "^([01]{8})*[01]{1,7}$"),
            ]),
            Predefined::Pid => matching(Special::Pid, &identifier("", 3)),
            Predefined::Port => {
                let id = decimals(0, Some(u64::MAX.into()));
                matching(Special::Port, &identifier(&format!("{id}\\."), 1))
            }
            Predefined::Reference => {
                let word = decimals(0, Some(u32::MAX.into()));
                let words = format!("{word}(,{word}){{0,4}}\\.");
                matching(Special::Reference, &identifier(&words, 1))
            }
            Predefined::Fun => fun(definitions, range(0, 255)),
            Predefined::Iodata => {
                let binary = definitions.reference(Predefined::Binary);
                union([vec![binary], lists_of_iodata(definitions)].concat())
            }
            Predefined::Term => any_term(definitions),
        }
    }
}

/// A fun of any of these arities.
pub fn fun(definitions: &mut impl Definitions, arity: Value) -> Value {
    let atom = definitions.reference(Predefined::Atom);
    let exported = array(vec![atom.clone(), atom, arity]);
    special(Special::Fun, union(vec![exported, base64()]))
}

fn any_term(definitions: &mut impl Definitions) -> Value {
    let term = definitions.reference(Predefined::Term);
    union(vec![
        definitions.reference(Predefined::Atom),
        definitions.reference(Predefined::Integer),
        float(),
        definitions.reference(Predefined::Bitstring),
        list(&term),
        improper(&term, &term),
        special(Special::String, string()),
        any_tuple(&term),
        any_map(&Names::Any, true, &term, &term),
        definitions.reference(Predefined::Pid),
        definitions.reference(Predefined::Port),
        definitions.reference(Predefined::Reference),
        definitions.reference(Predefined::Fun),
    ])
}

/// A number if it can be written as one, or digits where numbers are no longer exact.
pub(super) fn integer(low: i128, high: i128) -> Value {
    let (least, most) = (i128::from(i64::MIN), i128::from(u64::MAX));
    let mut members = Vec::new();
    if low <= most && high >= least {
        members.push(json!({
            "type": "integer",
            "minimum": i64::try_from(low).map_or(Value::from(i64::MIN), Value::from),
            "maximum": u64::try_from(high).map_or(Value::from(u64::MAX), Value::from),
        }));
        if high < 0 {
            members[0]["maximum"] = Value::from(high.max(least) as i64);
        }
        if low > i128::from(i64::MAX) {
            members[0]["minimum"] = Value::from(low as u64);
        }
    }
    let beyond = i128::from(SAFE) + 1;
    let mut patterns = Vec::new();
    if high >= beyond {
        let end = (high < i128::MAX).then_some(high.unsigned_abs());
        patterns.push(decimals(low.max(beyond).unsigned_abs(), end));
    }
    if low <= -beyond {
        let end = (low > i128::MIN).then_some(low.unsigned_abs());
        let digits = decimals(high.min(-beyond).unsigned_abs(), end);
        patterns.push(format!("-{digits}"));
    }
    if !patterns.is_empty() {
        let pattern = format!("^({})$", patterns.join("|"));
        members.push(matching(Special::Integer, &pattern));
    }
    union(members)
}

/// The pattern of these parts: this many numbers of 32 bits, and a node.
fn identifier(parts: &str, numbers: usize) -> String {
    let number = format!("{}\\.", decimals(0, Some(u32::MAX.into())));
    let numbers = number.repeat(numbers);
    format!("^{parts}{numbers}[\\s\\S]{{0,{ATOM_CHARACTERS}}}$")
}

/// `{"@name": "…"}` of this pattern.
fn matching(special: Special, pattern: &str) -> Value {
    super::special(special, json!({ "type": "string", "pattern": pattern }))
}

fn base64() -> Value {
    let end = "([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?";
    json!({
        "type": "string",
        "contentEncoding": "base64",
        "pattern": format!("^([A-Za-z0-9+/]{{4}})*{end}$"),
    })
}
