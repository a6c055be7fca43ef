//! One file, cut into forms: what does not depend on macros or on who includes it.
//!
//! A unit is immutable and can be shared: a header that a hundred modules include is cut once, and
//! each of its forms without macros is parsed once.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::definition::Defined;
use super::encoding::Encoding;
use super::lexer::Lexer;
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
    pub(crate) release: Release,
    pub(crate) forms: Vec<RawForm>,
    tokens: Vec<Token>,
}

/// A form that may matter: its tokens, and what they parse to on their own.
#[derive(Debug)]
pub(crate) struct RawForm {
    pub(crate) kind: RawKind,
    tokens: Range<usize>,
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
        let encoding = Encoding::of(bytes);
        let (valid, diagnostic) = match encoding {
            Encoding::Latin1 => (bytes, None),
            Encoding::Utf8 => valid_utf8(bytes),
        };
        let unit = Unit {
            path: Name::new(path),
            release,
            forms: Vec::new(),
            tokens: Vec::new(),
        };
        let mut cutter = Cutter {
            lexer: Lexer::new(valid, encoding, release.0),
            unit,
        };
        cutter.run();
        if let Some(diagnostic) = diagnostic {
            // The form that is cut off lacks its full stop only because of that.
            cutter
                .unit
                .forms
                .pop_if(|last| matches!(last.kind, RawKind::Broken(_)));
            let end = cutter.unit.tokens.len();
            cutter.push(RawKind::Broken(diagnostic), end);
        }
        cutter.unit
    }

    /// The tokens of a form.
    pub(crate) fn tokens(&self, form: &RawForm) -> &[Token] {
        &self.tokens[form.tokens.clone()]
    }

    /// What a `-define` defines.
    pub(crate) fn defined(&self, form: &RawForm) -> Result<Defined, LocalDiagnostic> {
        let defined = form
            .defined
            .get_or_init(|| Defined::read(self.tokens(form)));
        defined.clone()
    }

    /// What a form without macros is.
    pub(crate) fn parse(&self, form: &RawForm) -> Result<Option<Arc<Form>>, LocalDiagnostic> {
        let parsed = form
            .parsed
            .get_or_init(|| parse(self.tokens(form), self.release));
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
    Ok(kind.map(|kind| Arc::new(Form { at, kind })))
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

struct Cutter<'a> {
    lexer: Lexer<'a>,
    unit: Unit,
}

impl Cutter<'_> {
    fn run(&mut self) {
        loop {
            self.lexer.skip_blanks();
            let start = self.unit.tokens.len();
            let cut = match self.lexer.rest().first() {
                None => return,
                Some(b'-') => self.attribute(start),
                Some(b'?') => self.rest_of_form(start, RawKind::Macro),
                Some(b'b') if self.lexer.rest().starts_with(b"behaviour_info") => {
                    self.rest_of_form(start, RawKind::BehaviourInfo)
                }
                // Only the character is lost: the form behind it is read.
                Some(_) if self.lexer.is_at_illegal_character() => self.lexer.token().map(drop),
                Some(_) => self.lexer.skip_form(),
            };
            if let Err(diagnostic) = cut {
                self.unit.tokens.truncate(start);
                self.push(RawKind::Broken(diagnostic), start);
            }
        }
    }

    fn push(&mut self, kind: RawKind, start: usize) {
        let tokens = start..self.unit.tokens.len();
        let form = &self.unit.tokens[tokens.clone()];
        let has = |kinds: &[Kind]| form.iter().any(|token| kinds.contains(&token.kind));
        let has_feature_words = has(&[Kind::Maybe, Kind::Else]);
        let open = has_feature_words || has(&[Kind::Question]);
        self.unit.forms.push(RawForm {
            kind,
            tokens,
            open,
            has_feature_words,
            defined: OnceLock::new(),
            parsed: OnceLock::new(),
        });
    }

    /// `-` stands here.
    fn attribute(&mut self, start: usize) -> Result<(), LocalDiagnostic> {
        for _ in 0..2 {
            let Some(token) = self.lexer.token()? else {
                break;
            };
            self.unit.tokens.push(token);
        }
        let (kind, is_read) = match self.unit.tokens.get(start + 1) {
            Some(Token {
                kind: Kind::Question,
                ..
            }) => (RawKind::Macro, true),
            Some(Token { kind: Kind::If, .. }) => (RawKind::Attribute, true),
            Some(Token {
                kind: Kind::Dot, ..
            }) => {
                self.unit.tokens.truncate(start);
                return Ok(());
            }
            Some(name) => (
                RawKind::Attribute,
                ATTRIBUTES.binary_search(&name.text()).is_ok(),
            ),
            None => (RawKind::Attribute, false),
        };
        if is_read {
            return self.rest_of_form(start, kind);
        }
        self.unit.tokens.truncate(start);
        self.lexer.skip_form()
    }

    /// Reads tokens to the full stop.
    fn rest_of_form(&mut self, start: usize, kind: RawKind) -> Result<(), LocalDiagnostic> {
        loop {
            let Some(token) = self.lexer.token()? else {
                return Err(catalog::MISSING_FULL_STOP.at(self.lexer.location(), ""));
            };
            let end = token.kind == Kind::Dot;
            self.unit.tokens.push(token);
            if end {
                self.push(kind, start);
                return Ok(());
            }
        }
    }
}
