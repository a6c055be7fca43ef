//! The state that all rules share: the current token, the checks on it, and the depth of the
//! parser.

use std::slice;

use crate::ast::{Constant, Location, Name, nesting};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Lexer, Token, Value};
use crate::release::Release;

pub(super) type Built<T> = Result<T, LocalDiagnostic>;

/// The source of the tokens.
#[derive(Clone)]
pub(super) enum Source<'t> {
    /// All tokens of an attribute.
    Tokens(slice::Iter<'t, Token>),
    /// The text behind an attribute's name. A word that is more than one token, such as a macro
    /// call, ends it.
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

/// Reads a form from left to right with one token of look-ahead. Each rule of the grammar is a
/// function: it expects the rule's first token at [`Parser::token`], and leaves the token behind
/// the rule there.
pub(super) struct Parser<'t> {
    /// The tokens behind [`Parser::token`].
    rest: Source<'t>,
    /// The current token.
    pub(super) token: Token,
    pub(super) release: Release,
    /// Maximum number of levels of a tree.
    most: usize,
    /// The number of open brackets.
    depth: usize,
    /// The number of levels of the last tree.
    pub(super) height: usize,
}

impl<'t> Parser<'t> {
    /// Creates a parser of an attribute, behind the attribute's name.
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

    /// Returns the current token, and moves to the next one.
    pub(super) fn advance(&mut self) -> Built<Token> {
        match self.rest.next() {
            Some(next) => Ok(std::mem::replace(&mut self.token, next)),
            None => Err(self.unexpected()),
        }
    }

    /// Moves to the next token.
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

    /// Moves to the next token if the current one has this kind. Returns whether it had.
    pub(super) fn takes(&mut self, kind: Kind) -> Built<bool> {
        let is_there = self.is(kind);
        if is_there {
            self.skip()?;
        }
        Ok(is_there)
    }

    /// The error for a token that the grammar does not allow here.
    pub(super) fn unexpected(&self) -> LocalDiagnostic {
        syntax(Some(&self.token))
    }

    /// Reads a name or literal.
    pub(super) fn value(&mut self, kind: Kind) -> Built<Token> {
        if self.is(kind) {
            self.advance()
        } else {
            Err(self.unexpected())
        }
    }

    /// Reads the name in an atom or variable.
    pub(super) fn name(&mut self, kind: Kind) -> Built<Name> {
        Ok(name(self.value(kind)?))
    }

    /// Reads the name of a native record, which may look like a variable or a keyword: `#Name{…}`,
    /// `#m:end{…}`.
    pub(super) fn native_name(&mut self) -> Built<Name> {
        let kind = self.token.kind;
        match kind {
            Kind::Atom | Kind::Variable => self.name(kind),
            _ if Kind::keyword(kind.text()).is_some() => self.name(kind),
            _ => Err(self.unexpected()),
        }
    }

    /// Reads `(((` and returns the number of parentheses.
    pub(super) fn opened(&mut self) -> Built<usize> {
        let mut open = 0;
        while self.takes(Kind::ParenOpen)? {
            open += 1;
        }
        Ok(open)
    }

    /// Reads `)))`, at most `open` of them, and returns how many stay open.
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

    /// Reads a token that may be in parentheses, where OTP's grammar has an expression.
    pub(super) fn in_parentheses(&mut self, kind: Kind) -> Built<Token> {
        let open = self.opened()?;
        let token = self.value(kind)?;
        self.closed_all(open)?;
        Ok(token)
    }

    /// Reads the full stop, which must be the last token.
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

    /// Reads elements separated by commas, and the closing bracket behind them.
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

    /// Reads the contents of brackets.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Built<T>) -> Built<T> {
        self.depth += 1;
        self.height = 0;
        self.raised_by(0)?;
        let inner = read(self)?;
        self.depth -= 1;
        self.raised_by(1)?;
        Ok(inner)
    }

    /// Adds levels to the last tree.
    pub(super) fn raised_by(&mut self, levels: usize) -> Built<()> {
        self.height += levels;
        if self.depth + self.height > self.most {
            return Err(catalog::TOO_DEEP.at(self.token.at, ""));
        }
        Ok(())
    }
}

/// Returns the text of a name. A keyword is a name where the grammar accepts it as one.
pub(super) fn name(token: Token) -> Name {
    match token.value {
        Value::Text(text) => text,
        _ => Name::new_static(token.kind.text()),
    }
}

/// An attribute that is being read.
pub(super) struct Attribute<'n, 't> {
    pub(super) name: &'n Token,
    /// Afterwards: the source behind the attribute.
    pub(super) source: Source<'t>,
    pub(super) release: Release,
}

impl<'t> Attribute<'_, 't> {
    /// Reads types, which may be nested up to the limit.
    pub(super) fn types<T>(&mut self, read: impl Fn(&mut Parser<'t>) -> Built<T>) -> Built<T> {
        match self.read(nesting::SHALLOW, &read) {
            Err(error) if error.message == &catalog::TOO_DEEP => {
                // Code that recurses over the tree needs that stack as well, and so does dropping
                // the tree.
                nesting::on_large_stack(|| self.read(nesting::DEEPEST, &read))
            }
            result => result,
        }
    }

    /// Reads a plain term, on the caller's stack.
    pub(super) fn term(&mut self) -> Built<Constant> {
        self.read(nesting::SHALLOW, Parser::term)
    }

    /// `[f/1, g/2]` in its usual form.
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

/// `syntax error before X`, in erl_parse's words.
pub(crate) fn syntax(token: Option<&Token>) -> LocalDiagnostic {
    let at = token.map(|token| token.at).unwrap_or_default();
    let shown = token.map(crate::print::token).unwrap_or_default();
    catalog::SYNTAX.at(at, format!("`{shown}`"))
}
