//! The manifest: a built library's description of its modules. `otp-bridge` writes it as the result
//! of the NIF `manifest/0`; `cargo otp build` reads it and writes the Erlang modules from it.
//!
//! It is one JSON object: a struct is an object with its fields as keys, `None` is `null`. Types
//! are Erlang text, as in `-spec` and `-type` lines (Erlang's reference manual, "Types and Function
//! Specifications").

use std::fmt;

use crate::callback::{CallbackFacts, CallbackKind, ReplyPosition};
use crate::json::{ToJson, json_objects};

#[cfg(test)]
mod tests;

/// The argument name of a [`StartFunction`] that stands for the callback module itself.
pub const MODULE_ARGUMENT: &str = "Module";

/// The argument name of a [`StartFunction`] whose value is passed to `init`.
pub const START_ARGUMENT: &str = "Args";

/// The modules that a library holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Manifest {
    /// In order of their names.
    pub modules: Vec<Module>,
}

/// An Erlang module whose functions are Rust: a type that implements a behaviour, or a Rust module
/// under `#[module]`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Module {
    /// Name of the Erlang module.
    pub module: String,
    /// Name of the behaviour, if it implements one.
    pub behaviour: Option<String>,
    /// The Elixir protocol that it implements, if any.
    #[cfg_attr(feature = "serde", serde(default))]
    pub protocol: Option<Protocol>,
    /// Path of the Rust type or module, for messages.
    pub rust_path: String,
    /// The location of its attribute, for messages.
    pub location: Location,
    /// Its documentation, in Markdown. Empty if it has none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub doc: String,
    /// The name of the state's type, if the behaviour has a state.
    pub state: Option<String>,
    /// The types that the module defines.
    pub types: Vec<TypeDefinition>,
    /// The callbacks that are implemented, or the functions.
    pub callbacks: Vec<Callback>,
    /// Callbacks of the behaviour that the module leaves out.
    #[cfg_attr(feature = "serde", serde(default))]
    pub left_out: Vec<LeftOut>,
    /// Functions of the behaviour that start a process.
    pub start: Vec<StartFunction>,
    /// Why the module cannot take the command line as its start argument, if it cannot. OTP passes
    /// the command line to the root supervisor and to the application's own callbacks.
    #[cfg_attr(feature = "serde", serde(default))]
    pub refuses_command_line: Option<String>,
    /// Processes that its callbacks name by a static.
    #[cfg_attr(feature = "serde", serde(default))]
    pub used_names: Vec<UsedName>,
}

/// A process that a callback names by a static, such as `cx.call(&STORE, Get)`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct UsedName {
    /// Its name on this node, as Erlang writes it.
    pub name: String,
    /// Its callback module.
    pub module: String,
    /// The name of the callback.
    pub callback: String,
    /// The type of the message that the clause takes, if it takes one.
    pub clause: String,
    /// The method of the context: `call`, `cast`, `monitor`.
    pub method: String,
    /// The type of the message that is sent, if the source shows it.
    pub message: String,
    /// Whether the callback waits for an answer.
    pub waits: bool,
    /// Whether the use is inside a closure, such as the body of a task.
    pub is_in_closure: bool,
    /// Whether the use depends on a condition.
    pub is_conditional: bool,
    /// The location where the callback uses it.
    pub location: Location,
}

/// A position in a Rust source, as the compiler counts: from 1. Written `src/counter.rs:12:1`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Location {
    /// The path as the compiler received it: absolute, or relative to the folder of the workspace.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column, in characters.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column } = self;
        write!(f, "{file}:{line}:{column}")
    }
}

/// The facts of Elixir's `defimpl`: `defimpl String.Chars, for: Shop.Item`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Protocol {
    /// Name of the protocol's module: `Elixir.String.Chars`.
    pub protocol: String,
    /// Name of the struct's module, or of a kind of terms: `Elixir.Shop.Item`, `Elixir.Tuple`.
    pub target: String,
}

/// `-type name() :: text.` or `-opaque name() :: text.`
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct TypeDefinition {
    /// Its name.
    pub name: String,
    /// The type that the name stands for, as Erlang text.
    pub text: String,
    /// Whether the type is opaque to other modules.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_opaque: bool,
    /// Its documentation, in Markdown. Empty if it has none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub doc: String,
}

/// One implemented callback, or a function.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Callback {
    /// Its number in the library's table; first argument of the library's `callback` function.
    pub id: usize,
    /// Name in Erlang.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Its documentation, in Markdown. Empty if it has none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub doc: String,
    /// Facts about the callback.
    #[cfg_attr(feature = "serde", serde(default))]
    pub facts: CallbackFacts,
    /// The tuples with a reply that it may return.
    #[cfg_attr(feature = "serde", serde(default))]
    pub replies: Vec<ReplyPosition>,
    /// Its result, if the library does not have to be called for it: a list of these atoms. Empty
    /// if the library is called.
    #[cfg_attr(feature = "serde", serde(default))]
    pub answer: Vec<String>,
    /// Its types.
    pub signature: Signature,
    /// Its clauses, in the order in which they are tried. A function has one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub clauses: Vec<Clause>,
}

