//! Erlang text of types

use std::cell::RefCell;

use super::definitions;

thread_local! {
    /// The derived types whose text is being written, by their Rust names.
    static WRITING: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// A piece of the text of a derived type.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// This text.
    Text(&'static str),
    /// An atom.
    Atom(&'static str),
    /// The text of a type.
    Type(fn() -> String),
}

/// The text of a derived type: the pieces, or `erlang_name()` where the type occurs within itself.
/// Where definitions are collected it is always the name, under which the type is defined.
///
/// Not generic: a derived type costs its compilation a table, and no code.
pub fn derived_type(rust_name: &'static str, erlang_name: &str, pieces: &[Piece]) -> String {
    let write = || {
        let texts = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Atom(text) => quote_atom(text),
            Piece::Type(text) => text(),
        });
        texts.collect()
    };
    if let Some(name) = definitions::named(rust_name, erlang_name, &write) {
        return name;
    }
    if WRITING.with_borrow(|writing| writing.contains(&rust_name)) {
        return format!("{erlang_name}()");
    }
    WRITING.with_borrow_mut(|writing| writing.push(rust_name));
    let _done = Done;
    write()
}

struct Done;

impl Drop for Done {
    fn drop(&mut self) {
        WRITING.with_borrow_mut(Vec::pop);
    }
}

/// The words that Erlang reserves, which as atoms need quotes.
const RESERVED: [&str; 28] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "cond", "div", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse",
    "receive", "rem", "try", "when", "xor",
];

/// The Erlang text of an atom, in quotes where Erlang needs them: `ok`, `'Elixir.Enum'`,
/// `'two words'`.
pub fn quote_atom(text: &str) -> String {
    if is_plain_atom(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    text.chars()
        .for_each(|character| push_escaped(&mut quoted, character, '\''));
    quoted.push('\'');
    quoted
}

/// Appends `character` as it stands between `quote`s in Erlang.
pub(crate) fn push_escaped(text: &mut String, character: char, quote: char) {
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

fn is_plain_atom(text: &str) -> bool {
    let mut characters = text.chars();
    let starts_low = characters.next().is_some_and(is_latin1_lowercase);
    starts_low && characters.all(is_atom_character) && !RESERVED.contains(&text)
}

/// Lower-case letters of Latin-1; Erlang's scanner takes no others at the start of a bare atom.
fn is_latin1_lowercase(character: char) -> bool {
    matches!(character, 'a'..='z' | '\u{df}'..='\u{f6}' | '\u{f8}'..='\u{ff}')
}

fn is_atom_character(character: char) -> bool {
    let is_uppercase = matches!(character, 'A'..='Z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{de}');
    is_uppercase || is_latin1_lowercase(character) || matches!(character, '0'..='9' | '_' | '@')
}
