//! Words: splitting an Erlang name into words, and joining them in Rust.
//!
//! A word ends at `_`, `-`, `.`, `/`, `:`, `@` and a space, and before a capital letter; several
//! capitals are one word. Letters of all languages are letters. Other characters are words of their
//! own: `+` is `plus`. Erlang's comparisons have the names from its reference manual. A `?` at the
//! end and a `$` in front are left out; a `!` is `bang`.

use otp_contract::rust::snake_case;

use super::reserved::{legal, legal_type};

/// Characters between words.
const BETWEEN: &str = "_ -.@/:";

/// Operators whose name is clearer than their characters.
const COMPARISONS: [(&str, &str); 8] = [
    ("==", "equal"),
    ("/=", "not_equal"),
    ("=<", "less_or_equal"),
    ("<", "less"),
    (">=", "greater_or_equal"),
    (">", "greater"),
    ("=:=", "exactly_equal"),
    ("=/=", "exactly_not_equal"),
];

/// The words of characters.
#[rustfmt::skip]
const SYMBOLS: [(&str, &str); 30] = [
    ("!", "bang"), ("\"", "quote"), ("#", "hash"), ("$", "dollar"), ("%", "percent"), ("&", "ampersand"),
    ("'", "apostrophe"), ("(", "open"), (")", "close"), ("*", "star"), ("+", "plus"), (",", "comma"), ("-", "minus"),
    (".", "dot"), ("/", "slash"), (":", "colon"), (";", "semicolon"), ("<", "less"), ("=", "equals"), (">", "greater"),
    ("?", "question"), ("@", "at"), ("[", "open"), ("\\", "backslash"), ("]", "close"), ("^", "caret"), ("{", "open"),
    ("|", "bar"), ("}", "close"), ("~", "tilde"),
];

/// Returns a type, trait or variant name: `sup_flags` → `SupFlags`.
pub(crate) fn camel(name: &str) -> String {
    legal_type(camel_words(name))
}

/// Like `camel`, for the beginning of a longer name, in which a reserved word needs no `_`.
fn camel_words(name: &str) -> String {
    let spelled = spelled(name);
    let mut camel = String::new();
    for piece in spelled.split(is_between) {
        push_gap(&mut camel, piece);
        push_capitalised(&mut camel, piece);
    }
    camel
}

/// Appends a `_` where two numbers would merge.
fn push_gap(name: &mut String, next: &str) {
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    if is_digit(name.chars().next_back()) && is_digit(next.chars().next()) {
        name.push('_');
    }
}

/// Joins several names in camel case. Words that end one name and begin the next are written once:
/// `Heir` and `HeirData` are `HeirData`.
pub(crate) fn joined(names: &[impl AsRef<str>]) -> String {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let next = camel_pieces(&camel_words(name.as_ref()));
        let longest = all.len().min(next.len());
        let common = (1..=longest)
            .rev()
            .find(|count| all[all.len() - count..] == next[..*count])
            .unwrap_or(0);
        all.extend(next.into_iter().skip(common));
    }
    let mut name = String::new();
    for piece in all {
        push_gap(&mut name, &piece);
        name.push_str(&piece);
    }
    legal_type(name)
}

/// Returns the words of a name in camel case.
fn camel_pieces(camel: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for character in camel.chars() {
        match pieces.last_mut() {
            Some(piece) if !character.is_uppercase() => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
    }
    pieces
}

/// Appends `piece` with a capital first letter of each word.
fn push_capitalised(camel: &mut String, piece: &str) {
    let letters: Vec<char> = piece.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        if begins_word(&letters, index) {
            camel.extend(letter.to_uppercase())
        } else {
            camel.extend(letter.to_lowercase())
        }
    }
}

