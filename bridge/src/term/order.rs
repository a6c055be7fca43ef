//! Erlang's order of terms.
//!
//! number < atom < reference < fun < port < pid < tuple < map < list < bitstring (the chapter
//! "Expressions" of the Erlang reference manual). Erlang has two orders. `==` and `<` compare an
//! integer with a float by value. The keys of maps are compared exactly: any integer is less than
//! any float. "Exactly" has the meaning of OTP 27 and later: -0.0 and 0.0 are two keys, while older
//! releases treat them as one key.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::depth::deeper;
use super::{ImproperList, Term, TermMap};
use crate::term::types::{Float, Integer};

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// As `<` compares: `1 == 1.0`, `0.0 == -0.0`.
    ByValue,
    /// As map keys compare: `1 < 0.5`.
    Exact,
}

/// Compares two keys of a map; equal means `=:=`.
pub(super) fn exact(left: &Term, right: &Term) -> Ordering {
    compare(left, right, Mode::Exact)
}

/// Compares `term` with the atom of this text.
pub(super) fn with_atom(term: &Term, text: &str) -> Ordering {
    match term {
        Term::Atom(atom) => atom.text().cmp(text),
        _ => rank(term).cmp(&ATOM_RANK),
    }
}

impl Ord for Term {
    /// Compares in Erlang's order. If `==` holds for two unequal terms, the integer comes before
    /// the float, and -0.0 before 0.0.
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self, other, Mode::ByValue).then_with(|| exact(self, other))
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        exact(self, other).is_eq()
    }
}

impl Eq for Term {}

const ATOM_RANK: u8 = 1;

fn rank(term: &Term) -> u8 {
    match term {
        Term::Integer(_) | Term::BigInteger(_) | Term::Float(_) => 0,
        Term::Atom(_) => ATOM_RANK,
        Term::Reference(_) => 2,
        Term::Fun(_) => 3,
        Term::Port(_) => 4,
        Term::Pid(_) => 5,
        Term::Tuple(_) => 6,
        Term::Map(_) => 7,
        Term::List(elements) if elements.is_empty() => 8,
        Term::List(_) | Term::ImproperList(_) => 9,
        Term::Binary(_) | Term::Bitstring(_) => 10,
    }
}

fn compare(left: &Term, right: &Term, mode: Mode) -> Ordering {
    match (left, right) {
        (Term::Atom(left), Term::Atom(right)) => left.cmp(right),
        (Term::Reference(left), Term::Reference(right)) => left.cmp(right),
        (Term::Fun(left), Term::Fun(right)) => left.cmp(right),
        (Term::Port(left), Term::Port(right)) => left.cmp(right),
        (Term::Pid(left), Term::Pid(right)) => left.cmp(right),
        (Term::Tuple(left), Term::Tuple(right)) => left
            .len()
            .cmp(&right.len())
            .then_with(|| compare_all(left, right, mode)),
        (Term::Map(left), Term::Map(right)) => compare_maps(left, right, mode),
        (Term::Binary(left), Term::Binary(right)) => left.cmp(right),
        (Term::Integer(left), Term::Integer(right)) => left.cmp(right),
        (Term::Float(left), Term::Float(right)) => match mode {
            Mode::ByValue => left.cmp_by_value(*right),
            Mode::Exact => left.cmp(right),
        },
        _ => match rank(left).cmp(&rank(right)) {
            Ordering::Equal => compare_mixed(left, right, mode),
            unequal => unequal,
        },
    }
}

/// Compares terms of the same rank that may be of different variants: numbers, lists, bitstrings.
fn compare_mixed(left: &Term, right: &Term, mode: Mode) -> Ordering {
    if let (Some(left), Some(right)) = (list_parts(left), list_parts(right)) {
        return compare_lists(left, right, mode);
    }
    if let (Some(left), Some(right)) = (bits(left), bits(right)) {
        return left.0.cmp(right.0).then(left.1.cmp(&right.1));
    }
    match (left, right) {
        (Term::Float(left), right) => compare_integer(right, *left, mode).reverse(),
        (left, Term::Float(right)) => compare_integer(left, *right, mode),
        (left, right) => big(left).cmp(&big(right)),
    }
}

