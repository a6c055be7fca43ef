//! Names, and characters above U+007F.

use super::{Kind, LexResult, Lexer, Token, Value};
use crate::ast::Location;
use crate::catalog;

const BYTE_ORDER_MARK: u32 = 0xFEFF;

impl Lexer<'_> {
    /// Returns whether the character here cannot start a token, such as a byte order mark.
    pub(crate) fn is_at_illegal_character(&self) -> bool {
        self.character().is_some_and(|(code, _)| code > 0xFF)
    }

    /// Reads a token that starts with a character above U+007F.
    pub(super) fn high_character(&mut self, at: Location) -> LexResult<Token> {
        match self.character() {
            Some((0xDF..=0xFF, _)) if !self.is_operator_sign() => self.plain_atom(at),
            Some((0xC0..=0xDE, _)) if !self.is_operator_sign() => Ok(self.name(at, true)),
            Some((code, length)) => {
                self.position += length;
                if code <= 0xFF {
                    return Ok(Token::bare(Kind::Other, at));
                }
                if code == BYTE_ORDER_MARK {
                    return Err(catalog::BYTE_ORDER_MARK.at(at, ""));
                }
                let shown = char::from_u32(code).map(String::from).unwrap_or_default();
                Err(catalog::ILLEGAL_CHARACTER.at(at, shown))
            }
            None => {
                self.position += 1;
                Err(catalog::ILLEGAL_CHARACTER.at(at, ""))
            }
        }
    }

    /// `×` and `÷` are not letters.
    fn is_operator_sign(&self) -> bool {
        matches!(self.character(), Some((0xD7 | 0xF7, _)))
    }

    /// Returns the length of the character here; 0 if it is not allowed in names.
    pub(super) fn name_character(&self) -> usize {
        match self.peek(0) {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'@' => 1,
            0x80.. => match self.character() {
                Some((0xD7 | 0xF7, _)) => 0,
                Some((0xC0..=0xFF, length)) => length,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Reads an unquoted atom, a keyword or a variable.
    pub(super) fn name(&mut self, at: Location, variable: bool) -> Token {
        let start = self.position;
        loop {
            let length = self.name_character();
            if length == 0 {
                break;
            }
            self.position += length;
        }
        let text = self.slice(start, self.position);
        if variable {
            return Token {
                kind: Kind::Variable,
                at,
                value: Value::Text(text),
            };
        }
        match Kind::keyword(&text) {
            // A feature decides later whether these two are keywords, so their text is kept.
            Some(kind @ (Kind::Maybe | Kind::Else)) => Token {
                kind,
                at,
                value: Value::Text(text),
            },
            Some(kind) => Token::bare(kind, at),
            None => Token {
                kind: Kind::Atom,
                at,
                value: Value::Text(text),
            },
        }
    }
}
