//! Messages for programs: one JSON object on each line, like cargo's own.

use serde_json::{Value, json};

use super::Error;

/// Returns a message without a code.
pub(super) fn message(level: &str, text: &str) -> Value {
    json!({ "reason": "otp-message", "level": level, "message": text })
}

/// Returns the message for an error or a warning. `rendered` is the text for people.
pub(super) fn coded_message(level: &str, error: &Error, rendered: &str) -> Value {
    let Position { file, line, column } = position(error.location());
    json!({
        "reason": "otp-message",
        "level": level,
        "code": error.code(),
        "message": error.what(),
        "file": file,
        "line": line,
        "column": column,
        "details": error.details(),
        "help": error.remedies(),
        "rendered": rendered,
    })
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Position<'a> {
    file: Option<&'a str>,
    line: Option<u64>,
    column: Option<u64>,
}

/// Returns the parts of `file`, `file:line` or `file:line:column`.
fn position(location: Option<&str>) -> Position<'_> {
    let Some(location) = location else {
        return Position::default();
    };
    let (rest, last) = split(location);
    let (file, before) = split(rest);
    match (before, last) {
        (Some(line), Some(column)) => Position {
            file: Some(file),
            line: Some(line),
            column: Some(column),
        },
        (_, line) => Position {
            file: Some(rest),
            line,
            column: None,
        },
    }
}

/// Returns the number after the last colon, and the text before it.
fn split(text: &str) -> (&str, Option<u64>) {
    let parts = text.rsplit_once(':');
    let parts = parts.and_then(|(before, number)| Some((before, number.parse().ok()?)));
    parts.map_or((text, None), |(before, number)| (before, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_has_up_to_three_parts() {
        let of = |text| position(Some(text));
        let file = Some("a:b/otp.toml");
        let (line, column) = (Some(3), Some(7));
        assert_eq!(of("a:b/otp.toml:3:7"), Position { file, line, column });
        let column = None;
        assert_eq!(of("a:b/otp.toml:3"), Position { file, line, column });
        let line = None;
        assert_eq!(of("a:b/otp.toml"), Position { file, line, column });
        assert_eq!(position(None), Position::default());
    }
}