fn list_parts(term: &Term) -> Option<(&[Term], Option<&Term>)> {
    match term {
        Term::List(elements) => Some((elements, None)),
        Term::ImproperList(list) => Some(improper_parts(list)),
        _ => None,
    }
}

fn improper_parts(list: &ImproperList) -> (&[Term], Option<&Term>) {
    (list.elements(), Some(list.tail()))
}

/// Returns the padded bytes and the number of bits.
fn bits(term: &Term) -> Option<(&[u8], usize)> {
    match term {
        Term::Binary(bytes) => Some((bytes, bytes.len() * 8)),
        Term::Bitstring(bits) => Some((bits.padded_bytes(), bits.bit_count())),
        _ => None,
    }
}

fn big(term: &Term) -> Integer {
    match term {
        Term::Integer(value) => Integer::from(*value),
        Term::BigInteger(value) => value.clone(),
        _ => Integer::default(),
    }
}

fn compare_integer(integer: &Term, float: Float, mode: Mode) -> Ordering {
    if mode == Mode::Exact {
        return Ordering::Less;
    }
    let whole = float.value().trunc();
    let fraction = float.value() - whole;
    let beyond = 0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal);
    big(integer)
        .as_big_int()
        .cmp(&whole_to_big(whole))
        .then(beyond)
}

/// Converts a finite float without a fraction into an integer.
fn whole_to_big(whole: f64) -> BigInt {
    let bits = whole.abs().to_bits();
    let exponent = (bits >> 52) as i64 - 1075;
    let mantissa = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = match u64::try_from(exponent) {
        _ if whole == 0.0 => BigInt::ZERO,
        Ok(shift) => mantissa << shift,
        Err(_) => mantissa >> exponent.unsigned_abs(),
    };
    if whole < 0.0 { -magnitude } else { magnitude }
}

fn compare_all(left: &[Term], right: &[Term], mode: Mode) -> Ordering {
    let mut orders = left
        .iter()
        .zip(right)
        .map(|(left, right)| compare(left, right, mode));
    let unequal = deeper(|| orders.find(|order| order.is_ne()));
    unequal.unwrap_or(Ordering::Equal)
}

type ListParts<'t> = (&'t [Term], Option<&'t Term>);

/// Lists are compared cell by cell. So if one list has no more elements, its tail is compared with
/// the rest of the other list.
fn compare_lists(left: ListParts<'_>, right: ListParts<'_>, mode: Mode) -> Ordering {
    compare_all(left.0, right.0, mode).then_with(|| {
        let rest = |(elements, tail): ListParts<'_>, common: usize| {
            (elements.len() > common, tail.map(rank).unwrap_or(8))
        };
        let common = left.0.len().min(right.0.len());
        match (rest(left, common), rest(right, common)) {
            // A tail is not a list, so it is never equal to the remaining elements, whose rank is
            // 9.
            ((true, _), (_, rank)) => 9.cmp(&rank),
            ((_, rank), (true, _)) => rank.cmp(&9),
            _ => match (left.1, right.1) {
                (Some(left), Some(right)) => compare(left, right, mode),
                (Some(left), None) => rank(left).cmp(&8),
                (None, Some(right)) => 8.cmp(&rank(right)),
                (None, None) => Ordering::Equal,
            },
        }
    })
}

/// Compares by size, then by keys, then by values in the order of the keys.
fn compare_maps(left: &TermMap, right: &TermMap, mode: Mode) -> Ordering {
    let pairs = || left.iter().zip(right.iter());
    let first = |order: Option<Ordering>| order.unwrap_or(Ordering::Equal);
    left.len().cmp(&right.len()).then_with(|| {
        let mut keys = pairs().map(|(left, right)| exact(&left.0, &right.0));
        let mut values = pairs().map(|(left, right)| compare(&left.1, &right.1, mode));
        first(deeper(|| keys.find(|order| order.is_ne())))
            .then_with(|| first(deeper(|| values.find(|order| order.is_ne()))))
    })
}
