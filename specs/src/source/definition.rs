//! `-define(Name, Body).` and `-define(Name(A, B), Body).`, read once for each file.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ast::{Location, Name};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token};

/// A macro's parameters and replacement.
#[derive(Debug)]
pub(crate) struct Definition {
    /// `None`: without parentheses.
    pub(crate) parameters: Option<Vec<Name>>,
    pub(crate) body: Vec<Token>,
}

impl Definition {
    pub(crate) fn arity(&self) -> Option<usize> {
        self.parameters.as_ref().map(Vec::len)
    }
}

/// The macro that a `-define` defines.
#[derive(Debug, Clone)]
pub(crate) struct Defined {
    pub(crate) name: Name,
    pub(crate) at: Location,
    pub(crate) definition: Arc<Definition>,
}

/// Returns whether a token of this kind can be a macro's name.
pub(super) fn is_macro_name(kind: Kind) -> bool {
    matches!(kind, Kind::Atom | Kind::Variable | Kind::Maybe | Kind::Else)
}

impl Defined {
    /// Reads the tokens of a `-define`.
    pub(crate) fn read(tokens: &[Token]) -> Result<Defined, LocalDiagnostic> {
        Self::parts(tokens).ok_or_else(|| {
            let at = tokens.get(1).map(|token| token.at).unwrap_or_default();
            catalog::BAD_DIRECTIVE.at(at, "define")
        })
    }

    fn parts(tokens: &[Token]) -> Option<Defined> {
        let [_, _, open, name, rest @ ..] = tokens else {
            return None;
        };
        if open.kind != Kind::ParenOpen || !is_macro_name(name.kind) {
            return None;
        }
        let (parameters, rest) = match rest.first()?.kind {
            Kind::ParenOpen => {
                let (parameters, rest) = parameters(rest)?;
                (Some(parameters), rest)
            }
            _ => (None, rest),
        };
        let [comma, body @ .., close, _dot] = rest else {
            return None;
        };
        if (comma.kind, close.kind) != (Kind::Comma, Kind::ParenClose) {
            return None;
        }
        let definition = Definition {
            parameters,
            body: body.to_vec(),
        };
        let name_text = Name::new(name.text());
        Some(Defined {
            name: name_text,
            at: name.at,
            definition: Arc::new(definition),
        })
    }
}

/// Reads `(A, B)` and returns the tokens behind it. The names are distinct.
fn parameters(tokens: &[Token]) -> Option<(Vec<Name>, &[Token])> {
    let mut names = Vec::new();
    let mut known = BTreeSet::new();
    let mut rest = tokens.get(1..)?;
    if rest.first()?.kind == Kind::ParenClose {
        return Some((names, &rest[1..]));
    }
    loop {
        let [name, separator, after @ ..] = rest else {
            return None;
        };
        if name.kind != Kind::Variable || !known.insert(name.text()) {
            return None;
        }
        names.push(Name::new(name.text()));
        rest = after;
        match separator.kind {
            Kind::Comma => {}
            Kind::ParenClose => return Some((names, rest)),
            _ => return None,
        }
    }
}
