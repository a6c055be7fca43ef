//! Plain terms: the arguments of `-export_type` and similar attributes.

use super::parser::{Built, Parser};
use crate::ast::{Constant, Integer, Name};
use crate::lexer::{Kind, Token, Value};

impl Parser<'_> {
    /// `([f/1, g/2])`
    pub(super) fn plain_names(&mut self) -> Built<Vec<(Name, i64)>> {
        self.expect(Kind::ParenOpen)?;
        self.expect(Kind::BracketOpen)?;
        let names = self.elements(Kind::BracketClose, Self::plain_name)?;
        self.expect(Kind::ParenClose)?;
        Ok(names)
    }

    fn plain_name(&mut self) -> Built<(Name, i64)> {
        let name = self.name(Kind::Atom)?;
        self.expect(Kind::Slash)?;
        match self.value(Kind::Integer)?.value {
            Value::Integer(Integer::Small(arity)) => Ok((name, arity)),
            _ => Err(self.unexpected()),
        }
    }

    /// Any plain term.
    pub(super) fn term(&mut self) -> Built<Constant> {
        let (term, _) = self.term_or_name()?;
        Ok(term)
    }

    /// Reads a term, and returns whether it is an atom that may be the name of `name/1`.
    fn term_or_name(&mut self) -> Built<(Constant, bool)> {
        let (term, is_name) = match self.token.kind {
            Kind::Atom => (Constant::Atom(self.name(Kind::Atom)?), true),
            Kind::ParenOpen => {
                self.skip()?;
                let inner = self.nested(Self::term_or_name)?;
                self.expect(Kind::ParenClose)?;
                inner
            }
            _ => return Ok((self.other_term()?, false)),
        };
        if !is_name || !self.takes(Kind::Slash)? {
            return Ok((term, is_name));
        }
        let arity = self.in_parentheses(Kind::Integer)?;
        let arity = leaf(&arity).ok_or_else(|| self.unexpected())?;
        Ok((Constant::Tuple(vec![term, arity]), false))
    }

    /// A term that is neither an atom nor in parentheses.
    fn other_term(&mut self) -> Built<Constant> {
        match self.token.kind {
            Kind::BraceOpen => {
                self.skip()?;
                let terms = self.nested(|parser| parser.elements(Kind::BraceClose, Self::term))?;
                Ok(Constant::Tuple(terms))
            }
            Kind::BracketOpen => {
                self.skip()?;
                self.nested(Self::list)
            }
            Kind::Hash => {
                self.skip()?;
                self.expect(Kind::BraceOpen)?;
                let pairs =
                    self.nested(|parser| parser.elements(Kind::BraceClose, Self::map_pair))?;
                Ok(Constant::Map(pairs))
            }
            Kind::BinaryOpen => self.binary(),
            Kind::Minus | Kind::Plus => self.signed(),
            _ => self.literal(),
        }
    }

    /// `-1`, `+1.5`
    fn signed(&mut self) -> Built<Constant> {
        let sign = self.advance()?;
        let literal = self.token.clone();
        let term = if self.is(Kind::Atom) {
            Constant::Atom(self.name(Kind::Atom)?)
        } else {
            self.literal()?
        };
        if sign.kind == Kind::Plus {
            return Ok(term);
        }
        negated(term).ok_or_else(|| super::syntax(Some(&literal)))
    }

    /// A number, character, sigil, or adjacent strings.
    fn literal(&mut self) -> Built<Constant> {
        if self.is(Kind::String) {
            let mut elements = Vec::new();
            while self.is(Kind::String) {
                let part = self.advance()?;
                elements.extend(part.text().chars().map(code));
            }
            return Ok(Constant::List(elements, None));
        }
        let constant = match leaf(&self.token) {
            Some(Constant::Char(code)) => Constant::Integer(Integer::Small(i64::from(code))),
            Some(constant) => constant,
            None => return Err(self.unexpected()),
        };
        self.skip()?;
        Ok(constant)
    }

    /// `[A, B]`, `[A, B | Tail]`, behind the bracket.
    fn list(&mut self) -> Built<Constant> {
        let mut elements = Vec::new();
        if self.takes(Kind::BracketClose)? {
            return Ok(Constant::List(elements, None));
        }
        elements.push(self.term()?);
        while self.takes(Kind::Comma)? {
            elements.push(self.term()?);
        }
        let tail = if self.takes(Kind::Bar)? {
            Some(self.term()?)
        } else {
            None
        };
        self.expect(Kind::BracketClose)?;
        Ok(list(elements, tail))
    }

    /// `Key => Value`
    fn map_pair(&mut self) -> Built<(Constant, Constant)> {
        let key = self.term()?;
        self.expect(Kind::MapAssoc)?;
        Ok((key, self.term()?))
    }

    /// `<<"text">>` takes one byte of each character; `<<"text"/utf8>>` encodes the characters.
    fn binary(&mut self) -> Built<Constant> {
        self.skip()?;
        let mut bytes = Vec::new();
        if self.is(Kind::String) {
            let string = self.advance()?;
            let text = string.text();
            if self.takes(Kind::Slash)? {
                self.expect(Kind::Atom)?;
                bytes = text.as_bytes().to_vec();
            } else {
                bytes = text
                    .chars()
                    .map(|character| character as u32 as u8)
                    .collect();
            }
        }
        self.expect(Kind::BinaryClose)?;
        Ok(Constant::Binary(bytes))
    }
}

fn code(character: char) -> Constant {
    Constant::Integer(Integer::Small(i64::from(u32::from(character))))
}

/// Builds a list; if the tail is a list, its elements are appended.
fn list(mut elements: Vec<Constant>, tail: Option<Constant>) -> Constant {
    match tail {
        Some(Constant::List(more, end)) => {
            elements.extend(more);
            Constant::List(elements, end)
        }
        tail => Constant::List(elements, tail.map(Box::new)),
    }
}

/// Returns the literal of a token.
pub(super) fn leaf(token: &Token) -> Option<Constant> {
    Some(match (&token.value, token.kind) {
        (Value::Text(text), Kind::Atom) => Constant::Atom(text.clone()),
        (Value::Text(text), Kind::Sigil) => Constant::Binary(text.as_bytes().to_vec()),
        (Value::Integer(integer), _) => Constant::Integer(integer.clone()),
        (Value::Float(float), _) => Constant::Float(*float),
        (Value::Code(code), _) => Constant::Char(*code),
        _ => return None,
    })
}

fn negated(constant: Constant) -> Option<Constant> {
    match constant {
        Constant::Integer(integer) => Some(Constant::Integer(integer.negated())),
        Constant::Float(float) => Some(Constant::Float(-float)),
        _ => None,
    }
}