/// Returns whether a letter is the first of a word: a capital behind a small letter, or the last of
/// a run of at least three capitals before a small letter, `P` of `RSAPrivateKey`.
fn begins_word(letters: &[char], index: usize) -> bool {
    let is_capital = |index: usize| {
        letters
            .get(index)
            .is_some_and(|letter| letter.is_uppercase())
    };
    match index {
        0 => true,
        _ if !is_capital(index) => false,
        _ if !is_capital(index - 1) => true,
        _ => {
            let is_in_run = index >= 2 && is_capital(index - 2);
            is_in_run
                && letters
                    .get(index + 1)
                    .is_some_and(|next| next.is_lowercase())
        }
    }
}

/// Returns a field, variable or method name: `NewState` → `new_state`.
pub(crate) fn snake(name: &str) -> String {
    legal(snake_words(name))
}

/// Like `snake`, for a part of a longer name, in which a keyword or a digit in front needs no
/// change.
pub(crate) fn snake_words(name: &str) -> String {
    let spelled = spelled(name.trim_start_matches("r#"));
    let mut words: Vec<String> = Vec::new();
    for piece in spelled.split(is_between).filter(|piece| !piece.is_empty()) {
        let letters: Vec<char> = piece.chars().collect();
        for (index, letter) in letters.iter().enumerate() {
            match words.last_mut() {
                Some(word) if !begins_word(&letters, index) => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
    }
    let end = if name.ends_with('_') { "_" } else { "" };
    format!("{}{end}", words.join("_"))
}

fn is_between(character: char) -> bool {
    BETWEEN.contains(character)
}

/// Returns `name` in letters, digits and `_`, with other separators between words.
pub(crate) fn spelled(name: &str) -> String {
    if let Some((_, word)) = COMPARISONS.iter().find(|(operator, _)| *operator == name) {
        return (*word).to_owned();
    }
    let has_word = name.contains(is_letter);
    let plain = if has_word {
        name.trim_start_matches('$').trim_end_matches('?')
    } else {
        name
    };
    let mut spelled = String::new();
    for character in plain.chars() {
        if is_letter(character) || (has_word && is_between(character)) || character == '_' {
            spelled.push(character);
        } else {
            let word = symbol(character);
            let gap = if spelled.is_empty() || spelled.ends_with('_') {
                ""
            } else {
                "_"
            };
            spelled.push_str(&format!("{gap}{word}_"));
        }
    }
    if spelled.ends_with('_') && !plain.ends_with('_') {
        spelled.pop();
    }
    spelled
}

/// Returns the word for a character that is not a letter.
fn symbol(character: char) -> String {
    let found = SYMBOLS
        .iter()
        .find(|(known, _)| known.starts_with(character));
    match found {
        Some((_, word)) => (*word).to_owned(),
        None if character == ' ' => "space".to_owned(),
        None => format!("u{:x}", u32::from(character)),
    }
}

/// Returns the operators and characters with this word.
pub(crate) fn symbols(word: &str) -> impl Iterator<Item = &'static str> {
    let operators = COMPARISONS.iter().filter(move |(_, name)| *name == word);
    let operators = operators.map(|(operator, _)| *operator);
    let characters = SYMBOLS.iter().filter(move |(_, name)| *name == word);
    operators.chain(characters.map(|(symbol, _)| *symbol))
}

/// Returns whether Rust allows the character inside a name.
pub(crate) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphanumeric()
    } else {
        character.is_alphanumeric()
            && syn::parse_str::<syn::Ident>(&format!("a{character}")).is_ok()
    }
}

/// Returns the variable without a leading `New`: `State` for `NewState`.
pub(crate) fn without_new(variable: &str) -> &str {
    match variable.strip_prefix("New") {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_uppercase()) => rest,
        _ => variable,
    }
}

/// Returns the name of a variable's value: without a leading `New`, and without the number that
/// distinguishes `Key2` from `Key1`.
pub(crate) fn value_name(variable: &str) -> &str {
    let plain = without_new(variable);
    let word = plain.trim_end_matches(|last: char| last.is_ascii_digit());
    if word.chars().nth(1).is_some() {
        word
    } else {
        plain
    }
}