/// A callback of the behaviour that a module does not implement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct LeftOut {
    /// Name in Erlang.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Facts about the callback.
    pub facts: CallbackFacts,
    /// Its types, in the most general form that a module may write.
    pub signature: Signature,
}

/// A clause of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Clause {
    /// The Rust types of its messages, as in the source. Empty if it has none.
    pub message: String,
    /// Its location in the source.
    pub location: Location,
    /// Its types.
    pub signature: Signature,
}

/// A function such as `gen_server:start_link/3`, by its argument names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct StartFunction {
    /// Name in the behaviour's module.
    pub name: String,
    /// Argument names in order, [`MODULE_ARGUMENT`] among them.
    pub arguments: Vec<String>,
    /// Its types, without that of the module.
    pub signature: Signature,
}

/// The argument and return types of a function or of one of its clauses, as Erlang text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Signature {
    /// One for each argument.
    pub arguments: Vec<String>,
    /// Members of the union that is the return type.
    pub returns: Vec<String>,
}

impl Signature {
    /// Returns one signature for all clauses: each argument is the union of the clauses' types in
    /// its position. Dialyzer does not accept a specification whose clauses overlap.
    #[must_use]
    pub fn union<'a>(signatures: impl IntoIterator<Item = &'a Signature>) -> Signature {
        let mut arguments: Vec<Vec<&str>> = Vec::new();
        let mut returns = Vec::new();
        for signature in signatures {
            arguments.resize(signature.arguments.len().max(arguments.len()), Vec::new());
            for (members, argument) in arguments.iter_mut().zip(&signature.arguments) {
                push_new(members, argument.as_str());
            }
            for member in &signature.returns {
                push_new(&mut returns, member.clone());
            }
        }
        let arguments = arguments.iter().map(|members| members.join(" | "));
        Signature {
            arguments: arguments.collect(),
            returns,
        }
    }
}

fn push_new<T: PartialEq>(members: &mut Vec<T>, member: T) {
    if !members.contains(&member) {
        members.push(member);
    }
}

impl Manifest {
    /// Returns the manifest as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        ToJson::to_json(self)
    }

    /// Reads the JSON text that [`Manifest::to_json`] writes.
    ///
    /// # Errors
    /// Returns a sentence that describes what is wrong with the text.
    #[cfg(feature = "serde")]
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the library's manifest: {error}"))
    }
}

impl Module {
    /// Returns the implemented callback of a kind, if there is one.
    pub fn callback(&self, kind: CallbackKind) -> Option<&Callback> {
        self.callbacks.iter().find(|it| it.facts.kind == kind)
    }

    /// Returns the callback of a kind that the module leaves out, unless it implements one of that
    /// kind.
    pub fn left_out(&self, kind: CallbackKind) -> Option<&LeftOut> {
        let left_out = self.left_out.iter().find(|it| it.facts.kind == kind);
        left_out.filter(|_| self.callback(kind).is_none())
    }

    /// Returns whether its processes receive events, which are of several types.
    pub fn has_event_types(&self) -> bool {
        let left_out = self.left_out.iter().map(|it| it.facts);
        let mut all = self.callbacks.iter().map(|it| it.facts).chain(left_out);
        all.any(|facts| facts.event_type.is_some())
    }

    /// Returns whether its processes keep their tasks between two callbacks. They do if callbacks
    /// of one module receive all messages and can return a value that leaves the process unchanged.
    pub fn keeps_tasks(&self) -> bool {
        let takes_messages = self.callback(CallbackKind::Info).is_some()
            || self.left_out(CallbackKind::Info).is_some()
            || self.has_event_types();
        takes_messages && !self.start.is_empty()
    }
}

json_objects! {
    Manifest { modules }
    Module {
        module, behaviour, protocol, rust_path, location, doc, state, types, callbacks, left_out, start,
        refuses_command_line, used_names,
    }
    UsedName { name, module, callback, clause, method, message, waits, is_in_closure, is_conditional, location }
    Location { file, line, column }
    Protocol { protocol, target }
    TypeDefinition { name, text, is_opaque, doc }
    Callback { id, name, arity, doc, facts, replies, answer, signature, clauses }
    LeftOut { name, arity, facts, signature }
    Clause { message, location, signature }
    StartFunction { name, arguments, signature }
    Signature { arguments, returns }
}
