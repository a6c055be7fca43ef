//! Checks for a call that is postponed and replied to at the same time: it is delivered again, but
//! its caller has already got a reply.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, FnArg, ImplItemFn, Pat, Result, Token, Type};

/// Rejects a list of actions with both.
pub(super) fn check(method: &ImplItemFn) -> Result<()> {
    let Some(caller) = method.sig.inputs.iter().find_map(caller) else {
        return Ok(());
    };
    match replied(method.block.to_token_stream(), &caller) {
        Some(reply) => Err(Error::new_spanned(
            reply,
            "the clause postpones the call and replies to it: its caller would get a second reply; remove \
             `postpone` or the reply",
        )),
        None => Ok(()),
    }
}

/// Returns the caller's name in a clause for a call: `(_, caller): (call, Caller<Reply>)`.
fn caller(argument: &FnArg) -> Option<Ident> {
    let FnArg::Typed(argument) = argument else {
        return None;
    };
    let (Type::Tuple(types), Pat::Tuple(names)) = (&*argument.ty, &*argument.pat) else {
        return None;
    };
    let is_call = matches!(types.elems.first()?, Type::Path(path) if path.path.segments.last()?.ident == "call");
    match names.elems.last()? {
        Pat::Ident(name) if is_call => Some(name.ident.clone()),
        _ => None,
    }
}

/// Returns the reply in a list of actions with `postpone`, in any brackets: `[…]`, `vec![…]`.
fn replied(tokens: TokenStream, caller: &Ident) -> Option<Expr> {
    tokens.into_iter().find_map(|token| {
        let TokenTree::Group(group) = token else {
            return None;
        };
        let of_list = (group.delimiter() == Delimiter::Bracket)
            .then(|| of_list(group.stream(), caller))
            .flatten();
        of_list.or_else(|| replied(group.stream(), caller))
    })
}

fn of_list(tokens: TokenStream, caller: &Ident) -> Option<Expr> {
    let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
    let elements = parse.parse2(tokens).ok()?;
    let is_postponed = elements
        .iter()
        .any(|it| names(it).any(|it| it == "postpone"));
    let mut replies = elements.into_iter().filter(|it| {
        let names: Vec<Ident> = names(it).collect();
        names.iter().any(|it| it == "reply") && names.contains(caller)
    });
    replies.next().filter(|_| is_postponed)
}

/// Returns the words of an expression.
fn names(expression: &Expr) -> impl Iterator<Item = Ident> {
    fn add(tokens: TokenStream, names: &mut Vec<Ident>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => names.push(name),
                TokenTree::Group(group) => add(group.stream(), names),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut names = Vec::new();
    add(expression.to_token_stream(), &mut names);
    names.into_iter()
}
