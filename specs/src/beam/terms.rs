//! Reads small parts of abstract code: locations and plain terms.

use super::etf::EtfTerm;
use crate::ast::{Constant, FieldDefault, Location};

/// Reads the location in an annotation: a line, `{Line, Column}`, or a list with `{location, …}`.
pub(super) fn location(annotation: &EtfTerm) -> Location {
    let number = |term: &EtfTerm| {
        term.as_small()
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0)
    };
    match annotation {
        EtfTerm::Integer(_) => Location {
            line: number(annotation),
            column: 0,
        },
        EtfTerm::Tuple(pair) => match pair.as_slice() {
            [line, column] => Location {
                line: number(line),
                column: number(column),
            },
            _ => Location::default(),
        },
        EtfTerm::List(entries, None) => entries
            .iter()
            .find_map(|entry| match entry.as_tuple() {
                Some([key, location]) if key.is_atom("location") => Some(location),
                _ => None,
            })
            .map(flat_location)
            .unwrap_or_default(),
        _ => Location::default(),
    }
}

/// Reads a location that is not a list: lists inside lists would recurse without a limit.
fn flat_location(inner: &EtfTerm) -> Location {
    match inner {
        EtfTerm::List(..) => Location::default(),
        _ => location(inner),
    }
}

/// Reads a term as it is written in an attribute.
pub(super) fn constant(term: &EtfTerm) -> Option<Constant> {
    let all = |terms: &[EtfTerm]| terms.iter().map(constant).collect::<Option<Vec<_>>>();
    Some(match term {
        EtfTerm::Atom(name) => Constant::Atom(name.clone()),
        EtfTerm::Integer(integer) => Constant::Integer(integer.clone()),
        EtfTerm::Float(float) => Constant::Float(*float),
        EtfTerm::Binary(bytes) => Constant::Binary(bytes.clone()),
        EtfTerm::Tuple(elements) => Constant::Tuple(all(elements)?),
        EtfTerm::List(elements, tail) => {
            let tail = match tail {
                Some(tail) => Some(Box::new(constant(tail)?)),
                None => None,
            };
            Constant::List(all(elements)?, tail)
        }
        EtfTerm::Map(fields) => {
            let field =
                |(key, value): &(EtfTerm, EtfTerm)| Some((constant(key)?, constant(value)?));
            Constant::Map(fields.iter().map(field).collect::<Option<_>>()?)
        }
        EtfTerm::Opaque => return None,
    })
}

/// Reads the default of a record field from its expression.
pub(super) fn default(expression: &EtfTerm) -> FieldDefault {
    match literal(expression) {
        Some(literal) => FieldDefault::Literal(literal),
        None => match expression.as_tuple() {
            Some([op, _, minus, operand]) if op.is_atom("op") && minus.is_atom("-") => {
                match literal(operand) {
                    Some(number @ (Constant::Integer(_) | Constant::Float(_))) => {
                        FieldDefault::Negative(number)
                    }
                    _ => FieldDefault::Expression,
                }
            }
            _ => FieldDefault::Expression,
        },
    }
}

fn literal(expression: &EtfTerm) -> Option<Constant> {
    let (tag, value) = match expression.as_tuple()? {
        [tag, _] => (tag.as_atom()?, None),
        [tag, _, value] => (tag.as_atom()?, Some(value)),
        _ => return None,
    };
    Some(match (tag.as_str(), value) {
        ("nil", None) => Constant::List(Vec::new(), None),
        ("atom", Some(EtfTerm::Atom(name))) => Constant::Atom(name.clone()),
        ("integer", Some(EtfTerm::Integer(integer))) => Constant::Integer(integer.clone()),
        ("float", Some(EtfTerm::Float(float))) => Constant::Float(*float),
        ("char", Some(code)) => Constant::Char(u32::try_from(code.as_small()?).ok()?),
        ("string", Some(EtfTerm::List(codes, None))) => {
            let code = |code: &EtfTerm| u32::try_from(code.as_small()?).ok();
            Constant::String(codes.iter().map(code).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
