//! A diagnostic of a file, ready to be shown.

use std::fmt::Display;
use std::path::Path;

use super::error::Message;

/// A problem at a location of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Diagnostic {
    /// `file`, or `file:line:column`.
    pub(crate) location: String,
    /// `E` and four digits.
    pub(crate) code: &'static str,
    /// Whether something was lost.
    pub(crate) is_error: bool,
    /// The problem, and the remedy in parentheses.
    pub(crate) message: String,
    /// The line of source, and a caret under the column.
    pub(crate) excerpt: Option<String>,
}

impl Diagnostic {
    /// Creates a diagnostic of a whole file.
    pub(crate) fn of_file(
        path: &Path,
        message: &'static Message,
        arguments: &[&dyn Display],
    ) -> Self {
        let error = message.with(arguments);
        let hint = match message.hint {
            "" => String::new(),
            hint => format!(" ({hint})"),
        };
        Self {
            location: visible(&path.to_string_lossy()),
            code: message.code,
            is_error: true,
            message: format!("{}{hint}", error.what()),
            excerpt: None,
        }
    }
}

/// Returns the text with its control characters replaced, because a terminal would obey them.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => c,
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        })
        .collect()
}
