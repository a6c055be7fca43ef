//! What follows from the lowered modules of a run: what converts into their types, and which
//! Erlang-shaped Rust values their callbacks may return.

mod aliases;
mod conversions;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use aliases::Aliases;
pub(crate) use conversions::{Conversion, Source};
pub(crate) use shapes::{ReturnShape, ShapePart};

use crate::ir::{Callback, Item, Module};

/// A lowered module, and what follows from it and the others of the run.
pub(crate) struct Complete<'m> {
    pub(crate) module: &'m Module,
    /// Those of all modules.
    pub(crate) aliases: &'m Aliases,
    /// Every atom that the module's code names.
    pub(crate) atoms: BTreeSet<String>,
    conversions: BTreeMap<&'m str, Vec<Conversion>>,
    shapes: BTreeMap<&'m str, Vec<ReturnShape>>,
}

impl<'m> Complete<'m> {
    /// What follows from `module`.
    pub(crate) fn new(module: &'m Module, aliases: &'m Aliases) -> Self {
        let conversions = conversions::conversions(module, aliases);
        let shapes = shapes::shapes(module, aliases, &conversions);
        let converted = conversions.values().flatten().filter_map(Conversion::atom);
        let atoms = module.atoms.iter().cloned();
        let atoms = atoms.chain(converted.map(str::to_owned)).collect();
        Complete {
            module,
            aliases,
            atoms,
            conversions,
            shapes,
        }
    }

    /// What converts into `item`: only enums and tagged tuples have conversions.
    pub(crate) fn conversions(&self, item: &Item) -> &[Conversion] {
        let found = self.conversions.get(item.name.as_str());
        found.map_or(&[], Vec::as_slice)
    }

    /// Values that `callback` may return, besides its enum or type itself.
    pub(crate) fn shapes(&self, callback: &Callback) -> &[ReturnShape] {
        let found = self.shapes.get(callback.return_trait.as_str());
        found.map_or(&[], Vec::as_slice)
    }
}
