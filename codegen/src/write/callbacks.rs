//! `callback`: a trait for each callback, and the behaviour's own trait.

use proc_macro2::TokenStream;
use quote::quote;

use super::returns::escaped;
use super::scope::{Scope, angle, doc, identifier};
use crate::ir::{Behaviour, Callback, Reply, Role};

/// The module `callback`.
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

/// The type parameters of a callback's trait, with their bounds.
pub(super) fn trait_parameters(callback: &Callback) -> Vec<TokenStream> {
    let parameter = |argument: &&crate::ir::Argument| {
        let name = identifier(&argument.name);
        let bound = if is_request(callback, &argument.name) {
            quote!(rt::Request)
        } else {
            quote!(rt::FromTerm)
        };
        quote!(#name: #bound)
    };
    callback
        .with_role(&[Role::Args, Role::Open])
        .iter()
        .map(parameter)
        .collect()
}

/// The names of the type parameters.
pub(super) fn trait_arguments(callback: &Callback) -> TokenStream {
    let names: Vec<TokenStream> = callback
        .with_role(&[Role::Args, Role::Open])
        .iter()
        .map(|argument| {
            let name = identifier(&argument.name);
            quote!(#name)
        })
        .collect();
    angle(&names)
}

fn is_request(callback: &Callback, name: &str) -> bool {
    callback.reply == Reply::OfRequest && name == crate::facts::roles::REQUEST
}

/// What the reply's type is in a callback's trait.
pub(super) fn reply_type(callback: &Callback) -> TokenStream {
    match callback.reply {
        Reply::OfRequest => quote!(Request::Reply),
        Reply::Dynamic | Reply::Absent => quote!(rt::Term),
    }
}

fn declaration(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let qualified = callback.qualified(&scope.module.name);
    let own = format!("{}/{}", callback.function, callback.arity);
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
    let note = escaped(&callback.erlang);
    let doc = doc(&format!("`{qualified}`.\n\n`{}`", callback.erlang));
    let name = identifier(&callback.name);
    let parameters = angle(&trait_parameters(callback));
    let method = method(scope, callback);
    let sized = scope.standard("Sized");
    quote! {
        #doc
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #name #parameters: #sized {
            #method
        }
    }
}

fn method(scope: &Scope<'_>, callback: &Callback) -> TokenStream {
    let scope = scope.with_reply_and_state(reply_type(callback), quote!(Self));
    let doc = doc(&format!("`{}`", callback.erlang));
    let method = identifier(&callback.method);
    let state = callback
        .with_role(&[Role::State])
        .first()
        .map(|_| quote!(self,));
    let others = callback.with_role(&[Role::Args, Role::Open, Role::Fixed]);
    let arguments = others.into_iter().map(|argument| {
        let (name, ty) = (identifier(&argument.identifier), scope.ty(&argument.ty));
        quote!(#name: #ty,)
    });
    let return_trait = scope.own(&callback.return_trait);
    let parameters: Vec<TokenStream> = callback
        .return_parameters()
        .iter()
        .map(|name| {
            if name == "State" {
                quote!(Self)
            } else {
                reply_type(callback)
            }
        })
        .collect();
    let parameters = angle(&parameters);
    // A process runs on any scheduler thread: its callbacks go from one to the other.
    let (future, send) = (scope.standard("Future"), scope.standard("Send"));
    quote! {
        #doc
        fn #method(
            #state #(#arguments)* cx: &rt::Cx
        ) -> impl #future<Output = impl #return_trait #parameters> + #send;
    }
}

/// The trait that an implementation of the behaviour names.
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
                let form = format!("{}/{}", callback.function, callback.arity);
                let doc = self::doc(&format!("`{}` of `{form}`.", argument.name));
                let name = identifier(&argument.name);
                types.push(quote!(#doc type #name: rt::FromTerm + rt::ToTerm;));
            }
        }
    }
    let sized = scope.standard("Sized");
    quote!(#doc pub trait #name: #sized + 'static { #(#types)* })
}
