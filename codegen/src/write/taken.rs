//! `taken`: traits for the clauses of a callback that another callback's result triggers.

use otp_contract::behaviour::Role;
use proc_macro2::TokenStream;
use quote::quote;

use super::returns::escaped;
use super::scope::identifier;
use crate::ir::{Behaviour, Callback, Effects};

/// The label in the messages.
const LABEL: &str = "no clause takes what comes of this";

/// Returns the module `taken`, if it is not empty.
pub(super) fn taken(behaviour: &Behaviour) -> Option<TokenStream> {
    let effects = behaviour.effects.as_ref()?;
    let Effects {
        taken_by,
        message,
        atom,
        ..
    } = effects;
    let messages: Vec<String> = message.iter().cloned().collect();
    let taken = takes(behaviour, "Takes", taken_by);
    let messages = takes(behaviour, "TakesMessage", &messages);
    let atom = atom
        .as_ref()
        .and_then(|(method, atom)| takes_atom(behaviour, method, atom));
    Some(quote! {
        /// What comes of the values that callbacks return. The attribute macro implements the
        /// traits.
        #[doc(hidden)]
        pub mod taken {
            #taken
            #messages
            #atom
        }
    })
}

/// Returns the trait of the types that the clauses of these methods take.
fn takes(behaviour: &Behaviour, name: &str, methods: &[String]) -> Option<TokenStream> {
    let callbacks = behaviour.callbacks.iter();
    let callbacks = callbacks.filter(|callback| methods.contains(&callback.names.method));
    let callbacks: Vec<&Callback> = callbacks.collect();
    let open = callbacks.first()?.with_role(&[Role::Open]);
    let names: Vec<&str> = open.iter().map(|argument| argument.name.as_str()).collect();
    let shown: Vec<String> = names.iter().map(|name| format!("`{{{name}}}`")).collect();
    let labels: Vec<String> = callbacks.iter().map(|callback| label(callback)).collect();
    let message = format!(
        "`{{Self}}` has no {} for {}",
        labels.join(" or "),
        shown.join(", ")
    );
    let notes = callbacks
        .iter()
        .map(|callback| escaped(&callback.form.erlang));
    let (name, parameters) = (identifier(name), names.iter().map(|name| identifier(name)));
    Some(quote! {
        /// That a clause takes what comes later.
        #[diagnostic::on_unimplemented(message = #message, label = #LABEL #(, note = #notes)*)]
        pub trait #name<#(#parameters),*> {}
    })
}

fn takes_atom(behaviour: &Behaviour, method: &str, atom: &str) -> Option<TokenStream> {
    let mut callbacks = behaviour.callbacks.iter();
    let callback = callbacks.find(|it| it.names.method == method)?;
    let message = format!("`{{Self}}` has no {} for `{atom}`", label(callback));
    let note = escaped(&callback.form.erlang);
    Some(quote! {
        /// That a clause takes the atom that comes later.
        #[diagnostic::on_unimplemented(message = #message, label = #LABEL, note = #note)]
        pub trait TakesAtom<const YES: bool> {}
    })
}

/// `` `handle_info/2` ``
fn label(callback: &Callback) -> String {
    format!("`{}/{}`", callback.form.function, callback.form.arity)
}
