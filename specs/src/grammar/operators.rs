//! Operator precedence in types, as in erl_parse: `..`, then `+`, then `*`, then prefix operators.

use super::parser::{Built, Parser};
use crate::ast::{Location, Operator, Type, TypeKind};
use crate::lexer::Kind;

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Infix {
    Range,
    Operator(Operator),
}

impl Infix {
    fn precedence(self) -> u8 {
        match self {
            Infix::Range => 0,
            Infix::Operator(
                Operator::Times
                | Operator::Slash
                | Operator::Div
                | Operator::Rem
                | Operator::Band
                | Operator::And,
            ) => 2,
            Infix::Operator(_) => 1,
        }
    }

    fn join(self, at: Location, left: Type, right: Type) -> Type {
        let (left, right) = (Box::new(left), Box::new(right));
        match self {
            Infix::Range => Type {
                at: left.at,
                kind: TypeKind::Range(left, right),
            },
            Infix::Operator(operator) => Type {
                at,
                kind: TypeKind::Infix(operator, left, right),
            },
        }
    }
}

fn infix(kind: Kind) -> Option<Infix> {
    Some(Infix::Operator(match kind {
        Kind::Range => return Some(Infix::Range),
        Kind::Plus => Operator::Plus,
        Kind::Minus => Operator::Minus,
        Kind::Times => Operator::Times,
        Kind::Slash => Operator::Slash,
        Kind::Div => Operator::Div,
        Kind::Rem => Operator::Rem,
        Kind::Band => Operator::Band,
        Kind::And => Operator::And,
        Kind::Bor => Operator::Bor,
        Kind::Bxor => Operator::Bxor,
        Kind::Bsl => Operator::Bsl,
        Kind::Bsr => Operator::Bsr,
        Kind::Or => Operator::Or,
        Kind::Xor => Operator::Xor,
        _ => return None,
    }))
}

pub(super) fn prefix(kind: Kind) -> Option<Operator> {
    Some(match kind {
        Kind::Plus => Operator::Plus,
        Kind::Minus => Operator::Minus,
        Kind::Bnot => Operator::Bnot,
        Kind::Not => Operator::Not,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Reads the operators behind an operand, from this precedence up, and their operands. Each
    /// precedence is a level of recursion, so there are at most three.
    pub(super) fn operators(&mut self, mut left: Type, lowest: u8) -> Built<Type> {
        while let Some(operator) = infix(self.token.kind) {
            let precedence = operator.precedence();
            if precedence < lowest {
                break;
            }
            let height = self.height;
            let at = self.token.at;
            self.skip()?;
            let right = self.operand()?;
            let right = self.operators(right, precedence + 1)?;
            left = operator.join(at, left, right);
            self.height = self.height.max(height);
            self.raised_by(1)?;
            if operator == Infix::Range && self.is(Kind::Range) {
                return Err(self.unexpected());
            }
        }
        Ok(left)
    }
}
