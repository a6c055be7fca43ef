//! Words and names of Rust source text.

/// The keywords of edition 2024, strict and reserved (The Rust Reference, "Keywords"). Sorted.
pub const KEYWORDS: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The keywords that are not names even as `r#…` (The Rust Reference, "Identifiers"). Sorted.
pub const NEVER_RAW: [&str; 4] = ["Self", "crate", "self", "super"];

/// Words that are keywords in some places only (The Rust Reference, "Weak keywords"): a name like
/// this compiles, but not everywhere. Sorted.
pub const WEAK_KEYWORDS: [&str; 2] = ["safe", "union"];

/// The primitive types that have a name (The Rust Standard Library, "Primitive Types"). Sorted.
pub const PRIMITIVE_TYPES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

/// Returns whether the word is a keyword of Rust.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// Returns whether the keyword is not a name even as `r#…`.
#[must_use]
pub fn is_never_raw(word: &str) -> bool {
    NEVER_RAW.binary_search(&word).is_ok()
}

/// Returns whether the word is a keyword in some places only.
#[must_use]
pub fn is_weak_keyword(word: &str) -> bool {
    WEAK_KEYWORDS.binary_search(&word).is_ok()
}

/// Returns whether the name is that of a primitive type.
#[must_use]
pub fn is_primitive_type(name: &str) -> bool {
    PRIMITIVE_TYPES.binary_search(&name).is_ok()
}

/// Returns the atom that `derive(Term)` gives a type or variant of this name, and the module that a
/// behaviour's attribute gives a type: `HttpGet` → `http_get`, `ThreadRing2` → `thread_ring2`. A
/// trailing `_`, which avoids Rust's keywords, is dropped.
#[must_use]
pub fn snake_case(name: &str) -> String {
    let name = name.trim_start_matches("r#").trim_end_matches('_');
    let characters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, &character) in characters.iter().enumerate() {
        let after_small = index > 0 && !characters[index - 1].is_uppercase();
        let next = characters.get(index + 1);
        let before_small = next.is_some_and(|next| next.is_lowercase());
        let begins_word = character.is_uppercase() && index > 0 && (after_small || before_small);
        if begins_word && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        assert!(KEYWORDS.is_sorted());
        assert!(NEVER_RAW.is_sorted());
        assert!(WEAK_KEYWORDS.is_sorted());
        assert!(PRIMITIVE_TYPES.is_sorted());
    }

    #[test]
    fn a_capital_begins_a_word() {
        for (rust, erlang) in [
            ("Get", "get"),
            ("HttpGet", "http_get"),
            ("HTTPGet", "http_get"),
            ("ThreadRing2", "thread_ring2"),
            ("continue_", "continue"),
            ("r#type", "type"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(snake_case(rust), erlang, "{rust}");
        }
    }
}
