//! Operator precedence in types, as in erl_parse: `..`, then `+`, then `*`, then prefix operators.

use crate::ast::{Location, Operator, Type, TypeKind};
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token};

/// Whether a token is a prefix or infix operator.
pub(super) fn is_operator(kind: Kind) -> bool {
    infix(kind).is_some() || prefix(kind).is_some()
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Infix {
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

pub(super) fn infix(kind: Kind) -> Option<Infix> {
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

/// Operands and operators of one expression. They are joined by precedence as they arrive.
#[derive(Default)]
pub(super) struct Expression {
    prefixes: Vec<(Operator, Location)>,
    /// The operands on the left of the operators.
    left: Vec<Type>,
    operators: Vec<(Infix, Location)>,
    /// The operand that was read last: most expressions have no other.
    last: Option<Type>,
}

impl Expression {
    pub(super) fn push_prefix(&mut self, operator: Operator, at: Location) {
        self.prefixes.push((operator, at));
    }

    pub(super) fn push_operand(&mut self, mut operand: Type) {
        while let Some((operator, at)) = self.prefixes.pop() {
            operand = Type {
                at,
                kind: TypeKind::Prefix(operator, Box::new(operand)),
            };
        }
        self.last = Some(operand);
    }

    /// # Errors
    /// `..` does not associate.
    pub(super) fn push_infix(
        &mut self,
        operator: Infix,
        token: &Token,
    ) -> Result<(), LocalDiagnostic> {
        while let Some((last, _)) = self.operators.last() {
            if last.precedence() < operator.precedence() {
                break;
            }
            if *last == Infix::Range && operator == Infix::Range {
                return Err(super::syntax(Some(token)));
            }
            self.join_last();
        }
        self.left.extend(self.last.take());
        self.operators.push((operator, token.at));
        Ok(())
    }

    fn join_last(&mut self) {
        let Some((operator, at)) = self.operators.pop() else {
            return;
        };
        if let (Some(right), Some(left)) = (self.last.take(), self.left.pop()) {
            self.last = Some(operator.join(at, left, right));
        }
    }

    /// The whole, leaving an empty expression. `None` if it was empty.
    pub(super) fn finish(&mut self) -> Option<Type> {
        while !self.operators.is_empty() {
            self.join_last();
        }
        self.last.take()
    }
}
