//! Resolves written forms to types: names, records, variables, integers, recursion.
//!
//! The passes, one file each: `names` (the module's declarations), `integers` (operators),
//! `variables` (bounds), `records`, `remote` (other modules), `recursion` (types that are only
//! themselves). This file turns forms into definitions, and written types into resolved ones.

mod builtins;
mod integers;
mod names;
mod records;
mod recursion;
mod remote;
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
use crate::types::{
    Builtin, Clause, Function, Int, MapField, Module, Type, TypeDef, TypeKind, TypeName,
};
use names::Names;
use remote::Remotes;
pub use remote::{Lookup, Trusting, Universe};
use variables::{Bounds, Scope};

/// Maximum nesting of types, including bounds of variables.
const MAX_DEPTH: usize = 300;

/// Resolves a module's forms.
///
/// Everything that cannot be resolved becomes [`crate::types::Type::Invalid`] in its position, and
/// a diagnostic; everything else is resolved.
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

/// State that all passes share.
struct Resolver<'a> {
    ast: &'a ast::Module,
    names: Names<'a>,
    remotes: Remotes<'a>,
    /// Records that are already resolved, by name.
    records: BTreeMap<&'a str, crate::types::Record>,
    diagnostics: Vec<Diagnostic>,
    /// The file of the form that is being resolved.
    file: ast::Name,
    scope: Scope<'a>,
    /// The number of nodes that the form may still create.
    budget: usize,
    /// The number of types around the current one.
    depth: usize,
}

/// Maximum number of nodes of one form: bounds inside bounds could double without a limit.
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
                header: entry.header(),
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

    /// Returns `None` if it belongs to another module, or if its clauses differ in arity.
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

impl<'a> Resolver<'a> {
    /// Resolves a type in its context.
    fn ty(&mut self, written: &'a ast::Type) -> Type {
        let at = written.at;
        if !self.spend(1, at, "type") {
            return Type::Invalid;
        }
        if self.depth >= MAX_DEPTH {
            self.report(catalog::TOO_DEEP.at(at, ""));
            return Type::Invalid;
        }
        self.depth += 1;
        let resolved = self.kind(written);
        self.depth -= 1;
        resolved
    }

    fn kind(&mut self, written: &'a ast::Type) -> Type {
        let at = written.at;
        match &written.kind {
            ast::TypeKind::Variable(name) => self.variable(name, at),
            ast::TypeKind::Annotated(name, inner) => {
                Type::Annotated(print::variable(name).into_owned(), Box::new(self.ty(inner)))
            }
            ast::TypeKind::Atom(name) => Type::Atom(name.to_string()),
            ast::TypeKind::Integer(_)
            | ast::TypeKind::Char(_)
            | ast::TypeKind::Prefix(..)
            | ast::TypeKind::Infix(..) => {
                self.integer(written).map_or(Type::Invalid, Type::Integer)
            }
            ast::TypeKind::Range(low, high) => self.range(at, low, high),
            ast::TypeKind::Union(members) => self.union(members),
            ast::TypeKind::Builtin(name, arguments) => self.builtin(at, name, arguments),
            ast::TypeKind::User(name, arguments) => self.local(at, name, arguments),
            ast::TypeKind::Remote(remote) => {
                self.remote(at, &remote.module, &remote.name, &remote.arguments)
            }
            ast::TypeKind::Tuple(Some(elements)) => Type::Tuple(self.all(elements)),
            ast::TypeKind::Tuple(None) => Type::Builtin(Builtin::Tuple),
            ast::TypeKind::Map(Some(fields)) => {
                Type::Map(fields.iter().map(|field| self.map_field(field)).collect())
            }
            ast::TypeKind::Map(None) => Type::Builtin(Builtin::Map),
            ast::TypeKind::Record(record) => {
                self.record_type(at, record.module.as_ref(), &record.name, &record.fields)
            }
            ast::TypeKind::Fun(Some(signature)) => {
                let parameters = signature.parameters.as_ref();
                let parameters = parameters.map(|parameters| self.all(parameters));
                Type::Fun(parameters, Box::new(self.ty(&signature.result)))
            }
            ast::TypeKind::Fun(None) => Type::Builtin(Builtin::Function),
            ast::TypeKind::Bitstring(size, unit) => self.bitstring(size, unit),
        }
    }

    fn all(&mut self, types: &'a [ast::Type]) -> Vec<Type> {
        types.iter().map(|ty| self.ty(ty)).collect()
    }

    /// Members in written order; a union inside a union is flattened.
    fn union(&mut self, members: &'a [ast::Type]) -> Type {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match self.ty(member) {
                Type::Union(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        Type::Union(flat)
    }

    fn map_field(&mut self, field: &'a ast::MapField) -> MapField {
        MapField {
            key: self.ty(&field.key),
            value: self.ty(&field.value),
            required: field.required,
        }
    }

    fn range(&mut self, at: Location, low: &'a ast::Type, high: &'a ast::Type) -> Type {
        let (Some(low), Some(high)) = (self.integer(low), self.integer(high)) else {
            return Type::Invalid;
        };
        if integers::less(&high, &low) {
            let shown = format!("{}..{}", low.text(), high.text());
            self.report(catalog::EMPTY_RANGE.at(at, shown));
            return Type::Invalid;
        }
        Type::Range(low, high)
    }

    fn bitstring(&mut self, size: &'a ast::Type, unit: &'a ast::Type) -> Type {
        let mut bits = |ty: &'a ast::Type| match self.integer(ty) {
            Some(Int::Small(value)) => match u64::try_from(value) {
                Ok(bits) => Some(bits),
                Err(_) => {
                    self.report(catalog::BAD_BINARY_TYPE.at(ty.at, ""));
                    None
                }
            },
            Some(Int::Big(_)) => {
                self.report(catalog::BAD_BINARY_TYPE.at(ty.at, ""));
                None
            }
            None => None,
        };
        match (bits(size), bits(unit)) {
            (Some(size), Some(unit)) => Type::Bitstring { size, unit },
            _ => Type::Invalid,
        }
    }

    /// A type of this module.
    fn local(&mut self, at: Location, name: &str, arguments: &'a [ast::Type]) -> Type {
        let arguments = self.all(arguments);
        if self.names.has_type(name, arguments.len()) {
            let name = TypeName {
                module: self.names.module.to_string(),
                name: name.to_owned(),
                arity: arguments.len(),
            };
            return Type::Named(Arc::new(name), arguments);
        }
        let shown = format!("{name}/{}", arguments.len());
        self.report(catalog::UNKNOWN_TYPE.at(at, shown));
        Type::Invalid
    }
}

/// Creates a callback whose name and arity alone are known.
fn untyped((name, arity): &(Name, usize), optional: bool) -> Function {
    let at = Location::default();
    let term = || ast::Type {
        at,
        kind: ast::TypeKind::Builtin(Name::new_static("term"), Vec::new()),
    };
    // The VM allows 255 arguments; a greater arity is reduced to that.
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
