//! The parts of a module with `-callback` forms beside its types and callbacks.

use std::collections::BTreeMap;

use otp_contract::behaviour::Role;
use otp_contract::callback::{CallbackFacts, CallbackKind};
use otp_contract::manifest::MODULE_ARGUMENT;
use otp_specs::types::{Builtin, Function, Type};

use super::Context;
use super::callback::Functions;
use super::constructors::constructors;
use super::drafts::Draft;
use super::signature::start_signature;
use crate::facts::callbacks;
use crate::facts::callbacks::{AnswerRow, BehaviourRow};
use crate::facts::clauses::signature;
use crate::facts::{annotation, bare};
use crate::ir::{
    Behaviour, Callback, CallbackAnswer, Constructor, Effects, ItemKind, Prelude, REPLY, Returns,
    RustType, StartFunction, VariantShape,
};
use crate::names::words::snake_words;
use crate::names::{camel, trait_base};

/// Functions that start a process of a callback module in a behaviour.
const START: [&str; 1] = ["start_link"];

/// A constructor that is never in a prelude: its clauses are shorter as a tuple, `(ok, state)`, and
/// the import of this name is the atom.
const OK: &str = "ok";

/// Lowers the parts of the module beside its `callbacks`; `umbrella` is the name of its own trait.
pub(super) fn behaviour(
    cx: &mut Context<'_>,
    umbrella: String,
    callbacks: Vec<Callback>,
    functions: Functions,
) -> Behaviour {
    let state = cx.roles.state_name();
    let chosen = cx.roles.chosen_name();
    let parameters: Vec<String> = [Some(REPLY.to_owned()), chosen.clone(), Some(state.clone())]
        .into_iter()
        .flatten()
        .collect();
    let is_enum = |ty: &RustType| cx.is_enum(ty);
    let constructors = constructors(&callbacks, &parameters, &is_enum);
    let prelude = Prelude {
        names: exported(cx, &umbrella, &callbacks),
        constructors: imported(&constructors),
    };
    let start = cx
        .module
        .functions
        .iter()
        .filter_map(|function| start_function(cx, function))
        .collect();
    let row = callbacks::behaviour(&cx.module.name);
    Behaviour {
        umbrella,
        answers: answers(&cx.module.name, &callbacks),
        effects: row.and_then(|row| effects(row, &callbacks, &functions)),
        has_children: row.is_some_and(|row| row.has_children),
        callbacks,
        functions,
        chosen,
        constructors,
        discriminants: std::mem::take(&mut cx.discriminants),
        start,
        state,
        prelude,
    }
}

/// Returns the results of callbacks that may be left out, by the callbacks' methods (see
/// [`crate::facts::callbacks`]).
fn answers(module: &str, callbacks: &[Callback]) -> BTreeMap<String, CallbackAnswer> {
    let methods = |function: &str, told_by: Option<&str>| -> Vec<String> {
        let calls = |callback: &&Callback| {
            let suffix = told_by.map(|atom| format!("_{}", snake_words(atom)));
            let matches = suffix.is_none_or(|suffix| callback.names.method.ends_with(&suffix));
            matches && (function.is_empty() || callback.form.function == function)
        };
        let found = callbacks.iter().filter(calls);
        found
            .map(|callback| callback.names.method.clone())
            .collect()
    };
    let answer = |callback: &Callback| {
        let row: AnswerRow = callbacks::callback(module, &callback.form.function)?.answer?;
        let one_of = row.one_of.iter();
        let also = row.also.iter();
        let answer = CallbackAnswer {
            one_of: one_of
                .map(|(atom, function)| ((*atom).to_owned(), methods(function, None)))
                .collect(),
            also: also
                .map(|(atom, told_by)| ((*atom).to_owned(), methods("", Some(told_by))))
                .collect(),
        };
        Some((callback.names.method.clone(), answer))
    };
    callbacks.iter().filter_map(answer).collect()
}

