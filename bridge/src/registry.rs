//! The callback modules of an application: which Rust type stands for which Erlang module.

use std::any::TypeId;
use std::sync::OnceLock;

use crate::vm::Invocation;
use crate::{Atom, DecodeError, ToTerm};

/// A behaviour, as its module's `-callback` and `-spec` forms describe it. Generated.
#[derive(Debug)]
pub struct Behaviour {
    /// Name of the behaviour's module.
    pub name: &'static str,
    /// Its callbacks, in source order.
    pub callbacks: &'static [Callback],
    /// Its functions that start a process.
    pub start: &'static [StartFunction],
}

/// One callback of a behaviour.
#[derive(Debug)]
pub struct Callback {
    /// Function name.
    pub name: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// Named in `-optional_callbacks`.
    pub optional: bool,
    /// The `-callback` form.
    pub erlang: &'static str,
}

/// A function such as `gen_server:start_link/3`.
#[derive(Debug)]
pub struct StartFunction {
    /// Function name.
    pub name: &'static str,
    /// Argument names; `Module` stands for the callback module.
    pub arguments: &'static [&'static str],
}

/// A Rust type that is an Erlang callback module. Implemented by the behaviours' attribute macros.
pub trait Module: Send + Sized + 'static {
    /// Name of the Erlang module.
    const NAME: &'static str;
    /// The behaviour that it implements.
    const BEHAVIOUR: &'static Behaviour;

    /// What it is started with.
    type Args: ToTerm;

    /// [`Module::NAME`] as a term.
    fn atom() -> Atom;

    /// The state as crash reports show it; `None` for behaviours that keep no state.
    fn describe_state(&self) -> Option<String> {
        None
    }
}

/// A module that its behaviour starts a process of, such as a `gen_server`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no process of its own: it cannot be started",
    label = "its behaviour has no `start_link` for it"
)]
pub trait Started: Module {}

/// A module that has a clause for an event: the types of what tells its clauses apart, such as
/// `((call, From<u64>), Get)` of a `gen_statem`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clause for `{Event}`",
    label = "not an event of this module"
)]
pub trait Accepts<Event>: Module {}

/// Tries to start a callback with the arguments at hand; a clause whose arguments do not decode
/// leaves everything as it was.
pub type Clause = fn(&mut Invocation<'_>) -> Result<(), DecodeError>;

/// An implemented callback: its clauses, tried in order.
pub struct CallbackEntry {
    /// Function name in Erlang.
    pub name: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// Which argument is the state.
    pub state: Option<usize>,
    /// Whether it takes the state for good.
    pub ends: bool,
    /// What it returns without being asked: a list of these atoms.
    pub answer: &'static [&'static str],
    /// One for each request type.
    pub clauses: &'static [Clause],
}

/// An implemented behaviour, submitted by its attribute macro.
pub struct ModuleEntry {
    /// Name of the Erlang module.
    pub name: &'static str,
    /// Path of the Rust type.
    pub rust_type: &'static str,
    /// The Rust type itself.
    pub type_id: fn() -> TypeId,
    /// Its behaviour.
    pub behaviour: &'static Behaviour,
    /// Its callbacks.
    pub callbacks: &'static [CallbackEntry],
}

inventory::collect!(ModuleEntry);

const FORMAT_STATUS: &str = "format_status";

/// The modules of this library by name, and all their callbacks in that order: a callback's place
/// is its id in the generated Erlang modules.
pub(crate) struct Registry {
    modules: Vec<&'static ModuleEntry>,
    callbacks: Vec<(&'static ModuleEntry, &'static CallbackEntry)>,
}

impl Registry {
    /// The registry of this library.
    pub(crate) fn get() -> &'static Registry {
        static REGISTRY: OnceLock<Registry> = OnceLock::new();
        REGISTRY.get_or_init(|| {
            let mut modules: Vec<_> = inventory::iter::<ModuleEntry>().collect();
            modules.sort_by_key(|module| (module.name, module.rust_type));
            let callbacks = modules
                .iter()
                .flat_map(|module| module.callbacks.iter().map(|callback| (*module, callback)))
                .collect();
            Registry { modules, callbacks }
        })
    }

    pub(crate) fn callback(
        &self,
        id: usize,
    ) -> Option<(&'static ModuleEntry, &'static CallbackEntry)> {
        self.callbacks.get(id).copied()
    }

    /// The registry as JSON, for `cargo otp build`, which writes the Erlang modules from it.
    pub(crate) fn manifest(&self) -> String {
        let mut id = 0;
        let modules: Vec<String> = self
            .modules
            .iter()
            .map(|module| {
                let first = id;
                id += module.callbacks.len();
                module.manifest(first)
            })
            .collect();
        format!("{{\"modules\":[{}]}}", modules.join(","))
    }
}

impl ModuleEntry {
    fn manifest(&self, first_id: usize) -> String {
        let callbacks: Vec<String> = self
            .callbacks
            .iter()
            .enumerate()
            .map(|(place, callback)| {
                format!(
                    "{{\"id\":{},\"name\":{:?},\"arity\":{},\"answer\":{:?}}}",
                    first_id + place,
                    callback.name,
                    callback.arity,
                    callback.answer,
                )
            })
            .collect();
        let start: Vec<String> = self
            .behaviour
            .start
            .iter()
            .map(|start| {
                format!(
                    "{{\"name\":{:?},\"arguments\":{:?}}}",
                    start.name, start.arguments
                )
            })
            .collect();
        format!(
            "{{\"module\":{:?},\"behaviour\":{:?},\"rust_type\":{:?},\"shows_state\":{},\
             \"callbacks\":[{}],\"start\":[{}]}}",
            self.name,
            self.behaviour.name,
            self.rust_type,
            self.shows_state(),
            callbacks.join(","),
            start.join(",")
        )
    }

    /// Whether the behaviour has a `format_status/1`, and this module leaves it and its older form
    /// to the run time.
    fn shows_state(&self) -> bool {
        self.behaviour
            .callbacks
            .iter()
            .any(|callback| callback.name == FORMAT_STATUS && callback.arity == 1)
            && self
                .callbacks
                .iter()
                .all(|callback| callback.name != FORMAT_STATUS)
    }
}
