//! Lookup of modules and callbacks.

use std::any::TypeId;
use std::ptr;
use std::sync::OnceLock;

use otp_contract::manifest::Manifest;

#[cfg(feature = "nifs")]
use super::natives;
use super::{Behaviour, CallbackEntry, ClauseEntry, Module, ModuleEntry, RunningClause, manifest};

/// The modules of this library by name, and all their callbacks in that order: a callback's index
/// is its id in the generated Erlang modules.
pub(crate) struct LibraryModules {
    modules: Vec<&'static ModuleEntry>,
    callbacks: Vec<CallbackClauses>,
    /// rustler's functions. Their ids follow those of the callbacks.
    #[cfg(feature = "nifs")]
    natives: Vec<crate::nif::RustlerNif>,
}

/// A callback and its clauses, as its calls refer to them.
pub(crate) struct CallbackClauses {
    /// The callback before one of its clauses is tried.
    pub(crate) before: RunningClause,
    /// The clauses in the order in which they are tried.
    pub(crate) clauses: Vec<RunningClause>,
}

impl CallbackClauses {
    fn of(module: &'static ModuleEntry, callback: &'static CallbackEntry) -> Self {
        let before = RunningClause::before_a_clause((module, callback));
        let running = |clause: &'static ClauseEntry| RunningClause {
            clause,
            scheduler: (clause.scheduler)(),
            ..before
        };
        CallbackClauses {
            before,
            clauses: callback.clauses.iter().map(running).collect(),
        }
    }
}

impl LibraryModules {
    /// Returns the modules of this library.
    pub(crate) fn get() -> &'static LibraryModules {
        static MODULES: OnceLock<LibraryModules> = OnceLock::new();
        MODULES.get_or_init(|| {
            let mut modules: Vec<_> = inventory::iter::<ModuleEntry>().collect();
            modules.sort_by_key(|module| (module.name, module.rust_path));
            let callbacks = modules
                .iter()
                .flat_map(|module| {
                    module
                        .callbacks
                        .iter()
                        .map(|it| CallbackClauses::of(module, it))
                })
                .collect();
            LibraryModules {
                modules,
                callbacks,
                #[cfg(feature = "nifs")]
                natives: natives::functions(),
            }
        })
    }

    /// Returns the module of a Rust type.
    pub(crate) fn module_of<T: Module>(&self) -> Option<&'static ModuleEntry> {
        let mut modules = self.modules.iter().copied();
        modules.find(|module| {
            let implements = module.implements.as_ref();
            implements.is_some_and(|it| (it.type_id)() == TypeId::of::<T>())
        })
    }

    /// Returns the callback with this id.
    #[inline]
    pub(crate) fn callback(&'static self, id: u64) -> Option<&'static CallbackClauses> {
        self.callbacks.get(usize::try_from(id).ok()?)
    }

    /// Returns the clauses of a callback of this library.
    pub(crate) fn clauses_of(
        &'static self,
        callback: &'static CallbackEntry,
    ) -> Option<&'static CallbackClauses> {
        let mut callbacks = self.callbacks.iter();
        callbacks.find(|it| ptr::eq(it.before.callback, callback))
    }

    /// Returns the clause at this address.
    pub(super) fn clause_at(&'static self, address: usize) -> Option<&'static RunningClause> {
        let callbacks = self.callbacks.iter();
        let mut clauses = callbacks.flat_map(|it| it.clauses.iter().chain([&it.before]));
        clauses.find(|clause| ptr::from_ref::<RunningClause>(clause).addr() == address)
    }

    /// Returns the rustler function with this id and number of arguments.
    #[cfg(feature = "nifs")]
    pub(crate) fn native(&self, id: u64, arity: usize) -> Option<crate::nif::RustlerNif> {
        let index = usize::try_from(id)
            .ok()?
            .checked_sub(self.callbacks.len())?;
        let native = self.natives.get(index).copied();
        native.filter(|native| native.arity() == arity)
    }

    pub(in crate::runtime) fn modules(&self) -> &[&'static ModuleEntry] {
        &self.modules
    }

    /// Returns the number of a callback, which the generated Erlang modules use to call it.
    pub(in crate::runtime) fn number(
        &self,
        module: &str,
        function: &str,
        arity: usize,
    ) -> Option<usize> {
        let mut callbacks = self.callbacks.iter();
        callbacks.position(|it| {
            let RunningClause {
                module: of,
                callback,
                ..
            } = it.before;
            of.name == module && callback.name == function && callback.arity == arity
        })
    }

    pub(crate) fn module(&self, name: &str) -> Option<&'static ModuleEntry> {
        let index = self.modules.partition_point(|module| module.name < name);
        let module = self.modules.get(index).copied();
        module.filter(|module| module.name == name)
    }

    /// Returns the module of rustler's functions.
    #[cfg(feature = "nifs")]
    fn native_module(&self) -> Option<otp_contract::manifest::Module> {
        let module = natives::module()?;
        Some(natives::manifest(
            module,
            &self.natives,
            self.callbacks.len(),
        ))
    }

    #[cfg(not(feature = "nifs"))]
    #[allow(clippy::unused_self)]
    fn native_module(&self) -> Option<otp_contract::manifest::Module> {
        None
    }

    /// Returns the registry as JSON, for `cargo otp build`, which generates the Erlang modules from
    /// it.
    pub(crate) fn manifest(&self) -> String {
        let mut id = 0;
        let modules = self
            .modules
            .iter()
            .map(|module| {
                let first = id;
                id += module.callbacks.len();
                manifest::module(module, first)
            })
            .chain(self.native_module())
            .collect();
        Manifest { modules }.to_json()
    }
}

/// Returns the behaviour of the module with this name, if the module is in this library.
pub(crate) fn behaviour_of(module: &str) -> Option<&'static Behaviour> {
    let implements = LibraryModules::get().module(module)?.implements.as_ref()?;
    Some(implements.behaviour)
}
