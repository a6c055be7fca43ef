//! All modules of one run, and the types that they define.

use std::collections::BTreeMap;

use otp_specs::types::{Module, Record, Type, TypeDef, TypeName};

use super::{DEPTH, bare};

/// The modules that are generated together.
pub(crate) struct World<'a> {
    /// Sorted by name; of two modules with one name the first counts.
    pub(crate) modules: Vec<&'a Module>,
    types: BTreeMap<TypeName, &'a TypeDef>,
    records: BTreeMap<(&'a str, &'a str), &'a Record>,
}

impl<'a> World<'a> {
    /// Indexes `modules`.
    pub(crate) fn of(modules: impl IntoIterator<Item = &'a Module>) -> Self {
        let modules = distinct(modules);
        let mut types = BTreeMap::new();
        let mut records = BTreeMap::new();
        for module in &modules {
            for definition in &module.types {
                types
                    .entry(type_name(module, definition))
                    .or_insert(definition);
            }
            for record in &module.records {
                records
                    .entry((module.name.as_str(), record.name.as_str()))
                    .or_insert(record);
            }
        }
        World {
            modules,
            types,
            records,
        }
    }

    /// The definition of a type, if its module is part of the run.
    pub(crate) fn definition(&self, name: &TypeName) -> Option<&'a TypeDef> {
        self.types.get(name).copied()
    }

    /// The declaration of a record, if its module is part of the run.
    pub(crate) fn record(&self, name: &TypeName) -> Option<&'a Record> {
        self.records
            .get(&(name.module.as_str(), name.name.as_str()))
            .copied()
    }

    /// Whether a module of this name is part of the run.
    pub(crate) fn has_module(&self, name: &str) -> bool {
        self.modules.iter().any(|module| module.name == name)
    }

    /// Whether `ty` is `term()`, by itself or by other names.
    pub(crate) fn is_term(&self, ty: &Type) -> bool {
        let mut ty = bare(ty);
        for _ in 0..DEPTH {
            match ty {
                Type::Any => return true,
                Type::Named(name, _) => match self.definition(name) {
                    Some(definition) => ty = bare(&definition.body),
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Whether `ty` is `term()` or a union with it as a member.
    pub(crate) fn holds_term(&self, ty: &Type) -> bool {
        match bare(ty) {
            Type::Union(members) => members.iter().any(|member| self.is_term(member)),
            other => self.is_term(other),
        }
    }
}

/// `modules` sorted by name; of two with one name the first counts.
pub(crate) fn distinct<'a>(modules: impl IntoIterator<Item = &'a Module>) -> Vec<&'a Module> {
    let mut by_name = BTreeMap::new();
    for module in modules {
        by_name.entry(module.name.as_str()).or_insert(module);
    }
    by_name.into_values().collect()
}

/// The qualified name of a definition.
pub(crate) fn type_name(module: &Module, definition: &TypeDef) -> TypeName {
    TypeName {
        module: module.name.clone(),
        name: definition.name.clone(),
        arity: definition.params.len(),
    }
}
