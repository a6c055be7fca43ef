//! Integer expressions: `-1`, `1 bsl 32 - 1`, `$a`.

use std::cmp::Ordering;

use super::{MAX_DEPTH, Resolver};
use crate::ast::{self, Integer, Operator, TypeKind, nesting};
use crate::catalog;
use crate::integer::shifted_left;
use crate::types::Int;

impl<'a> Resolver<'a> {
    /// Returns the value of an integer expression. If the value does not fit 128 bits, it reports a
    /// diagnostic. A literal alone may have any size.
    pub(super) fn integer(&mut self, written: &'a ast::Type) -> Option<Int> {
        if let TypeKind::Integer(Integer::Big(big)) = &written.kind {
            return Some(
                big.parse()
                    .map_or_else(|_| Int::Big(big.to_string()), Int::Small),
            );
        }
        if let TypeKind::Prefix(Operator::Minus, operand) = &written.kind
            && let TypeKind::Integer(big @ Integer::Big(_)) = &operand.kind
        {
            let text = big.negated().text();
            return Some(text.parse().map_or_else(|_| Int::Big(text), Int::Small));
        }
        if nesting::is_deeper(written, MAX_DEPTH) {
            self.report(catalog::TOO_DEEP.at(written.at, ""));
            return None;
        }
        let value = value(written);
        if value.is_none() {
            self.report(catalog::NOT_AN_INTEGER.at(written.at, ""));
        }
        value.map(Int::Small)
    }
}

fn value(written: &ast::Type) -> Option<i128> {
    match &written.kind {
        TypeKind::Integer(Integer::Small(value)) => Some(i128::from(*value)),
        TypeKind::Integer(Integer::Big(big)) => big.parse().ok(),
        TypeKind::Char(code) => Some(i128::from(*code)),
        // `(Name :: 1)` and similar annotations have a value as well.
        TypeKind::Annotated(_, inner) => value(inner),
        TypeKind::Prefix(operator, operand) => {
            let operand = value(operand)?;
            match operator {
                Operator::Plus => Some(operand),
                Operator::Minus => operand.checked_neg(),
                Operator::Bnot => Some(!operand),
                _ => None,
            }
        }
        TypeKind::Infix(operator, left, right) => apply(*operator, value(left)?, value(right)?),
        _ => None,
    }
}

fn apply(operator: Operator, left: i128, right: i128) -> Option<i128> {
    match operator {
        Operator::Plus => left.checked_add(right),
        Operator::Minus => left.checked_sub(right),
        Operator::Times => left.checked_mul(right),
        Operator::Div => left.checked_div(right),
        Operator::Rem => left.checked_rem(right),
        Operator::Band => Some(left & right),
        Operator::Bor => Some(left | right),
        Operator::Bxor => Some(left ^ right),
        Operator::Bsl => shifted_left(left, right),
        Operator::Bsr => shifted_left(left, right.checked_neg()?),
        _ => None,
    }
}

/// `left < right`
pub(super) fn less(left: &Int, right: &Int) -> bool {
    let negative = |text: &str| text.starts_with('-');
    match (left, right) {
        (Int::Small(left), Int::Small(right)) => left < right,
        // An integer that does not fit 128 bits is beyond all integers that do.
        (Int::Small(_), Int::Big(right)) => !negative(right),
        (Int::Big(left), Int::Small(_)) => negative(left),
        (Int::Big(left), Int::Big(right)) => match (negative(left), negative(right)) {
            (false, false) => by_magnitude(left, right).is_lt(),
            (true, true) => by_magnitude(right, left).is_lt(),
            (left_negative, _) => left_negative,
        },
    }
}

fn by_magnitude(left: &str, right: &str) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

impl Int {
    /// Returns its decimal text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Int::Small(value) => value.to_string(),
            Int::Big(text) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_integers_of_any_size() {
        let big = |text: &str| Int::Big(text.to_owned());
        let positive = "9".repeat(50);
        let negative = format!("-{positive}");
        assert!(less(&Int::Small(1), &big(&positive)));
        assert!(less(&big(&negative), &Int::Small(-1)));
        assert!(less(&big(&negative), &big(&positive)));
        assert!(!less(&big(&positive), &big(&positive)));
        assert!(less(&Int::Small(-2), &Int::Small(-1)));
    }

    #[test]
    fn shifts() {
        assert_eq!(apply(Operator::Bsl, 1, 64), Some(1 << 64));
        assert_eq!(apply(Operator::Bsl, 1, 500), None);
        assert_eq!(apply(Operator::Bsr, -1, 500), Some(-1));
        assert_eq!(apply(Operator::Bsl, 8, -2), Some(2));
        assert_eq!(apply(Operator::Div, 1, 0), None);
    }
}
