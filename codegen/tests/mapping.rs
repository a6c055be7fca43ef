//! `docs/mapping.md` shows generated code: each block of Rust is generated from the block of Erlang
//! above it.
#![allow(
    clippy::disallowed_methods,
    reason = "the test reads the page, and mends it"
)]

mod support;

use std::path::{Path, PathBuf};

use support::rust;

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mapping.md")
}

/// The page with all Rust generated again.
fn fresh(page: &str) -> String {
    let mut fresh = String::new();
    let mut lines = page.lines();
    let mut erlang = String::new();
    let mut is_of_types = false;
    while let Some(line) = lines.next() {
        match line {
            "```erlang" => {
                erlang.clear();
                push_line(&mut fresh, line);
                for line in lines.by_ref().take_while(|line| *line != "```") {
                    push_line(&mut erlang, line);
                    push_line(&mut fresh, line);
                }
                push_line(&mut fresh, "```");
            }
            "```rust" | "```rust all" => {
                push_line(&mut fresh, line);
                fresh.push_str(&shown(&rust(&erlang), line.ends_with("all")));
                push_line(&mut fresh, "```");
                // The old block.
                lines.by_ref().find(|line| *line == "```");
            }
            _ => {
                is_of_types = line == "| Erlang | Rust | |" || is_of_types && line.starts_with('|');
                let row = is_of_types.then(|| row(line)).flatten();
                push_line(&mut fresh, &row.unwrap_or_else(|| line.to_owned()));
            }
        }
    }
    fresh
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// A row of the table of predefined types, with its Rust generated again.
fn row(line: &str) -> Option<String> {
    let rest = line.strip_prefix("| `")?;
    let (erlang, rest) = rest.split_once("` | ")?;
    let (_, note) = rest.split_once(" |")?;
    let generated = rust(&format!("-type t() :: {erlang}."));
    let ty = generated
        .lines()
        .find_map(|line| line.strip_prefix("pub type T = "))?;
    Some(format!(
        "| `{erlang}` | `{}` |{note}",
        plain(ty.strip_suffix(';')?)
    ))
}

/// Removes the paths of the run time and of Rust's own types.
fn plain(text: &str) -> String {
    ["rt::", "::core::num::", "::otp_bridge::"]
        .iter()
        .fold(text.to_owned(), |text, path| text.replace(path, ""))
}

/// Removes implementations, derives and comments, unless everything is shown.
fn shown(generated: &str, all: bool) -> String {
    let mut text = String::new();
    let mut skipping = false;
    for line in generated.lines() {
        skipping |= !all && line.starts_with("impl");
        let begins = |start: &&str| line.trim_start().starts_with(*start);
        let left_out = !all && ["#[derive(", "#[from(", "///"].iter().any(begins);
        let line = if all {
            line.to_owned()
        } else {
            line.replace("#[from(into)] ", "")
                .replace("#[from(any)] ", "")
        };
        let second_blank = line.is_empty() && text.ends_with("\n\n");
        if !(skipping || left_out || second_blank) {
            push_line(&mut text, &plain(&line));
        }
        skipping &= line != "}";
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}

#[test]
fn the_page_shows_what_is_generated() {
    let text = std::fs::read_to_string(page()).expect("the page");
    let fresh = fresh(&text);
    assert!(
        fresh.matches("```rust").count() >= 15,
        "the examples are found"
    );
    assert!(fresh.matches("| `").count() >= 30, "the table is found");
    if fresh != text {
        std::fs::write(page(), fresh).expect("the page can be written");
        panic!(
            "docs/mapping.md was stale and has been written anew; look at the change and run this again"
        );
    }
}
