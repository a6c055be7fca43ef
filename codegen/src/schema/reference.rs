//! References within a document.

use serde_json::{Value, json};

/// Returns a reference to a definition of the document.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": pointer(name) })
}

/// Returns the URI of a definition within the document.
#[must_use]
pub fn pointer(name: &str) -> String {
    let mut pointer = String::from("#/$defs/");
    for byte in name.bytes() {
        match byte {
            b'~' => pointer.push_str("~0"),
            b'/' => pointer.push_str("~1"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => pointer.push(byte.into()),
            _ if b"-._!$&'()*+,;=:@".contains(&byte) => pointer.push(byte.into()),
            _ => pointer.push_str(&format!("%{byte:02X}")),
        }
    }
    pointer
}
