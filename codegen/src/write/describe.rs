//! What the attribute macro and the run time need to know of a behaviour: a macro that describes
//! it, and the same as a constant.
//!
//! The macro is written as text: its layout is data for another macro, not Rust.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::scope::{Scope, identifier};
use crate::ir::{Behaviour, Callback, Role};
use crate::names::{atom_identifier, module_identifier};
use crate::options::Place;

/// The constant.
pub(super) fn constant(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let name = &scope.module.name;
    let callbacks = behaviour.callbacks.iter().map(|callback| {
        let Callback {
            function,
            arity,
            optional,
            erlang,
            ..
        } = callback;
        let arity = proc_macro2::Literal::usize_unsuffixed(*arity);
        quote!(rt::Callback {
            name: #function, arity: #arity, optional: #optional, erlang: #erlang,
        })
    });
    let start = behaviour.start.iter().map(|function| {
        let (name, arguments) = (&function.name, &function.arguments);
        quote!(rt::StartFunction { name: #name, arguments: &[#(#arguments),*] })
    });
    quote! {
        /// The behaviour as data.
        pub const BEHAVIOUR: rt::Behaviour = rt::Behaviour {
            name: #name,
            callbacks: &[#(#callbacks),*],
            start: &[#(#start),*],
        };
    }
}

/// The prelude.
pub(super) fn prelude(behaviour: &Behaviour) -> TokenStream {
    let own = behaviour.prelude.iter().map(|name| identifier(name));
    let functions: Vec<_> = behaviour
        .constructors
        .iter()
        .map(|made| made.function.as_str())
        .filter(|name| !crate::lower::exported_as_atom(name))
        .map(identifier)
        .collect();
    let functions =
        (!functions.is_empty()).then(|| quote!(pub use super::clause::{#(#functions),*};));
    let atoms: Vec<_> = behaviour
        .prelude_atoms
        .iter()
        .map(|atom| identifier(&atom_identifier(atom)))
        .collect();
    let atoms = (!atoms.is_empty()).then(|| quote!(pub use super::atoms::{#(#atoms),*};));
    quote! {
        /// What an implementation of the behaviour names: its trait, what callbacks may return,
        /// functions and atoms to make that of.
        pub mod prelude {
            #functions
            #atoms
            pub use super::{#(#own),*};
        }
    }
}

/// The macro `__describe`.
pub(super) fn describe(module: &str, behaviour: &Behaviour, place: &Place) -> String {
    let name = module_identifier(module);
    let macro_name = format!("__describe_{name}");
    let (attributes, visibility, run_time, path) = match place {
        Place::Bridge => (
            "#[doc(hidden)]\n#[macro_export]\n",
            "pub",
            "$crate::__private".to_owned(),
            format!("$crate::{name}"),
        ),
        Place::Outside(path) => (
            "",
            "pub(crate)",
            "::otp_bridge::__private".to_owned(),
            format!("{path}::{name}"),
        ),
    };
    let mut text = String::new();
    // Writing to a string does not fail.
    _ = write!(
        text,
        "\n{attributes}macro_rules! {macro_name} {{\n    ($($implementation:tt)*) => {{\n        \
         {run_time}::implement! {{\n            {{\n                behaviour = {name};\n                \
         path = {path};\n                umbrella = {};\n",
        behaviour.umbrella,
    );
    for callback in &behaviour.callbacks {
        push_callback(&mut text, callback);
    }
    text.push_str("            }\n            $($implementation)*\n        }\n    };\n}\n");
    _ = write!(
        text,
        "#[doc(hidden)]\n#[allow(unused_imports)]\n{visibility} use {macro_name} as __describe;\n"
    );
    text
}

fn push_callback(text: &mut String, callback: &Callback) {
    let arguments: Vec<String> = callback
        .arguments
        .iter()
        .map(|argument| {
            let role = match argument.role {
                Role::Args => "args",
                Role::Open => "open",
                Role::Fixed => "fixed",
                Role::State => "state",
            };
            format!("{role} {}", argument.name)
        })
        .collect();
    _ = write!(
        text,
        "                callback {} / {} {{\n                    method = {};\n                    \
         callback_trait = {};\n                    {};\n                    arguments = [{}];\n                    \
         erlang = {:?};\n                }}\n",
        atom_identifier(&callback.function),
        callback.arity,
        callback.method,
        callback.name,
        if callback.optional {
            "optional"
        } else {
            "required"
        },
        arguments.join(", "),
        callback.erlang,
    );
}
