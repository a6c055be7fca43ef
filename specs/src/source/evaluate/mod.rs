//! Evaluates the expressions of `-if` and `-elif`, which are guard expressions.

mod bits;
mod functions;
mod operators;
mod term;

use super::macros::Macros;
use crate::ast::Integer;
use crate::lexer::{Kind, Token, Value};
use crate::release::Release;
use bits::{Bits, Segment};
use functions::guard_function;
use operators::{apply, apply_prefix, binding, is_comparison};
use term::Term;

/// Maximum nesting of operators and brackets.
const MAX_DEPTH: usize = 100;

/// Not a guard expression: an error of the directive.
struct NotAGuard;

type Evaluated<T> = Result<T, NotAGuard>;

/// Returns the value of `(Expression).`; `None` if it is not a guard expression of this release. An
/// expression that fails is false, and so is one whose value is not a boolean.
pub(super) fn evaluate(tokens: &[Token], macros: &Macros, release: Release) -> Option<bool> {
    let mut evaluator = Evaluator {
        tokens,
        position: 0,
        macros,
        release,
        depth: 0,
        failed: false,
    };
    let value = evaluator.expression(0).ok()?;
    evaluator.expect(Kind::Dot).ok()?;
    Some(!evaluator.failed && value == Term::boolean(true))
}

struct Evaluator<'t> {
    tokens: &'t [Token],
    position: usize,
    macros: &'t Macros,
    release: Release,
    depth: usize,
    /// Whether a part failed and a placeholder replaced its value. The rest is still parsed, to
    /// check its syntax.
    failed: bool,
}

