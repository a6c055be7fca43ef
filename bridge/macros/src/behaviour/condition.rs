//! `#[cfg(…)]` and `#[cfg_attr(…)]` in a block. The macro reads the clauses, but only the compiler
//! knows which conditions hold. The compiler evaluates conditions in the input of a derive,
//! including those inside an expression:
//!
//! ```text
//! #[gen_server] impl GenServer for Counter { #[cfg(unix)] fn … }
//!
//! #[derive(Decided)]                                       // gets only the parts whose conditions hold
//! #[of(bridge::gen_server { options })]
//! #[nothing]                                               // removes the enum
//! enum __OtpBlock { __OtpIs = { impl GenServer for Counter { #[cfg(unix)] fn … } 0 } }
//! ```

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Item, ItemEnum, Path, Stmt};

/// Returns whether an item of the block, or an argument of a method, has a condition.
pub(super) fn has_any(block: &TokenStream) -> bool {
    let items = block.clone().into_iter().last();
    matches!(items, Some(TokenTree::Group(items)) if is_above_any(items.stream()))
}

fn is_above_any(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Bracket => is_condition(group.stream()),
            Delimiter::Parenthesis => is_above_any(group.stream()),
            // The body of a method. The compiler evaluates its conditions later.
            Delimiter::Brace | Delimiter::None => false,
        },
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns whether these are the tokens of an attribute `cfg(…)` or `cfg_attr(…)`.
fn is_condition(attribute: TokenStream) -> bool {
    let mut tokens = attribute.into_iter();
    let word = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "cfg" || name == "cfg_attr");
    word && matches!(tokens.next(), Some(TokenTree::Group(_)))
}

/// Makes the compiler evaluate the conditions. [`decided`] gets the rest of the block.
pub(super) fn decide(behaviour: &Path, options: TokenStream, block: TokenStream) -> TokenStream {
    let run_time = quote!(::otp_bridge::__private);
    quote! {
        #[derive(#run_time::Decided)]
        #[of(#behaviour { #options })]
        #[#run_time::nothing]
        enum __OtpBlock { __OtpIs = { #block 0 } }
    }
}

/// The contents of `#[of(…)]`.
struct Of {
    behaviour: Path,
    options: TokenStream,
}

impl Parse for Of {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let behaviour = input.parse()?;
        let options;
        syn::braced!(options in input);
        Ok(Of {
            behaviour,
            options: options.parse()?,
        })
    }
}

/// Passes the block in the derive's input to the behaviour.
pub(super) fn decided(input: TokenStream) -> syn::Result<TokenStream> {
    let holder: ItemEnum = syn::parse2(input)?;
    let mut attributes = holder.attrs.iter();
    let of = attributes.find(|attribute| attribute.path().is_ident("of"));
    let Some(of) = of else {
        return Ok(TokenStream::new());
    };
    let Of { behaviour, options } = of.parse_args()?;
    Ok(match block(&holder) {
        Some(block) => super::describe(&behaviour, &options, &quote!(#block)),
        None => TokenStream::new(),
    })
}

/// Returns the item in the enum, if its own conditions hold.
fn block(holder: &ItemEnum) -> Option<&Item> {
    let (_, value) = holder.variants.first()?.discriminant.as_ref()?;
    let Expr::Block(value) = without_group(value) else {
        return None;
    };
    value
        .block
        .stmts
        .iter()
        .find_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        })
}

fn without_group(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => without_group(&group.expr),
        value => value,
    }
}
