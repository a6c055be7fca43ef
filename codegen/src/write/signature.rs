//! `signature`: one function for each callback, which returns the Erlang types of a clause.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::callbacks::trait_parameters;
use super::describe::form;
use super::scope::identifier;
use crate::ir::REPLY;
use crate::ir::{Behaviour, Callback};

/// Returns the module `signature`.
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
    let method = identifier(&callback.names.method);
    let parameters = trait_parameters(callback);
    let reply = reply(callback);
    let names = parameters.iter().map(|(name, _)| name).chain(&reply);
    let bounds = parameters
        .iter()
        .filter_map(|(name, bound)| bound.as_ref().map(|bound| quote!(#name: #bound)));
    let of_reply = reply.iter().map(|name| quote!(#name: rt::ErlangType));
    let bounds = bounds.chain(of_reply);
    let bound = bound(callback);
    let form = form(&callback.form.signature);
    let types = if parameters.iter().any(|(_, bound)| bound.is_some()) {
        quote!(types)
    } else {
        quote!(_)
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

/// Returns each variable of the form with the text of its type.
fn bound(callback: &Callback) -> Vec<TokenStream> {
    let own = &callback.parameters.state;
    let mut bound = vec![quote!((#own, rt::type_of_state(#own)))];
    let parameters = trait_parameters(callback).into_iter();
    let parameters = parameters.filter(|(_, bound)| bound.is_some());
    for name in parameters.map(|(name, _)| name).chain(reply(callback)) {
        let text = name.to_string();
        bound.push(quote!((#text, types.text::<#name>())));
    }
    bound
}

/// Returns the type parameter of the reply to a request, if the trait has none.
fn reply(callback: &Callback) -> Option<Ident> {
    callback.has_reply_type().then(|| identifier(REPLY))
}
