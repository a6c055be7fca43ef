//! The items of a generated Rust file, to be shown to people.

use std::collections::BTreeSet;

/// An item at the top of a file or of an inline module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its name; empty for an `impl`.
    pub(crate) name: String,
    /// The lines of its documentation.
    pub(crate) docs: Vec<String>,
    /// Its text without documentation and attributes, and without those of its parts.
    pub(crate) text: String,
    /// All of its text after its documentation and attributes.
    body: String,
}

impl Item {
    /// The Erlang that its documentation quotes.
    pub(crate) fn erlang(&self) -> Option<&str> {
        let is_quoted = |line: &&String| line.len() > 1 && line.starts_with('`');
        let quoted = self.docs.iter().find(is_quoted)?;
        quoted.strip_prefix('`')?.strip_suffix('`')
    }

    /// The items of an inline module.
    pub(crate) fn inner(&self) -> Vec<Item> {
        let lines: Vec<&str> = self.body.lines().collect();
        let inside = lines.get(1..lines.len().saturating_sub(1));
        let dedented: Vec<&str> = inside
            .unwrap_or_default()
            .iter()
            .map(|line| line.strip_prefix("    ").unwrap_or(line))
            .collect();
        items(&dedented.join("\n"))
    }

    /// Whether the item's text has this word.
    fn mentions(&self, word: &str) -> bool {
        let is_part = |c: char| !(c.is_alphanumeric() || c == '_');
        self.text.split(is_part).any(|part| part == word)
    }
}

/// The items of a file as the generator lays it out: documentation, attributes, then the item. It ends
/// with the first line that begins in the first column and ends with `;` or `}`.
pub(crate) fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut docs = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned());
        } else if line.starts_with("#[") {
            through(line, &mut lines, |line| line.ends_with(']'));
        } else if !line.is_empty() && !line.starts_with("//") {
            let is_whole = |line: &str| line.ends_with([';', '}']);
            let body = match is_whole(line) {
                true => line.to_owned(),
                false => through(line, &mut lines, is_whole),
            };
            items.push(Item {
                name: name(line),
                docs: std::mem::take(&mut docs),
                text: bare(&body),
                body,
            });
        }
    }
    items
}

/// `first` and the following lines, up to one that begins in the first column and is an end.
fn through<'a>(
    first: &'a str,
    lines: &mut impl Iterator<Item = &'a str>,
    is_end: impl Fn(&str) -> bool,
) -> String {
    let mut all = vec![first];
    let outermost = |line: &str| !line.starts_with([' ', '\t']);
    if !is_end(first) {
        for line in lines {
            all.push(line);
            if outermost(line) && is_end(line) {
                break;
            }
        }
    }
    all.join("\n")
}

/// The word after `struct`, `enum`, `type`, `trait`, `mod`; `B` for `pub use a::B;`.
fn name(line: &str) -> String {
    let mut words = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty());
    let keywords = ["struct", "enum", "type", "trait", "mod"];
    match line.strip_prefix("pub ").map(|_| words.nth(1)) {
        Some(Some("use")) => words.next_back(),
        Some(Some(keyword)) if keywords.contains(&keyword) => words.next(),
        _ => None,
    }
    .unwrap_or_default()
    .to_owned()
}

/// Text without the lines that are documentation or attributes, and without the paths that every
/// generated file has in the same place.
fn bare(body: &str) -> String {
    let mut bare: Vec<String> = Vec::new();
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.starts_with("///") || start.is_empty() {
            continue;
        }
        if start.starts_with("#[") {
            let indent = &line[..line.len() - start.len()];
            let is_end = |line: &str| {
                let rest = line.strip_prefix(indent).unwrap_or(line);
                rest.ends_with(']') && !rest.starts_with(' ')
            };
            if !is_end(line) {
                lines.by_ref().find(|line| is_end(line));
            }
            continue;
        }
        bare.push(match start.starts_with("pub use ") {
            true => line.to_owned(),
            false => without_paths(line),
        });
    }
    bare.join("\n")
}

