//! Comments have at most 100 columns, because people read them in half of a screen, or on the page
//! of a review.

use std::process::Command;

use crate::{read, root, sources};

const COLUMNS: usize = 100;

/// Returns the text and the width of a line that is a comment.
fn comment<'t>(line: &'t str, mark: &str) -> Option<(&'t str, usize)> {
    let code = line.trim_start();
    if !code.starts_with(mark) {
        return None;
    }
    let text = code.trim_start_matches(['/', '!', '%']);
    Some((text.strip_prefix(' ').unwrap_or(text), line.chars().count()))
}

/// Returns the lines of comments that are too wide. Exempt are code, tables, and an Erlang form
/// that is one span of code.
fn wide(text: &str, mark: &str) -> Vec<usize> {
    let (mut is_code, mut found) = (false, Vec::new());
    for (line, number) in text.lines().zip(1..) {
        let Some((comment, width)) = comment(line, mark) else {
            is_code = false;
            continue;
        };
        if comment.starts_with("```") {
            is_code = !is_code;
        } else if width > COLUMNS && !is_code && !comment.starts_with(['|', '`', '#', ' ']) {
            found.push(number);
        }
    }
    found
}

fn erlang() -> Vec<(String, String)> {
    let listed = Command::new("git")
        .args(["ls-files", "*.erl", "*.hrl", "*.escript"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("UTF-8");
    let paths = listed.lines().filter(|path| root().join(path).is_file());
    // One file of the tests is in Latin-1.
    paths
        .filter(|path| std::fs::read_to_string(root().join(path)).is_ok())
        .map(|path| (path.to_owned(), read(path)))
        .collect()
}

#[test]
fn comments_are_not_wider_than_a_hundred_columns() {
    let rust = sources()
        .into_iter()
        .map(|(path, text)| (path, wide(&text, "//")));
    let erlang = erlang();
    assert!(erlang.len() > 20, "only {} files were found", erlang.len());
    let erlang = erlang
        .into_iter()
        .map(|(path, text)| (path, wide(&text, "%")));
    let all: Vec<String> = rust
        .chain(erlang)
        .flat_map(|(path, lines)| lines.into_iter().map(move |line| format!("{path}:{line}")))
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn what_is_wide_is_found() {
    let long = "word ".repeat(22);
    let text = format!(
        "//! {long}\nlet x = 1;\n    /// {long}\n/// ```\n/// {long}\n/// ```\n// | {long}"
    );
    assert_eq!(wide(&text, "//"), [1, 3]);
    assert_eq!(wide(&format!("%% {long}\nf() -> {long}."), "%"), [1]);
}
