//! The arguments of a macro call, from tokens in reverse order.

use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token};

/// Returns the number of arguments that follow, and the number of their tokens; `None` without
/// parentheses.
pub(super) fn argument_count(
    pending: &[Token],
    name: &Token,
) -> Result<Option<(usize, usize)>, LocalDiagnostic> {
    let wrong = || catalog::MACRO_ARGUMENTS.at(name.at, name.text());
    let tokens = Reversed(pending);
    if tokens.kind(0) != Some(Kind::ParenOpen) {
        return Ok(None);
    }
    if tokens.kind(1) == Some(Kind::ParenClose) {
        return Ok(Some((0, 2)));
    }
    let (mut count, mut position) = (0, 1);
    loop {
        let end = tokens.argument_end(position);
        if end == position {
            return Err(wrong());
        }
        count += 1;
        match tokens.kind(end) {
            Some(Kind::ParenClose) => return Ok(Some((count, end + 1))),
            Some(Kind::Comma) => position = end + 1,
            _ => return Err(wrong()),
        }
    }
}

/// Removes the arguments, with their parentheses, from the tokens.
pub(super) fn take_arguments(
    pending: &mut Vec<Token>,
    name: &Token,
) -> Result<Vec<Vec<Token>>, LocalDiagnostic> {
    let wrong = || catalog::MACRO_ARGUMENTS.at(name.at, name.text());
    let mut arguments = Vec::new();
    match (
        pending.pop().map(|token| token.kind),
        pending.last().map(|token| token.kind),
    ) {
        (Some(Kind::ParenOpen), Some(Kind::ParenClose)) => {
            pending.pop();
            return Ok(arguments);
        }
        (Some(Kind::ParenOpen), _) => {}
        _ => return Err(wrong()),
    }
    loop {
        let length = Reversed(pending).argument_end(0);
        let mut argument = pending.split_off(pending.len() - length);
        argument.reverse();
        arguments.push(argument);
        match pending.pop().map(|token| token.kind) {
            Some(Kind::ParenClose) => return Ok(arguments),
            Some(Kind::Comma) => {}
            _ => return Err(wrong()),
        }
    }
}

/// Tokens in reverse order.
struct Reversed<'t>(&'t [Token]);

impl Reversed<'_> {
    fn kind(&self, index: usize) -> Option<Kind> {
        let index = self.0.len().checked_sub(index + 1)?;
        self.0.get(index).map(|token| token.kind)
    }

    /// Returns the position of the `,` or `)` that ends the argument at `start`, or of the end.
    fn argument_end(&self, start: usize) -> usize {
        let mut closers = Vec::new();
        let mut index = start;
        while let Some(kind) = self.kind(index) {
            match kind {
                Kind::Comma | Kind::ParenClose if closers.is_empty() => return index,
                kind if closers.last() == Some(&kind) => drop(closers.pop()),
                kind => closers.extend(self.closer(kind, index)),
            }
            index += 1;
        }
        index
    }

    fn closer(&self, kind: Kind, index: usize) -> Option<Kind> {
        match kind {
            Kind::ParenOpen => Some(Kind::ParenClose),
            Kind::BracketOpen => Some(Kind::BracketClose),
            Kind::BraceOpen => Some(Kind::BraceClose),
            Kind::BinaryOpen => Some(Kind::BinaryClose),
            Kind::Begin | Kind::If | Kind::Case | Kind::Receive | Kind::Try | Kind::Cond => {
                Some(Kind::End)
            }
            Kind::Fun => match (self.kind(index + 1), self.kind(index + 2)) {
                (Some(Kind::ParenOpen), _) => Some(Kind::End),
                (Some(Kind::Variable), Some(Kind::ParenOpen)) => Some(Kind::End),
                _ => None,
            },
            _ => None,
        }
    }
}
