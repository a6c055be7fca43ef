//! From written forms to resolved types: names, records, variables, integers, recursion.
//!
//! The passes, one file each: `names` (what the module declares), `types` (a type's meaning),
//! `integers` (operators), `variables` (bounds), `records`, `remote` (other modules),
//! `recursion` (types that are only themselves). Here forms become definitions.

mod builtins;
mod integers;
mod names;
mod records;
mod recursion;
mod remote;
mod types;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ast::{
    self, Entry, Form, FormKind, FunctionForm, FunctionFormKind, Location, Name, Signature,
    TypeFormKind,
};
use crate::catalog;
use crate::diagnostic::{Diagnostic, LocalDiagnostic};
use crate::print;
use crate::types::{Clause, Function, Module, Type, TypeDef, TypeKind};
use names::Names;
use remote::Remotes;
use variables::{Bounds, Scope};

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

impl<'a> Resolver<'a> {
    /// `-type`, `-opaque`, `-nominal`, in source order.
    fn type_definitions(&mut self) -> Vec<TypeDef> {
        let declared = self.names.types.clone();
        let mut definitions = Vec::with_capacity(declared.len());
        for (entry, form) in declared {
            self.enter(
                &entry.file,
                Scope::Parameters(form.parameters.iter().map(Name::as_str).collect()),
            );
            definitions.push(TypeDef {
                name: form.name.to_string(),
                params: form
                    .parameters
                    .iter()
                    .map(|name| print::variable(name).into_owned())
                    .collect(),
                kind: match form.kind {
                    TypeFormKind::Type => TypeKind::Transparent,
                    TypeFormKind::Opaque => TypeKind::Opaque,
                    TypeFormKind::Nominal => TypeKind::Nominal,
                },
                exported: self.names.exports_type(&form.name, form.parameters.len()),
                body: self.ty(&form.body),
                erlang: print::form(&entry.form),
            });
        }
        definitions
    }

    /// `-callback`, or else the list of a hand-written `behaviour_info/1`, whose arguments and
    /// results are `term()`.
    fn callbacks(&mut self) -> Vec<Function> {
        let callbacks = self.signatures(FunctionFormKind::Callback);
        match &self.ast.behaviour_info {
            Some(info) if callbacks.is_empty() => {
                let optional: BTreeSet<_> = info.optional.iter().collect();
                let optional = |callback| optional.contains(callback);
                info.callbacks
                    .iter()
                    .map(|callback| untyped(callback, optional(callback)))
                    .collect()
            }
            _ => {
                self.check_optional(&callbacks);
                callbacks
            }
        }
    }

    /// `-spec`
    fn functions(&mut self) -> Vec<Function> {
        self.signatures(FunctionFormKind::Spec)
    }

    fn signatures(&mut self, kind: FunctionFormKind) -> Vec<Function> {
        let declared = self.names.functions.clone();
        let of_kind = declared.into_iter().filter(|(_, form)| form.kind == kind);
        of_kind
            .filter_map(|(entry, form)| self.signature(entry, form))
            .collect()
    }

    /// `None`: it belongs to another module, or its clauses differ in arity.
    fn signature(&mut self, entry: &'a Entry, form: &'a FunctionForm) -> Option<Function> {
        if form
            .module
            .as_ref()
            .is_some_and(|module| *module != self.names.module)
        {
            return None;
        }
        let arity = |clause: &ast::Clause| clause.signature.parameters.as_ref().map(Vec::len);
        if form
            .clauses
            .iter()
            .any(|clause| arity(clause) != Some(form.arity))
        {
            self.enter(&entry.file, Scope::None);
            let shown = format!("{}/{}", form.name, form.arity);
            self.report(catalog::CLAUSE_ARITY.at(entry.form.at, shown));
            return None;
        }
        let callback = form.kind == FunctionFormKind::Callback;
        let clauses = form.clauses.iter().map(|clause| {
            self.enter(&entry.file, Scope::Clause(Bounds::of(&clause.constraints)));
            let parameters = clause.signature.parameters.as_deref().unwrap_or_default();
            Clause {
                params: self.all(parameters),
                result: self.ty(&clause.signature.result),
            }
        });
        Some(Function {
            name: form.name.to_string(),
            arity: form.arity,
            clauses: clauses.collect(),
            optional: callback && self.names.is_optional(&form.name, form.arity),
            exported: callback || self.names.exports_function(&form.name, form.arity),
            erlang: print::form(&entry.form),
        })
    }

    /// Reports names in `-optional_callbacks` that are not callbacks.
    fn check_optional(&mut self, callbacks: &[Function]) {
        let known: BTreeSet<(&str, usize)> = callbacks
            .iter()
            .map(|callback| (callback.name.as_str(), callback.arity))
            .collect();
        let is_known = |name: &str, arity: i64| {
            usize::try_from(arity).is_ok_and(|arity| known.contains(&(name, arity)))
        };
        let unknown: Vec<_> = self
            .names
            .optional()
            .filter(|((name, arity), _)| !is_known(name, *arity))
            .map(|((name, arity), entry)| (format!("{name}/{arity}"), entry))
            .collect();
        for (shown, entry) in unknown {
            let diagnostic = catalog::UNKNOWN_CALLBACK.at(entry.form.at, shown);
            self.diagnostics.push(diagnostic.in_file(&entry.file));
        }
    }
}

/// A callback of which only name and arity are known.
fn untyped((name, arity): &(Name, usize), optional: bool) -> Function {
    let at = Location::default();
    let term = || ast::Type {
        at,
        kind: ast::TypeKind::Builtin(Name::new_static("term"), Vec::new()),
    };
    // The VM allows 255 arguments; a greater arity is cut off there.
    let arity = (*arity).min(255);
    let parameters = Some((0..arity).map(|_| term()).collect());
    let signature = Signature {
        parameters,
        result: term(),
    };
    let form = FunctionForm {
        kind: FunctionFormKind::Callback,
        module: None,
        name: name.clone(),
        arity,
        clauses: vec![ast::Clause {
            at,
            signature,
            constraints: Vec::new(),
        }],
    };
    Function {
        name: name.to_string(),
        arity,
        clauses: vec![Clause {
            params: vec![Type::Any; arity],
            result: Type::Any,
        }],
        optional,
        exported: true,
        erlang: print::form(&Form::new(at, FormKind::Function(form))),
    }
}
