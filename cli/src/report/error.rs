//! A failure: the problem, the location, and the remedy.

use std::fmt::Display;

use otp_contract::messages::filled;

/// The party that is responsible, which decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The user: exit code 1.
    User,
    /// This program: exit code 2.
    Ours,
    /// Neither of them: the command can succeed another time. Exit code 3.
    Nobody,
}

/// A message of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// `E` and four digits.
    pub(crate) code: &'static str,
    /// The problem.
    pub(crate) label: &'static str,
    /// The remedy; may be empty.
    pub(crate) hint: &'static str,
    /// The party that is responsible.
    pub(crate) fault: Fault,
    /// A page in Markdown: the message's meaning and remedy, with an example of each.
    pub(crate) page: &'static str,
}

impl Message {
    /// Creates the error for a label without `{}`.
    pub(crate) fn error(&'static self) -> Error {
        self.with(&[])
    }

    /// Creates the error, with each `{}` of the label filled.
    pub(crate) fn with(&'static self, arguments: &[&dyn Display]) -> Error {
        let label = filled(self.label, arguments);
        Error::of(self, label)
    }
}

/// A failure as it is shown to the user.
#[derive(Debug, Clone)]
pub(crate) struct Error {
    code: &'static str,
    fault: Fault,
    what: String,
    location: Option<String>,
    detail: Vec<String>,
    help: Vec<String>,
    is_shown: bool,
}

/// The result of everything that can fail in this crate.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Creates an error from a message of the catalogue with its label filled.
    fn of(message: &'static Message, label: String) -> Self {
        let mut error = Self::foreign(message.code, label);
        error.fault = message.fault;
        error.help.extend(hint(message.hint));
        error
    }

    /// Creates an error of the user from a message of another catalogue.
    pub(crate) fn foreign(code: &'static str, label: String) -> Self {
        Self {
            code,
            fault: Fault::User,
            what: label,
            location: None,
            detail: Vec::new(),
            help: Vec::new(),
            is_shown: false,
        }
    }

    /// Sets the responsible party.
    pub(super) fn blamed(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }

    /// Sets the location: a path, `file:line` or `file:line:column`.
    pub(crate) fn at(mut self, location: impl Display) -> Self {
        self.location = Some(location.to_string());
        self
    }

    /// Adds a line of evidence: the source line, a tool's own output.
    pub(crate) fn detail(mut self, text: impl Into<String>) -> Self {
        self.detail.push(text.into());
        self
    }

    /// Adds a remedy.
    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Marks the error as shown by another program, so that its text is not repeated.
    pub(crate) fn shown_elsewhere(mut self) -> Self {
        self.is_shown = true;
        self
    }

    /// Returns whether another program has shown it, and there is nothing to add.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown && self.help.is_empty()
    }

    /// Asks whether one of these names was meant, before all other remedies. Without names, it
    /// changes nothing.
    pub(crate) fn suggest(mut self, near: &[&str]) -> Self {
        if !near.is_empty() {
            let names = format!("did you mean `{}`?", near.join("`, `"));
            self.help.insert(0, names);
        }
        self
    }

    /// Returns 1 for the user's mistake, 2 for this program's, 3 for what can succeed another time.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.fault {
            Fault::User => 1,
            Fault::Ours => 2,
            Fault::Nobody => 3,
        }
    }

    /// Returns `E` and four digits.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the sentence after `error[CODE]:`.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Returns the location, if it is known.
    pub(crate) fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Returns lines of evidence.
    pub(crate) fn details(&self) -> &[String] {
        &self.detail
    }

    /// Returns the remedies. A mistake of this program asks for a report.
    pub(crate) fn remedies(&self) -> Vec<&str> {
        let mut remedies: Vec<&str> = self.help.iter().map(String::as_str).collect();
        if self.fault == Fault::Ours {
            remedies.push("this is a bug in otp-rs; please report it with the lines above");
        }
        remedies
    }
}

fn hint(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::super::catalog;
    use super::*;

    #[test]
    fn exit_codes_tell_whose_mistake_it_is() {
        assert_eq!(catalog::NO_ERL.error().exit_code(), 1);
        assert_eq!(catalog::NOT_LOADED.error().exit_code(), 2);
        let busy = catalog::BUSY.with(&[&"1 process", &"left", &"is"]);
        assert_eq!(busy.exit_code(), 3);
    }

    #[test]
    fn a_refused_file_operation_names_the_path() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let error = Error::io("write", Path::new("/a/b"), &denied);
        assert_eq!(error.location(), Some("/a/b"));
        assert_eq!(error.exit_code(), 1);
    }

    #[test]
    fn a_mistake_of_ours_asks_for_a_report() {
        let remedies = |error: Error| error.remedies().concat();
        assert!(remedies(catalog::NOT_LOADED.error()).contains("report"));
        assert!(remedies(catalog::NO_ERL.error()).is_empty());
    }
}
