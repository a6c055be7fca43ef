//! What is wrong with the input, where, and what to do about it.

use crate::ast::{Location, Module, Name};
use crate::catalog::Message;
pub use crate::catalog::Severity;

/// What is wrong at one location of the input. `specs` never prints; the caller renders.
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
    /// What is wrong: lower case, no full stop.
    pub label: String,
    /// What to do; empty when there is nothing to say.
    pub hint: String,
    /// How bad it is.
    pub severity: Severity,
}

/// What reading a file gives: its forms and its diagnostics. There are always both: a bad form
/// costs only itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The forms that could be read.
    pub module: Module,
    /// What is wrong with the others.
    pub diagnostics: Vec<Diagnostic>,
}

/// A diagnostic whose file is not known yet: most of the code sees lines and columns only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalDiagnostic {
    /// Where.
    pub at: Location,
    /// What.
    pub message: &'static Message,
    /// Fills the `{}` of the label.
    pub detail: String,
}

impl Message {
    /// The message at a location; `detail` fills the `{}` of its label.
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
    /// Whether something is lost by it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.message.severity == Severity::Error
    }

    /// With its file.
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
    /// `file:line:column: error[E0301]: label (hint)`
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(formatter, "{}:", self.file)?;
        if self.line > 0 {
            write!(formatter, "{}:{}:", self.line, self.column)?;
        }
        write!(formatter, " {severity}[{}]: {}", self.code, self.label)?;
        if self.hint.is_empty() {
            Ok(())
        } else {
            write!(formatter, " ({})", self.hint)
        }
    }
}
