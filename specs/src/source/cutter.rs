//! Cuts a file into forms, and leaves out those without meaning to types.
//!
//! A form's tokens are needed only if it contains macros or an error. The parser reads other forms
//! directly from the text, so that no form is in memory both as tokens and as a tree.

use super::unit::{RawForm, RawKind};
use crate::ast::Location;
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::grammar;
use crate::lexer::{Encoding, Kind, LexResult, Lexer, Token};
use crate::release::Release;

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

/// Room for the tokens of most forms.
const USUAL_TOKENS: usize = 16;

/// Returns the part of the file before the first byte that is not UTF-8.
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
pub(super) struct Cutter<'a> {
    lexer: Lexer<'a>,
    release: Release,
    /// Set after a `-file` attribute, which may give what follows other line numbers.
    keeps_tokens: bool,
    /// The error at the first byte that is not UTF-8. The cutter reads nothing behind it.
    invalid: Option<LocalDiagnostic>,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(bytes: &'a [u8], release: Release) -> Self {
        let encoding = Encoding::of(bytes);
        let (valid, invalid) = match encoding {
            Encoding::Latin1 => (bytes, None),
            Encoding::Utf8 => valid_utf8(bytes),
        };
        Cutter {
            lexer: Lexer::new(valid, encoding, release.0),
            release,
            keeps_tokens: false,
            invalid,
        }
    }
}

impl Iterator for Cutter<'_> {
    type Item = RawForm;

    fn next(&mut self) -> Option<RawForm> {
        loop {
            self.lexer.skip_blanks();
            if self.lexer.at_end() {
                let invalid = self.invalid.take()?;
                return Some(RawForm::new(RawKind::Broken(invalid), Vec::new()));
            }
            match self.cut() {
                Ok(Some(form)) => return Some(form),
                Ok(None) => {}
                // The incomplete form lacks its full stop only because of the bytes that are not
                // UTF-8.
                Err(_) if self.invalid.is_some() && self.lexer.at_end() => {}
                Err(diagnostic) => {
                    return Some(RawForm::new(RawKind::Broken(diagnostic), Vec::new()));
                }
            }
        }
    }
}

impl Cutter<'_> {
    /// Cuts the form that starts here; `None` if it does not matter.
    fn cut(&mut self) -> LexResult<Option<RawForm>> {
        match self.lexer.rest() {
            [b'-', ..] => self.attribute(),
            [b'?', ..] => self.rest_of_form(RawKind::Macro, Vec::new()).map(Some),
            rest if rest.starts_with(b"behaviour_info") => self
                .rest_of_form(RawKind::BehaviourInfo, Vec::new())
                .map(Some),
            // Only the character is lost: the form behind it is still read.
            _ if self.lexer.is_at_illegal_character() => self.lexer.token().map(|_| None),
            _ => self.lexer.skip_form().map(|()| None),
        }
    }

    /// Cuts an attribute, from its `-`.
    fn attribute(&mut self) -> LexResult<Option<RawForm>> {
        let (Some(minus), Some(name)) = (self.lexer.token()?, self.lexer.token()?) else {
            return Ok(None);
        };
        let kind = match name.kind {
            Kind::Dot => return Ok(None),
            Kind::Question => RawKind::Macro,
            Kind::If => RawKind::Attribute,
            _ if ATTRIBUTES.binary_search(&name.text()).is_ok() => RawKind::Attribute,
            _ => return self.lexer.skip_form().map(|()| None),
        };
        if let Some(form) = self.read(&minus, &name) {
            return Ok(Some(form));
        }
        let mut tokens = Vec::with_capacity(USUAL_TOKENS);
        tokens.extend([minus, name]);
        self.rest_of_form(kind, tokens).map(Some)
    }

    /// Reads the form directly from the text, if that is possible.
    fn read(&mut self, minus: &Token, name: &Token) -> Option<RawForm> {
        self.keeps_tokens |= name.text() == "file";
        if self.keeps_tokens || (minus.kind, name.kind) != (Kind::Minus, Kind::Atom) {
            return None;
        }
        let (form, behind) = grammar::form_of_text(name, self.lexer.clone(), self.release)?;
        self.lexer = behind;
        Some(RawForm::read(form))
    }

    /// Reads tokens up to the full stop.
    fn rest_of_form(&mut self, kind: RawKind, mut tokens: Vec<Token>) -> LexResult<RawForm> {
        loop {
            let Some(token) = self.lexer.token()? else {
                return Err(catalog::MISSING_FULL_STOP.at(self.lexer.location(), ""));
            };
            let end = token.kind == Kind::Dot;
            tokens.push(token);
            if end {
                return Ok(RawForm::new(kind, tokens));
            }
        }
    }
}
