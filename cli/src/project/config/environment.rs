//! `[env]`: the environment of the application, and TOML values as Erlang terms.
//!
//! | TOML | Erlang |
//! |---|---|
//! | `"text"` | `<<"text">>`, UTF-8 |
//! | `8080`, `1.5`, `true` | `8080`, `1.5`, `true` |
//! | `[1, 2]` | `[1, 2]` |
//! | `{ size = 1 }`, `[env.store]` | `#{size => 1}` |
//! | `{ atom = "info" }` | `info` |
//! | `{ tuple = [127, 0, 0, 1] }` | `{127, 0, 0, 1}` |
//!
//! Dates and times have no Erlang term: they are written as texts.

use std::ops::Range;

use otp_contract::erlang::quote_atom;
use otp_contract::limits::ATOM_CHARACTERS;
use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::reader::Reader;
use crate::report::{Error, Result, catalog};

/// A key of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    /// The key, an atom.
    pub(crate) key: String,
    /// Its value as Erlang text.
    pub(crate) value: String,
    /// The position of the value in otp.toml.
    pub(crate) span: Option<Range<usize>>,
}

/// Reads `[env]`, which may be missing.
pub(super) fn variables(reader: &Reader<'_>, root: &dyn TableLike) -> Result<Vec<Variable>> {
    if !root.contains_key("env") {
        return Ok(Vec::new());
    }
    let table = reader.table(root, "env")?;
    let variables = table.iter().map(|(key, item)| {
        if !is_atom(key) {
            let span = table.key(key).and_then(|key| key.span());
            let error = catalog::WRONG_VALUE.with(&[&"env", &KEYS]);
            return Err(reader.located(error, span.or(item.span())));
        }
        let path = format!("env.{key}");
        let value = of_item(item);
        let value = value.ok_or_else(|| reader.wrong_value(item, &path, EXPECTED))?;
        Ok(Variable {
            key: key.to_owned(),
            value,
            span: item.span(),
        })
    });
    variables.collect()
}

/// Reads `KEY=VALUE` of a command line. The value is TOML, or otherwise a text.
pub(crate) fn given(argument: &str) -> Result<Variable> {
    let refused = |why: &str| -> Error { catalog::VARIABLE.with(&[&argument, &why]) };
    let (key, text) = argument
        .split_once('=')
        .ok_or_else(|| refused("it has no `=`"))?;
    if !is_atom(key) {
        return Err(refused("a key has 1 to 255 characters"));
    }
    let read = format!("value = {text}\n").parse::<DocumentMut>().ok();
    // A text with a line break could be several lines of TOML.
    let read = read.filter(|read| read.len() == 1);
    let value = match read.as_ref().and_then(|read| read.get("value")) {
        Some(item) => of_item(item).ok_or_else(|| refused(&format!("it must be {EXPECTED}")))?,
        None => binary(text),
    };
    Ok(Variable {
        key: key.to_owned(),
        value,
        span: None,
    })
}

const KEYS: &str = "a table whose keys have 1 to 255 characters";

const EXPECTED: &str =
    "a text, number, boolean, list, table, `{ atom = \"name\" }` or `{ tuple = [...] }`";

/// Returns whether it can be an atom's text.
pub(super) fn is_atom(text: &str) -> bool {
    (1..=ATOM_CHARACTERS).contains(&text.chars().count())
}

fn of_item(item: &Item) -> Option<String> {
    match item {
        Item::Value(value) => of_value(value),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(tables) => {
            let tables: Option<Vec<_>> = tables.iter().map(|table| of_table(table)).collect();
            Some(format!("[{}]", tables?.join(", ")))
        }
        Item::None => None,
    }
}

/// Returns the Erlang text of a value, if it has one.
pub(super) fn of_value(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(binary(text.value())),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => float(*number.value()),
        Value::Boolean(value) => Some(value.value().to_string()),
        Value::Datetime(_) => None,
        Value::Array(values) => Some(format!("[{}]", elements(values)?)),
        Value::InlineTable(table) => of_table(table),
    }
}

fn elements(values: &toml_edit::Array) -> Option<String> {
    let values: Option<Vec<_>> = values.iter().map(of_value).collect();
    Some(values?.join(", "))
}

fn of_table(table: &dyn TableLike) -> Option<String> {
    if table.len() == 1 {
        if let Some(name) = table.get("atom") {
            return name.as_str().filter(|name| is_atom(name)).map(quote_atom);
        }
        if let Some(values) = table.get("tuple") {
            return Some(format!("{{{}}}", elements(values.as_array()?)?));
        }
    }
    let entries = table.iter().map(|(key, item)| {
        let key = is_atom(key).then(|| quote_atom(key))?;
        Some(format!("{key} => {}", of_item(item)?))
    });
    Some(format!(
        "#{{{}}}",
        entries.collect::<Option<Vec<_>>>()?.join(", ")
    ))
}

/// Returns the Erlang text of a float: Erlang has no infinity, and its floats have a point.
fn float(number: f64) -> Option<String> {
    let text = format!("{number:?}");
    let text = if text.contains('.') {
        text
    } else {
        text.replacen('e', ".0e", 1)
    };
    number.is_finite().then_some(text)
}

/// Returns `<<"text">>`: printable ASCII unchanged, all other bytes as numbers.
fn binary(text: &str) -> String {
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        return format!("<<\"{text}\">>");
    }
    let bytes: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
    format!("<<{}>>", bytes.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(argument: &str) -> String {
        given(argument).map_or_else(|error| error.what().to_owned(), |variable| variable.value)
    }

    #[test]
    fn toml_becomes_erlang() {
        for (argument, erlang) in [
            ("a=8080", "8080"),
            ("a=-1", "-1"),
            ("a=1.5", "1.5"),
            ("a=1e300", "1.0e300"),
            ("a=2.0", "2.0"),
            ("a=true", "true"),
            ("a=\"text\"", "<<\"text\">>"),
            ("a=plain text", "<<\"plain text\">>"),
            ("a=", "<<\"\">>"),
            ("a=x = 1", "<<\"x = 1\">>"),
            ("a=\"\u{e9}\"", "<<195, 169>>"),
            ("a=[1, \"b\"]", "[1, <<\"b\">>]"),
            ("a={ size = 1, Up = [] }", "#{size => 1, 'Up' => []}"),
            ("a={ atom = \"info\" }", "info"),
            ("a={ tuple = [127, 0, 0, 1] }", "{127, 0, 0, 1}"),
        ] {
            assert_eq!(of(argument), erlang, "{argument}");
        }
    }

    #[test]
    fn what_is_not_a_variable_is_refused() {
        for argument in [
            "a",
            "=1",
            "a=1979-05-27",
            "a=inf",
            "a={ atom = 1 }",
            "a={ tuple = 1 }",
        ] {
            assert!(given(argument).is_err(), "{argument}");
        }
    }

    #[test]
    fn a_value_with_line_breaks_stays_one_value() {
        assert_eq!(of("a=1\nb = 2"), "<<49, 10, 98, 32, 61, 32, 50>>");
    }
}
