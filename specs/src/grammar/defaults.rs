//! The defaults of record fields. Any expression is allowed; only literals are kept.

use super::constants::leaf;
use super::parser::{Built, Parser};
use crate::ast::{Constant, FieldDefault};
use crate::lexer::{Kind, Token};

impl Parser<'_> {
    /// The expression behind `=`.
    pub(super) fn default(&mut self) -> Built<FieldDefault> {
        let tokens = self.expression()?;
        let tokens = without_parentheses(&tokens);
        if let Some(literal) = default_literal(tokens) {
            return Ok(FieldDefault::Literal(literal));
        }
        Ok(match tokens {
            [minus, number @ ..] if minus.kind == Kind::Minus => {
                match default_literal(without_parentheses(number)) {
                    Some(number @ (Constant::Integer(_) | Constant::Float(_))) => {
                        FieldDefault::Negative(number)
                    }
                    _ => FieldDefault::Expression,
                }
            }
            _ => FieldDefault::Expression,
        })
    }

    /// Returns the tokens up to a `,`, `::`, `}` or `)` outside all brackets and blocks.
    fn expression(&mut self) -> Built<Vec<Token>> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut closers = Vec::new();
        loop {
            let kind = self.token.kind;
            match kind {
                Kind::Comma | Kind::DoubleColon | Kind::BraceClose | Kind::ParenClose
                    if closers.is_empty() =>
                {
                    break;
                }
                Kind::Dot => return Err(self.unexpected()),
                _ if closers.last() == Some(&kind) => drop(closers.pop()),
                _ => {
                    // fun (…) -> … end, fun Name(…) -> … end
                    if kind == Kind::ParenOpen && is_head_of_fun(&tokens) {
                        closers.push(Kind::End);
                    }
                    closers.extend(closer(kind));
                }
            }
            tokens.push(self.advance()?);
        }
        if tokens.is_empty() {
            return Err(self.unexpected());
        }
        Ok(tokens)
    }
}

/// Returns whether the parameters of a fun follow.
fn is_head_of_fun(tokens: &[Token]) -> bool {
    match tokens {
        [.., fun] if fun.kind == Kind::Fun => true,
        [.., fun, name] => (fun.kind, name.kind) == (Kind::Fun, Kind::Variable),
        _ => false,
    }
}

/// Returns the token that closes the bracket or block.
fn closer(kind: Kind) -> Option<Kind> {
    Some(match kind {
        Kind::ParenOpen => Kind::ParenClose,
        Kind::BraceOpen => Kind::BraceClose,
        Kind::BracketOpen => Kind::BracketClose,
        Kind::BinaryOpen => Kind::BinaryClose,
        Kind::Begin
        | Kind::Case
        | Kind::If
        | Kind::Receive
        | Kind::Try
        | Kind::Cond
        | Kind::Maybe => Kind::End,
        _ => return None,
    })
}

/// Returns the literal that makes up a whole default: an atom, number, character, string or `[]`.
fn default_literal(tokens: &[Token]) -> Option<Constant> {
    let is_string = |token: &Token| token.kind == Kind::String;
    match tokens {
        [open, close] if (open.kind, close.kind) == (Kind::BracketOpen, Kind::BracketClose) => {
            Some(Constant::List(Vec::new(), None))
        }
        [first, ..] if is_string(first) && tokens.iter().all(is_string) => {
            let codes = tokens.iter().flat_map(|part| part.text().chars());
            Some(Constant::String(codes.map(u32::from).collect()))
        }
        [only] => leaf(only).filter(|leaf| !matches!(leaf, Constant::Binary(_))),
        _ => None,
    }
}

/// Removes the parentheses around the whole expression, which leave no node.
fn without_parentheses(tokens: &[Token]) -> &[Token] {
    let is = |kind: Kind| move |token: &&Token| token.kind == kind;
    let opening = tokens.iter().take_while(is(Kind::ParenOpen)).count();
    let closing = tokens.iter().rev().take_while(is(Kind::ParenClose)).count();
    let inner = tokens.get(opening..tokens.len() - closing);
    // If an inner part closes some of the first parentheses, as in `(1) + (2)`, fewer are around
    // the whole expression.
    let (mut depth, mut around) = (opening, opening.min(closing));
    for token in inner.unwrap_or_default() {
        match token.kind {
            Kind::ParenOpen => depth += 1,
            Kind::ParenClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        around = around.min(depth);
    }
    tokens
        .get(around..tokens.len() - around)
        .unwrap_or_default()
}
