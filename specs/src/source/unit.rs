//! One file, cut into forms: what does not depend on macros or on who includes it.
//!
//! A unit is immutable and can be shared: a header that a hundred modules include is cut once, and
//! each of its forms without macros is parsed once. A module itself is cut while it is read, so
//! that only one of its forms is in memory as tokens.

use std::sync::{Arc, OnceLock};

use super::definition::Defined;
use super::definition_run::RunOfForms;
use super::encoding::Encoding;
use super::lexer::{LexResult, Lexer};
use crate::ast::{Form, Location, Name};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::grammar;
use crate::release::Release;
use crate::token::{Kind, Token};

/// A source file or header, cut into forms.
#[derive(Debug)]
pub struct Unit {
    pub(crate) path: Name,
    pub(crate) forms: Vec<RawForm>,
    /// Runs of `-define`s among the forms.
    pub(crate) runs: Vec<RunOfForms>,
}

/// A form that may matter: its tokens, and what they parse to on their own.
#[derive(Debug)]
pub(crate) struct RawForm {
    pub(crate) kind: RawKind,
    pub(crate) tokens: Box<[Token]>,
    /// Holds a macro call, or a word whose meaning a feature decides.
    pub(crate) open: bool,
    /// Holds `maybe` or `else`.
    pub(crate) has_feature_words: bool,
    defined: OnceLock<Result<Defined, LocalDiagnostic>>,
    parsed: OnceLock<Result<Option<Arc<Form>>, LocalDiagnostic>>,
}

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

impl Unit {
    /// Cuts a file into forms. `path` is what diagnostics will call it.
    #[must_use]
    pub fn read(path: &str, bytes: &[u8], release: Release) -> Unit {
        let forms: Vec<RawForm> = Cutter::new(bytes, release).collect();
        Unit {
            path: Name::new(path),
            runs: RunOfForms::all(&forms),
            forms,
        }
    }
}

impl RawForm {
    fn new(kind: RawKind, tokens: Vec<Token>) -> Self {
        let has = |kinds: &[Kind]| tokens.iter().any(|token| kinds.contains(&token.kind));
        let has_feature_words = has(&[Kind::Maybe, Kind::Else]);
        RawForm {
            kind,
            open: has_feature_words || has(&[Kind::Question]),
            has_feature_words,
            tokens: tokens.into_boxed_slice(),
            defined: OnceLock::new(),
            parsed: OnceLock::new(),
        }
    }

    /// What a `-define` defines.
    pub(crate) fn defined(&self) -> Result<Defined, LocalDiagnostic> {
        let defined = self.defined.get_or_init(|| Defined::read(&self.tokens));
        defined.clone()
    }

    /// What a form without macros is.
    pub(crate) fn parse(&self, release: Release) -> Result<Option<Arc<Form>>, LocalDiagnostic> {
        let parsed = self.parsed.get_or_init(|| parse(&self.tokens, release));
        parsed.clone()
    }
}

/// Parses the tokens of an attribute.
pub(crate) fn parse(
    tokens: &[Token],
    release: Release,
) -> Result<Option<Arc<Form>>, LocalDiagnostic> {
    let at = tokens.get(1).map(|name| name.at).unwrap_or_default();
    let kind = grammar::form(tokens, release)?;
    Ok(kind.map(|kind| Arc::new(Form::new(at, kind))))
}

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
                // The form that is cut off lacks its full stop only because of what is not UTF-8.
                Err(_) if self.invalid.is_some() && self.lexer.at_end() => {}
                Err(diagnostic) => {
                    return Some(RawForm::new(RawKind::Broken(diagnostic), Vec::new()));
                }
            }
        }
    }
}

impl Cutter<'_> {
    /// The form that starts here; `None` if it does not matter.
    fn cut(&mut self) -> LexResult<Option<RawForm>> {
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
    fn attribute(&mut self) -> LexResult<Option<RawForm>> {
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
