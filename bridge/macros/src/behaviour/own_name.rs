//! The name of a block's type in the place of `Self`, for items outside of the block, and the names
//! that such items may not see.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::Type;

/// Returns the name of a type without parameters.
pub(super) fn plain(ty: &Type) -> Option<Ident> {
    match ty {
        Type::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

pub(super) fn has_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "Self",
        TokenTree::Group(group) => has_self(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

pub(super) fn with_own(tokens: TokenStream, own: &Ident) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "Self" => TokenTree::Ident(own.clone()),
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), with_own(group.stream(), own)))
        }
        token => token,
    });
    tokens.collect()
}

/// Collects the names of a method's own items, and those that it imports.
pub(super) fn own_items(tokens: TokenStream, names: &mut Vec<String>) {
    items_among(tokens, false, names);
}

fn items_among(tokens: TokenStream, mut is_item: bool, names: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                match word.as_str() {
                    "static" | "const" | "use" => is_item = true,
                    _ if is_item => names.push(word),
                    _ => {}
                }
            }
            TokenTree::Group(group) => items_among(group.stream(), is_item, names),
            TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | '=') => is_item = false,
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
