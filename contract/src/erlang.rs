//! Words and atoms of Erlang source text.

/// The words that are atoms only in quotes, sorted. These are the words that
/// `erl_scan:reserved_word/1` knows (stdlib), and `maybe` and `else` of the feature `maybe_expr`
/// (EEP 49), which OTP 27 and newer turn on. In quotes, each of them is an atom in every release.
pub const RESERVED_WORDS: [&str; 29] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "cond", "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or",
    "orelse", "receive", "rem", "try", "when", "xor",
];

/// Returns whether Erlang reserves the word in any release.
#[must_use]
pub fn is_reserved_word(word: &str) -> bool {
    RESERVED_WORDS.binary_search(&word).is_ok()
}

/// Returns whether a text is an atom without quotes: a small letter, then letters, digits, `_` and
/// `@`, as `erl_scan` reads them (Latin-1; the reference manual's "Character Set and Source File
/// Encoding").
#[must_use]
pub fn is_bare_atom(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_small_letter)
        && characters.all(is_atom_character)
        && !is_reserved_word(text)
}

/// Returns whether a text can name both an Erlang module and a Rust module: a small ASCII letter,
/// then small letters, digits and `_`. Words that one of the languages reserves are not excluded.
#[must_use]
pub fn is_module_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Returns the Erlang text of an atom, in quotes where Erlang needs them: `ok`, `'Elixir.Enum'`,
/// `'two words'`.
#[must_use]
pub fn quote_atom(text: &str) -> String {
    if is_bare_atom(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for character in text.chars() {
        push_escaped(&mut quoted, character, '\'');
    }
    quoted.push('\'');
    quoted
}

/// Appends `character` as it is written between `quote`s in Erlang, escaped as by
/// `io_lib:write_string/2` (stdlib).
pub fn push_escaped(text: &mut String, character: char, quote: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\u{8}' => text.push_str("\\b"),
        '\u{b}' => text.push_str("\\v"),
        '\u{c}' => text.push_str("\\f"),
        '\u{1b}' => text.push_str("\\e"),
        '\u{7f}' => text.push_str("\\d"),
        '\\' => text.push_str("\\\\"),
        _ if character == quote => {
            text.push('\\');
            text.push(character);
        }
        _ if character.is_control() => text.push_str(&format!("\\{:03o}", u32::from(character))),
        _ => text.push(character),
    }
}

/// Returns whether a character is a small letter of Latin-1: Erlang's scanner accepts no others at
/// the start of a bare atom.
fn is_small_letter(character: char) -> bool {
    matches!(character, 'a'..='z' | '\u{df}'..='\u{f6}' | '\u{f8}'..='\u{ff}')
}

fn is_atom_character(character: char) -> bool {
    let is_capital = matches!(character, 'A'..='Z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{de}');
    is_capital || is_small_letter(character) || matches!(character, '0'..='9' | '_' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        assert!(RESERVED_WORDS.is_sorted());
    }

    #[test]
    fn atoms_have_quotes_where_they_need_them() {
        for bare in ["ok", "a@b", "x_1", "camelCase", "ärger", "ÿ"] {
            assert_eq!(quote_atom(bare), bare);
        }
        for (text, quoted) in [
            ("", "''"),
            ("Ok", "'Ok'"),
            ("_ok", "'_ok'"),
            ("end", "'end'"),
            ("maybe", "'maybe'"),
            ("else", "'else'"),
            ("two words", "'two words'"),
            ("it's", r"'it\'s'"),
            ("a\\b", r"'a\\b'"),
            ("a\n\u{1}", r"'a\n\001'"),
            ("a÷", "'a÷'"),
            ("λ", "'λ'"),
        ] {
            assert_eq!(quote_atom(text), quoted);
        }
    }

    #[test]
    fn module_names_are_plain() {
        assert!(is_module_name("my_counter2"));
        for text in ["", "_x", "1st", "naïve", "MyCounter", "a@b", "a.b", "a-b"] {
            assert!(!is_module_name(text), "{text}");
        }
    }
}
