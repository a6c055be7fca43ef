//! The lexis of Erlang (`erl_scan`), over the bytes of a file.
//!
//! Two speeds: [`Lexer::token`] reads one token; [`Lexer::skip_form`] skips a form that is not
//! read, byte by byte.

mod number;
mod punctuation;
mod quoted;
mod sigil;
mod skip;

use std::cell::Cell;

use crate::ast::{Location, Name};
use crate::diagnostic::LocalDiagnostic;
use crate::source::encoding::Encoding;
use crate::token::{Kind, Token, Value};

const BYTE_ORDER_MARK: u32 = 0xFEFF;

/// A cursor over a file's bytes.
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    /// Columns need no look back for multi-byte characters.
    single_byte: bool,
    /// Triple-quoted strings and sigils exist from this release on: 27.
    release: u32,
    position: usize,
    line: u32,
    line_start: usize,
    /// The start of a line, up to where it was looked at for columns, and how many bytes continue a
    /// character there: a line may be as long as the file.
    counted: Cell<(usize, usize, usize)>,
}

pub(crate) type LexResult<T> = Result<T, LocalDiagnostic>;

impl<'a> Lexer<'a> {
    /// A lexer at the file's beginning. In UTF-8, `bytes` must be valid.
    pub(crate) fn new(bytes: &'a [u8], encoding: Encoding, release: u32) -> Self {
        let single_byte = encoding == Encoding::Latin1 || bytes.is_ascii();
        Lexer {
            bytes,
            encoding,
            single_byte,
            release,
            position: 0,
            line: 1,
            line_start: 0,
            counted: Cell::new((0, 0, 0)),
        }
    }

    /// The location of the next byte.
    pub(crate) fn location(&self) -> Location {
        self.location_of(self.position)
    }

    fn location_of(&self, position: usize) -> Location {
        let mut column = position - self.line_start;
        if !self.single_byte {
            column -= self.continued(position);
        }
        Location {
            line: self.line,
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// How many bytes of the line before `position` continue a character.
    fn continued(&self, position: usize) -> usize {
        let (from, known) = match self.counted.get() {
            (line, counted, known) if line == self.line_start && counted <= position => {
                (counted, known)
            }
            _ => (self.line_start, 0),
        };
        let new = self.bytes[from..position].iter();
        let continued = known + new.filter(|byte| (**byte & 0xC0) == 0x80).count();
        self.counted.set((self.line_start, position, continued));
        continued
    }

    /// The byte at `offset` from here; 0 past the end (a blank, as `erl_scan` has it).
    fn peek(&self, offset: usize) -> u8 {
        self.bytes.get(self.position + offset).copied().unwrap_or(0)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.position >= self.bytes.len()
    }

    /// The bytes not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.position.min(self.bytes.len())..]
    }

    /// The character here and its length in bytes.
    fn character(&self) -> Option<(u32, usize)> {
        let rest = self.rest();
        let first = *rest.first()?;
        if first < 0x80 || self.encoding == Encoding::Latin1 {
            return Some((u32::from(first), 1));
        }
        let length = match first {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
        let text = std::str::from_utf8(rest.get(..length)?).ok()?;
        text.chars()
            .next()
            .map(|character| (u32::from(character), length))
    }

    fn newline_at(&mut self, position: usize) {
        self.line = self.line.saturating_add(1);
        self.line_start = position + 1;
    }

    /// Skips white space and comments.
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'\n' => {
                    self.newline_at(self.position);
                    self.position += 1;
                }
                0..=b' ' => self.position += 1,
                b'%' => self.skip_comment(),
                0x80.. if self.blank_character() > 0 => self.position += self.blank_character(),
                _ => return,
            }
        }
    }

    /// The length of a blank from U+0080 to U+00A0 here; 0 if there is none.
    fn blank_character(&self) -> usize {
        match self.character() {
            Some((0x80..=0xA0, length)) => length,
            _ => 0,
        }
    }

    fn skip_comment(&mut self) {
        let rest = self.rest();
        self.position += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// The next token; `None` at the end of the file.
    ///
    /// After an error the cursor stands behind the offending characters.
    pub(crate) fn token(&mut self) -> LexResult<Option<Token>> {
        self.skip_blanks();
        let Some(&byte) = self.bytes.get(self.position) else {
            return Ok(None);
        };
        let at = self.location();
        match byte {
            b'a'..=b'z' => Ok(Some(self.name(at, false))),
            b'A'..=b'Z' | b'_' => Ok(Some(self.name(at, true))),
            b'0'..=b'9' => self.number(at).map(Some),
            b'"' => self.string(at).map(Some),
            b'\'' => self.quoted_atom(at).map(Some),
            b'$' => self.character_literal(at).map(Some),
            b'~' if self.release >= 27 => self.sigil(at).map(Some),
            0x80.. => self.high_character(at).map(Some),
            _ => Ok(Some(self.punctuation(at))),
        }
    }

    /// Whether a character stands here that no token starts with, such as a byte order mark.
    pub(crate) fn is_at_illegal_character(&self) -> bool {
        self.character().is_some_and(|(code, _)| code > 0xFF)
    }

    /// A token that starts with a character above U+007F.
    fn high_character(&mut self, at: Location) -> LexResult<Token> {
        match self.character() {
            Some((0xDF..=0xFF, _)) if !self.is_operator_sign() => Ok(self.name(at, false)),
            Some((0xC0..=0xDE, _)) if !self.is_operator_sign() => Ok(self.name(at, true)),
            Some((code, length)) => {
                self.position += length;
                if code <= 0xFF {
                    return Ok(Token::bare(Kind::Other, at));
                }
                if code == BYTE_ORDER_MARK {
                    return Err(crate::catalog::BYTE_ORDER_MARK.at(at, ""));
                }
                let shown = char::from_u32(code).map(String::from).unwrap_or_default();
                Err(crate::catalog::ILLEGAL_CHARACTER.at(at, shown))
            }
            None => {
                self.position += 1;
                Err(crate::catalog::ILLEGAL_CHARACTER.at(at, ""))
            }
        }
    }

    /// `×` and `÷` are not letters.
    fn is_operator_sign(&self) -> bool {
        matches!(self.character(), Some((0xD7 | 0xF7, _)))
    }

    /// The length of the character here; 0 if names may not have it.
    fn name_character(&self) -> usize {
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

    /// An unquoted atom, a keyword or a variable.
    fn name(&mut self, at: Location, variable: bool) -> Token {
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
            // Whether these two are keywords is known later; their text is kept.
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

    /// The text between two positions.
    fn slice(&self, start: usize, end: usize) -> Name {
        self.encoding.decode(&self.bytes[start..end])
    }
}
