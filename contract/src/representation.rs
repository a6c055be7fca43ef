//! The representation of terms in JSON (docs/json.md). A term that JSON has no value for becomes an
//! object with one key, which begins with `$` or `@`.
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

/// The key of a tuple whose first element is not an atom. Any other tuple's key is this, followed
/// by the atom.
pub const TUPLE: &str = "$";

/// The keys of a map's entries as a pattern: an `@` is prepended to a key that begins with `$` or
/// `@`.
pub const KEY: &str = "^($|[^$@]|@[$@])";

/// The keys that are atoms, as a pattern: none is longer than an atom may be.
pub const NAME: &str = r"^(@[$@][\s\S]{0,254}|[^$@][\s\S]{0,254})?$";

/// The tags of tuples as a pattern.
pub const TAG: &str = r"^\$[\s\S]{1,255}$";

/// Returns whether an entry of a map may be written with this key.
#[must_use]
pub fn is_key(key: &str) -> bool {
    match key.strip_prefix('@') {
        Some(rest) => rest.starts_with(['$', '@']),
        None => !key.starts_with('$'),
    }
}

/// Returns an atom as JSON.
#[must_use]
pub fn atom(text: &str) -> Value {
    match text {
        "undefined" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => Value::from(text),
    }
}

/// Returns the key of a map's entry as it is written.
#[must_use]
pub fn escaped(key: &str) -> Cow<'_, str> {
    if key.starts_with(['$', '@']) {
        format!("@{key}").into()
    } else {
        key.into()
    }
}

/// Returns the key of a map's entry that is written as `key`.
#[must_use]
pub fn unescaped(key: &str) -> &str {
    match key.strip_prefix('@') {
        Some(rest) if rest.starts_with(['$', '@']) => rest,
        _ => key,
    }
}

/// Terms other than tuples, maps of atoms and JSON's own values: each is an object with one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// An integer beyond [`SAFE`], by its digits.
    Integer,
    /// A binary of UTF-8, among other types.
    Text,
    /// A binary that is not UTF-8.
    Base64,
    /// A bitstring that is not a whole number of bytes.
    Bits,
    /// A list of characters.
    String,
    /// An improper list: its elements, then its tail.
    Improper,
    /// A map with other keys than atoms, as pairs.
    Map,
    /// A process.
    Pid,
    /// A port.
    Port,
    /// A reference.
    Reference,
    /// A fun.
    Fun,
}

impl Special {
    /// All of them.
    pub const ALL: [Special; 11] = [
        Special::Integer,
        Special::Text,
        Special::Base64,
        Special::Bits,
        Special::String,
        Special::Improper,
        Special::Map,
        Special::Pid,
        Special::Port,
        Special::Reference,
        Special::Fun,
    ];

    /// Returns the key of the object.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Special::Integer => "@integer",
            Special::Text => "@text",
            Special::Base64 => "@base64",
            Special::Bits => "@bits",
            Special::String => "@string",
            Special::Improper => "@improper",
            Special::Map => "@map",
            Special::Pid => "@pid",
            Special::Port => "@port",
            Special::Reference => "@reference",
            Special::Fun => "@fun",
        }
    }

    /// Returns the kind of term that an object with this key represents.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Special> {
        Special::ALL
            .into_iter()
            .find(|special| special.key() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_escaped_and_back() {
        for (key, written) in [("id", "id"), ("$odd", "@$odd"), ("@at", "@@at"), ("", "")] {
            assert_eq!(escaped(key), written);
            assert_eq!(unescaped(written), key);
            assert!(is_key(written));
        }
        for key in ["$odd", "@at", "@"] {
            assert!(!is_key(key));
        }
    }
}
