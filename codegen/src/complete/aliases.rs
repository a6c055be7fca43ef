//! Resolves aliases, because two types that are written differently may be one type.

use std::collections::BTreeMap;

use crate::facts::DEPTH;
use crate::ir::{ItemKind, Module, RustType};

/// Every alias of a run: its parameters and its type.
#[derive(Debug, Default)]
pub(crate) struct Aliases(BTreeMap<(String, String), (Vec<String>, RustType)>);

impl Aliases {
    /// Collects the aliases of all modules.
    pub(crate) fn new(modules: &[Module]) -> Self {
        let mut aliases = BTreeMap::new();
        for module in modules {
            for item in &module.items {
                if let ItemKind::Alias(ty) = &item.kind {
                    let key = (module.name.clone(), item.name.clone());
                    aliases.insert(key, (item.parameters.clone(), ty.clone()));
                }
            }
        }
        Aliases(aliases)
    }

    /// Returns `ty` with all aliases replaced. Equal types are then equal values.
    pub(crate) fn canonical(&self, ty: &RustType) -> RustType {
        self.see_through(ty, DEPTH)
    }

    /// Returns whether `ty` is the dynamic term.
    pub(crate) fn is_term(&self, ty: &RustType) -> bool {
        self.canonical(ty) == RustType::TERM
    }

    fn see_through(&self, ty: &RustType, depth: usize) -> RustType {
        let Some(depth) = depth.checked_sub(1) else {
            return ty.clone();
        };
        if let RustType::Item {
            module,
            name,
            arguments,
        } = ty
            && let Some((parameters, body)) = self.0.get(&(module.clone(), name.clone()))
        {
            let body = replace(body, parameters, arguments);
            return self.see_through(&body, depth);
        }
        ty.map_children(&mut |child| self.see_through(child, depth))
    }
}

fn replace(ty: &RustType, parameters: &[String], arguments: &[RustType]) -> RustType {
    match ty {
        RustType::Parameter(name) => {
            let index = parameters.iter().position(|parameter| parameter == name);
            index
                .and_then(|index| arguments.get(index))
                .unwrap_or(ty)
                .clone()
        }
        other => other.map_children(&mut |child| replace(child, parameters, arguments)),
    }
}
