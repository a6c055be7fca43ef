//! Types and records of headers: one definition for all modules that include it.
//!
//! Each module that includes a header contains its definitions. Modules with equal definitions
//! share them in a module that is named after the header: `xmpp.hrl`. If a macro or an `-ifdef`
//! makes definitions differ between modules, that module has the definition of most modules. Each
//! other definition is in a module `xmpp.hrl of MODULE`, named after the first module that has it.
//! A definition that refers to a type of the including module itself depends on that module, and
//! stays in it.
//!
//! Headers are distinguished by the name and the contents of their file, not by their folder,
//! because the path of a header in a BEAM file depends on the machine that compiled it.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Function, Module, Record, Type, TypeDef, TypeName};

use super::DEPTH;
use super::references::all_parts;
use super::rewrite::renamed;
use super::scope::{Reached, RunScope, record_name};
use super::world::type_name;
use crate::options::Overrides;
use crate::report::HeaderDifference;

/// Deeper types become the dynamic term.
const DEEPEST: usize = 2 * DEPTH;

/// The modules of a run and of their headers, and the definitions that have moved.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    pub(crate) modules: Vec<Module>,
    /// The modules that are named after headers.
    names: BTreeSet<String>,
    /// The current name of each definition of a header.
    moved: BTreeMap<Reached, TypeName>,
    /// The definitions that are exported types of their module.
    exported: BTreeSet<Reached>,
    /// Definitions that differ between modules: all of their forms.
    differences: Vec<(Vec<Reached>, HeaderDifference)>,
}

/// A definition of a header in one module.
struct Seen<'m> {
    /// Its name in the module.
    local: Reached,
    header: &'m str,
    definition: Definition<'m>,
}

