//! How terms look in JSON (docs/json.md): what JSON lacks is an object of one key that begins with
//! `$` or `@`.
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

/// The keys of a map's entries as a pattern: those that begin with `$` or `@` have an `@` before
/// that.
pub const KEY: &str = "^($|[^$@]|@[$@])";

/// The keys that are atoms: none is longer than an atom.
pub const NAME: &str = r"^(@[$@][\s\S]{0,254}|[^$@][\s\S]{0,254})?$";

/// The tags of tuples as a pattern.
pub const TAG: &str = r"^\$[\s\S]{1,255}$";

/// Whether an entry of a map may be written with this key.
#[must_use]
pub fn is_key(key: &str) -> bool {
    match key.strip_prefix('@') {
        Some(rest) => rest.starts_with(['$', '@']),
        None => !key.starts_with('$'),
    }
}

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

/// What is neither a tuple, nor a map of atoms, nor JSON's own: an object of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// An integer beyond [`SAFE`], by its digits.
    Integer,
    /// A binary of UTF-8, among other types.
    Text,
    /// A binary of other bytes.
    Base64,
    /// A bitstring of no whole number of bytes.
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

    /// The key of the object.
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

    /// What the key of an object stands for.
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