/// Returns the common name of `NewState` and `OldState`: `State`.
pub(crate) fn stem(variable: &str) -> &str {
    let plain = without_new(variable);
    match plain.strip_prefix("Old") {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_uppercase()) => rest,
        _ => plain,
    }
}

/// Returns the tag that `derive(Term)` gives a type or variant of this name by default.
///
/// Generated code relies on it only for names of plain words, whose tag a reader can guess; `None`
/// means that the tag has to be written.
pub(crate) fn derived_tag(name: &str) -> Option<String> {
    let plain = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|character| character.is_ascii_alphabetic())
        && !name
            .as_bytes()
            .windows(2)
            .any(|pair| pair.iter().all(u8::is_ascii_uppercase))
        && !name.ends_with(|last: char| last.is_ascii_uppercase());
    plain.then(|| snake_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_names() {
        let pairs = [
            ("sup_flags", "SupFlags"),
            ("LocalName", "LocalName"),
            ("DOWN", "Down"),
            ("RSAPrivateKey", "RsaPrivateKey"),
            ("OTPCertificate", "OtpCertificate"),
            ("EMgrName", "EmgrName"),
            ("IPv6", "Ipv6"),
            ("tlsv1.2", "Tlsv1_2"),
            ("rc4_128", "Rc4_128"),
            ("DHkeys", "Dhkeys"),
            ("self", "Self_"),
            ("2fa", "N2fa"),
            ("", "Empty"),
            ("a-b", "AB"),
            ("+", "Plus"),
            ("++", "PlusPlus"),
            ("-", "Minus"),
            ("=:=", "ExactlyEqual"),
            ("$end_of_table", "EndOfTable"),
            ("größe", "Größe"),
            ("valid?", "Valid"),
            ("fetch!", "FetchBang"),
            ("☃", "U2603"),
        ];
        for (erlang, rust) in pairs {
            assert_eq!(camel(erlang), rust);
        }
    }

    #[test]
    fn snake_names() {
        let pairs = [
            ("NewState", "new_state"),
            ("PDict", "pdict"),
            ("IPAddress", "ip_address"),
            ("RSAPrivateKey", "rsa_private_key"),
            ("handle_call", "handle_call"),
            ("MonRef", "mon_ref"),
            ("type", "r#type"),
            ("self", "self_"),
            ("u8", "u8"),
            ("A", "a"),
            ("_", "empty"),
            ("1st", "n1st"),
            ("$status", "status"),
            ("tlsv1.2", "tlsv1_2"),
            ("valid?", "valid"),
            ("fetch!", "fetch_bang"),
        ];
        for (erlang, rust) in pairs {
            assert_eq!(snake(erlang), rust);
        }
    }

    #[test]
    fn words_that_meet_are_written_once() {
        assert_eq!(joined(&["Heir", "HeirData"]), "HeirData");
        assert_eq!(joined(&["Postpone", "Postpone"]), "Postpone");
        assert_eq!(
            joined(&["GetModuleLevel", "Modules"]),
            "GetModuleLevelModules"
        );
        assert_eq!(joined(&["Self_"]), "Self_");
        assert_eq!(joined(&["Self_", "Or", "Other"]), "SelfOrOther");
    }

    #[test]
    fn new_is_dropped_only_as_a_word() {
        assert_eq!(without_new("NewState"), "State");
        assert_eq!(without_new("News"), "News");
        assert_eq!(without_new("New"), "New");
        assert_eq!(stem("OldData"), "Data");
        assert_eq!(stem("NewData"), "Data");
        assert_eq!(stem("Older"), "Older");
    }

    #[test]
    fn tags_are_derived_for_plain_words_only() {
        assert_eq!(derived_tag("BrutalKill").as_deref(), Some("brutal_kill"));
        assert_eq!(derived_tag("Utf8"), None);
        assert_eq!(derived_tag("Self_"), None);
        assert_eq!(derived_tag("AB"), None);
    }
}