#[derive(Clone, Copy)]
enum Definition<'m> {
    Type(&'m TypeDef),
    Record(&'m Record),
}

impl Headers {
    /// Moves definitions that can be shared. `modules` are in order of their names.
    pub(crate) fn new(modules: &[&Module]) -> Self {
        let seen: Vec<Seen<'_>> = modules.iter().flat_map(|module| shared(module)).collect();
        let mut headers = Headers::default();
        headers.name(&seen);
        headers.collect(&seen);
        let others = modules.iter().map(|module| headers.without(module));
        let others: Vec<Module> = others.collect();
        headers.modules.extend(others);
        headers
    }

    /// Returns differences between modules, for generated definitions only.
    pub(crate) fn differences(&self, scope: &RunScope<'_>) -> Vec<HeaderDifference> {
        let all = self.differences.iter();
        let generated = all.filter(|(each, _)| each.iter().any(|one| scope.reaches(one)));
        generated
            .map(|(_, difference)| difference.clone())
            .collect()
    }

    /// Returns whether the module is named after a header.
    pub(crate) fn has(&self, module: &str) -> bool {
        self.names.contains(module)
    }

    /// Returns the types that a module has from headers, each with whether the module exports it.
    pub(crate) fn types_of<'h>(
        &'h self,
        module: &'h str,
    ) -> impl Iterator<Item = (&'h TypeName, bool)> {
        let moved = self.moved.iter();
        moved.filter_map(move |(local, now)| match local {
            Reached::Type(name) if name.module == module => {
                Some((now, self.exported.contains(local)))
            }
            _ => None,
        })
    }

    /// Returns `overrides` with the new names of definitions that moved to a header's module.
    pub(crate) fn retargeted(&self, overrides: &Overrides) -> Overrides {
        let mut overrides = overrides.clone();
        for of_type in &mut overrides.types {
            let target = &mut of_type.target;
            let record = target.name.strip_prefix('#');
            let is_it = |local: &Reached| match (local, record) {
                (Reached::Record(name), Some(record)) => {
                    name.module == target.module && name.name == record
                }
                (Reached::Type(name), None) => {
                    let is_of_arity = target.arity.is_none_or(|arity| arity == name.arity);
                    name.module == target.module && name.name == target.name && is_of_arity
                }
                _ => false,
            };
            let found = self.moved.iter().find(|(local, _)| is_it(local));
            if let Some((_, now)) = found {
                target.module.clone_from(&now.module);
            }
        }
        overrides
    }

    /// Groups the modules by equal definitions, and names the module of each definition.
    fn name(&mut self, seen: &[Seen<'_>]) {
        let plain = |one: &Seen<'_>| one.named(one.header.to_owned());
        self.moved = seen
            .iter()
            .map(|one| (one.local.clone(), plain(one)))
            .collect();
        // Definitions that differ in one iteration distinguish the definitions that refer to them
        // in the next.
        loop {
            let variants = self.variants(seen);
            let mut next = BTreeMap::new();
            self.differences.clear();
            for ((what, header), variants) in variants {
                let named = variants.iter().flat_map(Variant::named);
                next.extend(named);
                if variants.len() > 1 {
                    let each = variants.iter().map(|one| what.in_module(&one.module));
                    let difference = HeaderDifference {
                        header: header.to_owned(),
                        definition: what.shown(),
                        modules: variants.iter().map(Variant::modules).collect(),
                    };
                    self.differences.push((each.collect(), difference));
                }
            }
            let is_done = next == self.moved;
            self.moved = next;
            if is_done {
                break;
            }
        }
        let modules = self.moved.values().map(|name| name.module.clone());
        self.names = modules.collect();
    }

    /// Returns each variant of each header's definitions, those of the most modules first. If the
    /// numbers are equal, the order of modules decides.
    fn variants<'s, 'm>(
        &self,
        seen: &'s [Seen<'m>],
    ) -> BTreeMap<(Reached, &'m str), Vec<Variant<'s, 'm>>> {
        let mut all: BTreeMap<(Reached, &str), Vec<(String, Variant<'_, '_>)>> = BTreeMap::new();
        for one in seen {
            let key = (one.local.in_module(""), one.header);
            let text = self.text(one);
            let variants = all.entry(key).or_default();
            match variants.iter_mut().find(|(known, _)| *known == text) {
                Some((_, variant)) => variant.seen.push(one),
                None => {
                    let module = format!("{} of {}", one.header, one.local.module());
                    let seen = vec![one];
                    variants.push((text, Variant { module, seen }));
                }
            }
        }
        let plain = |(key, variants): ((Reached, &'m str), Vec<(String, Variant<'s, 'm>)>)| {
            let mut variants: Vec<Variant<'_, '_>> =
                variants.into_iter().map(|(_, variant)| variant).collect();
            variants.sort_by_key(|variant| std::cmp::Reverse(variant.seen.len()));
            if let Some(first) = variants.first_mut() {
                key.1.clone_into(&mut first.module);
            }
            (key, variants)
        };
        all.into_iter().map(plain).collect()
    }

    /// Returns the complete text of a definition, with the names that are already known.
    fn text(&self, one: &Seen<'_>) -> String {
        match one.definition {
            Definition::Type(definition) => {
                let body = self.ty(&definition.body);
                format!("{:?} {:?} {body:?}", definition.kind, definition.params)
            }
            Definition::Record(record) => {
                let fields = record.fields.iter();
                let fields: Vec<(&str, Type)> = fields
                    .map(|field| (field.name.as_str(), self.ty(&field.ty)))
                    .collect();
                format!("{fields:?} {:?}", record.defaults)
            }
        }
    }

    /// Creates the modules of the headers.
    fn collect(&mut self, seen: &[Seen<'_>]) {
        let mut made: BTreeMap<String, Module> = BTreeMap::new();
        let mut done = BTreeSet::new();
        for one in seen {
            let Some(now) = self.moved.get(&one.local) else {
                continue;
            };
            let module = made.entry(now.module.clone()).or_insert_with(|| Module {
                name: now.module.clone(),
                types: Vec::new(),
                records: Vec::new(),
                callbacks: Vec::new(),
                functions: Vec::new(),
                struct_fields: Vec::new(),
            });
            let is_new = done.insert(one.local.in_module(&now.module));
            match one.definition {
                Definition::Type(definition) => {
                    if definition.exported {
                        self.exported.insert(one.local.clone());
                    }
                    if is_new {
                        module.types.push(self.definition(definition));
                    }
                }
                Definition::Record(record) if is_new => module.records.push(self.record(record)),
                Definition::Record(_) => {}
            }
        }
        self.modules = made.into_values().collect();
    }

    /// Returns a module without the definitions that moved.
    fn without(&self, module: &Module) -> Module {
        let types = module.types.iter();
        let types = types.filter(|definition| {
            let local = Reached::Type(type_name(module, definition));
            !self.moved.contains_key(&local)
        });
        let records = module.records.iter();
        let records = records.filter(|record| {
            let local = Reached::Record(record_name(module, record));
            !self.moved.contains_key(&local)
        });
        let function = |function: &Function| {
            let mut function = function.clone();
            for clause in &mut function.clauses {
                for ty in clause.params.iter_mut().chain([&mut clause.result]) {
                    *ty = self.ty(ty);
                }
            }
            function
        };
        Module {
            name: module.name.clone(),
            types: types
                .map(|definition| self.definition(definition))
                .collect(),
            records: records.map(|record| self.record(record)).collect(),
            callbacks: module.callbacks.iter().map(function).collect(),
            functions: module.functions.iter().map(function).collect(),
            struct_fields: module.struct_fields.clone(),
        }
    }

    fn definition(&self, definition: &TypeDef) -> TypeDef {
        TypeDef {
            body: self.ty(&definition.body),
            ..definition.clone()
        }
    }

    fn record(&self, record: &Record) -> Record {
        let mut record = record.clone();
        for field in &mut record.fields {
            field.ty = self.ty(&field.ty);
        }
        record
    }

    /// Returns the type with the new names of headers' definitions.
    fn ty(&self, ty: &Type) -> Type {
        renamed(ty, DEEPEST, &|name, is_record| {
            let local = if is_record {
                Reached::Record(name.clone())
            } else {
                Reached::Type(name.clone())
            };
            self.moved.get(&local).cloned()
        })
    }
}

impl Seen<'_> {
    /// Returns its name in this module.
    fn named(&self, module: String) -> TypeName {
        let (Reached::Type(name) | Reached::Record(name)) = &self.local;
        TypeName {
            module,
            ..name.clone()
        }
    }
}

/// One variant of a definition.
struct Variant<'s, 'm> {
    /// The module that it moves to.
    module: String,
    seen: Vec<&'s Seen<'m>>,
}

impl Variant<'_, '_> {
    /// Returns its old name in each of the modules, and its new name.
    fn named(&self) -> impl Iterator<Item = (Reached, TypeName)> {
        let seen = self.seen.iter();
        seen.map(|one| (one.local.clone(), one.named(self.module.clone())))
    }

    /// Returns the modules with this variant.
    fn modules(&self) -> Vec<String> {
        let seen = self.seen.iter();
        seen.map(|one| one.local.module().to_owned()).collect()
    }
}

/// Returns the definitions that a module has from headers and that refer to no type of its own.
fn shared(module: &Module) -> Vec<Seen<'_>> {
    let types = module.types.iter().filter_map(|definition| {
        Some(Seen {
            local: Reached::Type(type_name(module, definition)),
            header: definition.header.as_deref()?,
            definition: Definition::Type(definition),
        })
    });
    let records = module.records.iter().filter_map(|record| {
        Some(Seen {
            local: Reached::Record(record_name(module, record)),
            header: record.header.as_deref()?,
            definition: Definition::Record(record),
        })
    });
    let mut seen: Vec<Seen<'_>> = types.chain(records).collect();
    loop {
        let known: BTreeSet<Reached> = seen.iter().map(|one| one.local.clone()).collect();
        seen.retain(|one| {
            let bodies: Vec<&Type> = match one.definition {
                Definition::Type(definition) => vec![&definition.body],
                Definition::Record(record) => record.fields.iter().map(|field| &field.ty).collect(),
            };
            let mut named = bodies.into_iter().flat_map(named);
            named.all(|name| name.module() != module.name || known.contains(&name))
        });
        if seen.len() == known.len() {
            return seen;
        }
    }
}

/// Returns the types and records that a type refers to.
fn named(ty: &Type) -> Vec<Reached> {
    let mut open = vec![ty];
    let mut found = Vec::new();
    while let Some(ty) = open.pop() {
        match ty {
            Type::Named(name, _) => found.push(Reached::Type((**name).clone())),
            Type::Record(name, _) => found.push(Reached::Record((**name).clone())),
            _ => {}
        }
        open.extend(all_parts(ty));
    }
    found
}
