//! What all rules need: the token that is looked at, what the grammar expects there, and how deep
//! the parser is.

use std::slice;

use crate::ast::{Constant, Location, Name, nesting};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Lexer, Token, Value};
use crate::release::Release;

pub(super) type Built<T> = Result<T, LocalDiagnostic>;

/// Where tokens come from.
#[derive(Clone)]
pub(super) enum Source<'t> {
    /// An attribute's tokens, all of them.
    Tokens(slice::Iter<'t, Token>),
    /// The text behind an attribute's name. A word that is more than a token, as in a macro call,
    /// ends it.
    Text(Lexer<'t>),
}

impl Source<'_> {
    fn next(&mut self) -> Option<Token> {
        match self {
            Source::Tokens(tokens) => tokens.next().cloned(),
            Source::Text(lexer) => {
                let token = lexer.token().ok()??;
                let is_plain = !matches!(token.kind, Kind::Question | Kind::Maybe | Kind::Else);
                is_plain.then_some(token)
            }
        }
    }
}

/// Reads a form from left to right; one token tells what follows. Each rule of the grammar is a
/// function, which finds the rule's first token at [`Parser::token`] and leaves the one behind it
/// there.
pub(super) struct Parser<'t> {
    /// The tokens behind [`Parser::token`].
    rest: Source<'t>,
    /// The token that is read next.
    pub(super) token: Token,
    pub(super) release: Release,
    /// How many levels a tree may have.
    most: usize,
    /// How many brackets are open.
    depth: usize,
    /// How many levels the tree has that was read last.
    pub(super) height: usize,
}

impl<'t> Parser<'t> {
    /// A parser of an attribute, behind its name.
    fn behind_name(source: Source<'t>, release: Release, most: usize) -> Built<Self> {
        let has_name = matches!(source, Source::Tokens(_));
        let mut parser = Parser {
            rest: source,
            token: Token::bare(Kind::Minus, Location::default()),
            release,
            most,
            depth: 0,
            height: 0,
        };
        parser.skip()?;
        if has_name {
            parser.expect(Kind::Minus)?;
            parser.expect(Kind::Atom)?;
        }
        Ok(parser)
    }

    /// The token that is looked at, which gives its place to the one behind it.
    pub(super) fn advance(&mut self) -> Built<Token> {
        match self.rest.next() {
            Some(next) => Ok(std::mem::replace(&mut self.token, next)),
            None => Err(self.unexpected()),
        }
    }

    /// Looks at the next token.
    pub(super) fn skip(&mut self) -> Built<()> {
        match self.rest.next() {
            Some(next) => self.token = next,
            None => return Err(self.unexpected()),
        }
        Ok(())
    }

