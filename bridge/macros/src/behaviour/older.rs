//! Clauses of `code_change` that go back to the state of an older build.
//!
//! A clause without `self` makes the state of this build from an older one. A clause that takes
//! `self` by value does the opposite:
//!
//! ```text
//! fn code_change(self, _: Downgrade<Older>) -> Older { … }
//! ```

use otp_contract::callback::CallbackKind;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ImplItemFn, ReceiverKind, ReturnType, Type};

use super::description::Callback;

/// The form of such a clause, for messages.
pub(super) const FORM: &str = "fn code_change(self, _: Downgrade<Older>) -> Older";

/// Returns whether the method, which is named like this callback, goes back: it takes the state
/// out.
pub(super) fn goes_back(callback: &Callback, method: &ImplItemFn) -> bool {
    let receiver = method.sig.receiver();
    callback.kind == CallbackKind::Change
        && receiver.is_some_and(|it| matches!(it.kind, ReceiverKind::Value))
}

/// Rejects a method that has not the form of such a clause.
pub(super) fn check(callback: &Callback, method: &ImplItemFn) -> syn::Result<()> {
    let signature = &method.sig;
    let is_plain = signature.asyncness.is_none() && signature.generics.params.is_empty();
    let returns = matches!(signature.output, ReturnType::Type(..));
    if is_plain && returns && argument(method).is_some() {
        return Ok(());
    }
    let label = callback.label();
    let message = format!("`{label}` goes back to an older state by a plain function: `{FORM}`");
    Err(syn::Error::new(signature.ident.span(), message))
}

/// Returns the type of the only argument.
fn argument(method: &ImplItemFn) -> Option<&Type> {
    let mut others = method.sig.inputs.iter().skip(1);
    match (others.next(), others.next()) {
        (Some(FnArg::Typed(argument)), None) => Some(&argument.ty),
        _ => None,
    }
}

/// Returns the implementations of a type's clauses.
pub(super) fn implementations(self_type: &Type, clauses: &[ImplItemFn]) -> TokenStream {
    let implementations = clauses.iter().filter_map(|method| {
        let argument = argument(method)?;
        Some(quote! {
            #[allow(refining_impl_trait)]
            impl ::otp_bridge::__private::ToOlder<#argument> for #self_type { #method }
        })
    });
    quote!(#(#implementations)*)
}

/// Returns the function of `Module` that lists the clauses, if there are any. An argument that is
/// not a `Downgrade` is an error in the implementation of the clause, and has a stand-in here.
pub(super) fn list(self_type: &Type, clauses: &[ImplItemFn]) -> Option<TokenStream> {
    let arguments = clauses.iter().filter_map(argument);
    let entries = arguments.map(|argument| {
        quote!({
            struct __OtpAssuming;
            #[allow(trivial_bounds)]
            impl __OtpAssuming
            where
                for<'assumed> #argument: ::otp_bridge::__private::OlderBuild,
            {
                const ENTRY: ::otp_bridge::__private::OlderEntry =
                    ::otp_bridge::__private::OlderEntry::new::<#self_type, #argument>();
            }
            #[allow(unused_imports)]
            use ::otp_bridge::__private::OlderStandIn as _;
            impl ::otp_bridge::__private::OlderStandIn for __OtpAssuming {}
            __OtpAssuming::ENTRY
        })
    });
    let entries: Vec<TokenStream> = entries.collect();
    (!entries.is_empty()).then(|| {
        quote! {
            fn older_states() -> &'static [::otp_bridge::__private::OlderEntry] {
                const { &[#(#entries),*] }
            }
        }
    })
}
