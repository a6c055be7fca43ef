//! Functions that conditions may call. `None`: the call fails.

use std::cmp::Ordering;

use super::term::{Term, compare};

/// The node name of a compiler, which is not distributed.
const NODE: &str = "nonode@nohost";

pub(super) fn guard_function(function: &str, arguments: &[Term]) -> Option<Term> {
    type_test(function, arguments)
        .map(|result| result.map(Term::boolean))
        .unwrap_or_else(|| match arguments {
            [] => without_arguments(function),
            [Term::Integer(_) | Term::Float(_)] => number_function(function, &arguments[0]),
            [Term::Bits(_), ..] => bits_function(function, arguments),
            _ => other_function(function, arguments),
        })
}

/// Returns `None` if the function is not a type test, and `Some(None)` if it fails.
fn type_test(function: &str, arguments: &[Term]) -> Option<Option<bool>> {
    let [term, rest @ ..] = arguments else {
        return None;
    };
    let result = match (function, rest) {
        ("is_integer", []) => matches!(term, Term::Integer(_)),
        ("is_float", []) => matches!(term, Term::Float(_)),
        ("is_number", []) => term.as_real().is_some(),
        ("is_atom", []) => matches!(term, Term::Atom(_)),
        ("is_boolean", []) => term.as_boolean().is_some(),
        ("is_list", []) => matches!(term, Term::List(..)),
        ("is_tuple", []) => matches!(term, Term::Tuple(_)),
        ("is_map", []) => matches!(term, Term::Map(_)),
        ("is_binary", []) => matches!(term, Term::Bits(bits) if bits.is_binary()),
        ("is_bitstring", []) => matches!(term, Term::Bits(_)),
        ("is_pid", []) => matches!(term, Term::Pid),
        // Conditions have no such values; native records are not tuples.
        ("is_function" | "is_port" | "is_reference" | "is_record", []) => false,
        ("is_function", [Term::Integer(0..)]) => false,
        ("is_function", [_]) => return Some(None),
        ("is_integer", [Term::Integer(low), Term::Integer(high)]) => match term {
            Term::Integer(value) => (low..=high).contains(&value),
            _ => false,
        },
        ("is_integer", [_, _]) => return Some(None),
        ("is_record", [Term::Atom(_)]) => is_tagged(term, &rest[0]),
        ("is_record", [Term::Atom(_), Term::Integer(size)]) => {
            matches!(term, Term::Tuple(elements) if elements.len() as i128 == *size)
                && is_tagged(term, &rest[0])
        }
        ("is_record", _) => return Some(None),
        ("is_map_key", [Term::Map(fields)]) => fields.iter().any(|(key, _)| key == term),
        _ => return None,
    };
    Some(Some(result))
}

fn is_tagged(term: &Term, tag: &Term) -> bool {
    matches!(term, Term::Tuple(elements) if elements.first() == Some(tag))
}

fn without_arguments(function: &str) -> Option<Term> {
    match function {
        "self" => Some(Term::Pid),
        "node" => Some(Term::atom(NODE)),
        _ => None,
    }
}

fn number_function(function: &str, number: &Term) -> Option<Term> {
    if let Term::Integer(value) = number {
        return match function {
            "abs" => value.checked_abs().map(Term::Integer),
            "float" => Some(Term::Float(*value as f64)),
            "round" | "trunc" | "ceil" | "floor" => Some(number.clone()),
            _ => None,
        };
    }
    let value = number.as_real()?;
    let rounded = match function {
        "abs" => return Some(Term::Float(value.abs())),
        "float" => return Some(number.clone()),
        "round" => value.round(),
        "trunc" => value.trunc(),
        "ceil" => value.ceil(),
        "floor" => value.floor(),
        _ => return None,
    };
    // Beyond 128 bits, the integer is unknown.
    (rounded.abs() < 1e38).then_some(Term::Integer(rounded as i128))
}

fn bits_function(function: &str, arguments: &[Term]) -> Option<Term> {
    let [Term::Bits(bits), rest @ ..] = arguments else {
        return None;
    };
    let integer = |value: usize| Some(Term::Integer(value as i128));
    match (function, rest) {
        ("bit_size", []) => integer(bits.len()),
        ("byte_size", []) => integer(bits.len().div_ceil(8)),
        ("size", []) => integer(bits.len() / 8),
        ("binary_part", [Term::Integer(start), Term::Integer(length)]) => {
            bits.part(*start, *length).map(Term::Bits)
        }
        ("binary_part", [Term::Tuple(range)]) => match range.as_slice() {
            [Term::Integer(start), Term::Integer(length)] => {
                bits.part(*start, *length).map(Term::Bits)
            }
            _ => None,
        },
        _ => other_function(function, arguments),
    }
}

fn other_function(function: &str, arguments: &[Term]) -> Option<Term> {
    let integer = |value: usize| Some(Term::Integer(value as i128));
    match (function, arguments) {
        ("node", [Term::Pid]) => Some(Term::atom(NODE)),
        ("length", [Term::List(list, None)]) => integer(list.len()),
        ("tuple_size" | "size", [Term::Tuple(tuple)]) => integer(tuple.len()),
        ("map_size", [Term::Map(fields)]) => integer(fields.len()),
        ("map_get", [key, Term::Map(fields)]) => {
            let found = fields.iter().find(|(known, _)| known == key);
            found.map(|(_, value)| value.clone())
        }
        ("hd", [Term::List(list, _)]) => list.first().cloned(),
        ("tl", [Term::List(list, tail)]) => match (list.as_slice(), tail) {
            ([_], Some(tail)) => Some((**tail).clone()),
            ([_, rest @ ..], tail) => Some(Term::List(rest.to_vec(), tail.clone())),
            ([], _) => None,
        },
        ("element", [Term::Integer(index), Term::Tuple(tuple)]) => {
            let index = usize::try_from(*index).ok()?.checked_sub(1)?;
            tuple.get(index).cloned()
        }
        ("max", [left, right]) => match compare(left, right) {
            Ordering::Less => Some(right.clone()),
            _ => Some(left.clone()),
        },
        ("min", [left, right]) => match compare(left, right) {
            Ordering::Greater => Some(right.clone()),
            _ => Some(left.clone()),
        },
        _ => None,
    }
}
