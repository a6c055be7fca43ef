//! The scope of a run: all of the requested modules, and the types of other modules that these
//! refer to.
//!
//! The other modules are nevertheless part of the run as a whole, because the name and the Rust
//! form of a type depend on the whole of its module, and on everything that the module refers to. A
//! type is therefore the same whatever is generated beside it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Function, Module, Record, Type, TypeName};

use super::DEPTH;
use super::headers::Headers;
use super::references::all_parts;
use super::world::type_name;
use crate::options::Requested;

/// Returns names of the other modules that the exported functions of `module` refer to.
pub fn function_references(module: &Module) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for ty in module
        .functions
        .iter()
        .filter(|form| form.exported)
        .flat_map(types_of)
    {
        names(ty, DEPTH, &mut |name| _ = found.insert(name.module.clone()));
    }
    found.remove(&module.name);
    found
}

/// A type or a record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reached {
    Type(TypeName),
    Record(TypeName),
}

impl Reached {
    /// Returns the module that defines it.
    pub(crate) fn module(&self) -> &str {
        let (Reached::Type(name) | Reached::Record(name)) = self;
        &name.module
    }

    /// Returns the type or record of this name in another module.
    pub(crate) fn in_module(&self, module: &str) -> Self {
        let module = module.to_owned();
        match self.clone() {
            Reached::Type(name) => Reached::Type(TypeName { module, ..name }),
            Reached::Record(name) => Reached::Record(TypeName { module, ..name }),
        }
    }

    /// `jid/0`, `#jid{}`
    pub(crate) fn shown(&self) -> String {
        match self {
            Reached::Type(name) => format!("{}/{}", name.name, name.arity),
            Reached::Record(name) => format!("#{}{{}}", name.name),
        }
    }
}

/// The scope of a run.
#[derive(Debug)]
pub(crate) struct RunScope<'o> {
    requested: &'o Requested,
    headers: &'o Headers,
    reached: BTreeSet<Reached>,
    /// The modules with generated parts.
    modules: BTreeSet<String>,
}

impl<'o> RunScope<'o> {
    /// Follows the references of the requested modules. References of their functions count if
    /// functions are `bound`.
    pub(crate) fn new<'m>(
        requested: &'o Requested,
        bound: bool,
        headers: &'o Headers,
        modules: impl Iterator<Item = &'m Module> + Clone,
    ) -> Self {
        let mut scope = RunScope {
            requested,
            headers,
            reached: BTreeSet::new(),
            modules: BTreeSet::new(),
        };
        scope.reached = scope.reach(bound, modules.clone());
        let of_others = scope.reached.iter().map(Reached::module);
        let own = modules.map(|module| module.name.as_str());
        let own = own.filter(|name| requested.has(name) && !headers.has(name));
        scope.modules = own.chain(of_others).map(str::to_owned).collect();
        scope
    }

    /// Returns whether a part of the module is generated.
    pub(crate) fn has(&self, module: &str) -> bool {
        self.modules.contains(module)
    }

    /// Returns whether the functions of the module are bound.
    pub(crate) fn has_functions(&self, module: &str) -> bool {
        self.requested.has(module) && !self.is_header(module)
    }

    /// Returns whether the module is named after a header.
    pub(crate) fn is_header(&self, module: &str) -> bool {
        self.headers.has(module)
    }

    /// Returns whether all types of the module are generated, and its callbacks.
    pub(crate) fn is_whole(&self, module: &str) -> bool {
        let has_all = !matches!(self.requested, Requested::Bindings(_));
        has_all && self.requested.has(module) && !self.is_header(module)
    }

    /// Returns whether the type is generated.
    pub(crate) fn has_type(&self, name: &TypeName) -> bool {
        self.is_whole(&name.module) || self.reaches(&Reached::Type(name.clone()))
    }

    /// Returns whether the record of a header is generated.
    pub(crate) fn has_record(&self, name: &TypeName) -> bool {
        self.reaches(&Reached::Record(name.clone()))
    }

    /// Returns whether a generated item refers to this type or record.
    pub(crate) fn reaches(&self, what: &Reached) -> bool {
        self.reached.contains(what)
    }

    /// Returns `modules` without all parts that are not generated.
    pub(crate) fn narrowed<'m>(&self, modules: &[&'m Module]) -> Vec<Cow<'m, Module>> {
        let kept = |module: &&'m Module| {
            if self.is_whole(&module.name) {
                return Cow::Borrowed(*module);
            }
            let has_record = |record: &Record| self.has_record(&record_name(module, record));
            let mut kept = Module::clone(module);
            kept.callbacks.clear();
            if !self.has_functions(&module.name) {
                kept.functions.clear();
            }
            kept.types
                .retain(|definition| self.has_type(&type_name(module, definition)));
            kept.records.retain(has_record);
            Cow::Owned(kept)
        };
        let modules = modules.iter().filter(|module| self.has(&module.name));
        modules.map(kept).collect()
    }
}

