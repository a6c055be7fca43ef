//! Lookup of modules and callbacks.

use std::any::TypeId;
use std::ptr;
use std::sync::OnceLock;

use otp_contract::manifest::Manifest;

#[cfg(feature = "nifs")]
use super::natives;
use super::{Behaviour, CallbackEntry, Module, ModuleEntry, manifest};

/// The modules of this library by name, and all their callbacks in that order: a callback's index
/// is its id in the generated Erlang modules.
pub(crate) struct LibraryModules {
    modules: Vec<&'static ModuleEntry>,
    callbacks: Vec<(&'static ModuleEntry, &'static CallbackEntry)>,
    /// rustler's functions. Their ids follow those of the callbacks.
    #[cfg(feature = "nifs")]
    natives: Vec<crate::nif::RustlerNif>,
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
                .flat_map(|module| module.callbacks.iter().map(|callback| (*module, callback)))
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

    pub(crate) fn callback(
        &self,
        id: u64,
    ) -> Option<(&'static ModuleEntry, &'static CallbackEntry)> {
        self.callbacks.get(usize::try_from(id).ok()?).copied()
    }

    /// Returns the callback whose entry is at this address.
    pub(super) fn callback_at(
        &self,
        address: usize,
    ) -> Option<(&'static ModuleEntry, &'static CallbackEntry)> {
        let mut callbacks = self.callbacks.iter().copied();
        callbacks.find(|(_, callback)| ptr::from_ref::<CallbackEntry>(callback).addr() == address)
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
        callbacks.position(|(of, callback)| {
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
