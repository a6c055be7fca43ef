//! Every rule that makes a Rust name out of an Erlang one.
//!
//! | Erlang | Rust | rule |
//! |---|---|---|
//! | type `sup_flags()` | `SupFlags` | [`camel`] |
//! | type of the same name, arities 0 and 1 | `Array`, `Array1` | the smallest arity is plain, others carry theirs |
//! | record `#child{}` | `ChildRecord` | [`camel`] + `Record` |
//! | module `gen_server`, as module | `gen_server` | [`module_identifier`] |
//! | module `gen_server`, as trait | `GenServer` | [`camel`] |
//! | callback `handle_call/3` | enum and trait `HandleCall`, `HandleCallReturn`, method `handle_call` | [`camel`], [`snake`] |
//! | callbacks `format_status/1`, `/2` | `FormatStatus`, `FormatStatus2`, `format_status_2` | the smallest arity is plain |
//! | clause `{reply, Reply, State}` | `Reply` | tag |
//! | clause of a tag that a shorter one has, further element annotated | `StopReply` | tag + its annotations |
//! | … further element not annotated | `ReplyWith` | tag + `With` |
//! | union member with annotation, `Name :: atom()` | `Name` | annotation |
//! | union member without | `Pid`, `ListOfPid`, `Restart`, … | kind or type name |
//! | `term()` in a union | `Other`, last | |
//! | variant `Self` | `Self_` | a keyword gains `_` |
//! | union without a name, up to four members | `TimeoutOrHibernateOrContinue` | its variants, joined by `Or` |
//! | union without a name, more members | `ServerRefName` | path from the form that holds it |
//! | map inside a union or without a name | `ChildSpecMap` | path + `Map` |
//! | open argument `Reason` of `terminate/2` with a union type | `TerminateReason` | callback + argument |
//! | variable `NewState` | parameter `State` | a leading `New` is dropped |
//! | clauses of `handle_event/4` that begin with `enter` | `HandleEventEnter`, `handle_event_enter` | callback + atom |
//! | map key `type` | field `r#type` | a keyword is written raw, or gains `_` where it cannot be |
//! | atom `ok`, `'DOWN'` | `ok`, `DOWN` | the same |
//! | atom `continue`, `char`, `'Ok'` | `continue_`, `char_`, `Ok_` | keywords, primitive types and names of the prelude gain `_` |
//! | atom `'a-b'` | `a_b_` | [`atom_identifier`] |
//! | a name that is taken | `Name2` | the next number |

use std::collections::{BTreeMap, BTreeSet};

use otp_contract::rust::{
    is_keyword, is_never_raw, is_primitive_type, is_weak_keyword, snake_case,
};

/// Names of Rust's prelude, which an imported atom would hide.
#[rustfmt::skip]
const PRELUDE: [&str; 38] = [
    "AsMut", "AsRef", "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Box", "Clone", "Copy", "Debug", "Default",
    "DoubleEndedIterator", "Drop", "Eq", "Err", "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From",
    "FromIterator", "Hash", "Into", "IntoIterator", "Iterator", "None", "Ok", "Option", "Ord", "PartialEq",
    "PartialOrd", "Result", "Send", "Sized", "Some", "String", "Sync", "Vec",
];

/// Whether an imported atom may not have this name: the word is not an identifier everywhere, or it is the
/// name of a primitive type, which the atom would hide.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "_" || is_keyword(name) || is_weak_keyword(name) || is_primitive_type(name)
}

/// A type, trait or variant name: `sup_flags` → `SupFlags`.
pub(crate) fn camel(name: &str) -> String {
    let mut camel = String::new();
    for piece in name.split(|character: char| "_ -.@/:".contains(character)) {
        push_capitalised(&mut camel, piece);
    }
    if camel.is_empty() {
        camel.push_str("Empty");
    }
    if camel.starts_with(|first: char| first.is_ascii_digit()) {
        camel.insert(0, 'N');
    }
    if is_reserved(&camel) {
        camel.push('_');
    }
    camel
}

/// The name of several camel-case names: `Self_` and `Other` make `SelfOrOther`.
pub(crate) fn together(names: &[impl AsRef<str>], between: &str) -> String {
    match names {
        [name] => name.as_ref().to_owned(),
        names => {
            // Only a name on its own needs to differ from a reserved word.
            let plain = |name| str::trim_end_matches(AsRef::as_ref(name), '_');
            names.iter().map(plain).collect::<Vec<_>>().join(between)
        }
    }
}

/// Appends `piece` with a capital first letter; `DOWN` becomes `Down`, other characters their code.
fn push_capitalised(camel: &mut String, piece: &str) {
    let shouted = piece.len() > 1 && !piece.contains(|c: char| c.is_ascii_lowercase());
    for (index, character) in piece.chars().enumerate() {
        match character {
            _ if !character.is_ascii_alphanumeric() => {
                camel.push_str(&format!("U{:x}", u32::from(character)));
            }
            _ if index == 0 => camel.push(character.to_ascii_uppercase()),
            _ if shouted => camel.push(character.to_ascii_lowercase()),
            _ => camel.push(character),
        }
    }
}

