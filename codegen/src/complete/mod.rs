//! What follows from the lowered modules of a run: their derives, what converts into their types, and which
//! Erlang-shaped Rust values their callbacks may return.

mod accepts;
mod aliases;
mod conversions;
mod derives;
pub(crate) mod given;
mod numbers;
mod payload;
mod shapes;
mod widened;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) use accepts::{Conversion, Source, Width};
pub(crate) use aliases::Aliases;
use conversions::ByKey;

pub(crate) use derives::CLONE;
pub(crate) use shapes::{ReturnShape, ShapePart};

use crate::atoms::SHARED;
use crate::facts::module_names::ModuleNames;
use crate::ir::{Callback, Item, Module};
use crate::names::AtomNames;

/// A lowered module, and what follows from it and the others of the run.
pub(crate) struct Complete<'m> {
    pub(crate) module: &'m Module,
    /// Those of all modules.
    pub(crate) aliases: Rc<Aliases>,
    /// What the atoms of all modules are called.
    pub(crate) atom_names: Rc<AtomNames>,
    /// The Rust modules of all modules.
    pub(crate) rust_modules: Rc<ModuleNames>,
    /// Every atom that the module's code names.
    pub(crate) atoms: BTreeSet<String>,
    derives: BTreeMap<&'m str, Vec<String>>,
    items: Rc<ByKey<'m, &'m Item>>,
    conversions: Rc<ByKey<'m, Vec<Conversion>>>,
    shapes: BTreeMap<&'m str, Vec<ReturnShape>>,
}

/// What follows from `modules`. `derives` are those for all types that can have them, `known` the atoms that have names
/// already.
pub(crate) fn complete<'m>(
    modules: &'m [Module],
    derives: &[String],
    known: &BTreeSet<String>,
) -> Vec<Complete<'m>> {
    let aliases = Rc::new(Aliases::new(modules));
    let all = modules.iter().flat_map(|module| &module.atoms);
    let atom_names = Rc::new(AtomNames::new(known, all.map(String::as_str).chain(SHARED)));
    let names = modules.iter().map(|module| module.name.as_str());
    let rust_modules = Rc::new(ModuleNames::new(names));
    let derives = derives::derives(modules, derives);
    let conversions = Rc::new(conversions::conversions(modules, &aliases));
    let items = Rc::new(conversions::items(modules));
    let none = BTreeMap::new();
    let module = |module: &'m Module| {
        let own = conversions.get(module.name.as_str()).unwrap_or(&none);
        let shapes = shapes::shapes(module, &aliases, own);
        let converted = own.values().flatten().filter_map(Conversion::atom);
        let atoms = module.atoms.iter().cloned();
        let of_module = derives.iter().filter(|((of, _), _)| *of == module.name);
        Complete {
            module,
            aliases: Rc::clone(&aliases),
            atom_names: Rc::clone(&atom_names),
            rust_modules: Rc::clone(&rust_modules),
            atoms: atoms.chain(converted.map(str::to_owned)).collect(),
            derives: of_module
                .map(|((_, item), of_item)| (*item, of_item.clone()))
                .collect(),
            items: Rc::clone(&items),
            conversions: Rc::clone(&conversions),
            shapes,
        }
    };
    modules.iter().map(module).collect()
}

impl<'m> Complete<'m> {
    /// The Rust module of its own.
    pub(crate) fn rust_module(&self) -> String {
        self.rust_modules.of(&self.module.name)
    }

    /// The item of the module that has this name.
    pub(crate) fn item(&self, name: &str) -> Option<&'m Item> {
        self.item_of(&self.module.name, name)
    }

    /// Paths of the derives of `item`, besides those that every type has.
    pub(crate) fn derives(&self, item: &Item) -> &[String] {
        let found = self.derives.get(item.name.as_str());
        found.map_or(&[], Vec::as_slice)
    }

    /// What converts into `item` of this module: only enums and tuples have conversions.
    pub(crate) fn conversions(&self, item: &Item) -> &[Conversion] {
        self.conversions_of(&self.module.name, &item.name)
    }

    /// What converts into the item with this name of any module.
    pub(crate) fn conversions_of(&self, module: &str, item: &str) -> &[Conversion] {
        let found = self.conversions.get(module);
        let found = found.and_then(|made| made.get(item));
        found.map_or(&[], Vec::as_slice)
    }

    /// The item with this name of any module.
    pub(crate) fn item_of(&self, module: &str, item: &str) -> Option<&'m Item> {
        self.items.get(module)?.get(item).copied()
    }

    /// Values that `callback` may return, besides its enum or type itself.
    pub(crate) fn shapes(&self, callback: &Callback) -> &[ReturnShape] {
        let found = self.shapes.get(callback.names.return_trait.as_str());
        found.map_or(&[], Vec::as_slice)
    }
}
