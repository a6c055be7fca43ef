//! A file's tokens (the lexis of `erl_scan`).
//!
//! It has two speeds: [`Lexer::token`] reads one token; [`Lexer::skip_form`] skips an unneeded form
//! byte by byte.

mod cursor;
mod encoding;
mod kind;
mod name;
mod number;
mod punctuation;
mod quoted;
mod sigil;
mod skip;

use std::cell::Cell;

use crate::ast::{Integer, Location, Name};
use crate::diagnostic::LocalDiagnostic;
pub(crate) use encoding::Encoding;
pub(crate) use kind::Kind;

/// A token with its location and value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// Its kind.
    pub kind: Kind,
    /// The location of its first character.
    pub at: Location,
    /// Its value, for names and literals.
    pub value: Value,
}

/// The value of a name or literal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Punctuation and keywords have none.
    None,
    /// Atom, variable, string, sigil.
    Text(Name),
    Integer(Integer),
    Float(f64),
    /// Character.
    Code(u32),
}

impl Token {
    /// A token without a value.
    #[must_use]
    pub(crate) fn bare(kind: Kind, at: Location) -> Self {
        Token {
            kind,
            at,
            value: Value::None,
        }
    }

    #[must_use]
    pub(crate) fn atom(name: Name, at: Location) -> Self {
        Token {
            kind: Kind::Atom,
            at,
            value: Value::Text(name),
        }
    }

    #[must_use]
    pub(crate) fn string(text: impl Into<Name>, at: Location) -> Self {
        Token {
            kind: Kind::String,
            at,
            value: Value::Text(text.into()),
        }
    }

    /// A small integer.
    #[must_use]
    pub(crate) fn integer(value: i64, at: Location) -> Self {
        Token {
            kind: Kind::Integer,
            at,
            value: Value::Integer(Integer::Small(value)),
        }
    }

    /// The text of an atom, variable or string; empty for others.
    #[must_use]
    pub(crate) fn text(&self) -> &str {
        match &self.value {
            Value::Text(text) => text,
            _ => "",
        }
    }
}

/// A cursor over a file's bytes.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    /// The bytes as text, if they are UTF-8: they are validated only once.
    text: Option<&'a str>,
    encoding: Encoding,
    /// Whether all characters are single bytes, so that computing columns needs no look back.
    single_byte: bool,
    /// The OTP release. Triple-quoted strings and sigils exist since 27.
    release: u32,
    position: usize,
    line: u32,
    line_start: usize,
    /// The start of a line, a position in it, and how many bytes between them continue a character.
    /// This avoids repeated scans: a line may be as long as the file.
    counted: Cell<(usize, usize, usize)>,
}

pub(crate) type LexResult<T> = Result<T, LocalDiagnostic>;

impl<'a> Lexer<'a> {
    /// Creates a lexer at the file's beginning. In UTF-8, `bytes` must be valid.
    pub(crate) fn new(bytes: &'a [u8], encoding: Encoding, release: u32) -> Self {
        let text = match encoding {
            Encoding::Latin1 => None,
            Encoding::Utf8 => std::str::from_utf8(bytes).ok(),
        };
        let single_byte = encoding == Encoding::Latin1 || bytes.is_ascii();
        Lexer {
            bytes,
            text,
            encoding,
            single_byte,
            release,
            position: 0,
            line: 1,
            line_start: 0,
            counted: Cell::new((0, 0, 0)),
        }
    }

    /// Reads the next token; `None` at the end of the file.
    ///
    /// After an error, the cursor is behind the offending characters.
    pub(crate) fn token(&mut self) -> LexResult<Option<Token>> {
        self.skip_blanks();
        let Some(&byte) = self.bytes.get(self.position) else {
            return Ok(None);
        };
        let at = self.location();
        match byte {
            b'a'..=b'z' => Ok(Some(self.plain_atom(at)?)),
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
}
