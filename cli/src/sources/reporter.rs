//! Reports what is wrong in the modules that a command reads.
//!
//! Nothing is made of a module with a form that cannot be read. A type that does not exist costs
//! only the types that refer to it: it is shown, the command goes on, and fails at its end.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use otp_specs::{Diagnostic, Severity};

use super::excerpts::Excerpts;
use crate::report::{Error, Result, Ui, catalog};

/// Shows diagnostics, and counts those that the command will fail for.
pub(crate) struct Reporter<'u> {
    /// `None`: nothing is shown.
    ui: Option<&'u Ui>,
    unresolved: Cell<usize>,
    /// What is wrong in sources of others, by code: nobody wants to read it line by line.
    others: RefCell<BTreeMap<&'static str, Repeated>>,
}

/// Diagnostics with one code: the first of them, how many there are, and in which files.
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
    /// Shows a line for each code of the sources of others.
    fn drop(&mut self) {
        for repeated in self.others.take().values() {
            self.note(&repeated.note());
        }
    }
}

impl<'u> Reporter<'u> {
    /// Shows diagnostics as they come.
    pub(crate) fn to(ui: &'u Ui) -> Self {
        Reporter {
            ui: Some(ui),
            unresolved: Cell::new(0),
            others: RefCell::default(),
        }
    }

    /// Shows nothing.
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

    /// Diagnostics of a source that others wrote. When the reporter is dropped, it shows one line
    /// for each code.
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
