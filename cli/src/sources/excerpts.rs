//! Diagnostics of specs, with the source line that each is about.

use std::collections::BTreeMap;
use std::path::Path;

use otp_specs::{Diagnostic, Severity};

use super::kinds::is_source;
use crate::files::read_regular;
use crate::report::{Diagnostic as Shown, Location, visible};

/// Maximum number of characters of a line that are shown.
const WIDTH: usize = 120;

/// The files that diagnostics of one file refer to, each read once.
#[derive(Default)]
pub(crate) struct Excerpts(BTreeMap<String, Option<Text>>);

/// A file's bytes, and the start of each line.
struct Text {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Excerpts {
    /// Starts with the text of a file that is already in memory.
    pub(crate) fn with(file: String, bytes: Vec<u8>) -> Self {
        Self(BTreeMap::from([(file, Some(Text::of(bytes)))]))
    }

    /// Returns a diagnostic with its line.
    pub(crate) fn shown(&mut self, diagnostic: &Diagnostic) -> Shown {
        let location = location(&visible(&diagnostic.file), diagnostic);
        let message = match diagnostic.hint.as_str() {
            "" => visible(&diagnostic.label),
            hint => format!("{} ({hint})", visible(&diagnostic.label)),
        };
        Shown {
            location,
            code: diagnostic.code,
            is_error: diagnostic.severity == Severity::Error,
            message,
            excerpt: self.excerpt(diagnostic),
        }
    }

    /// Returns the line of a diagnostic, and a caret under the column.
    pub(crate) fn excerpt(&mut self, diagnostic: &Diagnostic) -> Option<String> {
        let (line, column) = (diagnostic.line as usize, diagnostic.column as usize);
        let path = Path::new(diagnostic.file.as_str());
        let read = || read_regular(path).ok();
        let text = self
            .0
            .entry(diagnostic.file.to_string())
            .or_insert_with(|| read().map(Text::of));
        let text = text.as_ref().filter(|text| is_source(path, &text.bytes))?;
        let text = text.line(line)?;
        let (text, column) = window(&text, column.max(1));
        let location = Location {
            line,
            column,
            text: &text,
        };
        Some(location.shown())
    }
}

/// Returns the location of a diagnostic. The forms of a compiled module have lines, but no columns.
pub(super) fn location(file: &str, diagnostic: &Diagnostic) -> String {
    match (diagnostic.line, diagnostic.column) {
        (0, _) => file.to_owned(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    }
}

impl Text {
    fn of(bytes: Vec<u8>) -> Self {
        let after_breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(after_breaks.map(|(index, _)| index + 1));
        Self {
            starts: starts.collect(),
            bytes,
        }
    }

    /// Returns a line, counted from 1. Bytes that are not UTF-8 are read as Latin-1.
    fn line(&self, line: usize) -> Option<String> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let rest = &self.bytes[start..];
        let bytes = match self.starts.get(line) {
            Some(next) => &rest[..next - start],
            None => rest,
        };
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        };
        Some(text.trim_end_matches(['\n', '\r']).to_owned())
    }
}

/// Returns the part of a line around the column, and the column in it.
fn window(line: &str, column: usize) -> (String, usize) {
    let length = line.chars().count();
    // A column far outside the line is the result of a macro or of `-file`.
    let column = column.min(length + 1);
    if length <= WIDTH {
        return (visible(line), column);
    }
    let start = (column - 1).saturating_sub(WIDTH / 2);
    let mut part: String = line.chars().skip(start).take(WIDTH).collect();
    let mut shift = 0;
    if start > 0 {
        part.insert(0, '…');
        shift = 1;
    }
    if start + WIDTH < length {
        part.push('…');
    }
    (visible(&part), column - start + shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(line: u32, column: u32) -> Diagnostic {
        Diagnostic {
            file: "a.erl".into(),
            line,
            column,
            code: "E0301",
            label: "odd \x1b[31m thing".to_owned(),
            hint: "mend it".to_owned(),
            severity: Severity::Error,
        }
    }

    fn excerpt(bytes: &[u8], line: u32, column: u32) -> Option<String> {
        let mut texts = Excerpts::with("a.erl".to_owned(), bytes.to_vec());
        texts.shown(&diagnostic(line, column)).excerpt
    }

    #[test]
    fn a_diagnostic_has_location_message_and_line() {
        let mut texts = Excerpts::with("a.erl".to_owned(), b"-a.\r\n\t-bad x.\r\n".to_vec());
        let shown = texts.shown(&diagnostic(2, 7));
        assert_eq!(shown.location, "a.erl:2:7");
        assert_eq!(shown.message, "odd \u{FFFD}[31m thing (mend it)");
        assert_eq!(shown.excerpt.unwrap(), "\t-bad x.\n\t     ^");
        assert_eq!(texts.shown(&diagnostic(0, 0)).location, "a.erl");
    }

    #[test]
    fn any_bytes_and_any_location_can_be_shown() {
        assert_eq!(excerpt(b"\xe9\x00x", 1, 3).unwrap(), "é\u{FFFD}x\n  ^");
        assert_eq!(excerpt(b"x", 1, 4_000_000_000).unwrap(), "x\n ^");
        assert_eq!(excerpt(b"", 1, 0).unwrap(), "\n^");
        assert_eq!(excerpt(b"x\n", 3, 1), None);
        assert_eq!(excerpt(b"x\n", 0, 0), None);
    }

    #[test]
    fn of_a_long_line_the_part_around_the_column_is_shown() {
        let line = format!("{}!{}", "a".repeat(500), "b".repeat(500));
        let shown = excerpt(line.as_bytes(), 1, 501).unwrap();
        let (text, caret) = shown.split_once('\n').unwrap();
        assert!(text.chars().count() <= WIDTH + 2, "{text}");
        let column = caret.chars().count() - 1;
        assert_eq!(text.chars().nth(column), Some('!'));
    }

    #[test]
    fn a_file_that_is_not_there_has_no_line() {
        let shown = Excerpts::default().shown(&diagnostic(1, 1));
        assert_eq!(shown.excerpt, None);
    }
}
