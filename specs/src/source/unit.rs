//! The parts of a file's forms that do not depend on the including module. They are kept for the
//! next one: a header that a hundred modules include is cut once, and each of its forms without
//! macros is parsed once.
//!
//! A module itself is cut while it is read, so that only one of its forms at a time is in memory as
//! tokens.

use std::sync::{Arc, OnceLock};

use super::cutter::Cutter;
use super::definition::Defined;
use super::definition_run::RunOfForms;
use crate::ast::{Form, Name};
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token};
use crate::release::Release;

/// The parsed form; `None` if it has no meaning to types.
pub(crate) type ParsedForm = Result<Option<Arc<Form>>, LocalDiagnostic>;

/// The beginning of a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RawKind {
    /// `-name …`
    Attribute,
    /// Starts with a macro call, and may expand to anything.
    Macro,
    /// A function `behaviour_info/1`, or similar text.
    BehaviourInfo,
    /// A form that could not be read.
    Broken(LocalDiagnostic),
}

/// A source file or header, cut into forms.
#[derive(Debug)]
pub struct Unit {
    pub(crate) path: Name,
    pub(crate) forms: Vec<RawForm>,
    /// Runs of `-define`s among the forms.
    pub(crate) runs: Vec<RunOfForms>,
}

/// A form that may matter: its tokens, and the form that they parse to on their own. A form that
/// has already been read has no tokens.
#[derive(Debug)]
pub(crate) struct RawForm {
    pub(crate) kind: RawKind,
    pub(crate) tokens: Box<[Token]>,
    /// Whether it contains a macro call, or a word whose meaning depends on a feature.
    pub(crate) open: bool,
    /// Whether it contains `maybe` or `else`.
    pub(crate) has_feature_words: bool,
    defined: OnceLock<Result<Defined, LocalDiagnostic>>,
    parsed: OnceLock<ParsedForm>,
}

impl Unit {
    /// Cuts a file into forms. Diagnostics name the file by `path`.
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
    pub(super) fn new(kind: RawKind, tokens: Vec<Token>) -> Self {
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

    /// An attribute without macros whose meaning does not depend on a feature.
    pub(super) fn read(form: Form) -> Self {
        RawForm {
            parsed: OnceLock::from(Ok(Some(Arc::new(form)))),
            ..Self::new(RawKind::Attribute, Vec::new())
        }
    }

    /// Returns the macro that a `-define` defines.
    pub(crate) fn defined(&self) -> Result<Defined, LocalDiagnostic> {
        let defined = self.defined.get_or_init(|| Defined::read(&self.tokens));
        defined.clone()
    }

    /// Returns the form if it has no macros. The first call reads it.
    pub(crate) fn parsed(&self, read: impl FnOnce() -> ParsedForm) -> ParsedForm {
        self.parsed.get_or_init(read).clone()
    }
}
