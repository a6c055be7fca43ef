//! `callback`: a trait for each callback, and the behaviour's own trait.

use otp_contract::behaviour::Role;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::returns::escaped;
use super::scope::{Scope, angle, doc, identifier};
use crate::ir::{Behaviour, Callback, CallbackArgument, REPLY, Reply, RustType};

/// Returns the module `callback`.
pub(super) fn callbacks(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let scope = scope.nested();
    let written = behaviour
        .callbacks
        .iter()
        .map(|callback| declaration(&scope, callback));
    let run_time = super::run_time_import(behaviour.callbacks.is_empty());
    quote! {
        /// A trait for each callback. The behaviour's attribute macro implements them.
        pub mod callback {
            #run_time
            #(#written)*
        }
    }
}

/// The function's name, as a type parameter of the trait of callbacks with any name.
const NAME: &str = "Name";

/// Returns the type parameters of a callback's trait, each with its bound.
///
/// The trait itself does not have these bounds, so that a message of the wrong type is only one
/// error: in the glue, or at the type of the reply if it is a request.
pub(super) fn trait_parameters(callback: &Callback) -> Vec<(Ident, Option<TokenStream>)> {
    let name = callback.names.any_name.then(|| (identifier(NAME), None));
    let chosen = callback.parameters.chosen.iter().map(|name| {
        let bound = quote!(rt::FromTerm + rt::ToTerm);
        (identifier(name), Some(bound))
    });
    let open = callback.with_role(&[Role::Args, Role::Open]);
    let open = open.into_iter().map(|argument| {
        let bound = bound(callback, argument);
        (identifier(&argument.name), Some(bound))
    });
    let reply = callback.takes_caller().then(|| {
        let bound = quote!(rt::ErlangType);
        (identifier(REPLY), Some(bound))
    });
    let parameters = name.into_iter().chain(chosen).chain(open);
    parameters.chain(reply).collect()
}

fn bound(callback: &Callback, argument: &CallbackArgument) -> TokenStream {
    if let Some(discriminant) = &argument.discriminant {
        let (discriminant, content) = (identifier(discriminant), content(callback));
        return quote!(super::#discriminant<#content>);
    }
    match argument.role {
        // A clause may borrow from the term.
        Role::Open => quote!(rt::Argument),
        _ => quote!(rt::FromTerm),
    }
}

/// Returns the open argument beside the one that distinguishes clauses.
fn content(callback: &Callback) -> TokenStream {
    let open = callback.with_role(&[Role::Args, Role::Open]);
    match open.iter().find(|argument| argument.discriminant.is_none()) {
        Some(argument) => {
            let name = identifier(&argument.name);
            quote!(#name)
        }
        None => quote!(rt::Term),
    }
}

/// Returns the names of the type parameters.
fn trait_arguments(callback: &Callback) -> TokenStream {
    let names = trait_parameters(callback).into_iter();
    let names: Vec<TokenStream> = names.map(|(name, _)| quote!(#name)).collect();
    angle(&names)
}

/// Returns the reply's type; `implementation` is the type that implements the callback's trait.
pub(super) fn reply_type(callback: &Callback, implementation: &TokenStream) -> TokenStream {
    match callback.reply {
        Reply::OfRequest if callback.takes_caller() => {
            let reply = identifier(REPLY);
            quote!(#reply)
        }
        Reply::OfRequest => quote!(#implementation::Reply),
        Reply::Dynamic | Reply::Absent => quote!(rt::Term),
    }
}

fn declaration(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let own = format!("{}/{}", callback.form.function, callback.form.arity);
    let open: Vec<String> = callback
        .with_role(&[Role::Args, Role::Open])
        .iter()
        .map(|argument| format!("`{{{}}}`", argument.name))
        .collect();
    let of = if open.is_empty() {
        String::new()
    } else {
        format!(" for {}", open.join(", "))
    };
    let message = format!("`{{Self}}` has no `{own}`{of}");
    let label = format!("`{qualified}` is missing");
    let note = escaped(&callback.form.erlang);
    let doc = doc(&format!("`{qualified}`.\n\n`{}`", callback.form.erlang));
    let name = identifier(&callback.names.callback_trait);
    let parameters = trait_arguments(callback);
    let reply = callback.has_reply_type().then(|| {
        quote! {
            /// The reply to the request: the `Reply` of its [`Request`](rt::Request).
            type Reply;
        }
    });
    let method = method(scope, callback);
    let sized = scope.standard("Sized");
    quote! {
        #doc
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #name #parameters: #sized {
            #reply
            #method
        }
    }
}

fn method(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let reply = reply_type(callback, &quote!(Self));
    let scope = scope.with_reply_and_state(callback, reply, quote!(Self));
    let doc = doc(&format!("`{}`", callback.form.erlang));
    let method = identifier(&callback.names.method);
    // Not `&self`: a future that contains such a reference is `Send` only if the state is `Sync`.
    let state = callback.state_position().map(|_| quote!(&mut self,));
    let arguments = callback.plain_arguments().into_iter().map(|argument| {
        let (name, ty) = (identifier(&argument.identifier), scope.ty(&argument.ty));
        quote!(#name: #ty,)
    });
    let return_trait = scope.local_item(&callback.names.return_trait);
    let parameters: Vec<TokenStream> = callback
        .return_parameters()
        .iter()
        .map(|name| scope.ty(&RustType::Parameter(name.clone())))
        .collect();
    let parameters = angle(&parameters);
    quote! {
        #doc
        fn #method<'call>(
            #state #(#arguments)* cx: &'call rt::Cx<'call>
        ) -> impl rt::Work<Output = impl #return_trait #parameters>;
    }
}

/// Returns the trait that an implementation of the behaviour names.
pub(super) fn umbrella(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let module = &scope.module.name;
    let doc = doc(&format!(
        "The behaviour `{module}`: what the implementation is started with.\n\nIts callbacks are \
         the traits in [`callback`], which the attribute macro implements."
    ));
    let name = identifier(&behaviour.umbrella);
    let mut seen = std::collections::BTreeSet::new();
    let mut types = Vec::new();
    for callback in &behaviour.callbacks {
        for argument in callback.with_role(&[Role::Args]) {
            if seen.insert(&argument.name) {
                let form = format!("{}/{}", callback.form.function, callback.form.arity);
                let doc = self::doc(&format!("`{}` of `{form}`.", argument.name));
                let name = identifier(&argument.name);
                types.push(quote!(#doc type #name: rt::IsTerm;));
            }
        }
    }
    if let Some(chosen) = &behaviour.chosen {
        let doc = self::doc(&format!(
            "The `{chosen}` that the callbacks hand to each other."
        ));
        let name = identifier(chosen);
        types.push(quote!(#doc type #name: rt::IsTerm;));
    }
    let sized = scope.standard("Sized");
    quote!(#doc pub trait #name: #sized + 'static { #(#types)* })
}
