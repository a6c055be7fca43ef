//! Words that cannot be used as names in Rust.

use otp_contract::rust::{is_keyword, is_never_raw, is_primitive_type, is_weak_keyword};

/// Names of Rust's prelude, which an imported atom would shadow.
#[rustfmt::skip]
const PRELUDE: [&str; 38] = [
    "AsMut", "AsRef", "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Box", "Clone", "Copy", "Debug", "Default",
    "DoubleEndedIterator", "Drop", "Eq", "Err", "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From",
    "FromIterator", "Hash", "Into", "IntoIterator", "Iterator", "None", "Ok", "Option", "Ord", "PartialEq",
    "PartialOrd", "Result", "Send", "Sized", "Some", "String", "Sync", "Vec",
];

/// Attributes of tools, `#[diagnostic::…]`, which an item with this name would shadow.
const TOOLS: [&str; 5] = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];

/// Returns whether an imported atom must not have this name, because the word is not an identifier
/// everywhere, because the atom would shadow a primitive type or a tool, or because macros of the
/// bridge declare such names.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "_"
        || is_keyword(name)
        || is_weak_keyword(name)
        || is_primitive_type(name)
        || TOOLS.contains(&name)
        || is_of_macros(name)
}

/// Returns whether only macros of the bridge declare such a name.
fn is_of_macros(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("__otp")
}

/// Returns whether an imported atom or a type parameter of this name would shadow a name of Rust's
/// prelude.
pub(crate) fn is_in_prelude(name: &str) -> bool {
    PRELUDE.binary_search(&name).is_ok()
}

/// Returns a legal name of a type, trait or variant.
pub(super) fn legal_type(mut camel: String) -> String {
    if camel.is_empty() {
        camel.push_str("Empty");
    }
    if camel.starts_with(begins_no_name) {
        camel.insert(0, 'N');
    }
    if is_reserved(&camel) {
        camel.push('_');
    }
    camel
}

/// Returns a legal name of a field, variable or method. Names of primitive types are legal here.
pub(super) fn legal(mut name: String) -> String {
    if name.chars().all(|character| character == '_') {
        name = "empty".to_owned();
    }
    if name.starts_with(begins_no_name) {
        name.insert(0, 'n');
    }
    match name.as_str() {
        word if is_never_raw(word) => format!("{name}_"),
        word if is_keyword(word) || is_weak_keyword(word) => format!("r#{name}"),
        _ => name,
    }
}

/// Returns whether a letter of a name cannot be its first one: a digit, or a combining mark.
pub(super) fn begins_no_name(letter: char) -> bool {
    if letter.is_ascii() {
        letter.is_ascii_digit()
    } else {
        syn::parse_str::<syn::Ident>(letter.encode_utf8(&mut [0; 4])).is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_begin_with_a_digit_or_a_mark() {
        assert_eq!(legal_type("1C".to_owned()), "N1C");
        assert_eq!(legal_type("\u{8ff}C".to_owned()), "N\u{8ff}C");
        assert_eq!(legal("\u{663}c".to_owned()), "n\u{663}c");
        assert_eq!(legal_type("Ä".to_owned()), "Ä");
        assert_eq!(legal("_a".to_owned()), "_a");
    }

    #[test]
    fn names_of_the_prelude_are_sorted() {
        assert!(PRELUDE.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
