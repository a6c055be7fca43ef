//! Reporter in the modules that a command reads.
//!
//! A form that cannot be read is its author's to mend before anything is made of the module. A type
//! that is not there spoils what has it and nothing else: it is shown, the rest goes on, and the
//! command fails at its end.

use std::cell::Cell;

use otp_specs::{Diagnostic, Severity};

use super::excerpts::Excerpts;
use crate::report::{Error, Result, Ui, catalog};

/// Shows diagnostics, and counts those that the command will fail for.
pub(crate) struct Reporter<'u> {
    /// `None`: nobody is to hear of them.
    ui: Option<&'u Ui>,
    unresolved: Cell<usize>,
}

impl<'u> Reporter<'u> {
    /// They are shown as they come.
    pub(crate) fn to(ui: &'u Ui) -> Self {
        Reporter {
            ui: Some(ui),
            unresolved: Cell::new(0),
        }
    }

    /// Nobody hears of them.
    pub(crate) fn silent() -> Self {
        Reporter {
            ui: None,
            unresolved: Cell::new(0),
        }
    }

    /// Something to know.
    pub(crate) fn note(&self, text: &str) {
        if let Some(ui) = self.ui {
            ui.note(text);
        }
    }

    /// What cannot be read: warnings are shown; errors too, the last of them as the command's own.
    pub(crate) fn refuse(&self, diagnostics: Vec<Diagnostic>) -> Result<()> {
        let Some(ui) = self.ui else { return Ok(()) };
        // Each file is read once, however many diagnostics it has.
        let (mut failure, mut excerpts) = (None, Excerpts::default());
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Warning => ui.note(&diagnostic.to_string()),
                Severity::Error => {
                    if let Some(earlier) = failure.replace(shown(&diagnostic, &mut excerpts)) {
                        ui.error(&earlier);
                    }
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// What does not resolve: shown, for [`Reporter::outcome`] to tell of.
    pub(crate) fn unresolved(&self, diagnostics: Vec<Diagnostic>) {
        let Some(ui) = self.ui else { return };
        let mut excerpts = Excerpts::default();
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Warning => ui.note(&diagnostic.to_string()),
                Severity::Error => {
                    ui.error(&shown(&diagnostic, &mut excerpts));
                    self.unresolved.set(self.unresolved.get() + 1);
                }
            }
        }
    }

    /// How the command ends, having done what it could.
    pub(crate) fn outcome(&self) -> Result<()> {
        let what = match self.unresolved.get() {
            0 => return Ok(()),
            1 => "1 type is".to_owned(),
            count => format!("{count} types are"),
        };
        Err(catalog::WRONG_TYPES.with(&[&what]))
    }
}

/// A diagnostic with its line.
fn shown(diagnostic: &Diagnostic, excerpts: &mut Excerpts) -> Error {
    let error = Error::foreign(diagnostic.code, diagnostic.label.clone());
    let error = match diagnostic.line {
        0 => error.at(&diagnostic.file),
        line => error.at(format!("{}:{line}:{}", diagnostic.file, diagnostic.column)),
    };
    let error = match excerpts.excerpt(diagnostic) {
        Some(excerpt) => error.detail(excerpt),
        None => error,
    };
    if diagnostic.hint.is_empty() {
        error
    } else {
        error.help(diagnostic.hint.clone())
    }
}
