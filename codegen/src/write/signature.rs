//! `signature`: one function for each callback, which gives the Erlang types of a clause.

use proc_macro2::TokenStream;
use quote::quote;

use super::callbacks::{reply_type, trait_parameters};
use super::describe::form;
use super::scope::identifier;
use crate::facts::roles::REPLY;
use crate::ir::{Behaviour, Callback, Reply};

/// The module `signature`.
pub(super) fn signatures(behaviour: &Behaviour) -> TokenStream {
    let written = behaviour.callbacks.iter().map(function);
    let run_time = super::run_time_import(behaviour.callbacks.is_empty());
    quote! {
        /// The Erlang types of callbacks, for the `-spec` lines of their Erlang modules.
        #[doc(hidden)]
        pub mod signature {
            #run_time
            #(#written)*
        }
    }
}

fn function(callback: &Callback) -> TokenStream {
    let method = identifier(&callback.method);
    let parameters = trait_parameters(callback);
    let names = parameters.iter().map(|(name, _)| name);
    let bounds = parameters
        .iter()
        .filter_map(|(name, bound)| bound.as_ref().map(|bound| quote!(#name: #bound)));
    let bound = bound(callback);
    let form = form(&callback.signature);
    let types = match parameters.iter().any(|(_, bound)| bound.is_some()) {
        true => quote!(types),
        false => quote!(_),
    };
    quote! {
        pub fn #method<T, #(#names),*>(#types: &mut rt::Definitions) -> rt::Signature
        where #(#bounds,)*
        {
            let bound = [#(#bound),*];
            #form.with(&bound)
        }
    }
}

/// Each variable of the form with the text of its type.
fn bound(callback: &Callback) -> Vec<TokenStream> {
    let own = &callback.own;
    let mut bound = vec![quote!((#own, rt::type_of_state(#own)))];
    for (name, _) in trait_parameters(callback)
        .iter()
        .filter(|(_, bound)| bound.is_some())
    {
        let text = name.to_string();
        bound.push(quote!((#text, types.text::<#name>())));
    }
    if callback.reply == Reply::OfRequest {
        let reply = reply_type(callback);
        bound.push(quote!((#REPLY, types.text::<#reply>())));
    }
    bound
}