/// A field, variable or method name: `NewState` → `new_state`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut previous_small = false;
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            if previous_small {
                snake.push('_');
            }
            snake.push(character.to_ascii_lowercase());
        } else if character.is_ascii_alphanumeric() {
            snake.push(character);
        } else if "_ -.@/:".contains(character) {
            if !snake.is_empty() && !snake.ends_with('_') {
                snake.push('_');
            }
        } else {
            snake.push_str(&format!("u{:x}", u32::from(character)));
        }
        previous_small = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    legal(snake)
}

/// The identifier of an atom: the atom itself where it can be one. Every other atom's name ends
/// in `_`, and an atom that does so itself gets one more, so that the two never meet.
pub(crate) fn atom_identifier(atom: &str) -> String {
    let identifier = !atom.is_empty()
        && !atom.starts_with(|first: char| first.is_ascii_digit())
        && atom
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_');
    let hides = is_reserved(atom) || PRELUDE.binary_search(&atom).is_ok();
    if identifier && !hides && !atom.ends_with('_') {
        return atom.to_owned();
    }
    let mut name = String::new();
    for character in atom.chars() {
        match character {
            '-' | ' ' => name.push('_'),
            _ if character.is_ascii_alphanumeric() || character == '_' => name.push(character),
            _ => name.push_str(&format!("x{:x}", u32::from(character))),
        }
    }
    if name.is_empty() || name.chars().all(|character| character == '_') {
        name.insert_str(0, "underscore");
    }
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, 'n');
    }
    name.push('_');
    name
}

/// A legal name of a field, variable or method. Names of primitive types are legal here.
fn legal(mut name: String) -> String {
    if name.chars().all(|character| character == '_') {
        name = "empty".to_owned();
    }
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, 'n');
    }
    match name.as_str() {
        word if is_never_raw(word) => format!("{name}_"),
        word if is_reserved(word) && !is_primitive_type(word) => format!("r#{name}"),
        _ => name,
    }
}

/// The Rust module of an Erlang module. `atoms` is that of the atoms.
pub(crate) fn module_identifier(module: &str) -> String {
    match module {
        "atoms" => "atoms_".to_owned(),
        _ => atom_identifier(module),
    }
}

/// The variable that `NewState` is another value of: `State`.
pub(crate) fn without_new(variable: &str) -> &str {
    match variable.strip_prefix("New") {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_uppercase()) => rest,
        _ => variable,
    }
}

/// What `NewState` and `OldState` are values of: `State`.
pub(crate) fn stem(variable: &str) -> &str {
    let plain = without_new(variable);
    match plain.strip_prefix("Old") {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_uppercase()) => rest,
        _ => plain,
    }
}

/// The tag that `derive(Term)` gives a type or variant of this name, when nothing else is said.
///
/// It is relied on for names of plain words only, whose tag a reader can tell; `None` means: say the tag.
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

/// Names that are in use in one scope.
#[derive(Debug, Clone, Default)]
pub(crate) struct Taken {
    names: BTreeSet<String>,
    /// The number from which each name that was asked for again is looked for.
    next: BTreeMap<String, usize>,
}

impl Taken {
    /// Takes `name`, or the first of `name2`, `name3`, … that is free.
    pub(crate) fn claim(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{name}{next}");
            *next += 1;
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
        }
    }

    /// Whether `name` is in use.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_prelude_are_sorted() {
        assert!(PRELUDE.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn camel_names() {
        let pairs = [
            ("sup_flags", "SupFlags"),
            ("LocalName", "LocalName"),
            ("DOWN", "Down"),
            ("self", "Self_"),
            ("2fa", "N2fa"),
            ("", "Empty"),
            ("a-b", "AB"),
            ("+", "U2b"),
            ("größe", "GrUf6Udfe"),
        ];
        for (erlang, rust) in pairs {
            assert_eq!(camel(erlang), rust);
        }
    }

    #[test]
    fn names_of_several() {
        assert_eq!(together(&["Self_"], "Or"), "Self_");
        assert_eq!(together(&["Self_", "Other"], "Or"), "SelfOrOther");
        assert_eq!(together(&["None", "Self_"], ""), "NoneSelf");
    }

    #[test]
    fn snake_names() {
        let pairs = [
            ("NewState", "new_state"),
            ("PDict", "pdict"),
            ("handle_call", "handle_call"),
            ("MonRef", "mon_ref"),
            ("type", "r#type"),
            ("self", "self_"),
            ("u8", "u8"),
            ("A", "a"),
            ("_", "empty"),
            ("1st", "n1st"),
        ];
        for (erlang, rust) in pairs {
            assert_eq!(snake(erlang), rust);
        }
    }

    #[test]
    fn atom_names_do_not_meet() {
        let atoms = [
            "continue",
            "continue_",
            "continue__",
            "a-b",
            "a_b",
            "a_b_",
            "",
            "_",
            "char",
        ];
        let names: Vec<String> = atoms.iter().map(|atom| atom_identifier(atom)).collect();
        let different: BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), atoms.len(), "{names:?}");
        assert_eq!(names[0], "continue_");
        assert_eq!(names[1], "continue__");
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
