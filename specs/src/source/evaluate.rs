//! The guard expressions of `-if` and `-elif`.

use std::cmp::Ordering;

use super::macros::Macros;
use crate::ast::{Integer, Name};
use crate::release::Release;
use crate::token::{Kind, Token, Value};

/// Operators and brackets inside each other.
const MAX_DEPTH: usize = 100;

/// A value that a condition may compute with.
#[derive(Debug, Clone, PartialEq)]
enum Term {
    Integer(i128),
    Float(f64),
    Atom(Name),
    Tuple(Vec<Term>),
    List(Vec<Term>),
}

/// What went wrong.
enum Failure {
    /// Not a guard expression: an error of the directive.
    Syntax,
    /// Fails when evaluated, which makes the condition false.
    Evaluation,
}

type Evaluated<T> = Result<T, Failure>;

/// The value of `(Expression).`; `None` if it is not a guard expression of that release. An expression
/// that fails is false, and so is one that gives no boolean.
pub(super) fn evaluate(tokens: &[Token], macros: &Macros, release: Release) -> Option<bool> {
    let mut evaluator = Evaluator {
        tokens,
        position: 0,
        macros,
        release,
        depth: 0,
        failed: false,
    };
    let value = match evaluator.expression(0) {
        Err(Failure::Syntax) => return None,
        Err(Failure::Evaluation) => return Some(false),
        Ok(value) => value,
    };
    evaluator.expect(Kind::Dot).ok()?;
    Some(!evaluator.failed && value == boolean(true))
}

fn boolean(value: bool) -> Term {
    Term::Atom(Name::new_static(if value { "true" } else { "false" }))
}

struct Evaluator<'t> {
    tokens: &'t [Token],
    position: usize,
    macros: &'t Macros,
    release: Release,
    depth: usize,
    /// A part failed whose value stands in for it; the rest is still read for its syntax.
    failed: bool,
}

