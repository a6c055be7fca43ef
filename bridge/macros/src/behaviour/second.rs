//! A second block for one type, or a second attribute above one block. Each block implements about
//! six traits, so the compiler would report six conflicts. A macro does not see other blocks, so it
//! looks for them in the source files: in the scope of its own block, above it, and in the other
//! Rust modules.

use std::fs;
use std::path::PathBuf;

use otp_contract::behaviour::BRIDGE_BEHAVIOURS;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

use super::{Input, elsewhere};

/// The attribute for behaviours of other libraries.
const OTHERS: &str = "behaviour";
/// Stands before the block in the text that is searched.
const HERE: &str = "__otp_here";

/// Returns the error of a second attribute above the block. Removes it if the block implements the
/// behaviour of the first one; otherwise the block is left to it.
pub(super) fn attribute(input: &mut Input) -> Option<Error> {
    let attributes = &input.block.attrs;
    let second = attributes.iter().position(|attribute| {
        let name = attribute.path().segments.last();
        name.is_some_and(|name| makes_callback_module(&name.ident.to_string()))
    })?;
    let path = attributes[second].path().to_token_stream();
    let message = "a block has one behaviour: remove this attribute, or the one above it";
    if is_of_first(input) {
        input.block.attrs.remove(second);
    }
    Some(Error::new_spanned(path, message))
}

/// Returns whether the block implements the behaviour of the attribute that is expanded.
pub(super) fn is_of_first(input: &Input) -> bool {
    let implemented = input.block.trait_.as_ref();
    let name = implemented.and_then(|implemented| implemented.0.segments.last());
    name.is_some_and(|name| name.ident == input.description.umbrella)
}

/// Returns the error of a block whose type has another block.
pub(super) fn block(input: &Input) -> Option<Error> {
    let self_type = &input.block.self_ty;
    let wanted = without_blanks(&self_type.to_token_stream());
    let (file, text, at) = source(input.block.impl_token.span)?;
    let last = wanted.split(['<', ':']).next_back()?;
    let in_scope = may_have(&text[..at], last)
        .then(|| earlier(&format!("{} {HERE} {}", &text[..at], &text[at..]), &wanted))
        .flatten();
    let (earlier, place) = match in_scope {
        Some(behaviour) => (behaviour, "above".to_owned()),
        None => {
            let other = elsewhere::other(&file, at, last)?;
            (other.behaviour, format!("in `{}`", other.module))
        }
    };
    let message = if input.description.behaviour == *earlier {
        format!("`{wanted}` has another `#[{earlier}]` block {place}: move these callbacks into it")
    } else {
        format!(
            "`{wanted}` is a callback module of `{earlier}` already: write this block for another type"
        )
    };
    Some(Error::new_spanned(self_type, message))
}

/// Returns the source file of the span, its text, and the byte where the span begins.
fn source(span: Span) -> Option<(PathBuf, String, usize)> {
    // Unit tests have no source files.
    if !proc_macro::is_available() {
        return None;
    }
    let start = span.unwrap().start();
    let file = span.unwrap().local_file()?;
    let text = fs::read_to_string(&file).ok()?;
    let (line, column) = (start.line().checked_sub(1)?, start.column().checked_sub(1)?);
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(before..)?.split('\n').next()?;
    let at = before + rest.chars().take(column).map(char::len_utf8).sum::<usize>();
    // An editor may have another text than the file.
    let is_here = text.get(at..)?.starts_with("impl");
    is_here.then_some((file, text, at))
}

/// Returns whether the text above a block may have another block for its type.
fn may_have(above: &str, name: &str) -> bool {
    above.contains("impl") && above.matches(name).count() > 1
}

/// Returns the behaviour of a block for the type above the mark, in the scope of the mark.
fn earlier(text: &str, wanted: &str) -> Option<String> {
    let tokens: TokenStream = text.parse().ok()?;
    let above = above_mark(tokens)?;
    let blocks = above.iter().enumerate();
    blocks
        .filter(|(_, token)| is_word(token, "impl"))
        .filter(|(at, _)| self_type(&above[*at..]).as_deref() == Some(wanted))
        .find_map(|(at, _)| behaviour(&above[..at]))
}

/// Returns the tokens before the mark in the innermost group that has it.
fn above_mark(tokens: TokenStream) -> Option<Vec<TokenTree>> {
    let mut above = Vec::new();
    for token in tokens {
        if is_word(&token, HERE) {
            return Some(above);
        }
        if let TokenTree::Group(group) = &token
            && let Some(found) = above_mark(group.stream())
        {
            return Some(found);
        }
        above.push(token);
    }
    None
}

/// Returns the type of `impl Trait for Type { … }`.
fn self_type(tokens: &[TokenTree]) -> Option<String> {
    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let end = tokens.iter().position(is_body)?;
    let start = tokens[..end]
        .iter()
        .rposition(|token| is_word(token, "for"))?;
    let named: TokenStream = tokens[start + 1..end].iter().cloned().collect();
    Some(without_blanks(&named))
}

/// Returns the name of the behaviour's attribute, the last tokens being the attributes of a block.
/// A block with a condition may not be there.
fn behaviour(mut above: &[TokenTree]) -> Option<String> {
    let mut found = None;
    while let [
        rest @ ..,
        TokenTree::Punct(hash),
        TokenTree::Group(attribute),
    ] = above
        && hash.as_char() == '#'
    {
        let path = attribute.stream().into_iter();
        let path = path.take_while(|token| !matches!(token, TokenTree::Group(_)));
        let name = path.last()?.to_string();
        if name.starts_with("cfg") {
            return None;
        }
        if makes_callback_module(&name) {
            found = Some(name);
        }
        above = rest;
    }
    found
}

/// Returns whether the attribute of this name makes a type a callback module.
pub(super) fn makes_callback_module(attribute: &str) -> bool {
    attribute == OTHERS || BRIDGE_BEHAVIOURS.contains(&attribute)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(name) if name == word)
}

fn without_blanks(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::earlier;

    #[test]
    fn an_earlier_block_of_the_same_scope_is_found() {
        let found = |text: &str| earlier(text, "Counter");
        let block = "#[doc = \"…\"] #[otp_bridge::gen_server(secret)] /// It counts.\nimpl GenServer for Counter { fn f() {} }";
        let is_found = Some("gen_server".to_owned());
        assert_eq!(found(&format!("{block} __otp_here impl")), is_found);
        assert_eq!(
            found(&format!("mod a {{ {block} #[gen_event] __otp_here impl }}")),
            is_found
        );
        // Another scope.
        assert_eq!(found(&format!("mod a {{ {block} }} __otp_here impl")), None);
        assert_eq!(
            found(&format!(
                "fn a() {{ {block} }} fn b() {{ __otp_here impl }}"
            )),
            None
        );
        // Below.
        assert_eq!(found(&format!("__otp_here impl X {{}} {block}")), None);
        // Another type, or no behaviour.
        assert_eq!(
            found("#[gen_server] impl GenServer for Counters {} __otp_here impl"),
            None
        );
        assert_eq!(found("impl GenServer for Counter {} __otp_here impl"), None);
        assert_eq!(
            found("#[gen_server] impl A for B {} impl Display for Counter {} __otp_here"),
            None
        );
        // A condition that may not hold.
        assert_eq!(
            found(&format!("#[cfg(unix)] {block} __otp_here impl")),
            None
        );
        assert_eq!(found("not Rust { __otp_here"), None);
    }
}
