//! The description of a behaviour for the attribute macro and the run time: a macro that contains
//! it, and a constant with the same contents.
//!
//! The macro is written as text, because its layout is data for another macro, not Rust.

use std::fmt::Write as _;

use otp_contract::behaviour::{AnswerPart, EffectPart, Flag, Key, Role};
use otp_contract::callback::CallbackKind;
use otp_contract::manifest::Signature;
use proc_macro2::TokenStream;
use quote::quote;

use super::facts;
use super::result;
use super::scope::{Scope, identifier};
use crate::ir::{
    Behaviour, Callback, CallbackAnswer, CallbackArgument, CallbackForm, Effects, FunctionFacts,
    Prelude,
};
use crate::names::atom_identifier;
use crate::options::Destination;

pub(super) fn constant(scope: &Scope<'_>, behaviour: &Behaviour) -> TokenStream {
    let name = &scope.module.name;
    let mut seen = std::collections::BTreeSet::new();
    let forms = behaviour.callbacks.iter();
    let forms =
        forms.filter(|callback| seen.insert((&callback.form.function, callback.form.arity)));
    let callbacks = forms.map(|callback| {
        let CallbackForm {
            function,
            arity,
            optional,
            erlang,
            ..
        } = &callback.form;
        let clauses = behaviour.callbacks.iter();
        let clauses = clauses.filter(|it| (&it.form.function, it.form.arity) == (function, *arity));
        let form = form(&Signature::union(
            clauses.map(|clause| &clause.form.signature),
        ));
        let known = behaviour.functions.get(&(function.clone(), *arity));
        let known = known.map(facts::fields);
        let arity = proc_macro2::Literal::usize_unsuffixed(*arity);
        quote!(rt::Callback {
            name: #function, arity: #arity, optional: #optional, erlang: #erlang, form: #form, #known
        })
    });
    let start = behaviour.start.iter().map(|function| {
        let (name, arguments) = (&function.name, &function.arguments);
        let form = form(&function.signature);
        quote!(rt::StartFunction { name: #name, arguments: &[#(#arguments),*], form: #form })
    });
    let state = &behaviour.state;
    quote! {
        /// The behaviour as data.
        pub const BEHAVIOUR: rt::Behaviour = rt::Behaviour {
            name: #name,
            state: #state,
            callbacks: &[#(#callbacks),*],
            start: &[#(#start),*],
        };
    }
}

/// Returns a signature as a constant.
pub(super) fn form(signature: &Signature) -> TokenStream {
    let Signature { arguments, returns } = signature;
    quote!(rt::Form { arguments: &[#(#arguments),*], returns: &[#(#returns),*] })
}

pub(super) fn prelude(behaviour: &Behaviour) -> TokenStream {
    let Prelude {
        names,
        constructors,
    } = &behaviour.prelude;
    let own = names.iter().map(|name| identifier(name));
    let functions: Vec<_> = constructors.iter().map(|name| identifier(name)).collect();
    let functions =
        (!functions.is_empty()).then(|| quote!(pub use super::clause::{#(#functions),*};));
    quote! {
        /// What an implementation of the behaviour names: its trait, what callbacks may return,
        /// and functions that make it.
        pub mod prelude {
            #functions
            pub use super::{#(#own),*};
        }
    }
}

/// Returns the macro `__describe`.
pub(super) fn describe(name: &str, behaviour: &Behaviour, destination: &Destination) -> String {
    let macro_name = format!("__describe_{name}");
    let (attributes, visibility, run_time, path) = match destination {
        Destination::Bridge => (
            "#[doc(hidden)]\n#[macro_export]\n",
            "pub",
            "$crate::__private".to_owned(),
            format!("$crate::{name}"),
        ),
        Destination::Outside(path) => (
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
         {run_time}::implement! {{\n            {{\n",
    );
    let is_inside = *destination == Destination::Bridge;
    for line in behaviour_lines(behaviour, name, &path, is_inside) {
        _ = writeln!(text, "                {line}");
    }
    for callback in &behaviour.callbacks {
        let answer = behaviour.answers.get(&callback.names.method);
        let result = result::of(behaviour, callback, is_inside);
        let function = (callback.form.function.clone(), callback.form.arity);
        let known = behaviour.functions.get(&function);
        push_callback(&mut text, (callback, known), answer, result);
    }
    text.push_str("            }\n            $($implementation)*\n        }\n    };\n}\n");
    _ = write!(
        text,
        "#[doc(hidden)]\n{visibility} use {macro_name} as __describe;\n"
    );
    text
}

/// Returns the type of `otp-bridge` for a reference to a process of a behaviour's module, depending
/// on whether the process receives events of several types, or requests and messages.
fn reference(behaviour: &Behaviour) -> &'static str {
    let mut functions = behaviour.functions.values();
    if functions.any(|function| function.facts.event_type.is_some()) {
        "gen_statem::Machine"
    } else {
        "gen_server::Server"
    }
}

/// Returns the description of the behaviour for the attribute's macro, before its callbacks.
fn behaviour_lines(behaviour: &Behaviour, name: &str, path: &str, is_inside: bool) -> Vec<String> {
    let root = if is_inside { "$crate" } else { "::otp_bridge" };
    let mut lines = vec![
        Key::Behaviour.entry(name),
        Key::Path.entry(path),
        Key::Umbrella.entry(&behaviour.umbrella),
    ];
    if !behaviour.start.is_empty() {
        lines.push(Key::Started.entry(&format!("{root}::{}", reference(behaviour))));
    }
    if is_inside && behaviour.has_children {
        lines.push(Key::Children.entry(&format!("{path}::HasChildren")));
    }
    lines.extend(
        behaviour
            .chosen
            .as_ref()
            .map(|chosen| Key::Chosen.entry(chosen)),
    );
    let effects = behaviour.effects.as_ref().filter(|_| is_inside);
    let text = effects.map(|all| format!("{{ {} }}", effects_text(all)));
    lines.extend(text.map(|text| Key::Effects.entry(&text)));
    lines
}

/// Returns `tuple continue_ / 2; taken_by handle_continue;`
fn effects_text(all: &Effects) -> String {
    let sized =
        |part: EffectPart, name: &str, size: &usize| part.entry(&format!("{name} / {size}"));
    let tuples = all.tuples.iter();
    let tuples = tuples.map(|(atom, size)| sized(EffectPart::Tuple, &atom_identifier(atom), size));
    let calls = all.calls.iter();
    let calls = calls.map(|(name, size)| sized(EffectPart::Call, name, size));
    let context = all.methods.iter();
    let context = context.map(|(name, size)| sized(EffectPart::Method, name, size));
    let later = all.later.iter();
    let later = later.map(|(method, size, messages)| {
        EffectPart::Later.entry(&format!("{method} / {size} [{}]", messages.join(", ")))
    });
    let methods = all.taken_by.iter();
    let methods = methods.map(|method| EffectPart::TakenBy.entry(method));
    let message = all.message.iter();
    let message = message.map(|method| EffectPart::MessageTakenBy.entry(method));
    let atom = all.atom.iter();
    let atom =
        atom.map(|(method, atom)| EffectPart::AtomTakenBy.entry(&format!("{method} {atom:?}")));
    let parts: Vec<String> = tuples
        .chain(calls)
        .chain(context)
        .chain(later)
        .chain(methods)
        .chain(message)
        .chain(atom)
        .collect();
    parts.join(" ")
}

fn push_callback(
    text: &mut String,
    (callback, known): (&Callback, Option<&FunctionFacts>),
    answer: Option<&CallbackAnswer>,
    result: Option<(String, String)>,
) {
    let CallbackForm {
        function, arity, ..
    } = &callback.form;
    let name = if atom_identifier(function) == *function {
        function.clone()
    } else {
        format!("{function:?}")
    };
    let key = Key::Callback.as_str();
    _ = writeln!(text, "                {key} {name} / {arity} {{");
    for line in callback_lines((callback, known), answer, result) {
        _ = writeln!(text, "                    {line}");
    }
    text.push_str("                }\n");
}

/// Returns the description of a callback for the attribute's macro.
fn callback_lines(
    (callback, known): (&Callback, Option<&FunctionFacts>),
    answer: Option<&CallbackAnswer>,
    result: Option<(String, String)>,
) -> Vec<String> {
    let mut lines = vec![Key::Method.entry(&callback.names.method)];
    if callback.names.written != callback.names.method {
        lines.push(Key::Written.entry(&callback.names.written));
    }
    lines.push(Key::CallbackTrait.entry(&callback.names.callback_trait));
    let kind = known.map_or(CallbackKind::Other, |it| it.facts.kind);
    lines.push(Key::Kind.entry(kind.as_str()));
    let presence = if callback.form.optional {
        Key::Optional
    } else {
        Key::Required
    };
    lines.push(presence.alone());
    let flags = Flag::ALL
        .iter()
        .filter(|flag| has((callback, known), **flag));
    lines.extend(flags.map(|flag| flag.text()));
    let takes_caller = callback.takes_caller();
    let arguments = callback.arguments.iter();
    let arguments: Vec<String> = arguments
        .map(|argument| argument_text(argument, takes_caller))
        .collect();
    lines.push(Key::Arguments.entry(&format!("[{}]", arguments.join(", "))));
    lines.extend(result.map(|(ty, end)| Key::Result.entry(&format!("[{ty:?}, {end:?}]"))));
    if let Some(answer) = answer {
        lines.push(Key::Answer.entry(&format!("{{ {} }}", answer_text(answer))));
    }
    lines.push(Key::Erlang.entry(&format!("{:?}", callback.form.erlang)));
    lines
}

fn has((callback, known): (&Callback, Option<&FunctionFacts>), flag: Flag) -> bool {
    match flag {
        Flag::Keeps => known.is_some_and(|it| it.facts.takes_messages() && it.keeps.is_some()),
        Flag::Call => callback.answers_call(),
        Flag::Replies => callback.has_reply_type(),
        Flag::AnyName => callback.names.any_name,
        Flag::Chosen => callback.parameters.chosen.is_some(),
    }
}

/// Returns `state State`
fn argument_text(argument: &CallbackArgument, takes_caller: bool) -> String {
    let role = match argument.role {
        Role::Fixed if takes_caller && argument.is_caller() => Role::Caller,
        Role::Open if argument.discriminant.is_some() => Role::Discriminant,
        role => role,
    };
    format!("{} {}", role.as_str(), argument.name)
}

/// Returns `one_of "a" [m, n]; also "b" [o];`
fn answer_text(answer: &CallbackAnswer) -> String {
    let write = |part: AnswerPart, entries: &[(String, Vec<String>)]| -> Vec<String> {
        let entries = entries.iter();
        entries
            .map(|(atom, methods)| part.entry(&format!("{atom:?} [{}]", methods.join(", "))))
            .collect()
    };
    let one_of = write(AnswerPart::OneOf, &answer.one_of);
    let also = write(AnswerPart::Also, &answer.also);
    [one_of, also].concat().join(" ")
}
