//! The name of a block's type in the place of `Self`, for items outside of the block.

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