impl RunScope<'_> {
    /// Returns every type and record that the requested modules refer to: from all of their forms
    /// if they stay whole, otherwise from their functions and exported types.
    fn reach<'m>(
        &self,
        bound: bool,
        modules: impl Iterator<Item = &'m Module>,
    ) -> BTreeSet<Reached> {
        let mut bodies: BTreeMap<Reached, Vec<&Type>> = BTreeMap::new();
        let mut open: Vec<Reached> = Vec::new();
        for module in modules {
            self.begin(bound, module, &mut open);
            for definition in &module.types {
                let name = Reached::Type(type_name(module, definition));
                bodies.entry(name).or_insert(vec![&definition.body]);
            }
            for record in &module.records {
                let name = Reached::Record(record_name(module, record));
                let fields = record.fields.iter().map(|field| &field.ty).collect();
                bodies.entry(name).or_insert(fields);
            }
        }
        let mut reached = BTreeSet::new();
        while let Some(name) = open.pop() {
            if reached.insert(name.clone()) {
                let bodies = bodies.get(&name).into_iter().flatten();
                bodies.for_each(|ty| push(ty, &mut open));
            }
        }
        reached.retain(|name| bodies.contains_key(name));
        reached
    }

    /// Adds the starting points in a module.
    fn begin(&self, bound: bool, module: &Module, open: &mut Vec<Reached>) {
        if !self.has_functions(&module.name) {
            return;
        }
        let is_whole = self.is_whole(&module.name);
        let own = module.types.iter();
        let own = own.map(|definition| (type_name(module, definition), definition.exported));
        let of_headers = self.headers.types_of(&module.name);
        let of_headers = of_headers.map(|(name, exported)| (name.clone(), exported));
        let types = own.chain(of_headers);
        let types = types.filter(|(_, exported)| is_whole || *exported);
        open.extend(types.map(|(name, _)| Reached::Type(name)));
        let functions = module.functions.iter();
        let functions = functions.filter(|form| bound && form.exported);
        let callbacks = module.callbacks.iter().filter(|_| is_whole);
        let forms = functions.chain(callbacks);
        forms.flat_map(types_of).for_each(|ty| push(ty, open));
    }
}

/// Returns the qualified name of a record.
pub(crate) fn record_name(module: &Module, record: &Record) -> TypeName {
    TypeName {
        module: module.name.clone(),
        name: record.name.clone(),
        arity: 0,
    }
}

fn types_of(function: &Function) -> impl Iterator<Item = &Type> {
    let clauses = function.clauses.iter();
    clauses.flat_map(|clause| clause.params.iter().chain([&clause.result]))
}

fn push(ty: &Type, open: &mut Vec<Reached>) {
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match ty {
            Type::Named(name, _) => open.push(Reached::Type((**name).clone())),
            Type::Record(name, _) => open.push(Reached::Record((**name).clone())),
            _ => {}
        }
        stack.extend(all_parts(ty));
    }
}

fn names(ty: &Type, depth: usize, found: &mut impl FnMut(&TypeName)) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Type::Named(name, _) = ty {
        found(name);
    }
    for part in all_parts(ty) {
        names(part, depth, found);
    }
}
