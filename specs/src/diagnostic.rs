//! Diagnostics: a problem in the input, its location, and the remedy.

use crate::ast::{Location, Module, Name};
use crate::catalog::Message;
pub use crate::catalog::Severity;

/// A problem at one location of the input. `specs` never prints; the caller renders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file, as the caller (or its include resolver, or `-file`) named it.
    pub file: Name,
    /// From 1; 0 when the diagnostic concerns the whole file.
    pub line: u32,
    /// From 1, in characters; 0 when unknown.
    pub column: u32,
    /// The message's code in the [catalogue](crate::catalog), e.g. `E0301`.
    pub code: &'static str,
    /// The problem: lower case, no full stop.
    pub label: String,
    /// The remedy; may be empty.
    pub hint: String,
    /// The severity of the diagnostic.
    pub severity: Severity,
}

/// The result of reading a file: forms and diagnostics. A bad form costs only itself, so both can
/// be present.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The forms that could be read.
    pub module: Module,
    /// The problems of the others.
    pub diagnostics: Vec<Diagnostic>,
}

/// A diagnostic whose file is not known yet: most of the code handles lines and columns only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalDiagnostic {
    /// The location.
    pub at: Location,
    /// The message.
    pub message: &'static Message,
    /// The text for the `{}` of the label.
    pub detail: String,
}

impl Message {
    /// Places the message at a location; `detail` fills the `{}` of its label.
    #[must_use]
    pub fn at(&'static self, at: Location, detail: impl Into<String>) -> LocalDiagnostic {
        LocalDiagnostic {
            at,
            message: self,
            detail: detail.into(),
        }
    }
}

impl LocalDiagnostic {
    /// Returns whether part of the input is lost.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.message.severity == Severity::Error
    }

    /// Adds the file.
    #[must_use]
    pub fn in_file(self, file: &Name) -> Diagnostic {
        Diagnostic {
            file: file.clone(),
            line: self.at.line,
            column: self.at.column,
            code: self.message.code,
            label: self.message.label.replacen("{}", &self.detail, 1),
            hint: self.message.hint.to_owned(),
            severity: self.message.severity,
        }
    }
}

impl std::fmt::Display for Diagnostic {
    /// `file:line:column: error[E0301]: label (hint)`; forms of compiled modules may have no column.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(formatter, "{}:", self.file)?;
        if self.line > 0 {
            write!(formatter, "{}:", self.line)?;
        }
        if self.line > 0 && self.column > 0 {
            write!(formatter, "{}:", self.column)?;
        }
        write!(formatter, " {severity}[{}]: {}", self.code, self.label)?;
        if self.hint.is_empty() {
            Ok(())
        } else {
            write!(formatter, " ({})", self.hint)
        }
    }
}