    pub(super) fn is(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    pub(super) fn expect(&mut self, kind: Kind) -> Built<()> {
        if self.is(kind) {
            self.skip()
        } else {
            Err(self.unexpected())
        }
    }

    /// Whether the token was there, which is read then.
    pub(super) fn takes(&mut self, kind: Kind) -> Built<bool> {
        let is_there = self.is(kind);
        if is_there {
            self.skip()?;
        }
        Ok(is_there)
    }

    /// The grammar has nothing that goes on like this.
    pub(super) fn unexpected(&self) -> LocalDiagnostic {
        syntax(Some(&self.token))
    }

    /// A name or literal.
    pub(super) fn value(&mut self, kind: Kind) -> Built<Token> {
        if self.is(kind) {
            self.advance()
        } else {
            Err(self.unexpected())
        }
    }

    /// The name that an atom or variable is.
    pub(super) fn name(&mut self, kind: Kind) -> Built<Name> {
        Ok(name(self.value(kind)?))
    }

    /// Names of native records may look like variables and keywords: `#Name{…}`, `#m:end{…}`.
    pub(super) fn native_name(&mut self) -> Built<Name> {
        let kind = self.token.kind;
        match kind {
            Kind::Atom | Kind::Variable => self.name(kind),
            _ if Kind::keyword(kind.text()).is_some() => self.name(kind),
            _ => Err(self.unexpected()),
        }
    }

    /// `(((`: how many there are.
    pub(super) fn opened(&mut self) -> Built<usize> {
        let mut open = 0;
        while self.takes(Kind::ParenOpen)? {
            open += 1;
        }
        Ok(open)
    }

    /// `)))`, at most as many as are open: how many stay open.
    pub(super) fn closed(&mut self, mut open: usize) -> Built<usize> {
        while open > 0 && self.takes(Kind::ParenClose)? {
            open -= 1;
        }
        Ok(open)
    }

    pub(super) fn closed_all(&mut self, open: usize) -> Built<()> {
        match self.closed(open)? {
            0 => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    /// A token that may have parentheses around it, as where OTP's grammar has an expression.
    pub(super) fn in_parentheses(&mut self, kind: Kind) -> Built<Token> {
        let open = self.opened()?;
        let token = self.value(kind)?;
        self.closed_all(open)?;
        Ok(token)
    }

    /// The full stop. Nothing may stand behind it.
    fn end(self) -> Built<Source<'t>> {
        let is_end = match &self.rest {
            Source::Tokens(tokens) => tokens.as_slice().is_empty(),
            Source::Text(_) => true,
        };
        if is_end && self.is(Kind::Dot) {
            Ok(self.rest)
        } else {
            Err(self.unexpected())
        }
    }

    /// Elements with commas between them, up to the bracket that closes, which is read, too.
    pub(super) fn elements<T>(
        &mut self,
        close: Kind,
        element: impl Fn(&mut Self) -> Built<T>,
    ) -> Built<Vec<T>> {
        let mut elements = Vec::new();
        let mut highest = 0;
        if !self.takes(close)? {
            loop {
                elements.push(element(self)?);
                highest = highest.max(self.height);
                if !self.takes(Kind::Comma)? {
                    break;
                }
            }
            self.expect(close)?;
        }
        self.height = highest;
        Ok(elements)
    }

    /// Reads what stands in brackets.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Built<T>) -> Built<T> {
        self.depth += 1;
        self.height = 0;
        self.raised_by(0)?;
        let inner = read(self)?;
        self.depth -= 1;
        self.raised_by(1)?;
        Ok(inner)
    }

    /// The tree that was read last has more levels now.
    pub(super) fn raised_by(&mut self, levels: usize) -> Built<()> {
        self.height += levels;
        if self.depth + self.height > self.most {
            return Err(catalog::TOO_DEEP.at(self.token.at, ""));
        }
        Ok(())
    }
}

/// The text of a name. A keyword is one where the grammar takes it for one.
pub(super) fn name(token: Token) -> Name {
    match token.value {
        Value::Text(text) => text,
        _ => Name::new_static(token.kind.text()),
    }
}

/// An attribute that is read.
pub(super) struct Attribute<'n, 't> {
    pub(super) name: &'n Token,
    /// After it has been read: what stands behind it.
    pub(super) source: Source<'t>,
    pub(super) release: Release,
}

impl<'t> Attribute<'_, 't> {
    /// Reads types, which may be nested as deep as is allowed.
    pub(super) fn types<T>(&mut self, read: impl Fn(&mut Parser<'t>) -> Built<T>) -> Built<T> {
        match self.read(nesting::SHALLOW, &read) {
            Err(error) if error.message == &catalog::TOO_DEEP => {
                // What recurses over the tree, as its end does, needs that stack, too.
                nesting::on_large_stack(|| self.read(nesting::DEEPEST, &read))
            }
            result => result,
        }
    }

    /// Reads a plain term, on the caller's stack.
    pub(super) fn term(&mut self) -> Built<Constant> {
        self.read(nesting::SHALLOW, Parser::term)
    }

    /// `[f/1, g/2]`, as it is usually written.
    pub(super) fn plain_names(&mut self) -> Built<Vec<(Name, i64)>> {
        self.read(nesting::SHALLOW, Parser::plain_names)
    }

    fn read<T>(&mut self, most: usize, read: impl Fn(&mut Parser<'t>) -> Built<T>) -> Built<T> {
        let mut parser = Parser::behind_name(self.source.clone(), self.release, most)?;
        let whole = read(&mut parser)?;
        self.source = parser.end()?;
        Ok(whole)
    }
}

/// `syntax error before X`, as erl_parse words it.
pub(crate) fn syntax(token: Option<&Token>) -> LocalDiagnostic {
    let at = token.map(|token| token.at).unwrap_or_default();
    let shown = token.map(crate::print::token).unwrap_or_default();
    catalog::SYNTAX.at(at, format!("`{shown}`"))
}
