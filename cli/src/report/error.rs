//! A failure: what is wrong, where, and what to do.

use std::fmt::Display;

use otp_contract::messages::filled;

/// Whose mistake it is; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The user's: exit code 1.
    User,
    /// Ours: exit code 2.
    Ours,
    /// Nobody's: it can succeed another time. Exit code 3.
    Nobody,
}

/// A message of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// `E` and four digits.
    pub(crate) code: &'static str,
    /// What is wrong.
    pub(crate) label: &'static str,
    /// What to do; may be empty.
    pub(crate) hint: &'static str,
    /// Whose mistake it is.
    pub(crate) fault: Fault,
    /// What it means and how to correct it, in Markdown, with an example of each.
    pub(crate) page: &'static str,
}

impl Message {
    /// The error, of a label without `{}`.
    pub(crate) fn error(&'static self) -> Error {
        self.with(&[])
    }

    /// The error, with each `{}` of the label filled.
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
    /// A message of the catalogue, its label filled.
    fn of(message: &'static Message, label: String) -> Self {
        let mut error = Self::foreign(message.code, label);
        error.fault = message.fault;
        error.help.extend(hint(message.hint));
        error
    }

    /// The user's mistake, as another catalogue describes it.
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

    /// Whose mistake it is.
    pub(super) fn blamed(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }

    /// Where: a path, `file:line` or `file:line:column`.
    pub(crate) fn at(mut self, location: impl Display) -> Self {
        self.location = Some(location.to_string());
        self
    }

    /// A line of evidence: the source line, a tool's own output.
    pub(crate) fn detail(mut self, text: impl Into<String>) -> Self {
        self.detail.push(text.into());
        self
    }

    /// What to do about it.
    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Another program has shown what is wrong, so a reader needs no more than that.
    pub(crate) fn shown_elsewhere(mut self) -> Self {
        self.is_shown = true;
        self
    }

    /// Whether another program has shown it, and there is nothing to add.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown && self.help.is_empty()
    }

    /// Asks whether one of these names was meant, before all other help. Without names it changes
    /// nothing.
    pub(crate) fn suggest(mut self, near: &[&str]) -> Self {
        if !near.is_empty() {
            let names = format!("did you mean `{}`?", near.join("`, `"));
            self.help.insert(0, names);
        }
        self
    }

    /// 1 for the user's mistake, 2 for ours, 3 for what can succeed another time.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.fault {
            Fault::User => 1,
            Fault::Ours => 2,
            Fault::Nobody => 3,
        }
    }

    /// `E` and four digits.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// The sentence after `error[CODE]:`.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// The location, when one is known.
    pub(crate) fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Lines of evidence.
    pub(crate) fn details(&self) -> &[String] {
        &self.detail
    }

    /// Remedies; a mistake of ours asks for a report.
    pub(crate) fn remedies(&self) -> Vec<&str> {
        let mut remedies: Vec<&str> = self.help.iter().map(String::as_str).collect();
        if self.fault == Fault::Ours {
            remedies.push("this is a mistake in otp-rs; please report it with the lines above");
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
