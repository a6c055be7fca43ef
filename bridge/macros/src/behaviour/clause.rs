//! One method of the block: a clause of a callback.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ImplItemFn, Type};

use super::description::{Callback, Role};
use super::{arguments, form};

/// A method, checked against its callback and brought into the trait's form.
pub(crate) struct Clause {
    /// Its place among the methods of the block.
    pub(crate) place: usize,
    /// The function's name in Erlang, where the callback stands for any.
    pub(crate) function: Option<String>,
    /// Types of the open arguments, in order.
    pub(crate) keys: Vec<Type>,
    /// The method of the callback's trait.
    pub(crate) method: ImplItemFn,
}

impl Clause {
    pub(crate) fn new(
        callback: &Callback,
        place: usize,
        function: Option<String>,
        mut method: ImplItemFn,
    ) -> syn::Result<Self> {
        form::bring(&mut method)?;
        let keys = callback
            .plain_arguments()
            .zip(arguments::types(&method))
            .filter(|(argument, _)| argument.role == Role::Open)
            .map(|(_, ty)| ty.clone())
            .collect();
        method.sig.ident = syn::Ident::new(&callback.method.to_string(), method.sig.ident.span());
        Ok(Clause {
            place,
            function,
            keys,
            method,
        })
    }

    /// What the clause is for, as users write it: `Get`; `cast, Push`.
    pub(crate) fn message(&self) -> String {
        let types: Vec<String> = self.keys.iter().map(text).collect();
        types.join(", ")
    }
}

/// A type as people write it. How a token stream prints, differs between compilers.
fn text(ty: &Type) -> String {
    let printed = ty.to_token_stream().to_string();
    let words: Vec<&str> = printed.split_whitespace().collect();
    let text = words.join(" ");
    [
        (" ::", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        ("( ", "("),
        (" )", ")"),
    ]
    .iter()
    .fold(text, |text, (from, to)| text.replace(from, to))
}

/// The `compile_error!` for a callback that is missing.
pub(crate) fn missing(
    callback: &Callback,
    behaviour: &str,
    type_name: &str,
    span: Span,
) -> TokenStream {
    let message = format!(
        "`{type_name}` has no `{}`, a callback that `{behaviour}` requires\n\n{}",
        callback.label(),
        callback.erlang
    );
    quote_spanned!(span=> ::core::compile_error!(#message);)
}

/// The `<A, B>` after a trait or function name; nothing when there is none.
pub(crate) fn generics(types: &[TokenStream]) -> TokenStream {
    if types.is_empty() {
        TokenStream::new()
    } else {
        quote!(<#(#types),*>)
    }
}