/// A line without `rt::` and `super::`, unless a parameter would then seem to be bounded by itself.
fn without_paths(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let is_within = text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let paths = ["rt::", "super::"];
        let path = paths
            .iter()
            .filter(|_| !is_within)
            .find(|path| rest.starts_with(**path));
        let path = path.copied().unwrap_or_default();
        let after = &rest[path.len()..];
        let name = after
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next();
        if !path.is_empty() && !text.ends_with(&format!("{}: ", name.unwrap_or_default())) {
            rest = after;
        } else {
            text.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    text
}

/// An item, then its parts that have no name in Erlang.
pub(crate) fn with_parts<'a>(item: &'a Item, all: &'a [Item]) -> Vec<&'a Item> {
    let is_part = |item: &&Item| {
        let erlang = item.erlang();
        !item.name.is_empty() && erlang.is_some_and(|erlang| !erlang.starts_with('-'))
    };
    let parts: Vec<&Item> = all.iter().filter(is_part).collect();
    let mut found = vec![item];
    let mut known = BTreeSet::from([item.name.as_str()]);
    let mut next = 0;
    while let Some(item) = found.get(next).copied() {
        next += 1;
        for part in &parts {
            if item.mentions(&part.name) && known.insert(&part.name) {
                found.push(part);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
// @generated
//! Types.

use super::atoms;

/// `-type t() :: {a, x | y} | none.`
#[derive(Debug)]
pub enum T {
    /// `{a, x | y}`
    #[term(untagged)]
    A(XOrY, super::other::Long),

    /// `none`
    None,
}

impl From<atoms::none> for T {
    fn from(_: atoms::none) -> Self {
        Self::None
    }
}

/// `x | y`
pub enum XOrY {
    X,
    Y,
}

/// `-type u() :: t().`
pub type U = rt::Term;

/// `-type from() :: pid().`
pub use rt::Caller;

/// Callbacks.
pub mod callback {
    use super::rt;

    /// `m:f/1`.
    ///
    /// `-callback f(t()) -> t().`
    #[diagnostic::on_unimplemented(
        message = \"x\",
    )]
    pub trait F: Sized {
        /// `-callback`
        fn f(t: super::T);
    }
}
";

    #[test]
    fn items_have_names_documentation_and_text() {
        let items = items(FILE);
        let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["", "T", "", "XOrY", "U", "Caller", "callback"]);
        assert_eq!(items[1].erlang(), Some("-type t() :: {a, x | y} | none."));
        assert_eq!(
            items[1].text,
            "pub enum T {\n    A(XOrY, other::Long),\n    None,\n}"
        );
        assert_eq!(items[4].text, "pub type U = Term;");
        assert_eq!(items[5].text, "pub use rt::Caller;");
    }

    #[test]
    fn paths_go_where_they_say_nothing() {
        for (line, expected) in [
            (
                "a: rt::Atom, b: Vec<super::super::m::T>",
                "a: Atom, b: Vec<m::T>",
            ),
            ("start::T, superb::T, ::rt::T", "start::T, superb::T, ::T"),
            (
                "<Request: rt::Request, T: rt::ToTerm>",
                "<Request: rt::Request, T: ToTerm>",
            ),
        ] {
            assert_eq!(without_paths(line), expected);
        }
    }

    #[test]
    fn an_inline_module_has_items() {
        let items = items(FILE);
        let inner = items[6].inner();
        assert_eq!(inner[1].name, "F");
        assert_eq!(inner[1].docs[0], "`m:f/1`.");
        assert_eq!(inner[1].text, "pub trait F: Sized {\n    fn f(t: T);\n}");
    }

    #[test]
    fn parts_without_an_erlang_name_follow() {
        let items = items(FILE);
        let names = |item| -> Vec<&str> {
            with_parts(item, &items)
                .iter()
                .map(|item| item.name.as_str())
                .collect()
        };
        assert_eq!(names(&items[1]), ["T", "XOrY"]);
        assert_eq!(names(&items[4]), ["U"]);
    }
}
