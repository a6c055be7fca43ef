//! Types of other modules, each looked up when it is first needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Resolver;
use crate::ast::{self, FormKind, Location, Name};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::types::{Type, TypeName};

/// The answer of a [`Universe`] about a module.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// Its forms.
    Found(Arc<ast::Module>),
    /// The module does not exist: its types are invalid, and there is a diagnostic.
    Missing,
    /// The module was not looked for: its types are assumed to exist.
    Unchecked,
}

/// The other modules, each looked up when it is first needed.
pub trait Universe {
    /// Returns the module with this name. A resolution asks once for each name.
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

/// Modules that are all known in advance.
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

/// Facts about other modules.
pub(super) struct Remotes<'a> {
    universe: &'a mut dyn Universe,
    known: BTreeMap<Name, Remote>,
}

enum Remote {
    Found(Declared),
    Missing,
    Unchecked,
}

/// Names and arities that a module declares and exports, and its records.
#[derive(Default)]
struct Declared {
    types: BTreeSet<(Name, usize)>,
    exported: BTreeSet<(Name, i64)>,
    records: BTreeSet<Name>,
}

impl Declared {
    fn of(module: &ast::Module) -> Self {
        let mut declared = Declared::default();
        for entry in &module.forms {
            match &entry.form.kind {
                FormKind::Type(form) => {
                    declared
                        .types
                        .insert((form.name.clone(), form.parameters.len()));
                }
                FormKind::Record(form) => {
                    declared.records.insert(form.name.clone());
                }
                FormKind::ExportType(names) => declared.exported.extend(names.iter().cloned()),
                _ => {}
            }
        }
        declared
    }
}

impl<'a> Remotes<'a> {
    pub(super) fn new(universe: &'a mut dyn Universe) -> Self {
        Remotes {
            universe,
            known: BTreeMap::new(),
        }
    }

    fn module(&mut self, name: &Name) -> &Remote {
        let universe = &mut self.universe;
        self.known
            .entry(name.clone())
            .or_insert_with(|| match universe.module(name) {
                Lookup::Found(module) => Remote::Found(Declared::of(&module)),
                Lookup::Missing => Remote::Missing,
                Lookup::Unchecked => Remote::Unchecked,
            })
    }
}

impl<'a> Resolver<'a> {
    /// `module:name(…)`
    pub(super) fn remote(
        &mut self,
        at: Location,
        module: &Name,
        name: &Name,
        arguments: &'a [ast::Type],
    ) -> Type {
        if *module == self.names.module {
            return self.local(at, name, arguments);
        }
        let arguments = self.all(arguments);
        let arity = arguments.len();
        let shown = || format!("{module}:{name}/{arity}");
        let exported = (name.clone(), i64::try_from(arity).unwrap_or(i64::MAX));
        let diagnostic = match self.remotes.module(module) {
            Remote::Unchecked => None,
            Remote::Missing => Some(catalog::UNKNOWN_MODULE.at(at, module.as_str())),
            Remote::Found(declared) => {
                if !declared.types.contains(&(name.clone(), arity)) {
                    Some(catalog::UNKNOWN_TYPE.at(at, shown()))
                } else if !declared.exported.contains(&exported) {
                    Some(catalog::UNEXPORTED_TYPE.at(at, shown()))
                } else {
                    None
                }
            }
        };
        let poisoned = diagnostic.as_ref().is_some_and(LocalDiagnostic::is_error);
        self.diagnostics
            .extend(diagnostic.map(|diagnostic| diagnostic.in_file(&self.file)));
        if poisoned {
            return Type::Invalid;
        }
        let name = TypeName {
            module: module.to_string(),
            name: name.to_string(),
            arity,
        };
        Type::Named(Arc::new(name), arguments)
    }

    /// Returns whether another module has a native record of this name; unknown counts as yes.
    pub(super) fn remote_record(&mut self, at: Location, module: &Name, name: &Name) -> bool {
        let diagnostic = match self.remotes.module(module) {
            Remote::Missing => catalog::UNKNOWN_MODULE.at(at, module.as_str()),
            Remote::Found(declared) if !declared.records.contains(name) => {
                catalog::UNKNOWN_RECORD.at(at, format!("{module}:{name}"))
            }
            _ => return true,
        };
        self.report(diagnostic);
        false
    }
}