impl<'t> Evaluator<'t> {
    fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.position).map(|token| token.kind)
    }

    fn next(&mut self) -> Evaluated<&'t Token> {
        let token = self.tokens.get(self.position).ok_or(NotAGuard)?;
        self.position += 1;
        Ok(token)
    }

    /// Consumes the next token if it has this kind.
    fn take(&mut self, kind: Kind) -> bool {
        let is_next = self.peek() == Some(kind);
        self.position += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, kind: Kind) -> Evaluated<()> {
        if self.take(kind) {
            Ok(())
        } else {
            Err(NotAGuard)
        }
    }

    /// Returns the value, or a placeholder for it.
    fn or_failed(&mut self, value: Option<Term>) -> Term {
        value.unwrap_or_else(|| {
            self.failed = true;
            Term::boolean(false)
        })
    }

    /// Reads an expression whose operators bind at least as tightly as `minimum`.
    fn expression(&mut self, minimum: u8) -> Evaluated<Term> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(NotAGuard);
        }
        let mut left = self.operand()?;
        let mut compared = false;
        while let Some((precedence, right_minimum)) = self.peek().and_then(binding) {
            if precedence < minimum {
                break;
            }
            let operator = self.next()?.kind;
            if is_comparison(operator) && std::mem::replace(&mut compared, true) {
                return Err(NotAGuard);
            }
            left = match operator {
                Kind::Orelse | Kind::Andalso => {
                    compared = false;
                    self.lazy(&left, operator == Kind::Orelse, right_minimum)?
                }
                _ => {
                    let right = self.expression(right_minimum)?;
                    self.or_failed(apply(operator, &left, &right))
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Reads the right side of `orelse` and `andalso`, which counts only if it is reached. It may
    /// have any value.
    fn lazy(&mut self, left: &Term, decides: bool, right_minimum: u8) -> Evaluated<Term> {
        let before = self.failed;
        let right = self.expression(right_minimum)?;
        Ok(match left.as_boolean() {
            Some(value) if value == decides => {
                self.failed = before;
                left.clone()
            }
            Some(_) => right,
            None => self.or_failed(None),
        })
    }

    fn operand(&mut self) -> Evaluated<Term> {
        if let Some(prefix @ (Kind::Minus | Kind::Plus | Kind::Not | Kind::Bnot)) = self.peek() {
            self.position += 1;
            let operand = self.expression(9)?;
            return Ok(self.or_failed(apply_prefix(prefix, &operand)));
        }
        let mut value = self.primary()?;
        while self.peek() == Some(Kind::Hash) {
            value = self.map(Some(value))?;
        }
        Ok(value)
    }

    /// Reads an expression without operators.
    fn primary(&mut self) -> Evaluated<Term> {
        let token = self.next()?;
        match (&token.value, token.kind) {
            (Value::Text(name), Kind::Atom) => match self.peek() {
                Some(Kind::ParenOpen) => self.call(name),
                Some(Kind::Colon) if name == "erlang" => self.remote_call(),
                _ => Ok(Term::Atom(name.clone())),
            },
            // A condition binds no variables.
            (_, Kind::Variable) => Ok(self.or_failed(None)),
            (Value::Text(text), Kind::String) => Ok(self.string(text)),
            (Value::Integer(Integer::Small(small)), _) => Ok(Term::Integer(i128::from(*small))),
            (Value::Integer(Integer::Big(big)), _) => {
                let big = big.parse().map(Term::Integer);
                Ok(self.or_failed(big.ok()))
            }
            (Value::Float(float), _) => Ok(Term::Float(*float)),
            (Value::Code(code), _) => Ok(Term::Integer(i128::from(*code))),
            (_, Kind::ParenOpen) => {
                let value = self.expression(0)?;
                self.expect(Kind::ParenClose)?;
                Ok(value)
            }
            (_, Kind::BraceOpen) => self.sequence(Kind::BraceClose).map(Term::Tuple),
            (_, Kind::BracketOpen) => self.list(),
            (_, Kind::BinaryOpen) => self.binary(),
            (_, Kind::Hash) => {
                self.position -= 1;
                self.map(None)
            }
            _ => Err(NotAGuard),
        }
    }

    /// Reads adjacent strings.
    fn string(&mut self, first: &str) -> Term {
        let mut text = first.to_owned();
        while self.peek() == Some(Kind::String) {
            text.push_str(self.tokens[self.position].text());
            self.position += 1;
        }
        let codes = text.chars().map(|code| Term::Integer(code as i128));
        Term::List(codes.collect(), None)
    }

    /// Reads expressions up to the closing bracket.
    fn sequence(&mut self, close: Kind) -> Evaluated<Vec<Term>> {
        let mut terms = Vec::new();
        if self.take(close) {
            return Ok(terms);
        }
        loop {
            terms.push(self.expression(0)?);
            if !self.take(Kind::Comma) {
                self.expect(close)?;
                return Ok(terms);
            }
        }
    }

    /// Reads a list, behind the opening bracket.
    fn list(&mut self) -> Evaluated<Term> {
        let (mut elements, mut tail) = (Vec::new(), None);
        if self.take(Kind::BracketClose) {
            return Ok(Term::List(elements, None));
        }
        loop {
            elements.push(self.expression(0)?);
            if self.take(Kind::Comma) {
                continue;
            }
            if self.take(Kind::Bar) {
                tail = Some(self.expression(0)?);
            }
            self.expect(Kind::BracketClose)?;
            return Ok(Term::list(elements, tail));
        }
    }

    /// `#{K => V, K := V}`, alone or behind a map. `:=` fails unless the key exists.
    fn map(&mut self, before: Option<Term>) -> Evaluated<Term> {
        self.expect(Kind::Hash)?;
        self.expect(Kind::BraceOpen)?;
        let mut fields = match before {
            None => Vec::new(),
            Some(Term::Map(fields)) => fields,
            Some(_) => {
                self.failed = true;
                Vec::new()
            }
        };
        if self.take(Kind::BraceClose) {
            return Ok(Term::Map(fields));
        }
        loop {
            let key = self.expression(0)?;
            let exact = match self.next()?.kind {
                Kind::MapAssoc => false,
                Kind::MapExact => true,
                _ => return Err(NotAGuard),
            };
            let value = self.expression(0)?;
            self.failed |= exact && fields.iter().all(|(known, _)| *known != key);
            Term::put(&mut fields, key, value);
            if !self.take(Kind::Comma) {
                self.expect(Kind::BraceClose)?;
                return Ok(Term::Map(fields));
            }
        }
    }

    /// Reads a binary, behind `<<`.
    fn binary(&mut self) -> Evaluated<Term> {
        let mut bits = Bits::default();
        if self.take(Kind::BinaryClose) {
            return Ok(Term::Bits(bits));
        }
        loop {
            let is_string = self.is_string();
            let value = match self.peek() {
                Some(Kind::Minus | Kind::Plus | Kind::Not | Kind::Bnot) => self.operand()?,
                _ => self.primary()?,
            };
            let segment = self.segment()?;
            let pushed = segment.and_then(|segment| match &value {
                // A string is a segment for each of its characters.
                Term::List(codes, None) if is_string => codes
                    .iter()
                    .try_for_each(|code| code.append(&mut bits, &segment)),
                value => value.append(&mut bits, &segment),
            });
            self.failed |= pushed.is_none();
            if !self.take(Kind::Comma) {
                self.expect(Kind::BinaryClose)?;
                return Ok(Term::Bits(bits));
            }
        }
    }

    /// Returns whether strings are next, possibly in parentheses.
    fn is_string(&self) -> bool {
        let kinds = || {
            self.tokens
                .iter()
                .skip(self.position)
                .map(|token| token.kind)
        };
        let open = kinds().take_while(|kind| *kind == Kind::ParenOpen).count();
        let behind = || kinds().skip(open);
        let strings = behind().take_while(|kind| *kind == Kind::String).count();
        let closed = behind().skip(strings);
        strings > 0 && closed.take_while(|kind| *kind == Kind::ParenClose).count() >= open
    }

    /// Reads `:Size/type-type`; `None` if it fails.
    fn segment(&mut self) -> Evaluated<Option<Segment>> {
        let mut valid = true;
        let size = if self.take(Kind::Colon) {
            match self.primary()? {
                Term::Integer(size) => {
                    let size = usize::try_from(size);
                    valid &= size.is_ok();
                    size.ok()
                }
                _ => {
                    valid = false;
                    None
                }
            }
        } else {
            None
        };
        let mut segment = Segment::new(size);
        if self.take(Kind::Slash) {
            loop {
                let word = self.next()?;
                if word.kind != Kind::Atom {
                    return Err(NotAGuard);
                }
                valid &= if self.take(Kind::Colon) {
                    match &self.next()?.value {
                        Value::Integer(Integer::Small(unit)) if word.text() == "unit" => {
                            let unit = usize::try_from(*unit).ok();
                            unit.and_then(|unit| segment.set_unit(unit)).is_some()
                        }
                        _ => return Err(NotAGuard),
                    }
                } else {
                    segment.specify(word.text()).is_some()
                };
                if !self.take(Kind::Minus) {
                    break;
                }
            }
        }
        Ok(valid.then_some(segment))
    }

    /// Reads `defined(Name)` or a function call, from the parenthesis.
    fn call(&mut self, function: &str) -> Evaluated<Term> {
        if function == "defined"
            && let Some([_, name, close, ..]) = self.tokens.get(self.position..)
            && matches!(name.kind, Kind::Atom | Kind::Variable)
            && close.kind == Kind::ParenClose
        {
            self.position += 3;
            return Ok(Term::boolean(self.macros.is_known(name.text())));
        }
        self.expect(Kind::ParenOpen)?;
        let arguments = self.sequence(Kind::ParenClose)?;
        let arity = arguments.len();
        let allowed = match self.release.is_guard_function(function, arity) {
            true => Some(guard_function(function, &arguments)),
            false if (function, arity) == ("defined", 1) => None,
            false => self
                .release
                .allows_in_condition(function, arity)
                .then_some(None),
        };
        Ok(self.or_failed(allowed.ok_or(NotAGuard)?))
    }

    /// Reads `erlang:function(…)` or `erlang:'+'(…)`, from the colon.
    fn remote_call(&mut self) -> Evaluated<Term> {
        self.expect(Kind::Colon)?;
        let function = self.next()?;
        self.expect(Kind::ParenOpen)?;
        let arguments = self.sequence(Kind::ParenClose)?;
        let function = function.text();
        if self.release.is_guard_function(function, arguments.len()) {
            return Ok(self.or_failed(guard_function(function, &arguments)));
        }
        let operator = Kind::ALL.iter().find(|(_, text)| *text == function);
        let (operator, _) = operator.ok_or(NotAGuard)?;
        let value = match arguments.as_slice() {
            [operand] if matches!(operator, Kind::Minus | Kind::Plus | Kind::Not | Kind::Bnot) => {
                apply_prefix(*operator, operand)
            }
            [left, right]
                if binding(*operator).is_some()
                    && !matches!(operator, Kind::Andalso | Kind::Orelse) =>
            {
                apply(*operator, left, right)
            }
            _ => return Err(NotAGuard),
        };
        Ok(self.or_failed(value))
    }
}
