//! Reports what is wrong in the modules that a command reads.
//!
//! Nothing is made of a module with a form that cannot be read. A type that does not exist costs
//! only the types that refer to it: it is shown, the command goes on, and fails at its end.

use std::cell::Cell;

use otp_specs::{Diagnostic, Severity};

use super::excerpts::Excerpts;
use crate::report::{Error, Result, Ui, catalog};

/// Shows diagnostics, and counts those that the command will fail for.
pub(crate) struct Reporter<'u> {
    /// `None`: nothing is shown.
    ui: Option<&'u Ui>,
    unresolved: Cell<usize>,
}

impl<'u> Reporter<'u> {
    /// Shows diagnostics as they come.
    pub(crate) fn to(ui: &'u Ui) -> Self {
        Reporter {
            ui: Some(ui),
            unresolved: Cell::new(0),
        }
    }

    /// Shows nothing.
    pub(crate) fn silent() -> Self {
        Reporter {
            ui: None,
            unresolved: Cell::new(0),
        }
    }

    /// Shows a note.
    pub(crate) fn note(&self, text: &str) {
        if let Some(ui) = self.ui {
            ui.note(text);
        }
    }

    /// Forms that cannot be read. Warnings are shown and errors too, but the last error is
    /// returned.
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

    /// Types that do not resolve. They are shown and counted for [`Reporter::outcome`].
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

    /// The result of a command that has done what it could.
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
