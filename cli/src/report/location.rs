//! Positions in a text: line, column and the text of the line.

use std::fs;
use std::path::Path;

use otp_contract::manifest::{self, Module};

use super::Error;

/// Line and column, counted from 1, with the text of the line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Location<'a> {
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in characters, from 1.
    pub(crate) column: usize,
    /// The line without its line break.
    pub(crate) text: &'a str,
}

/// Returns the location of a byte offset; an offset past the end means the end.
pub(crate) fn locate(source: &str, offset: usize) -> Location<'_> {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &source[..offset];
    let start = before.rfind('\n').map_or(0, |index| index + 1);
    let end = source[offset..]
        .find('\n')
        .map_or(source.len(), |length| offset + length);
    Location {
        line: before.matches('\n').count() + 1,
        column: source[start..offset].chars().count() + 1,
        text: source[start..end].trim_end_matches('\r'),
    }
}

impl Location<'_> {
    /// Returns the line with a caret under the column.
    pub(crate) fn shown(&self) -> String {
        let indent: String = self
            .text
            .chars()
            .take(self.column - 1)
            .map(|character| if character == '\t' { '\t' } else { ' ' })
            .collect();
        format!("{}\n{indent}^", self.text)
    }
}

/// Locates an error at the module's attribute, with that line of the source if it can be read.
pub(crate) fn at_attribute(error: Error, workspace: &Path, module: &Module) -> Error {
    at_line(error, workspace, &module.location)
}

/// Locates an error at a position of the Rust source, with its line.
pub(crate) fn at_line(error: Error, workspace: &Path, location: &manifest::Location) -> Error {
    let error = error.at(location);
    match line_of(workspace, location) {
        Some(line) => error.detail(line),
        None => error,
    }
}

/// Returns the line, with a caret under its column.
fn line_of(workspace: &Path, of: &manifest::Location) -> Option<String> {
    let text = fs::read_to_string(workspace.join(&of.file)).ok()?;
    let [line, column] = [of.line, of.column].map(|number| usize::try_from(number).ok());
    let (line, column) = (line?, column?);
    let location = Location {
        line,
        column,
        text: text.lines().nth(line.checked_sub(1)?)?,
    };
    (column > 0).then(|| location.shown())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_one_in_characters() {
        assert_eq!(
            locate("ab\ncd", 4),
            Location {
                line: 2,
                column: 2,
                text: "cd"
            }
        );
        assert_eq!(
            locate("é=1\n", 3),
            Location {
                line: 1,
                column: 3,
                text: "é=1"
            }
        );
        assert_eq!(locate("a\r\nb", 0).text, "a");
    }

    #[test]
    fn an_offset_inside_a_character_or_past_the_end_is_no_panic() {
        assert_eq!(locate("é", 1).column, 1);
        assert_eq!(locate("ab", 99).column, 3);
    }

    #[test]
    fn the_caret_stands_under_the_column() {
        assert_eq!(locate("\tx = ?", 5).shown(), "\tx = ?\n\t    ^");
    }
}
