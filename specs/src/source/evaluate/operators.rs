//! Operators of conditions. `None` means that the operation fails, for example because of a wrong
//! type.

use std::cmp::Ordering;

use super::term::{Term, compare};
use crate::integer::shifted_left;
use crate::lexer::Kind;

/// Returns the precedence of an infix operator, and the least precedence of its right side.
pub(super) fn binding(kind: Kind) -> Option<(u8, u8)> {
    Some(match kind {
        Kind::Orelse => (1, 1),
        Kind::Andalso => (2, 2),
        kind if is_comparison(kind) => (3, 4),
        Kind::Plus | Kind::Minus | Kind::Bor | Kind::Bxor | Kind::Bsl | Kind::Bsr => (5, 6),
        Kind::Or | Kind::Xor => (5, 6),
        Kind::Times | Kind::Slash | Kind::Div | Kind::Rem | Kind::Band | Kind::And => (7, 8),
        _ => return None,
    })
}

/// Returns whether it is a comparison. Comparisons do not associate.
pub(super) fn is_comparison(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Equal
            | Kind::NotEqual
            | Kind::LessEqual
            | Kind::Less
            | Kind::GreaterEqual
            | Kind::Greater
            | Kind::ExactlyEqual
            | Kind::ExactlyNotEqual
    )
}

pub(super) fn apply_prefix(operator: Kind, operand: &Term) -> Option<Term> {
    Some(match (operator, operand) {
        (Kind::Minus, Term::Integer(value)) => Term::Integer(value.checked_neg()?),
        (Kind::Minus, Term::Float(value)) => Term::Float(-value),
        (Kind::Plus, number @ (Term::Integer(_) | Term::Float(_))) => number.clone(),
        (Kind::Bnot, Term::Integer(value)) => Term::Integer(!value),
        (Kind::Not, value) => Term::boolean(!value.as_boolean()?),
        _ => return None,
    })
}

pub(super) fn apply(operator: Kind, left: &Term, right: &Term) -> Option<Term> {
    let order = || compare(left, right);
    Some(Term::boolean(match operator {
        Kind::Equal => order() == Ordering::Equal,
        Kind::NotEqual => order() != Ordering::Equal,
        Kind::Less => order() == Ordering::Less,
        Kind::LessEqual => order() != Ordering::Greater,
        Kind::Greater => order() == Ordering::Greater,
        Kind::GreaterEqual => order() != Ordering::Less,
        Kind::ExactlyEqual => left == right,
        Kind::ExactlyNotEqual => left != right,
        Kind::And => left.as_boolean()? & right.as_boolean()?,
        Kind::Or => left.as_boolean()? | right.as_boolean()?,
        Kind::Xor => left.as_boolean()? ^ right.as_boolean()?,
        _ => return arithmetic(operator, left, right),
    }))
}

fn arithmetic(operator: Kind, left: &Term, right: &Term) -> Option<Term> {
    let (Term::Integer(left), Term::Integer(right)) = (left, right) else {
        return real_arithmetic(operator, left.as_real()?, right.as_real()?).map(Term::Float);
    };
    let (left, right) = (*left, *right);
    Some(Term::Integer(match operator {
        Kind::Plus => left.checked_add(right)?,
        Kind::Minus => left.checked_sub(right)?,
        Kind::Times => left.checked_mul(right)?,
        Kind::Div => left.checked_div(right)?,
        Kind::Rem => left.checked_rem(right)?,
        Kind::Band => left & right,
        Kind::Bor => left | right,
        Kind::Bxor => left ^ right,
        Kind::Bsl => shifted_left(left, right)?,
        Kind::Bsr => shifted_left(left, right.checked_neg()?)?,
        _ => return real_arithmetic(operator, left as f64, right as f64).map(Term::Float),
    }))
}

fn real_arithmetic(operator: Kind, left: f64, right: f64) -> Option<f64> {
    let value = match operator {
        Kind::Plus => left + right,
        Kind::Minus => left - right,
        Kind::Times => left * right,
        Kind::Slash => left / right,
        _ => return None,
    };
    value.is_finite().then_some(value)
}
