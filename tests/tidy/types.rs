//! A type that other files can name has a unique name within its crate, so that a reader of
//! `ClauseEntry` need not look up which of several types is meant.

use std::collections::BTreeMap;

use crate::sources;
use crate::tokens::{Token, tokens};

/// The crates whose types are compared. A crate in the folder of another one comes first.
const CRATES: &[&str] = &[
    "bridge/macros/src/",
    "bridge/src/",
    "bindings/src/",
    "cli/src/",
    "codegen/src/",
    "contract/src/",
    "specs/src/",
    "xtask/src/",
];

/// Names that a crate may have several times.
const ACCEPTED: &[(&str, &str, &str)] = &[
    ("bridge/src/", "Alternate", "one for each platform"),
    (
        "bridge/src/",
        "Machine",
        "a handle; in `testing`, what stands for its process",
    ),
    ("bridge/src/", "Sealed", "what others cannot implement"),
    (
        "bridge/src/",
        "Server",
        "a handle; in `testing`, what stands for its process",
    ),
    (
        "bridge/src/",
        "Timeout",
        "a time; in `messages`, the message that comes after it",
    ),
    (
        "specs/src/",
        "Clause",
        "as written in `ast`, resolved in `types`",
    ),
    (
        "specs/src/",
        "MapField",
        "as written in `ast`, resolved in `types`",
    ),
    (
        "specs/src/",
        "Module",
        "as written in `ast`, resolved in `types`",
    ),
    (
        "specs/src/",
        "RecordField",
        "as written in `ast`, resolved in `types`",
    ),
    (
        "specs/src/",
        "Type",
        "as written in `ast`, resolved in `types`",
    ),
    (
        "specs/src/",
        "TypeKind",
        "as written in `ast`, resolved in `types`",
    ),
];

/// Returns the types that are visible outside their file, each with its line. A lower-case name is
/// an atom.
fn visible(text: &str) -> Vec<(String, usize)> {
    let keywords = ["struct", "enum", "trait", "union", "type"];
    let tokens = tokens(text);
    let begins = tokens.iter().enumerate().filter(|(_, it)| it.is("pub"));
    let defined = begins.filter_map(|(index, _)| {
        let rest = behind_visibility(&tokens[index + 1..]);
        let [keyword, name, ..] = rest else {
            return None;
        };
        (keywords.contains(&keyword.text.as_str()) && name.text.starts_with(char::is_uppercase))
            .then(|| (name.text.clone(), name.line))
    });
    defined.collect()
}

/// Returns the tokens after `pub`, `pub(crate)` or `pub(in path)`, and after `unsafe`.
fn behind_visibility(tokens: &[Token]) -> &[Token] {
    let rest = match tokens {
        [open, inside @ ..] if open.is("(") => {
            let close = inside.iter().position(|it| it.is(")"));
            &inside[close.map_or(0, |close| close + 1)..]
        }
        rest => rest,
    };
    match rest {
        [first, rest @ ..] if first.is("unsafe") => rest,
        rest => rest,
    }
}

/// Returns the definitions of each name in each crate.
fn definitions(sources: &[(String, String)]) -> BTreeMap<(&'static str, String), Vec<String>> {
    let mut all: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (path, text) in sources {
        let in_tests = path.ends_with("/tests.rs") || path.contains("/tests/");
        let Some(of) = CRATES.iter().find(|folder| path.starts_with(**folder)) else {
            continue;
        };
        if in_tests {
            continue;
        }
        for (name, line) in visible(text) {
            let found = all.entry((*of, name)).or_default();
            found.push(format!("{path}:{line}"));
        }
    }
    all.retain(|_, found| found.len() > 1);
    all
}

#[test]
fn a_type_has_a_name_of_its_own() {
    let found = definitions(&sources());
    let is_accepted = |of: &str, name: &str| {
        let mut all = ACCEPTED.iter();
        all.any(|(folder, accepted, _)| *folder == of && *accepted == name)
    };
    let wrong: Vec<String> = found
        .iter()
        .filter(|((of, name), _)| !is_accepted(of, name))
        .map(|((_, name), places)| format!("`{name}`: {}", places.join(", ")))
        .collect();
    let wrong = wrong.join("\n");
    assert!(
        wrong.is_empty(),
        "give each a name that tells it from the others:\n{wrong}"
    );
    for (of, name, _) in ACCEPTED {
        let is_there = found.contains_key(&(*of, (*name).to_owned()));
        assert!(is_there, "`{name}` is there once: take it from the list");
    }
}

#[test]
fn a_name_that_is_there_twice_is_found() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [
        file("cli/src/a.rs", "pub(crate) struct Kind;\nstruct Own;"),
        file("cli/src/b.rs", "struct Own;\npub(in crate::b) enum Kind {}"),
        file("specs/src/a.rs", "pub unsafe trait Kind {}"),
    ];
    let found: Vec<_> = definitions(&files).into_iter().collect();
    let places = ["cli/src/a.rs:1", "cli/src/b.rs:2"].map(str::to_owned);
    let expected = (("cli/src/", "Kind".to_owned()), places.to_vec());
    assert_eq!(found, [expected]);
}
