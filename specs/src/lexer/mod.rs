//! A file's forms as tokens. [`Cutter`] cuts the file into forms, and leaves out those without
//! meaning to types; [`Lexer`] reads the tokens of the others (the lexis of `erl_scan`).
//!
//! Two speeds: [`Lexer::token`] reads one token; [`Lexer::skip_form`] skips a form that is not
//! read, byte by byte.

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
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::release::Release;
pub(crate) use encoding::Encoding;
pub(crate) use kind::Kind;

/// A token with its location and value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it starts.
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

/// What a form starts with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RawKind {
    /// `-name …`
    Attribute,
    /// Starts with a macro call, and may be anything.
    Macro,
    /// A function `behaviour_info/1`, or what looks like it.
    BehaviourInfo,
    /// Could not be read.
    Broken(LocalDiagnostic),
}

/// A form that may matter: what it starts with, and its tokens.
pub(crate) type FormTokens = (RawKind, Vec<Token>);

/// Attributes that matter to types or to the preprocessor.
const ATTRIBUTES: &[&str] = &[
    "behavior",
    "behaviour",
    "callback",
    "compile",
    "define",
    "doc",
    "elif",
    "else",
    "endif",
    "error",
    "export",
    "export_type",
    "feature",
    "file",
    "if",
    "ifdef",
    "ifndef",
    "include",
    "include_lib",
    "module",
    "moduledoc",
    "nominal",
    "opaque",
    "optional_callbacks",
    "record",
    "spec",
    "type",
    "undef",
    "warning",
];

/// The part of the file before the first byte that is not UTF-8.
fn valid_utf8(bytes: &[u8]) -> (&[u8], Option<LocalDiagnostic>) {
    let Err(error) = std::str::from_utf8(bytes) else {
        return (bytes, None);
    };
    let valid = &bytes[..error.valid_up_to()];
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let start = memchr::memrchr(b'\n', valid).map_or(0, |newline| newline + 1);
    let at = Location {
        line: number(memchr::memchr_iter(b'\n', valid).count() + 1),
        column: number(String::from_utf8_lossy(&valid[start..]).chars().count() + 1),
    };
    (valid, Some(catalog::INVALID_UTF8.at(at, "")))
}

/// The forms of a file, one after the other.
pub(crate) struct Cutter<'a> {
    lexer: Lexer<'a>,
    /// Where the file stops being UTF-8. Nothing behind that is read.
    invalid: Option<LocalDiagnostic>,
}

impl<'a> Cutter<'a> {
    pub(crate) fn new(bytes: &'a [u8], release: Release) -> Self {
        let encoding = Encoding::of(bytes);
        let (valid, invalid) = match encoding {
            Encoding::Latin1 => (bytes, None),
            Encoding::Utf8 => valid_utf8(bytes),
        };
        Cutter {
            lexer: Lexer::new(valid, encoding, release.0),
            invalid,
        }
    }
}

impl Iterator for Cutter<'_> {
    type Item = FormTokens;

    fn next(&mut self) -> Option<FormTokens> {
        loop {
            self.lexer.skip_blanks();
            if self.lexer.at_end() {
                let invalid = self.invalid.take()?;
                return Some((RawKind::Broken(invalid), Vec::new()));
            }
            match self.cut() {
                Ok(Some(form)) => return Some(form),
                Ok(None) => {}
                // The form that is cut off lacks its full stop only because of what is not UTF-8.
                Err(_) if self.invalid.is_some() && self.lexer.at_end() => {}
                Err(diagnostic) => {
                    return Some((RawKind::Broken(diagnostic), Vec::new()));
                }
            }
        }
    }
}

impl Cutter<'_> {
    /// The form that starts here; `None` if it does not matter.
    fn cut(&mut self) -> LexResult<Option<FormTokens>> {
        match self.lexer.rest() {
            [b'-', ..] => self.attribute(),
            [b'?', ..] => self.rest_of_form(RawKind::Macro, Vec::new()).map(Some),
            rest if rest.starts_with(b"behaviour_info") => self
                .rest_of_form(RawKind::BehaviourInfo, Vec::new())
                .map(Some),
            // Only the character is lost: the form behind it is read.
            _ if self.lexer.is_at_illegal_character() => self.lexer.token().map(|_| None),
            _ => self.lexer.skip_form().map(|()| None),
        }
    }

    /// `-` stands here.
    fn attribute(&mut self) -> LexResult<Option<FormTokens>> {
        let mut tokens = Vec::new();
        for _ in 0..2 {
            tokens.extend(self.lexer.token()?);
        }
        let kind = match tokens.get(1) {
            Some(name) => match name.kind {
                Kind::Dot => return Ok(None),
                Kind::Question => Some(RawKind::Macro),
                Kind::If => Some(RawKind::Attribute),
                _ => {
                    let is_read = ATTRIBUTES.binary_search(&name.text()).is_ok();
                    is_read.then_some(RawKind::Attribute)
                }
            },
            None => None,
        };
        match kind {
            Some(kind) => self.rest_of_form(kind, tokens).map(Some),
            None => self.lexer.skip_form().map(|()| None),
        }
    }

    /// Reads tokens to the full stop.
    fn rest_of_form(&mut self, kind: RawKind, mut tokens: Vec<Token>) -> LexResult<FormTokens> {
        loop {
            let Some(token) = self.lexer.token()? else {
                return Err(catalog::MISSING_FULL_STOP.at(self.lexer.location(), ""));
            };
            let end = token.kind == Kind::Dot;
            tokens.push(token);
            if end {
                return Ok((kind, tokens));
            }
        }
    }
}

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
}
