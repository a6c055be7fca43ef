//! Errors of rustc, and their modules.

use std::collections::BTreeMap;

use serde_json::Value;

/// The folder of the generated files, relative to the crate's.
pub(super) const SOURCES: &str = "src/otp/";
/// The beginning of a line that quotes an Erlang form in a generated file.
const FORM: &str = "/// `-";

/// An error in a generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Error {
    /// The title, such as `error[E0119]: conflicting implementations …`.
    pub(super) title: String,
    /// The line of the generated file, from 1.
    pub(super) line: usize,
}

/// Returns the first error of each generated file, by the file's name without its ending.
pub(super) fn by_file(messages: &str) -> BTreeMap<String, Error> {
    let mut errors = BTreeMap::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        if let Some((file, error)) = error(&message["message"]) {
            errors.entry(file).or_insert(error);
        }
    }
    errors
}

/// Returns the error of a message, and its file.
fn error(message: &Value) -> Option<(String, Error)> {
    if message["level"] != "error" {
        return None;
    }
    let spans = message["spans"].as_array()?;
    let is_primary = |span: &&Value| span["is_primary"] == true;
    let (file, line) = spans.iter().filter(is_primary).find_map(place)?;
    let code = message["code"]["code"].as_str();
    let code = code.map_or(String::new(), |code| format!("[{code}]"));
    let text = message["message"].as_str().unwrap_or_default();
    let title = format!("error{code}: {text}");
    Some((file, Error { title, line }))
}

/// Returns the generated file and the line of a span, or of the macro call that the span comes
/// from.
fn place(span: &Value) -> Option<(String, usize)> {
    let file = span["file_name"].as_str().unwrap_or_default();
    let generated = file.strip_prefix(SOURCES);
    match generated.and_then(|name| name.strip_suffix(".rs")) {
        Some(name) => {
            let line = span["line_start"].as_u64().unwrap_or(1);
            Some((name.to_owned(), usize::try_from(line).unwrap_or(1)))
        }
        None => place(span["expansion"].get("span")?),
    }
}

/// Returns the Erlang form of a line in a generated file: the last form quoted before the line.
pub(super) fn form(text: &str, line: usize) -> Option<&str> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let quoted = lines.iter().rev().find_map(|line| {
        let text = line.trim_start().strip_prefix("/// ")?;
        line.trim_start().starts_with(FORM).then_some(text)
    });
    quoted.map(|text| text.trim_matches('`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(level: &str, file: &str, line: u64, expansion: &str) -> String {
        format!(
            r#"{{"message":{{"level":"{level}","code":{{"code":"E0119"}},"message":"conflict","spans":[
               {{"is_primary":true,"file_name":"{file}","line_start":{line},"expansion":{expansion}}}]}}}}"#
        )
        .replace('\n', "")
    }

    #[test]
    fn the_first_error_of_a_file_counts_and_macros_lead_to_their_calls() {
        let call = r#"{"span":{"file_name":"src/otp/sets.rs","line_start":7,"expansion":null}}"#;
        let messages = [
            message("warning", "src/otp/maps.rs", 1, "null"),
            message("error", "src/otp/lists.rs", 3, "null"),
            message("error", "src/otp/lists.rs", 4, "null"),
            message("error", "/bridge/src/macros.rs", 9, call),
            message("error", "src/lib.rs", 1, "null"),
        ];
        let found = by_file(&messages.join("\n"));
        let found: Vec<(&str, usize)> = found
            .iter()
            .map(|(file, error)| (file.as_str(), error.line))
            .collect();
        assert_eq!(found, [("lists", 3), ("sets", 7)]);
    }

    #[test]
    fn the_form_is_the_last_one_before_the_line() {
        let text =
            "/// `-type a() :: b.`\npub struct A;\n/// `-type c() :: d.`\npub struct C {\n}\n";
        assert_eq!(form(text, 2), Some("-type a() :: b."));
        assert_eq!(form(text, 5), Some("-type c() :: d."));
        assert_eq!(form("use x;\n", 1), None);
    }
}
