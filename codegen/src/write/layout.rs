//! Layout: formats tokens as text, identically on every machine.

use proc_macro2::TokenStream;

/// The generator wrote text that is not Rust: a bug in the generator.
#[derive(Debug)]
pub(crate) struct NotRust(pub(crate) String);

/// Returns the text of a file that consists of `parts`, each one or more whole items. At any time,
/// a single part is in memory as tokens and as a tree, which are many times larger than its text.
pub(crate) fn unparse(parts: impl IntoIterator<Item = TokenStream>) -> Result<String, NotRust> {
    let mut text = String::new();
    for part in parts {
        let part = syn::parse2::<syn::File>(part).map_err(|error| NotRust(error.to_string()))?;
        text.push_str(&joined(&prettyplease::unparse(&part)));
    }
    Ok(with_blank_lines(&text))
}

/// Maximum length of a line that is joined from several.
const WIDTH: usize = 120;

/// Joins declarations of functions on one line if they fit. The types of `#[from(…)]` and the enums
/// of `#[clause_of(…)]` are placed side by side, because the printer puts each argument on its own
/// line.
fn joined(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let start = line.trim_start();
        let is_list = start == "#[from(" || start == "#[clause_of(";
        let is_function = start.starts_with("pub fn ") && start.ends_with('(');
        if !(is_list || is_function) {
            all.push_str(line);
            all.push('\n');
            continue;
        }
        let end = format!("{indent})");
        let mut parts = Vec::new();
        let mut last = "";
        for line in lines.by_ref() {
            if line.starts_with(&end) {
                last = line;
                break;
            }
            parts.push(line);
        }
        if is_list {
            push_list(&mut all, line, &parts);
        } else {
            push_function(&mut all, line, &parts, last);
        }
    }
    all
}

/// Appends the attribute that begins with `first`, on one line if it fits, otherwise with as much
/// as possible on each line.
fn push_list(all: &mut String, first: &str, parts: &[&str]) {
    let indent = &first[..first.len() - first.trim_start().len()];
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    let line = format!("{first}{})]", parts.join(" ").trim_end_matches(','));
    if line.len() <= WIDTH {
        all.push_str(&format!("{line}\n"));
        return;
    }
    all.push_str(first);
    let mut width = WIDTH;
    for part in parts {
        width += part.len() + 1;
        if width > WIDTH {
            width = indent.len() + 4 + part.len();
            all.push_str(&format!("\n{indent}    {part}"));
        } else {
            all.push_str(&format!(" {part}"));
        }
    }
    all.push_str(&format!("\n{indent})]\n"));
}

/// Appends a declaration, which never has a body.
fn push_function(all: &mut String, first: &str, parts: &[&str], last: &str) {
    let arguments: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    let arguments = arguments.join(" ");
    let line = format!(
        "{first}{}{}",
        arguments.trim_end_matches(','),
        last.trim_start()
    );
    if last.ends_with(';') && line.len() <= WIDTH {
        all.push_str(&format!("{line}\n"));
        return;
    }
    for line in [&[first][..], parts, &[last]].concat() {
        all.push_str(&format!("{line}\n"));
    }
}

/// Inserts a blank line between items, because the printer inserts none.
fn with_blank_lines(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 16);
    let mut previous = "";
    for line in text.lines() {
        let is_import = line.starts_with("use ") && previous.starts_with("//!");
        if is_import || starts_item(line.trim_start()) && ends_item(previous.trim()) {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        previous = line;
    }
    spaced
}

fn starts_item(line: &str) -> bool {
    ["///", "#[", "pub ", "impl", "trait "]
        .iter()
        .any(|start| line.starts_with(start))
}

fn ends_item(line: &str) -> bool {
    line == "}" || line.ends_with(';') || line.ends_with(";\"") || line.starts_with("//!")
}
