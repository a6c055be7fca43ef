//! From written forms to resolved types: names, records, variables, integers, recursion.
//!
//! The passes, one file each: `names` (what the module declares), `types` (a type's meaning),
//! `integers` (operators), `variables` (bounds), `records`, `remote` (other modules),
//! `recursion` (types that are only themselves), `forms` (forms to definitions).

mod builtins;
mod forms;
mod integers;
mod names;
mod records;
mod recursion;
mod remote;
mod types;
mod variables;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast;
use crate::diagnostic::{Diagnostic, LocalDiagnostic};
use crate::types::Module;
use names::Names;
use remote::Remotes;
use variables::Scope;

/// Types inside each other, bounds of variables included.
const MAX_DEPTH: usize = 300;

/// What a [`Universe`] knows of a module.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// Its forms.
    Found(Arc<ast::Module>),
    /// The module does not exist: its types are invalid, and a diagnostic says so.
    Missing,
    /// It was not looked for: its types are taken on trust.
    Unchecked,
}

/// The other modules, each found when it is first needed.
pub trait Universe {
    /// The module of that name. One resolution asks once for each name.
    fn module(&mut self, name: &str) -> Lookup;
}

/// Trusts every remote type.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trusting;

impl Universe for Trusting {
    fn module(&mut self, _: &str) -> Lookup {
        Lookup::Unchecked
    }
}

/// Modules that are all known beforehand.
impl Universe for BTreeMap<String, Arc<ast::Module>> {
    fn module(&mut self, name: &str) -> Lookup {
        self.get(name)
            .map_or(Lookup::Missing, |module| Lookup::Found(Arc::clone(module)))
    }
}

impl<F: FnMut(&str) -> Lookup> Universe for F {
    fn module(&mut self, name: &str) -> Lookup {
        self(name)
    }
}

/// Resolves a module's forms.
///
/// Whatever cannot be resolved becomes [`crate::types::Type::Invalid`] where it stands and a
/// diagnostic; everything else is resolved.
#[must_use]
pub fn resolve(module: &ast::Module, universe: &mut dyn Universe) -> (Module, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(module, universe);
    let records = resolver.records();
    let types = resolver.type_definitions();
    let callbacks = resolver.callbacks();
    let functions = resolver.functions();
    let resolved = Module {
        name: resolver.names.module.to_string(),
        types: recursion::without_empty_cycles(types, &mut resolver),
        records,
        callbacks,
        functions,
        struct_fields: module.struct_fields.clone(),
    };
    (resolved, resolver.diagnostics)
}

/// What all passes share.
struct Resolver<'a> {
    ast: &'a ast::Module,
    names: Names<'a>,
    remotes: Remotes<'a>,
    /// Records that are resolved already, by name.
    records: BTreeMap<&'a str, crate::types::Record>,
    diagnostics: Vec<Diagnostic>,
    /// The file of the form that is being resolved.
    file: ast::Name,
    scope: Scope<'a>,
    /// Nodes that the form may still make.
    budget: usize,
    /// How many types the current one is nested in.
    depth: usize,
}

/// Nodes of one form: bounds inside bounds could double without end.
const MAX_NODES: usize = 100_000;

impl<'a> Resolver<'a> {
    fn new(ast: &'a ast::Module, universe: &'a mut dyn Universe) -> Self {
        let (names, diagnostics) = Names::of(ast);
        Resolver {
            ast,
            names,
            remotes: Remotes::new(universe),
            records: BTreeMap::new(),
            diagnostics,
            file: ast.file.clone(),
            scope: Scope::None,
            budget: MAX_NODES,
            depth: 0,
        }
    }

    /// Starts a form.
    fn enter(&mut self, file: &ast::Name, scope: Scope<'a>) {
        self.file = file.clone();
        self.scope = scope;
        self.budget = MAX_NODES;
    }

    fn report(&mut self, diagnostic: LocalDiagnostic) {
        self.diagnostics.push(diagnostic.in_file(&self.file));
    }
}
