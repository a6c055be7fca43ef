//! Reports problems in the modules that a command reads.
//!
//! A module with a form that cannot be read produces no output. A type that does not exist affects
//! only the types that refer to it: it is reported, the command continues, and fails at its end.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use otp_specs::{Diagnostic, Severity};

use super::excerpts::{Excerpts, location};
use crate::report::{Error, Result, Ui, catalog};

/// Shows diagnostics, and counts those that make the command fail.
pub(crate) struct Reporter<'u> {
    /// `None`: diagnostics are not shown.
    ui: Option<&'u Ui>,
    unresolved: Cell<usize>,
    /// Problems in other people's sources, by code: a reader does not want them line by line.
    others: RefCell<BTreeMap<&'static str, Repeated>>,
}

/// Diagnostics with one code: the first of them, their number, and their files.
struct Repeated {
    first: Diagnostic,
    count: usize,
    files: BTreeSet<String>,
}

impl Repeated {
    fn note(&self) -> String {
        let first = &self.first;
        match (self.count, self.files.len()) {
            (1, _) => first.to_string(),
            (count, 1) => format!("{first}; {count} like it in this file"),
            (count, files) => format!("{first}; {count} like it in {files} files"),
        }
    }
}

impl Drop for Reporter<'_> {
    /// Shows a line for each code in other people's sources.
    fn drop(&mut self) {
        for repeated in self.others.take().values() {
            self.note(&repeated.note());
        }
    }
}

impl<'u> Reporter<'u> {
    /// Creates a reporter that shows diagnostics immediately.
    pub(crate) fn to(ui: &'u Ui) -> Self {
        Reporter {
            ui: Some(ui),
            unresolved: Cell::new(0),
            others: RefCell::default(),
        }
    }

    /// Creates a reporter that shows none.
    pub(crate) fn silent() -> Self {
        Reporter {
            ui: None,
            unresolved: Cell::new(0),
            others: RefCell::default(),
        }
    }

    /// Shows a note.
    pub(crate) fn note(&self, text: &str) {
        if let Some(ui) = self.ui {
            ui.note(text);
        }
    }

    /// Collects diagnostics of other people's sources. When the reporter is dropped, it shows one
    /// line for each code.
    pub(crate) fn others(&self, diagnostics: Vec<Diagnostic>) {
        let mut others = self.others.borrow_mut();
        for diagnostic in diagnostics {
            let file = diagnostic.file.to_string();
            let repeated = others.entry(diagnostic.code).or_insert_with(|| Repeated {
                first: diagnostic,
                count: 0,
                files: BTreeSet::new(),
            });
            repeated.count += 1;
            repeated.files.insert(file);
        }
    }

    /// Reports forms that cannot be read. Warnings and errors are shown, except the last error,
    /// which is returned.
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

    /// Reports types that do not resolve. They are shown and counted for [`Reporter::outcome`].
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

    /// Returns the result of a command that has done as much as possible.
    pub(crate) fn outcome(&self) -> Result<()> {
        let what = match self.unresolved.get() {
            0 => return Ok(()),
            1 => "1 type is".to_owned(),
            count => format!("{count} types are"),
        };
        Err(catalog::WRONG_TYPES.with(&[&what]))
    }
}

/// Returns a diagnostic with its line.
fn shown(diagnostic: &Diagnostic, excerpts: &mut Excerpts) -> Error {
    let error = Error::foreign(diagnostic.code, diagnostic.label.clone());
    let error = error.at(location(&diagnostic.file, diagnostic));
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
