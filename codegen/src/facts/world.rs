//! All modules of one run, and the types that they define.

use std::collections::BTreeMap;

use otp_specs::types::{Builtin, Module, Record, Type, TypeDef, TypeName};

use super::unions::{Unions, may_be};
use super::{DEPTH, bare};

/// The modules that are generated together.
pub(crate) struct World<'a> {
    /// Sorted by name. Of two modules with one name, the first counts.
    pub(crate) modules: Vec<&'a Module>,
    types: BTreeMap<TypeName, &'a TypeDef>,
    records: BTreeMap<(&'a str, &'a str), &'a Record>,
    unions: Unions,
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
            unions: Unions::new(&types),
            types,
            records,
        }
    }

    /// Returns the definition of a type, if its module is part of the run.
    pub(crate) fn definition(&self, name: &TypeName) -> Option<&'a TypeDef> {
        self.types.get(name).copied()
    }

    /// Returns the declaration of a record, if its module is part of the run.
    pub(crate) fn record(&self, name: &TypeName) -> Option<&'a Record> {
        self.records
            .get(&(name.module.as_str(), name.name.as_str()))
            .copied()
    }

    /// Returns whether a module of this name is part of the run.
    pub(crate) fn has_module(&self, name: &str) -> bool {
        self.modules.iter().any(|module| module.name == name)
    }

    /// Returns the type behind names without arguments and behind annotations; `None` if a name is
    /// unknown.
    pub(crate) fn behind_names<'t>(&self, ty: &'t Type) -> Option<&'t Type>
    where
        'a: 't,
    {
        let mut ty = bare(ty);
        for _ in 0..DEPTH {
            match ty {
                Type::Named(name, _) => ty = bare(&self.definition(name)?.body),
                other => return Some(other),
            }
        }
        None
    }

    /// Returns whether all values of `ty` are literal atoms.
    pub(crate) fn only_atoms(&self, ty: &Type) -> bool {
        match bare(ty) {
            Type::Atom(_) => true,
            Type::Builtin(Builtin::Boolean) => true,
            Type::Union(members) => members.iter().all(|member| self.only_atoms(member)),
            Type::Named(name, _) => {
                self.definition(name).is_some() && !self.unions.others.contains(&**name)
            }
            _ => false,
        }
    }

    /// Returns whether `atom`, which means "nothing", may be a value of `ty`.
    pub(crate) fn may_be(&self, ty: &Type, atom: &str) -> bool {
        match bare(ty) {
            Type::Named(name, _) => {
                let with = self.unions.with.get(atom);
                self.definition(name).is_none() || with.is_some_and(|with| with.contains(&**name))
            }
            Type::Union(members) => members.iter().any(|member| self.may_be(member, atom)),
            other => may_be(other, atom),
        }
    }

    /// Returns whether `ty` is `term()`, directly or through other names.
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

    /// Returns whether `ty` is `term()` or a union with it as a member.
    pub(crate) fn holds_term(&self, ty: &Type) -> bool {
        match bare(ty) {
            Type::Union(members) => members.iter().any(|member| self.is_term(member)),
            other => self.is_term(other),
        }
    }
}

/// Returns `modules` sorted by name. Of two modules with one name, the first counts.
pub(crate) fn distinct<'a>(modules: impl IntoIterator<Item = &'a Module>) -> Vec<&'a Module> {
    let mut by_name = BTreeMap::new();
    for module in modules {
        by_name.entry(module.name.as_str()).or_insert(module);
    }
    by_name.into_values().collect()
}

/// Returns the qualified name of a definition.
pub(crate) fn type_name(module: &Module, definition: &TypeDef) -> TypeName {
    TypeName {
        module: module.name.clone(),
        name: definition.name.clone(),
        arity: definition.params.len(),
    }
}
