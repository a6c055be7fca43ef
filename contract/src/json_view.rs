//! How terms look in JSON (docs/json.md): what JSON lacks is an object of one key that begins with `$` or `@`.
//!
//! | term | JSON |
//! |---|---|
//! | `ok`, `true`, `undefined` | `"ok"`, `true`, `null` |
//! | `{add, 5}` | `{"$add": [5]}` |
//! | `{1, 2}` | `{"$": [1, 2]}` |
//! | `<<"text">>` among other types | `{"@text": "text"}` |
//! | `#{'$odd' => 1}` | `{"@$odd": 1}` |

use std::borrow::Cow;

use serde_json::Value;

/// The largest integer that every reader of JSON keeps exactly (RFC 8259, section 6).
pub const SAFE: i64 = (1 << 53) - 1;

/// The key of a tuple whose first element is not an atom; before the atom, that of any other tuple.
pub const TUPLE: &str = "$";

/// The keys of a map's entries as a pattern: those that begin with `$` or `@` have an `@` before that.
pub const KEY: &str = "^($|[^$@]|@[$@])";

/// An atom.
#[must_use]
pub fn atom(text: &str) -> Value {
    match text {
        "undefined" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => Value::from(text),
    }
}

/// The key of a map's entry as it is written.
#[must_use]
pub fn escaped(key: &str) -> Cow<'_, str> {
    if key.starts_with(['$', '@']) {
        format!("@{key}").into()
    } else {
        key.into()
    }
}

/// The key of a map's entry that is written as `key`.
#[must_use]
pub fn unescaped(key: &str) -> &str {
    match key.strip_prefix('@') {
        Some(rest) if rest.starts_with(['$', '@']) => rest,
        _ => key,
    }
}

/// The key of what is no tuple, no map and not JSON's own: `@name`.
#[must_use]
pub fn special_key(name: &str) -> String {
    format!("@{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_escaped_and_back() {
        for (key, written) in [("id", "id"), ("$odd", "@$odd"), ("@at", "@@at"), ("", "")] {
            assert_eq!(escaped(key), written);
            assert_eq!(unescaped(written), key);
        }
    }
}
