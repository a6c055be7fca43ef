//! `-> impl InitReturn<Self>`: the trait of a callback's return values, as a block names it.
//!
//! The prelude of another behaviour has an `InitReturn`, too. The method returns the trait of its
//! own behaviour, whichever trait the block's name refers to. A separate item checks that the name
//! refers to this trait. So the compiler reports a wrong name once, and does not compare values
//! with it.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ImplItemFn, Path, ReturnType, Type};

use super::description::Callback;

/// Makes the method return the trait in `path`. Returns an item that checks the block's name for
/// it, to be placed beside the method.
pub(super) fn replace(
    method: &mut ImplItemFn,
    callback: &Callback,
    path: &Path,
    self_type: &Type,
) -> Option<TokenStream> {
    let ReturnType::Type(_, output) = &mut method.sig.output else {
        return None;
    };
    let name = format!("{}Return", callback.callback_trait);
    let mut written = None;
    let tokens = replaced(output.to_token_stream(), &name, path, &mut written);
    let Written { trait_name, rest } = written?;
    let arguments = outside(arguments(rest)?)?;
    **output = syn::parse2(tokens).ok()?;
    let place = trait_name.span();
    let own = at(path.to_token_stream(), place);
    let message = format!("`{name}` is here not that of `{}`", callback.label());
    let label = format!("of another behaviour: import `{}::{name}`", text(path));
    let check = quote_spanned!(place=> __otp_is_own::<__OtpT>());
    Some(quote! {
        const _: () = {
            #[allow(dead_code)]
            type __OtpOwn = #self_type;
            #[diagnostic::on_unimplemented(message = #message, label = #label)]
            trait __OtpIsOwn {}
            #[diagnostic::do_not_recommend]
            impl<__OtpT: #trait_name #arguments> __OtpIsOwn for __OtpT {}
            #[allow(dead_code)]
            fn __otp_named<__OtpT: #own::#trait_name #arguments>() {
                fn __otp_is_own<__OtpT: __OtpIsOwn>() {}
                #check
            }
        };
    })
}

/// Returns the path as a user writes it: `otp_bridge::gen_server`.
fn text(path: &Path) -> String {
    let words = path.segments.iter().map(|it| it.ident.to_string());
    let joined = words.collect::<Vec<_>>().join("::");
    joined.replacen("$crate", "otp_bridge", 1)
}

/// The name in the block, and the tokens behind it.
struct Written {
    trait_name: Ident,
    rest: TokenStream,
}

/// Returns the generic arguments of the trait: `<Self>` of `<Self>>`, and nothing of `>`.
fn arguments(rest: TokenStream) -> Option<TokenStream> {
    let mut depth = 0_usize;
    let mut taken = TokenStream::new();
    for token in rest {
        match &token {
            TokenTree::Punct(it) if depth == 0 && it.as_char() != '<' => return Some(taken),
            TokenTree::Punct(it) if it.as_char() == '<' => depth += 1,
            TokenTree::Punct(it) if it.as_char() == '>' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        taken.extend([token]);
        if depth == 0 {
            break;
        }
    }
    (depth == 0).then_some(taken)
}

/// Replaces `Self` by `__OtpOwn`, the block's type, so that a wrong type of the block does not give
/// an error at each use. Returns `None` if the tokens name items of the block's trait, such as
/// `Self::Args`, which do not exist outside of the block.
fn outside(tokens: TokenStream) -> Option<TokenStream> {
    let mut all = tokens.into_iter().peekable();
    let mut new = TokenStream::new();
    while let Some(token) = all.next() {
        let is_self = matches!(&token, TokenTree::Ident(word) if word == "Self");
        let is_path = matches!(all.peek(), Some(TokenTree::Punct(it)) if it.as_char() == ':');
        match token {
            _ if is_self && is_path => return None,
            _ if is_self => Ident::new("__OtpOwn", token.span()).to_tokens(&mut new),
            TokenTree::Punct(it) if it.as_char() == '\'' => return None,
            TokenTree::Group(group) => {
                let inner = outside(group.stream())?;
                new.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            other => new.extend([other]),
        }
    }
    Some(new)
}

/// Returns the tokens with `path` before `Name` in `impl Name<Self>`.
fn replaced(
    tokens: TokenStream,
    name: &str,
    path: &Path,
    written: &mut Option<Written>,
) -> TokenStream {
    let mut all = tokens.into_iter();
    let mut new = TokenStream::new();
    let mut is_after_impl = false;
    while let Some(token) = all.next() {
        if let TokenTree::Ident(found) = &token
            && is_after_impl
            && found == name
        {
            new.extend(at(path.to_token_stream(), found.span()));
            new.extend(at(quote!(::), found.span()));
            *written = Some(Written {
                trait_name: found.clone(),
                rest: all.clone().collect(),
            });
        }
        is_after_impl = matches!(&token, TokenTree::Ident(word) if word == "impl");
        new.extend([match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                let inner = replaced(group.stream(), name, path, written);
                let mut whole = Group::new(Delimiter::None, inner);
                whole.set_span(group.span());
                TokenTree::Group(whole)
            }
            other => other,
        }]);
    }
    new
}

/// Returns the names with this span.
fn at(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    moved.collect()
}
