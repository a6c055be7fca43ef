//! Operators, brackets and the full stop.

use super::{Kind, Lexer, Token};
use crate::ast::Location;

impl Lexer<'_> {
    /// Reads the longest operator here.
    pub(super) fn punctuation(&mut self, at: Location) -> Token {
        let (kind, length) = match self.peek(0) {
            b'.' => self.full_stop(),
            _ => self.operator(),
        };
        self.position += length;
        Token::bare(kind, at)
    }

    /// `.`, `..` or `...`; a single one ends the form if a blank, a comment or the end of the file
    /// follows.
    fn full_stop(&self) -> (Kind, usize) {
        match (self.peek(1), self.peek(2)) {
            (b'.', b'.') => (Kind::Ellipsis, 3),
            (b'.', _) => (Kind::Range, 2),
            _ if self.ends_form(self.position + 1) => (Kind::Dot, 1),
            _ => (Kind::Period, 1),
        }
    }

    /// Returns whether a blank, a comment or the end of the file is at `position`.
    pub(super) fn ends_form(&self, position: usize) -> bool {
        match self.bytes.get(position) {
            None | Some(0..=b' ' | b'%') => true,
            Some(0xC2) if !self.single_byte => {
                matches!(self.bytes.get(position + 1), Some(0x80..=0xA0))
            }
            Some(0x80..=0xA0) => self.single_byte,
            Some(_) => false,
        }
    }

    fn operator(&self) -> (Kind, usize) {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'=', b':', b'=') => (Kind::ExactlyEqual, 3),
            (b'=', b'/', b'=') => (Kind::ExactlyNotEqual, 3),
            (b'=', b'<', _) => (Kind::LessEqual, 2),
            (b'=', b'>', _) => (Kind::MapAssoc, 2),
            (b'=', b'=', _) => (Kind::Equal, 2),
            (b'?', b'=', _) => (Kind::MaybeMatch, 2),
            (b'<', b'<', _) => (Kind::BinaryOpen, 2),
            (b'<', b'-', _) => (Kind::Generator, 2),
            (b'<', b'=', _) => (Kind::BinaryGenerator, 2),
            (b'>', b'>', _) => (Kind::BinaryClose, 2),
            (b'>', b'=', _) => (Kind::GreaterEqual, 2),
            (b'-', b'>', _) => (Kind::Arrow, 2),
            (b'-', b'-', _) => (Kind::Subtract, 2),
            (b'+', b'+', _) => (Kind::Append, 2),
            (b'/', b'=', _) => (Kind::NotEqual, 2),
            (b'|', b'|', _) => (Kind::DoubleBar, 2),
            (b':', b'=', _) => (Kind::MapExact, 2),
            (b':', b':', _) => (Kind::DoubleColon, 2),
            (byte, _, _) => (single(byte), 1),
        }
    }
}

/// The token of a single sign.
fn single(byte: u8) -> Kind {
    match byte {
        b'(' => Kind::ParenOpen,
        b')' => Kind::ParenClose,
        b'{' => Kind::BraceOpen,
        b'}' => Kind::BraceClose,
        b'[' => Kind::BracketOpen,
        b']' => Kind::BracketClose,
        b',' => Kind::Comma,
        b';' => Kind::Semicolon,
        b':' => Kind::Colon,
        b'=' => Kind::Assign,
        b'|' => Kind::Bar,
        b'#' => Kind::Hash,
        b'?' => Kind::Question,
        b'!' => Kind::Exclamation,
        b'+' => Kind::Plus,
        b'-' => Kind::Minus,
        b'*' => Kind::Times,
        b'/' => Kind::Slash,
        b'<' => Kind::Less,
        b'>' => Kind::Greater,
        _ => Kind::Other,
    }
}
