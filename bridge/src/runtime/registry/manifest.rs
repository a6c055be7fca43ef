//! Modules in the manifest, from which `cargo otp build` generates Erlang modules.

use std::panic;

use otp_contract::manifest::{
    Callback, Clause, LeftOut, Location, MODULE_ARGUMENT, Module, Protocol, START_ARGUMENT,
    StartFunction, TypeDefinition,
};

use super::signature::{Signature, type_of_state};
use super::{Behaviour, CallbackEntry, Implemented, ModuleEntry, ReplyPosition, used_names};
use crate::term::{quote_atom, words};
use crate::{Definitions, Term};

#[cfg(test)]
mod tests;

/// A resource type that is an opaque type of an Erlang module. Submitted by `#[derive(Resource)]`.
pub struct ResourceEntry {
    /// Name of the Erlang module.
    pub module: &'static str,
    /// Path of the Rust type.
    pub rust_type: &'static str,
    /// Adds the type to the module's definitions.
    pub define: fn(&mut Definitions),
}

inventory::collect!(ResourceEntry);

/// Returns the description of `module`. Its callbacks have the ids from `first_id` on.
pub(super) fn module(module: &ModuleEntry, first_id: usize) -> Module {
    let behaviour = module.implements.as_ref().map(|it| it.behaviour);
    let state = behaviour.filter(|it| it.has_state()).map(|it| it.state);
    let bound: Vec<_> = state
        .iter()
        .map(|state| (*state, type_of_state(state)))
        .collect();
    let mut types = Definitions::of_module(module.name, behaviour.map(|it| it.name));
    if let Some(state) = state {
        types.reserve(&words(state));
    }
    define_resources(module, &mut types);
    let callbacks = module.callbacks.iter().enumerate();
    let callbacks = callbacks.map(|(index, callback)| {
        let clauses = callback.clauses.iter();
        let clauses: Vec<Clause> = clauses.map(|it| clause(it, &mut types)).collect();
        let signature = of_callback(callback, &bound, &clauses);
        described(callback, first_id + index, signature, clauses)
    });
    let callbacks = callbacks.collect();
    let implements = module.implements.iter();
    let start = implements.flat_map(|it| starts(it, &mut types)).collect();
    let definitions = types.iter().map(|definition| TypeDefinition {
        name: definition.name().to_owned(),
        text: definition.text().to_owned(),
        is_opaque: definition.is_opaque(),
        doc: definition.doc().join("\n"),
    });
    Module {
        module: module.name.to_owned(),
        behaviour: behaviour.map(|it| it.name.to_owned()),
        protocol: module.protocol.map(|(protocol, target)| Protocol {
            protocol: protocol.to_owned(),
            target: target.to_owned(),
        }),
        rust_path: module.rust_path.to_owned(),
        location: location(module.location),
        doc: module.doc.join("\n"),
        left_out: left_out(module, &bound),
        state: state.map(words),
        types: definitions.collect(),
        callbacks,
        start,
        refuses_command_line: module.implements.as_ref().and_then(refuses_command_line),
        used_names: used_names::of(module),
    }
}

/// Adds the module's resources to its types, in an order that does not depend on the linker.
fn define_resources(module: &ModuleEntry, types: &mut Definitions) {
    let mut resources: Vec<&ResourceEntry> = inventory::iter::<ResourceEntry>()
        .filter(|it| it.module == module.name)
        .collect();
    resources.sort_by_key(|it| it.rust_type);
    resources.iter().for_each(|it| (it.define)(types));
}

fn described(
    callback: &CallbackEntry,
    id: usize,
    signature: Signature,
    clauses: Vec<Clause>,
) -> Callback {
    let replies = callback.of.iter().flat_map(|of| of.replies);
    Callback {
        id,
        name: callback.name.to_owned(),
        arity: callback.arity,
        doc: callback.doc.join("\n"),
        facts: callback.facts,
        replies: replies.map(ReplyPosition::to_owned).collect(),
        answer: owned(callback.answer),
        signature,
        clauses,
    }
}

/// Converts a location of the compiler.
pub(super) fn location(of: &panic::Location<'_>) -> Location {
    Location {
        file: of.file().to_owned(),
        line: of.line(),
        column: of.column(),
    }
}

fn clause(clause: &super::ClauseEntry, types: &mut Definitions) -> Clause {
    Clause {
        message: clause.message.to_owned(),
        location: location(clause.location),
        signature: (clause.signature)(types),
    }
}

impl Behaviour {
    fn has_state(&self) -> bool {
        let mut forms = self.callbacks.iter();
        forms.any(|callback| callback.form.mentions(self.state))
    }
}

fn starts(implements: &Implemented, types: &mut Definitions) -> Vec<StartFunction> {
    let functions = implements.behaviour.start.iter();
    let functions = functions.map(|start| StartFunction {
        name: start.name.to_owned(),
        arguments: owned(start.arguments),
        signature: of_start(implements, start, types),
    });
    functions.collect()
}

/// Returns the error if the start argument cannot be a command line, which is a list of UTF-8
/// binaries.
fn refuses_command_line(module: &Implemented) -> Option<String> {
    let lines: [&[&str]; 2] = [&[], &["word"]];
    let mut refusals = lines
        .iter()
        .map(|line| (module.takes)(&Term::of(line)).err());
    refusals.find_map(|refusal| refusal.map(|error| error.to_string()))
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn of_callback(
    callback: &CallbackEntry,
    bound: &[(&str, String)],
    clauses: &[Clause],
) -> Signature {
    if !callback.answer.is_empty() {
        let atoms = callback.answer.iter().map(|atom| quote_atom(atom));
        return Signature {
            arguments: Vec::new(),
            returns: vec![format!("[{}, ...]", atoms.collect::<Vec<_>>().join(" | "))],
        };
    }
    if !clauses.is_empty() {
        return Signature::union(clauses.iter().map(|clause| &clause.signature));
    }
    // A callback without a clause has the type of the behaviour's form, although it refuses all
    // calls.
    match callback.of {
        Some(known) => known.form.with(bound),
        None => Signature {
            arguments: vec!["term()".to_owned(); callback.arity],
            returns: vec!["term()".to_owned()],
        },
    }
}

/// Leaves out the argument `Module`, because the function belongs to that module.
fn of_start(
    module: &Implemented,
    start: &super::StartFunction,
    types: &mut Definitions,
) -> Signature {
    let argument = (module.start_argument)(types);
    let mut signature = start.form.with(&[(START_ARGUMENT, argument)]);
    let mut names = start.arguments.iter();
    signature
        .arguments
        .retain(|_| names.next().is_some_and(|name| *name != MODULE_ARGUMENT));
    signature
}

/// Returns the callbacks of the behaviour that the module does not implement. A callback that
/// stands for functions of any name is implemented if there is such a function.
fn left_out(module: &ModuleEntry, bound: &[(&str, String)]) -> Vec<LeftOut> {
    let known = module
        .implements
        .iter()
        .flat_map(|it| it.behaviour.callbacks);
    let is_implemented = |known: &super::Callback| {
        let mut implemented = module.callbacks.iter();
        implemented.any(|it| {
            it.of
                .is_some_and(|of| (of.name, of.arity) == (known.name, known.arity))
        })
    };
    let left_out = known.filter(|known| !is_implemented(known));
    let left_out = left_out.map(|known| LeftOut {
        name: known.name.to_owned(),
        arity: known.arity,
        facts: known.facts,
        signature: known.form.with(bound),
    });
    left_out.collect()
}
