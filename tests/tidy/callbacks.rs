//! Facts about callbacks are in one table (ADR 36): no other code may refer to a callback by its
//! name.

use std::collections::BTreeSet;

use crate::tokens::texts;
use crate::{all_sources, sources};

/// The table, and the forms of callbacks that OTP does not have.
const TABLE: [&str; 2] = ["codegen/src/facts/callbacks.rs", "codegen/src/additions.rs"];

/// Writers of Erlang source, whose templates contain names of callbacks.
const TEMPLATES: [&str; 2] = ["codegen/src/erlang/", "cli/src/project/template"];

/// Exempt files: names of benchmarks, and the atoms that programs may use.
const OTHERS: [&str; 3] = ["xtask/", "bindings/", "codegen/src/atoms.rs"];

/// Names that OTP also uses for other things: tags of tuples, functions and modules.
const WORDS: [&str; 3] = ["start", "stop", "init"];

/// Returns the callbacks of all checked-in behaviours.
fn names() -> BTreeSet<String> {
    let generated = all_sources().into_iter();
    let generated = generated.filter(|(path, _)| path.starts_with("bridge/src/generated/"));
    let mut names = BTreeSet::new();
    for (_, text) in generated {
        let callbacks = text.split("rt::Callback {").skip(1);
        names.extend(callbacks.filter_map(|text| {
            let (_, name) = text.split_once("name: \"")?;
            Some(name.split_once('"')?.0.to_owned())
        }));
    }
    names
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/")
        || path.starts_with("examples/")
        || path
            .split('/')
            .any(|part| matches!(part, "tests" | "tests.rs" | "examples"))
}

/// Returns the source before its tests, without texts for people.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text)
}

#[test]
fn no_callback_is_known_by_its_name() {
    let names = names();
    assert!(
        names.contains("handle_call") && names.contains("callback_mode"),
        "{names:?}"
    );
    let is_elsewhere = |(path, _): &(String, String)| {
        let skipped = TABLE.iter().chain(&TEMPLATES).chain(&OTHERS);
        path.ends_with(".rs") && !is_test(path) && !skipped.clone().any(|it| path.starts_with(it))
    };
    let mut found = Vec::new();
    for (path, text) in sources().into_iter().filter(is_elsewhere) {
        let all = texts(code(&text)).into_iter();
        let named = all.filter(|it| names.contains(&it.text) && !WORDS.contains(&it.text.as_str()));
        found.extend(named.map(|it| format!("{path}:{}: {:?}", it.line, it.text)));
    }
    assert!(
        found.is_empty(),
        "what a callback is for is a fact of codegen/src/facts/callbacks.rs; ask for its kind:\n{}",
        found.join("\n")
    );
}
