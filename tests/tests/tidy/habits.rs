//! What makes a function hard to follow, counted. The limits only fall: who takes some away lowers
//! them.

use crate::sources;

/// The crates that users get.
const CRATES: [&str; 6] = [
    "bridge/macros/src/",
    "bridge/src/",
    "cli/src/",
    "codegen/src/",
    "contract/src/",
    "specs/src/",
];

/// A `match` whose arms are `true` and `false`, where an `if` says the same.
fn matches_on_bool(text: &str) -> usize {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with("true =>")).count()
}

/// A `let` with the name of another one in the same block. The layout is rustfmt's.
fn shadowed_lets(text: &str) -> usize {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        let is_end = |block: &(usize, Vec<&str>)| block.0 > depth;
        while blocks.last().is_some_and(is_end) {
            blocks.pop();
        }
        let Some(name) = let_name(code) else {
            continue;
        };
        match blocks.last_mut().filter(|(of, _)| *of == depth) {
            Some((_, names)) => {
                count += usize::from(names.contains(&name));
                names.push(name);
            }
            None => blocks.push((depth, vec![name])),
        }
    }
    count
}

fn let_name(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("let ")?;
    let rest = rest.strip_prefix("mut ").unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let is_name =
        rest.starts_with(|c: char| c.is_lowercase()) && rest[end..].starts_with([' ', ':']);
    is_name.then(|| &rest[..end])
}

/// A parameter that is a tuple, whose type has no names for its parts.
fn tuple_parameters(text: &str) -> usize {
    let lines = text.lines().map(str::trim_start);
    let parameters = lines.filter(|line| {
        let begins = line.starts_with('(') || line.contains("fn ") && line.contains(" (");
        begins && line.contains("): (") && !line.contains('|')
    });
    parameters.count()
}

fn counted(count: Count) -> usize {
    let of_users = |path: &str| CRATES.iter().any(|folder| path.starts_with(folder));
    let sources = sources().into_iter().filter(|(path, _)| of_users(path));
    sources.map(|(_, text)| count(&text)).sum()
}

/// Finds how often a text does something.
type Count = fn(&str) -> usize;

#[test]
fn there_are_no_more_of_them() {
    let limits: [(&str, Count, usize); 3] = [
        ("`match` on a bool", matches_on_bool, 36),
        (
            "a `let` that hides another one of its block",
            shadowed_lets,
            467,
        ),
        ("a parameter that is a tuple", tuple_parameters, 52),
    ];
    for (what, count, limit) in limits {
        let count = counted(count);
        assert!(count <= limit, "{what}: {count}, but the limit is {limit}");
    }
}

#[test]
fn they_are_found() {
    let text = "match a {\n    true => 1,\n    false => 2,\n}\n";
    assert_eq!(matches_on_bool(text), 1);
    let text = "fn a() {\n    let b = 1;\n    if b {\n        let b = 2;\n    }\n    let mut b: u8 = 3;\n}\nfn c() {\n    let b = 1;\n}\n";
    assert_eq!(shadowed_lets(text), 1);
    let text = "fn a(&self, (b, c): (u8, u8)) {\n    x(\n        (b, c): (u8, u8),\n    )\n    let (b, c): (u8, u8) = d;\n}\n";
    assert_eq!(tuple_parameters(text), 2);
}
