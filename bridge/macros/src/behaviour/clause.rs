//! One method of the block: a clause of a callback.

use otp_contract::behaviour::Role;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ImplItemFn, Type};

use super::description::Callback;
use super::{arguments, borrowed, method};
use crate::{attributes, lifetimes};

/// A method, checked against its callback and converted into one of the callback's trait.
pub(crate) struct ClauseMethod {
    /// Its index among the items of the block.
    pub(crate) index: usize,
    /// The function's name in Erlang, if the callback stands for functions of any name.
    pub(crate) function: Option<String>,
    pub(crate) name_span: Span,
    /// Types of the open arguments, in order. Those that borrow have the lifetime `'borrowed`.
    keys: Vec<Type>,
    /// Type of the caller, if the method takes it.
    pub(crate) caller: Option<Type>,
    /// Whether it stays on normal schedulers.
    pub(crate) is_normal: bool,
    /// The method of the callback's trait.
    pub(crate) method: ImplItemFn,
}

impl ClauseMethod {
    pub(crate) fn new(
        callback: &Callback,
        index: usize,
        function: Option<String>,
        mut method: ImplItemFn,
    ) -> syn::Result<Self> {
        let is_normal = attributes::take_normal(&mut method.attrs)?;
        method::adapt(&mut method, &may_borrow(callback))?;
        let arguments = || callback.plain_arguments().zip(arguments::types(&method));
        let open = arguments().filter(|(argument, _)| argument.role.is_open());
        let keys = open.map(|(_, ty)| ty.clone()).collect();
        let caller = arguments().find(|(argument, _)| argument.role == Role::Caller);
        let caller = caller.map(|(_, ty)| ty.clone());
        method.sig.ident = syn::Ident::new(&callback.method.to_string(), method.sig.ident.span());
        Ok(ClauseMethod {
            index,
            function,
            name_span: method.sig.ident.span(),
            keys,
            caller,
            is_normal,
            method,
        })
    }

    /// Returns the types of the open arguments, in order. Those that borrow have this lifetime.
    pub(crate) fn keys(&self, lifetime: &str) -> Vec<Type> {
        let keys = self.keys.iter();
        keys.map(|key| lifetimes::renamed(key, lifetime)).collect()
    }

    pub(crate) fn called_with(&self) -> Vec<Type> {
        self.keys.iter().map(borrowed::key).collect()
    }

    /// Returns whether an argument borrows.
    pub(crate) fn borrows(&self) -> bool {
        self.keys.iter().any(lifetimes::is_in)
    }

    /// Returns the type of the reply to the clause's request, if the clause has a request.
    ///
    /// It has the span of the written return type. So the compiler reports a request without a
    /// reply once, where the method is compared with its trait, and not a second time in the
    /// registry.
    pub(crate) fn reply(&self, callback: &Callback) -> Option<TokenStream> {
        let keys = self.keys("'static");
        let request = keys.get(callback.request()?)?;
        let (first, last) = method::ends(&self.method.sig.output);
        let same = quote_spanned!(first=> ::otp_bridge::__private::Same<#request);
        let end = quote_spanned!(last=> >);
        let start = quote_spanned!(first=> <#same #end as ::otp_bridge::Request>::);
        let end = quote_spanned!(last=> Reply);
        Some(quote!(#start #end))
    }

    /// Returns the reply type of the caller. If the caller's type is not written as a `Caller`, it
    /// is the reply type of the request: the compiler then compares the written type with a caller
    /// of that reply, and gives only this one error.
    pub(crate) fn caller_type(&self, callback: &Callback) -> Option<TokenStream> {
        let caller = self.caller.as_ref()?;
        let of_request = || self.reply(callback);
        let written = || quote!(<#caller as ::otp_bridge::__private::IsCaller>::Reply);
        let is_other = !arguments::is_named(caller, "Caller");
        Some(is_other.then(of_request).flatten().unwrap_or_else(written))
    }

    /// Returns the assertion that the caller waits for the reply of its request.
    pub(crate) fn caller_of_request(&self, callback: &Callback) -> Option<TokenStream> {
        let (caller, reply) = (self.caller.as_ref()?, self.reply(callback)?);
        if !arguments::is_named(caller, "Caller") {
            return None;
        }
        Some(quote! {
            const _: () = ::otp_bridge::__private::waits_for::<#reply, #caller>();
        })
    }

    /// Returns the location of the clause, for reports.
    pub(crate) fn location(&self) -> TokenStream {
        quote_spanned!(self.method.sig.ident.span()=> ::core::panic::Location::caller())
    }

    /// Returns the message of the clause, as users write it: `Get`; `cast, Push`.
    pub(crate) fn message(&self) -> String {
        let types: Vec<String> = self.keys("'_").iter().map(text).collect();
        types.join(", ")
    }
}

/// Returns which arguments of the callback may borrow: those that distinguish its clauses. Events
/// are distinguished by their type together with the content, so both of them are owned.
fn may_borrow(callback: &Callback) -> Vec<bool> {
    let mut all = callback.arguments.iter();
    let is_event = all.any(|it| it.role == Role::Discriminant);
    let arguments = callback.plain_arguments();
    arguments.map(|it| it.role.is_open() && !is_event).collect()
}

/// Returns a type as users write it. The printed form of a token stream differs between compilers.
pub(super) fn text(ty: &Type) -> String {
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

/// Returns the `<A, B>` after the name of a trait or function; nothing if there are no types.
pub(crate) fn generics(types: &[TokenStream]) -> TokenStream {
    if types.is_empty() {
        TokenStream::new()
    } else {
        quote!(<#(#types),*>)
    }
}