impl<'t> Evaluator<'t> {
    fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.position).map(|token| token.kind)
    }

    fn next(&mut self) -> Evaluated<&'t Token> {
        let token = self.tokens.get(self.position).ok_or(Failure::Syntax)?;
        self.position += 1;
        Ok(token)
    }

    fn expect(&mut self, kind: Kind) -> Evaluated<()> {
        if self.next()?.kind == kind {
            Ok(())
        } else {
            Err(Failure::Syntax)
        }
    }

    /// An expression whose operators bind at least as tightly as `minimum`.
    fn expression(&mut self, minimum: u8) -> Evaluated<Term> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Failure::Syntax);
        }
        let mut left = self.operand()?;
        while let Some((precedence, right_minimum)) = self.peek().and_then(binding) {
            if precedence < minimum {
                break;
            }
            let operator = self.next()?.kind;
            let outer = self.failed;
            let right = self.expression(right_minimum)?;
            left = match (operator, &left) {
                // The right side of these counts only when it is reached.
                (Kind::Orelse, left) if *left == boolean(true) && !outer => {
                    self.failed = outer;
                    boolean(true)
                }
                (Kind::Andalso, left) if *left == boolean(false) && !outer => {
                    self.failed = outer;
                    boolean(false)
                }
                (Kind::Orelse | Kind::Andalso, _) => right,
                _ => self.or_failed(apply(operator, &left, &right)),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn or_failed(&mut self, value: Option<Term>) -> Term {
        value.unwrap_or_else(|| {
            self.failed = true;
            boolean(false)
        })
    }

    fn operand(&mut self) -> Evaluated<Term> {
        let token = self.next()?;
        match (&token.value, token.kind) {
            (Value::Text(name), Kind::Atom) if self.peek() == Some(Kind::ParenOpen) => {
                self.call(name)
            }
            (Value::Text(name), Kind::Atom) => Ok(Term::Atom(name.clone())),
            (Value::Text(text), Kind::String) => Ok(Term::List(
                text.chars()
                    .map(|code| Term::Integer(code as i128))
                    .collect(),
            )),
            (Value::Integer(Integer::Small(small)), _) => Ok(Term::Integer(i128::from(*small))),
            (Value::Integer(Integer::Big(big)), _) => big
                .parse()
                .map(Term::Integer)
                .map_err(|_| Failure::Evaluation),
            (Value::Float(float), _) => Ok(Term::Float(*float)),
            (Value::Code(code), _) => Ok(Term::Integer(i128::from(*code))),
            (_, Kind::ParenOpen) => {
                let value = self.expression(0)?;
                self.expect(Kind::ParenClose)?;
                Ok(value)
            }
            (_, Kind::BraceOpen) => self.sequence(Kind::BraceClose).map(Term::Tuple),
            (_, Kind::BracketOpen) => self.sequence(Kind::BracketClose).map(Term::List),
            (_, kind @ (Kind::Minus | Kind::Plus | Kind::Not | Kind::Bnot)) => {
                let operand = self.expression(9)?;
                Ok(self.or_failed(apply_prefix(kind, &operand)))
            }
            _ => Err(Failure::Syntax),
        }
    }

    /// Expressions up to the closing bracket.
    fn sequence(&mut self, close: Kind) -> Evaluated<Vec<Term>> {
        let mut terms = Vec::new();
        if self.peek() == Some(close) {
            self.position += 1;
            return Ok(terms);
        }
        loop {
            terms.push(self.expression(0)?);
            match self.next()?.kind {
                Kind::Comma => {}
                kind if kind == close => return Ok(terms),
                _ => return Err(Failure::Syntax),
            }
        }
    }

    /// `defined(Name)` or a function that guards may call.
    fn call(&mut self, function: &str) -> Evaluated<Term> {
        self.expect(Kind::ParenOpen)?;
        if function == "defined" {
            let name = self.next()?;
            if !matches!(name.kind, Kind::Atom | Kind::Variable) {
                return Err(Failure::Syntax);
            }
            self.expect(Kind::ParenClose)?;
            return Ok(boolean(self.macros.is_known(name.text())));
        }
        let arguments = self.sequence(Kind::ParenClose)?;
        let known = self.release.is_guard_function(function, arguments.len());
        if !known && self.release.has_strict_conditions() {
            return Err(Failure::Syntax);
        }
        Ok(self.or_failed(guard_function(function, &arguments)))
    }
}

/// Precedence of an infix operator, and the least that its right side may have.
fn binding(kind: Kind) -> Option<(u8, u8)> {
    Some(match kind {
        Kind::Orelse => (1, 1),
        Kind::Andalso => (2, 2),
        Kind::Equal
        | Kind::NotEqual
        | Kind::LessEqual
        | Kind::Less
        | Kind::GreaterEqual
        | Kind::Greater
        | Kind::ExactlyEqual
        | Kind::ExactlyNotEqual => (3, 4),
        Kind::Plus | Kind::Minus | Kind::Bor | Kind::Bxor | Kind::Bsl | Kind::Bsr => (5, 6),
        Kind::Or | Kind::Xor => (5, 6),
        Kind::Times | Kind::Slash | Kind::Div | Kind::Rem | Kind::Band | Kind::And => (7, 8),
        _ => return None,
    })
}

fn apply_prefix(operator: Kind, operand: &Term) -> Option<Term> {
    Some(match (operator, operand) {
        (Kind::Minus, Term::Integer(value)) => Term::Integer(value.checked_neg()?),
        (Kind::Minus, Term::Float(value)) => Term::Float(-value),
        (Kind::Plus, number @ (Term::Integer(_) | Term::Float(_))) => number.clone(),
        (Kind::Bnot, Term::Integer(value)) => Term::Integer(!value),
        (Kind::Not, value) if *value == boolean(true) => boolean(false),
        (Kind::Not, value) if *value == boolean(false) => boolean(true),
        _ => return None,
    })
}

fn apply(operator: Kind, left: &Term, right: &Term) -> Option<Term> {
    let order = || compare(left, right);
    Some(match operator {
        Kind::Equal => boolean(order() == Ordering::Equal),
        Kind::NotEqual => boolean(order() != Ordering::Equal),
        Kind::Less => boolean(order() == Ordering::Less),
        Kind::LessEqual => boolean(order() != Ordering::Greater),
        Kind::Greater => boolean(order() == Ordering::Greater),
        Kind::GreaterEqual => boolean(order() != Ordering::Less),
        Kind::ExactlyEqual => boolean(left == right),
        Kind::ExactlyNotEqual => boolean(left != right),
        Kind::And | Kind::Or | Kind::Xor => return logical(operator, left, right),
        _ => return arithmetic(operator, left, right),
    })
}

fn logical(operator: Kind, left: &Term, right: &Term) -> Option<Term> {
    let truth = |term: &Term| {
        (*term == boolean(true))
            .then_some(true)
            .or((*term == boolean(false)).then_some(false))
    };
    let (left, right) = (truth(left)?, truth(right)?);
    Some(boolean(match operator {
        Kind::And => left && right,
        Kind::Or => left || right,
        _ => left != right,
    }))
}

fn arithmetic(operator: Kind, left: &Term, right: &Term) -> Option<Term> {
    let (Term::Integer(left), Term::Integer(right)) = (left, right) else {
        return real_arithmetic(operator, real(left)?, real(right)?).map(Term::Float);
    };
    let shift = || u32::try_from(*right).ok().filter(|bits| *bits < 100);
    Some(Term::Integer(match operator {
        Kind::Plus => left.checked_add(*right)?,
        Kind::Minus => left.checked_sub(*right)?,
        Kind::Times => left.checked_mul(*right)?,
        Kind::Div => left.checked_div(*right)?,
        Kind::Rem => left.checked_rem(*right)?,
        Kind::Band => left & right,
        Kind::Bor => left | right,
        Kind::Bxor => left ^ right,
        Kind::Bsl => left.checked_mul(1i128.checked_shl(shift()?)?)?,
        Kind::Bsr => left >> shift()?,
        _ => return real_arithmetic(operator, *left as f64, *right as f64).map(Term::Float),
    }))
}

fn real(term: &Term) -> Option<f64> {
    match term {
        Term::Integer(value) => Some(*value as f64),
        Term::Float(value) => Some(*value),
        _ => None,
    }
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

/// The order of Erlang terms: number, atom, tuple (by size first), list.
fn compare(left: &Term, right: &Term) -> Ordering {
    let rank = |term: &Term| match term {
        Term::Integer(_) | Term::Float(_) => 0,
        Term::Atom(_) => 1,
        Term::Tuple(_) => 2,
        Term::List(_) => 3,
    };
    let elements = |left: &[Term], right: &[Term]| {
        let differing = left
            .iter()
            .zip(right)
            .map(|(left, right)| compare(left, right));
        differing.into_iter().find(|order| order.is_ne())
    };
    match (left, right) {
        (Term::Integer(left), Term::Integer(right)) => left.cmp(right),
        (Term::Atom(left), Term::Atom(right)) => left.cmp(right),
        (Term::Tuple(left), Term::Tuple(right)) => left
            .len()
            .cmp(&right.len())
            .then_with(|| elements(left, right).unwrap_or(Ordering::Equal)),
        (Term::List(left), Term::List(right)) => {
            elements(left, right).unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        _ => match (real(left), real(right)) {
            (Some(left), Some(right)) => left.total_cmp(&right),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

fn guard_function(function: &str, arguments: &[Term]) -> Option<Term> {
    let is = |value: bool| Some(boolean(value));
    match (function, arguments) {
        ("is_integer", [term]) => is(matches!(term, Term::Integer(_))),
        ("is_float", [term]) => is(matches!(term, Term::Float(_))),
        ("is_number", [term]) => is(real(term).is_some()),
        ("is_atom", [term]) => is(matches!(term, Term::Atom(_))),
        ("is_boolean", [term]) => is(*term == boolean(true) || *term == boolean(false)),
        ("is_list", [term]) => is(matches!(term, Term::List(_))),
        ("is_tuple", [term]) => is(matches!(term, Term::Tuple(_))),
        ("is_binary" | "is_bitstring" | "is_map" | "is_function", [_]) => is(false),
        ("is_pid" | "is_port" | "is_reference", [_]) => is(false),
        ("abs", [Term::Integer(value)]) => value.checked_abs().map(Term::Integer),
        ("length", [Term::List(list)]) => Some(Term::Integer(list.len() as i128)),
        ("tuple_size" | "size", [Term::Tuple(tuple)]) => Some(Term::Integer(tuple.len() as i128)),
        ("hd", [Term::List(list)]) => list.first().cloned(),
        ("tl", [Term::List(list)]) => list.get(1..).map(|tail| Term::List(tail.to_vec())),
        ("element", [Term::Integer(index), Term::Tuple(tuple)]) => {
            let index = usize::try_from(*index).ok()?.checked_sub(1)?;
            tuple.get(index).cloned()
        }
        _ => None,
    }
}
