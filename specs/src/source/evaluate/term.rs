//! The values of conditions, and the order of Erlang's terms.

use std::cmp::Ordering;

use super::bits::{Bits, Segment, SegmentKind};
use crate::ast::Name;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Integer(i128),
    Float(f64),
    Atom(Name),
    /// The pid of `self()`.
    Pid,
    Tuple(Vec<Term>),
    /// In order of keys. No two keys are exactly equal.
    Map(Vec<(Term, Term)>),
    /// Elements, and the tail of an improper list.
    List(Vec<Term>, Option<Box<Term>>),
    Bits(Bits),
}

impl Term {
    pub(super) fn atom(name: &'static str) -> Term {
        Term::Atom(Name::new_static(name))
    }

    pub(super) fn boolean(value: bool) -> Term {
        Term::atom(if value { "true" } else { "false" })
    }

    pub(super) fn as_boolean(&self) -> Option<bool> {
        match self {
            Term::Atom(name) if name == "true" => Some(true),
            Term::Atom(name) if name == "false" => Some(false),
            _ => None,
        }
    }

    pub(super) fn as_real(&self) -> Option<f64> {
        match self {
            Term::Integer(value) => Some(*value as f64),
            Term::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// `[A, B | Tail]`; if the tail is a list, its elements are appended.
    pub(super) fn list(mut elements: Vec<Term>, tail: Option<Term>) -> Term {
        match tail {
            Some(Term::List(more, end)) => {
                elements.extend(more);
                Term::List(elements, end)
            }
            tail => Term::List(elements, tail.map(Box::new)),
        }
    }

    /// Adds a field to a map, or replaces its value.
    pub(super) fn put(fields: &mut Vec<(Term, Term)>, key: Term, value: Term) {
        match fields.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => {
                fields.push((key, value));
                fields.sort_by(|(left, _), (right, _)| key_order(left, right));
            }
        }
    }

    /// Appends the bits of a segment with this value.
    pub(super) fn append(&self, bits: &mut Bits, segment: &Segment) -> Option<()> {
        match (segment.kind, self) {
            (SegmentKind::Integer, Term::Integer(value)) => {
                let length = segment.bits(8, 1)?;
                bits.push_integer(*value, length, segment.little)
            }
            (SegmentKind::Float, value) => {
                let value = value.as_real()?;
                let (pattern, length) = match segment.bits(64, 1)? {
                    64 => (i128::from(value.to_bits()), 64),
                    32 => (i128::from((value as f32).to_bits()), 32),
                    _ => return None,
                };
                bits.push_integer(pattern, length, segment.little)
            }
            (SegmentKind::Bits { unit }, Term::Bits(inner)) => {
                let length = match segment.size {
                    None if inner.len().is_multiple_of(segment.unit.unwrap_or(unit)) => inner.len(),
                    None => return None,
                    Some(_) => segment.bits(0, unit)?,
                };
                bits.extend(inner.0.get(..length)?)
            }
            (SegmentKind::Utf { width }, Term::Integer(code)) => {
                let character = char::from_u32(u32::try_from(*code).ok()?)?;
                bits.push_character(character, width, segment.little)
            }
            _ => None,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Term::Integer(_) | Term::Float(_) => 0,
            Term::Atom(_) => 1,
            Term::Pid => 2,
            Term::Tuple(_) => 3,
            Term::Map(_) => 4,
            Term::List(elements, _) if elements.is_empty() => 5,
            Term::List(..) => 6,
            Term::Bits(_) => 7,
        }
    }
}

/// The order of `<` and similar operators, in which 1 and 1.0 are equal.
pub(super) fn compare(left: &Term, right: &Term) -> Ordering {
    compare_by(left, right, false)
}

/// The order of a map's keys: an integer comes before a float of equal value.
fn key_order(left: &Term, right: &Term) -> Ordering {
    compare_by(left, right, true)
}

fn compare_by(left: &Term, right: &Term, exact: bool) -> Ordering {
    let each = |left: &[Term], right: &[Term]| {
        let pairs = left.iter().zip(right);
        let mut orders = pairs.map(|(left, right)| compare_by(left, right, exact));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    match (left, right) {
        (Term::Integer(left), Term::Integer(right)) => left.cmp(right),
        (Term::Integer(_), Term::Float(_)) if exact => Ordering::Less,
        (Term::Float(_), Term::Integer(_)) if exact => Ordering::Greater,
        (Term::Atom(left), Term::Atom(right)) => left.cmp(right),
        (Term::Tuple(left), Term::Tuple(right)) => {
            left.len().cmp(&right.len()).then_with(|| each(left, right))
        }
        (Term::Map(left), Term::Map(right)) => left.len().cmp(&right.len()).then_with(|| {
            let keys = left.iter().zip(right);
            let mut keys = keys.map(|((left, _), (right, _))| key_order(left, right));
            let values = left.iter().zip(right);
            let mut values = values.map(|((_, left), (_, right))| compare_by(left, right, exact));
            keys.find(|order| order.is_ne())
                .or_else(|| values.find(|order| order.is_ne()))
                .unwrap_or(Ordering::Equal)
        }),
        (Term::List(left, left_tail), Term::List(right, right_tail)) => {
            let shorter = left.len().min(right.len());
            each(left, right).then_with(|| {
                let left = Term::List(left[shorter..].to_vec(), left_tail.clone());
                let right = Term::List(right[shorter..].to_vec(), right_tail.clone());
                rest_order(left, right, exact)
            })
        }
        (Term::Bits(left), Term::Bits(right)) => left.cmp(right),
        _ => match (left.as_real(), right.as_real()) {
            // -0.0 and 0.0 are equal.
            (Some(left), Some(right)) => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
            _ => left.rank().cmp(&right.rank()),
        },
    }
}

/// Compares two lists behind their common elements; at least one of them has none left.
fn rest_order(left: Term, right: Term, exact: bool) -> Ordering {
    let tail = |list: Term| match list {
        Term::List(elements, Some(tail)) if elements.is_empty() => *tail,
        list => list,
    };
    match (tail(left), tail(right)) {
        (left @ Term::List(..), right @ Term::List(..)) => left.rank().cmp(&right.rank()),
        (left, right) => compare_by(&left, &right, exact),
    }
}
