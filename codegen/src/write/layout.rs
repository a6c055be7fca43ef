//! Layout: tokens to text, the same on every machine.

use proc_macro2::TokenStream;

/// The generator wrote something that is not Rust: a mistake of the generator.
#[derive(Debug)]
pub(crate) struct NotRust(pub(crate) String);

/// The text of a file that is made of `parts`, each one or more whole items. One part at a time is
/// in memory as tokens and as a tree, which are many times its text.
pub(crate) fn unparse(parts: impl IntoIterator<Item = TokenStream>) -> Result<String, NotRust> {
    let mut text = String::new();
    for part in parts {
        let part = syn::parse2::<syn::File>(part).map_err(|error| NotRust(error.to_string()))?;
        text.push_str(&joined(&prettyplease::unparse(&part)));
    }
    Ok(with_blank_lines(&text))
}

/// The longest line that is made of several.
const WIDTH: usize = 120;

/// Declarations of functions on one line where they fit, and the types of `#[from(…)]` and the
/// enums of `#[clause_of(…)]` side by side: the printer gives each argument a line of its own.
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

/// The attribute that begins with `first` on one line if it fits, otherwise as much of it on a line
/// as fits.
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

/// A declaration, of which a body is never part.
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

/// A blank line between items: the printer puts none.
fn with_blank_lines(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 16);
    let mut previous = "";
    for line in text.lines() {
        if starts_item(line.trim_start()) && ends_item(previous.trim()) {
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
