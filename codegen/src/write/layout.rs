//! Layout: tokens to text, the same on every machine.

use proc_macro2::TokenStream;

/// The generator wrote something that is not Rust: a mistake of the generator.
#[derive(Debug)]
pub(crate) struct NotRust(pub(crate) String);

/// The text of a file.
pub(crate) fn unparse(tokens: TokenStream) -> Result<String, NotRust> {
    let file = syn::parse2::<syn::File>(tokens).map_err(|error| NotRust(error.to_string()))?;
    Ok(with_blank_lines(&prettyplease::unparse(&file)))
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
