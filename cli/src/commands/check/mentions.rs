//! Finds the types that the Rust sources of an application mention in code that could start them.
//!
//! Names are not resolved: another type of the same name counts as a mention. So only the absence
//! of a mention is certain, unless a macro of another crate mentions the type.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The names of types that are mentioned outside of their own definitions, their own `impl` blocks,
/// `use` items and tests.
pub(super) struct Mentions {
    names: BTreeSet<String>,
    /// Whether a source could not be read: it may mention any type.
    is_incomplete: bool,
}

impl Mentions {
    /// Reads all `.rs` files of a folder.
    pub(super) fn below(folder: &Path) -> Self {
        let mut mentions = Self {
            names: BTreeSet::new(),
            is_incomplete: false,
        };
        mentions.folder(folder);
        mentions
    }

    /// Returns whether the type with this path is mentioned, or may be.
    pub(super) fn has(&self, rust_path: &str) -> bool {
        let name = rust_path.rsplit("::").next().unwrap_or(rust_path);
        self.is_incomplete || self.names.contains(name.trim_start_matches("r#"))
    }

    fn folder(&mut self, folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else {
            self.is_incomplete = true;
            return;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_source = path.extension().is_some_and(|ending| ending == "rs");
            match path.is_dir() {
                true => self.folder(&path),
                false if is_source => self.file(&path),
                false => {}
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let tokens = fs::read_to_string(path)
            .ok()
            .and_then(|text| text.parse().ok());
        match tokens {
            Some(tokens) => self.tokens(tokens, None, false),
            None => self.is_incomplete = true,
        }
    }

    /// Reads the tokens of a file or of a group. One type is not counted: that of the `impl` block.
    /// In a `use` item, a name is counted only if it gets another name.
    fn tokens(&mut self, tokens: TokenStream, own: Option<&str>, is_use: bool) {
        let mut tokens = tokens.into_iter().peekable();
        let mut place = Surroundings {
            is_use,
            ..Surroundings::default()
        };
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.group(&group, own, &mut place),
                TokenTree::Ident(ident) => {
                    let name = ident.to_string().trim_start_matches("r#").to_owned();
                    self.word(name, tokens.peek(), own, &mut place);
                }
                TokenTree::Punct(punct) => {
                    let mark = punct.as_char();
                    if mark == ';' {
                        (place.is_test, place.is_use) = (false, false);
                    }
                    place.before = mark.to_string();
                }
                TokenTree::Literal(_) => place.before.clear(),
            }
        }
    }

    fn group(&mut self, group: &Group, own: Option<&str>, place: &mut Surroundings) {
        let is_block = group.delimiter() == Delimiter::Brace;
        if place.before == "#" {
            place.is_test |= is_of_tests(group.stream());
        } else if !(is_block && place.is_test) {
            let inner = place.block.as_deref().filter(|_| is_block).or(own);
            self.tokens(group.stream(), inner, place.is_use);
        }
        if is_block && !place.is_use {
            (place.block, place.is_test) = (None, false);
        }
        // The bracket of an attribute is not the word in front of the attributed item.
        place.before.clear();
    }

    fn word(
        &mut self,
        name: String,
        next: Option<&TokenTree>,
        own: Option<&str>,
        place: &mut Surroundings,
    ) {
        // In `impl Trait + use<'a>`, it is not an item.
        let is_item = next.is_none_or(|next| next.to_string() != "<");
        place.is_use |= name == "use" && is_item;
        let is_alias = next.is_some_and(|next| next.to_string() == "as");
        let is_counted = !place.is_use || is_alias;
        match place.before.as_str() {
            "struct" | "enum" | "union" | "fn" | "mod" => {}
            "for" => place.block = Some(name.clone()),
            "impl" if starts_block(next) => place.block = Some(name.clone()),
            _ if is_counted && own != Some(name.as_str()) => {
                self.names.insert(name.clone());
            }
            _ => {}
        }
        place.before = name;
    }
}

/// The context of a token.
#[derive(Default)]
struct Surroundings {
    /// The previous word.
    before: String,
    /// The type of the `impl` whose block follows.
    block: Option<String>,
    /// Whether an attribute marks the following code as part of tests.
    is_test: bool,
    /// Whether it is within a `use` item.
    is_use: bool,
}

/// `cfg(test)`, `test`, `otp_bridge::test`
fn is_of_tests(attribute: TokenStream) -> bool {
    let text: String = attribute
        .into_iter()
        .map(|token| token.to_string())
        .collect();
    text == "cfg(test)" || text == "test" || text.ends_with("::test")
}

/// Returns whether the next token is the block of an inherent `impl`.
fn starts_block(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(source: &str) -> Mentions {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join("inner/a.rs"), source).unwrap();
        fs::write(folder.path().join("notes.txt"), "Counter {").unwrap();
        Mentions::below(folder.path())
    }

    #[test]
    fn a_definition_and_its_own_block_mention_nothing() {
        let source = "
            use crate::counter::Counter;
            use crate::{a::{Counter}, b};
            /// Counter
            #[derive(Debug)]
            pub struct Counter { count: u64 }
            impl Counter { fn new() -> Counter { Counter { count: 0 } } }
            #[gen_server]
            impl GenServer for Counter {
                fn init(_: ()) -> impl InitReturn<Self> { (ok, Counter { count: 0 }) }
            }
            #[cfg(test)]
            mod tests {
                fn a() { testing::Server::<Counter>::start(()) }
            }
            #[otp_bridge::test]
            async fn b(cx: &Cx<'_>) { cx.start_link::<Counter>(()).await; }
        ";
        assert!(!mentions(source).has("shop::counter::Counter"));
    }

    #[test]
    fn what_could_start_it_is_a_mention() {
        for source in [
            "fn f() { ChildSpec::of::<Counter>(()) }",
            "fn f() { ChildSpec::of::<crate::counter::Counter>(()) }",
            "use crate::Counter as Other;",
            "use crate::{a, b::{Counter as Other}};",
            "fn f<'a>() -> impl Fn() + use<'a> { || start::<Counter>() }",
            "type Child = Counter;",
            "impl Supervisor for Other { type Child = Counter; }",
            "impl GenServer for Counter {} fn f() { start::<Counter>() }",
            "macro_rules! all { () => { Counter } }",
            "#[cfg(test)] use a::b; fn f() { vec![Counter] }",
            "impl From<Counter> for Other {}",
            "fn f() { \"not closed }",
        ] {
            assert!(mentions(source).has("shop::r#Counter"), "{source}");
        }
        assert!(Mentions::below(Path::new("/nowhere/at/all")).has("a::B"));
    }
}
