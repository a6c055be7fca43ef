//! Small readings of abstract code: locations and plain terms.

use super::etf::Term;
use crate::ast::{Constant, FieldDefault, Location};

/// The location in an annotation: a line, `{Line, Column}`, or a list that holds `{location, …}`.
pub(super) fn location(annotation: &Term) -> Location {
    let number = |term: &Term| {
        term.as_small()
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0)
    };
    match annotation {
        Term::Integer(_) => Location {
            line: number(annotation),
            column: 0,
        },
        Term::Tuple(pair) => match pair.as_slice() {
            [line, column] => Location {
                line: number(line),
                column: number(column),
            },
            _ => Location::default(),
        },
        Term::List(entries, None) => entries
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

/// A location that is not a list: lists inside lists would recurse without end.
fn flat_location(inner: &Term) -> Location {
    match inner {
        Term::List(..) => Location::default(),
        _ => location(inner),
    }
}

/// A term as it stands in an attribute.
pub(super) fn constant(term: &Term) -> Option<Constant> {
    let all = |terms: &[Term]| terms.iter().map(constant).collect::<Option<Vec<_>>>();
    Some(match term {
        Term::Atom(name) => Constant::Atom(name.clone()),
        Term::Integer(integer) => Constant::Integer(integer.clone()),
        Term::Float(float) => Constant::Float(*float),
        Term::Binary(bytes) => Constant::Binary(bytes.clone()),
        Term::Tuple(elements) => Constant::Tuple(all(elements)?),
        Term::List(elements, tail) => {
            let tail = match tail {
                Some(tail) => Some(Box::new(constant(tail)?)),
                None => None,
            };
            Constant::List(all(elements)?, tail)
        }
        Term::Map(fields) => {
            let field = |(key, value): &(Term, Term)| Some((constant(key)?, constant(value)?));
            Constant::Map(fields.iter().map(field).collect::<Option<_>>()?)
        }
        Term::Opaque => return None,
    })
}

/// The default of a record field, from its expression.
pub(super) fn default(expression: &Term) -> FieldDefault {
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

fn literal(expression: &Term) -> Option<Constant> {
    let (tag, value) = match expression.as_tuple()? {
        [tag, _] => (tag.as_atom()?, None),
        [tag, _, value] => (tag.as_atom()?, Some(value)),
        _ => return None,
    };
    Some(match (tag.as_str(), value) {
        ("nil", None) => Constant::List(Vec::new(), None),
        ("atom", Some(Term::Atom(name))) => Constant::Atom(name.clone()),
        ("integer", Some(Term::Integer(integer))) => Constant::Integer(integer.clone()),
        ("float", Some(Term::Float(float))) => Constant::Float(*float),
        ("char", Some(code)) => Constant::Char(u32::try_from(code.as_small()?).ok()?),
        ("string", Some(Term::List(codes, None))) => {
            let code = |code: &Term| u32::try_from(code.as_small()?).ok();
            Constant::String(codes.iter().map(code).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