/// Returns the return values that trigger other callbacks.
fn effects(row: &BehaviourRow, callbacks: &[Callback], functions: &Functions) -> Option<Effects> {
    let row = row.effects.as_ref()?;
    let facts = |callback: &Callback| {
        let function = (callback.form.function.clone(), callback.form.arity);
        functions.get(&function).map(|it| it.facts)
    };
    let is_called =
        |facts: CallbackFacts| facts.kind == CallbackKind::Continue || facts.event_type.is_some();
    let message = callbacks
        .iter()
        .find(|callback| facts(callback).is_some_and(|facts| facts.kind == CallbackKind::Info));
    let message = message.map(|callback| callback.names.method.clone());
    let owned = |found: &[(&str, usize)]| {
        let found = found.iter();
        found
            .map(|(name, size)| ((*name).to_owned(), *size))
            .collect()
    };
    let taking = callbacks.iter().filter(|callback| {
        let is_open = !callback.with_role(&[Role::Open]).is_empty();
        is_open && facts(callback).is_some_and(is_called)
    });
    Some(Effects {
        tuples: owned(row.tuples),
        calls: owned(row.calls),
        methods: owned(row.methods),
        later: row
            .later
            .iter()
            .map(|(method, size, messages)| {
                let messages = messages.iter().map(|it| (*it).to_owned());
                ((*method).to_owned(), *size, messages.collect())
            })
            .collect(),
        atom: message.clone().zip(row.timeout.map(str::to_owned)),
        message,
        taken_by: taking
            .map(|callback| callback.names.method.clone())
            .collect(),
    })
}

/// Returns `function`, if it starts a process of the callback module in its arguments.
fn start_function(cx: &Context<'_>, function: &Function) -> Option<StartFunction> {
    if !function.exported || !START.contains(&function.name.as_str()) {
        return None;
    }
    let arguments = signature(function).arguments;
    let module = |ty: &Type| {
        annotation(ty) == Some(MODULE_ARGUMENT) && *bare(ty) == Type::Builtin(Builtin::Module)
    };
    arguments.iter().any(module).then(|| StartFunction {
        name: function.name.clone(),
        arguments: arguments
            .iter()
            .map(|ty| annotation(ty).unwrap_or("_").to_owned())
            .collect(),
        signature: start_signature(cx, function),
    })
}

/// Returns the name of the umbrella trait. A protocol of Elixir has a type of its name, too.
pub(super) fn umbrella(cx: &mut Context<'_>) -> String {
    let plain = camel(trait_base(&cx.module.name));
    if cx.is_taken(&plain) {
        cx.claim(&format!("{plain}Behaviour"))
    } else {
        cx.claim(&plain)
    }
}

/// Returns the umbrella, every type that a callback may return, and the named types inside these,
/// in order of the names without overrides.
fn exported(cx: &Context<'_>, umbrella: &str, callbacks: &[Callback]) -> Vec<String> {
    let mut names = BTreeMap::from([(umbrella.to_owned(), umbrella.to_owned())]);
    let mut types = Vec::new();
    for callback in callbacks {
        let mut generated = vec![&callback.names.return_trait];
        match &callback.result.returns {
            Returns::AnyTerm => {}
            Returns::Type(ty) => types.push(ty),
            Returns::Clauses { name, clauses } => {
                generated.push(name);
                let shapes = clauses.iter().map(|clause| &clause.variant.shape);
                types.extend(shapes.flat_map(VariantShape::types));
            }
        }
        names.extend(
            generated
                .into_iter()
                .map(|name| (name.clone(), name.clone())),
        );
    }
    let handmade = cx.drafts.iter();
    let handmade = handmade.filter(|draft| matches!(draft.kind, ItemKind::Reexport(_)));
    let mut drafts: Vec<&Draft> = handmade.collect();
    while let Some(ty) = types.pop() {
        drafts.extend(cx.draft(ty).filter(|draft| !draft.anonymous));
        types.extend(ty.children());
    }
    names.extend(drafts.into_iter().map(|draft| {
        let name = cx.facts.overrides.name(&cx.module.name, &draft.plain);
        (draft.plain.clone(), name.to_owned())
    }));
    names.into_values().collect()
}

/// Returns the constructors that the prelude has.
fn imported(constructors: &[Constructor]) -> Vec<String> {
    let names = constructors.iter().map(|made| made.function.clone());
    names.filter(|name| name != OK).collect()
}
