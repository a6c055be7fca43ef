//! The items of a generated Rust file, for display.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Returns the Erlang that its documentation quotes.
    pub(crate) fn erlang(&self) -> Option<&str> {
        let is_quoted = |line: &&String| line.len() > 1 && line.starts_with('`');
        let quoted = self.docs.iter().find(is_quoted)?;
        quoted.strip_prefix('`')?.strip_suffix('`')
    }

    /// Returns the items of an inline module.
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

    /// Returns whether it is the block of the module's functions.
    pub(crate) fn is_bindings(&self) -> bool {
        self.body.starts_with("extern \"Erlang\"")
    }

    /// Returns the names and keywords of its text.
    fn words(&self) -> impl Iterator<Item = &str> {
        self.text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
    }
}

/// Splits a file into items, in the generator's layout: documentation, attributes, then the item.
/// An item ends with the first line that begins in the first column and ends with `;` or `}`.
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
            let body = if is_whole(line) {
                line.to_owned()
            } else {
                through(line, &mut lines, is_whole)
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

/// Returns `first` and the following lines, up to one that begins in the first column and ends the
/// item.
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

/// Returns the word after `struct`, `enum`, `type`, `trait`, `mod`, `fn`; `B` for `pub use a::B;`.
fn name(line: &str) -> String {
    let mut words = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty());
    let keywords = ["struct", "enum", "type", "trait", "mod", "fn"];
    match line.strip_prefix("pub ").map(|_| words.nth(1)) {
        Some(Some("use")) => words.next_back(),
        Some(Some(keyword)) if keywords.contains(&keyword) => words.find(|word| *word != "r"),
        _ => None,
    }
    .unwrap_or_default()
    .to_owned()
}

/// Returns the text without documentation and attributes, and without the paths that every
/// generated file uses in those positions.
fn bare(body: &str) -> String {
    let mut bare: Vec<String> = Vec::new();
    let parameters = parameters(body);
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
        bare.push(if start.starts_with("pub use ") {
            line.to_owned()
        } else {
            without_paths(line, &parameters)
        });
    }
    bare.join("\n")
}

/// Returns type parameters with a bound of `rt`: a type of that name keeps its path.
fn parameters(body: &str) -> BTreeSet<&str> {
    let bounded = body.match_indices(": rt::").filter_map(|(at, _)| {
        let before = body.get(..at)?;
        before
            .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next()
    });
    let is_type = |name: &&str| name.starts_with(|c: char| c.is_ascii_uppercase());
    bounded.filter(is_type).collect()
}

/// Returns a line without `rt::` and `super::`, except in front of the name of a parameter.
fn without_paths(line: &str, parameters: &BTreeSet<&str>) -> String {
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
        if !path.is_empty() && !parameters.contains(name.unwrap_or_default()) {
            rest = after;
        } else {
            text.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    text
}

/// An index of a module's items.
pub(crate) struct Items {
    all: Vec<Item>,
    /// By the Erlang that their documentation quotes.
    by_erlang: BTreeMap<String, usize>,
    /// Items that have no name in Erlang, by their names in Rust.
    parts: BTreeMap<String, usize>,
}

impl Items {
    pub(crate) fn new(all: Vec<Item>) -> Self {
        let mut by_erlang = BTreeMap::new();
        let mut parts = BTreeMap::new();
        for (index, item) in all.iter().enumerate() {
            let Some(erlang) = item.erlang() else {
                continue;
            };
            by_erlang.entry(erlang.to_owned()).or_insert(index);
            if !item.name.is_empty() && !erlang.starts_with('-') {
                parts.entry(item.name.clone()).or_insert(index);
            }
        }
        Self {
            all,
            by_erlang,
            parts,
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Item> {
        self.all.iter()
    }

    /// Returns the first item that quotes this Erlang.
    pub(crate) fn quoting(&self, erlang: &str) -> Option<&Item> {
        self.all.get(*self.by_erlang.get(erlang)?)
    }

    /// Returns an item, then its parts that have no name in Erlang.
    pub(crate) fn with_parts<'a>(&'a self, item: &'a Item) -> Vec<&'a Item> {
        let mut found = vec![item];
        let mut known = BTreeSet::from([item.name.as_str()]);
        let mut next = 0;
        while let Some(item) = found.get(next).copied() {
            next += 1;
            let parts: BTreeSet<usize> = item
                .words()
                .filter_map(|word| self.parts.get(word).copied())
                .collect();
            let parts = parts.into_iter().filter_map(|index| self.all.get(index));
            found.extend(parts.filter(|part| known.insert(&part.name)));
        }
        found
    }
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
            (
                "fn f<Term: rt::ToTerm>(term: Term) -> rt::Term",
                "fn f<Term: ToTerm>(term: Term) -> rt::Term",
            ),
        ] {
            assert_eq!(without_paths(line, &parameters(line)), expected);
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
        let items = Items::new(items(FILE));
        let names = |index: usize| -> Vec<&str> {
            let item = &items.all[index];
            let parts = items.with_parts(item);
            parts.into_iter().map(|item| item.name.as_str()).collect()
        };
        assert_eq!(names(1), ["T", "XOrY"]);
        assert_eq!(names(4), ["U"]);
    }
}
