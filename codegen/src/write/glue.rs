//! `glue`: one function for each callback, from the terms of an invocation to the term that it
//! returns.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::callbacks::{reply_type, trait_arguments, trait_parameters};
use super::scope::{Scope, identifier};
use crate::ir::{Argument, Behaviour, Callback, Role};

/// The module `glue`.
pub(super) fn glue(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let scope = scope.nested();
    let written = behaviour
        .callbacks
        .iter()
        .map(|callback| function(&scope, callback));
    let run_time = super::run_time_import(behaviour.callbacks.is_empty());
    quote! {
        /// What the callbacks' Erlang modules call.
        #[doc(hidden)]
        pub mod glue {
            #run_time
            #(#written)*
        }
    }
}

fn function(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let scope = scope.with_reply_and_state(callback, reply_type(callback), quote!(T));
    let (method, name) = (identifier(&callback.method), identifier(&callback.name));
    let send = scope.standard("Send");
    let parameters = trait_parameters(callback);
    let bounds = parameters.iter().map(|(name, bound)| {
        let bound = bound.iter();
        quote!(#name: #(#bound +)* #send + 'static)
    });
    let names = parameters.iter().map(|(name, _)| name);
    let arguments = trait_arguments(callback);
    let decoded = decoded(&scope, callback);
    let passed = passed(callback);
    let finish = if callback.returns_state {
        quote!(cx.finish(returned.map_state(|state| cx.keep(state))))
    } else {
        quote!(cx.finish(returned))
    };
    // The state goes back whatever the answer.
    let back = callback.looks().then(|| {
        let states = callback.with_role(&[Role::State]);
        let states = states.iter().map(|state| identifier(&state.identifier));
        quote!(#(cx.keep(#states);)*)
    });
    let return_trait = scope.own(&callback.return_trait);
    let (result, ok) = (scope.standard("Result"), scope.standard("Ok"));
    quote! {
        pub fn #method<T, #(#names),*>(
            call: &mut rt::Invocation<'_>
        ) -> #result<(), rt::DecodeError>
        where
            T: super::callback::#name #arguments + rt::Module,
            #(#bounds,)*
        {
            use #return_trait as _;
            #decoded
            let cx = call.cx();
            call.start(async move {
                let returned = T::#method(#(#passed),*).await.into_return()?;
                #back
                #ok(#finish)
            });
            #ok(())
        }
    }
}

/// Decoding of every argument, the state last: taking it is the point of no return.
fn decoded(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let mut others = Vec::new();
    let mut state = None;
    for (index, argument) in callback.arguments.iter().enumerate() {
        let position = Literal::usize_unsuffixed(index);
        let (name, label) = (identifier(&argument.identifier), &argument.name);
        if argument.role == Role::State {
            let mutable = callback.looks().then(|| quote!(mut));
            state = Some(quote!(let #mutable #name = call.state::<T>(#position)?;));
        } else if argument.role == Role::Literal {
            let ty = scope.ty(&argument.ty);
            others.push(quote!(call.argument::<#ty>(#position, #label)?;));
        } else {
            let ty = scope.ty(&argument.ty);
            others.push(quote!(let #name = call.argument::<#ty>(#position, #label)?;));
        }
    }
    quote!(#(#others)* #state)
}

/// What is passed to the method: the state first, the context last.
fn passed(callback: &Callback) -> Vec<TokenStream> {
    let name = |argument: &&Argument| {
        let name = identifier(&argument.identifier);
        quote!(#name)
    };
    let borrowed = callback.looks().then(|| quote!(&mut));
    let state = callback.with_role(&[Role::State]);
    let state = state.iter().map(|state| {
        let name = name(state);
        quote!(#borrowed #name)
    });
    let others = callback.plain_arguments();
    state
        .chain(others.iter().map(name))
        .chain([quote!(&cx)])
        .collect()
}
