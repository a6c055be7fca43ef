//! `taken`: traits of what a callback has clauses for, if another callback's result has it called.

use otp_contract::behaviour::Role;
use proc_macro2::TokenStream;
use quote::quote;

use super::returns::escaped;
use super::scope::identifier;
use crate::ir::{Behaviour, Callback, Consequences};

/// The module `taken`, where there is something to say.
pub(super) fn taken(behaviour: &Behaviour) -> Option<TokenStream> {
    let Consequences { taken_by, atom, .. } = behaviour.consequences.as_ref()?;
    let methods = behaviour.callbacks.iter();
    let of = |callback: &&Callback| taken_by.contains(&callback.names.method);
    let callbacks: Vec<&Callback> = methods.clone().filter(of).collect();
    let open = callbacks.first()?.with_role(&[Role::Open]);
    let names: Vec<&str> = open.iter().map(|argument| argument.name.as_str()).collect();
    let shown: Vec<String> = names.iter().map(|name| format!("`{{{name}}}`")).collect();
    let parameters = names.iter().map(|name| identifier(name));
    let labels: Vec<String> = callbacks.iter().map(|callback| label(callback)).collect();
    let message = format!(
        "`{{Self}}` has no {} for {}",
        labels.join(" or "),
        shown.join(", ")
    );
    let notes = callbacks
        .iter()
        .map(|callback| escaped(&callback.form.erlang));
    let of_atom = atom.as_ref().and_then(|(method, atom)| {
        let callback = methods.clone().find(|it| it.names.method == *method)?;
        let message = format!("`{{Self}}` has no {} for `{atom}`", label(callback));
        let note = escaped(&callback.form.erlang);
        Some(quote! {
            /// That a clause takes the atom that comes later.
            #[diagnostic::on_unimplemented(message = #message, label = "no clause takes what comes of this", note = #note)]
            pub trait TakesAtom<const YES: bool> {}
        })
    });
    Some(quote! {
        /// What comes of the values that callbacks return. The attribute macro implements the traits.
        #[doc(hidden)]
        pub mod taken {
            /// That a clause takes what comes later.
            #[diagnostic::on_unimplemented(
                message = #message, label = "no clause takes what comes of this" #(, note = #notes)*
            )]
            pub trait Takes<#(#parameters),*> {}
            #of_atom
        }
    })
}

/// `` `handle_info/2` ``
fn label(callback: &Callback) -> String {
    format!("`{}/{}`", callback.form.function, callback.form.arity)
}
