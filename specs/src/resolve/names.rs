//! The module's declarations, by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{self, Constant, Entry, FormKind, FunctionForm, Name, RecordForm, TypeForm};
use crate::catalog;
use crate::constant::name_arities;
use crate::diagnostic::Diagnostic;

/// Declarations with the entries that contain them, in source order.
pub(super) struct Names<'a> {
    pub(super) module: Name,
    pub(super) types: Vec<(&'a Entry, &'a TypeForm)>,
    pub(super) records: Vec<(&'a Entry, &'a RecordForm)>,
    pub(super) functions: Vec<(&'a Entry, &'a FunctionForm)>,
    by_name: BTreeSet<(&'a str, usize)>,
    record_names: BTreeSet<&'a str>,
    exported_types: BTreeSet<(&'a str, i64)>,
    exported_functions: BTreeSet<(&'a str, i64)>,
    export_all: bool,
    optional: BTreeMap<(Name, i64), &'a Entry>,
}

impl<'a> Names<'a> {
    /// Collects the declarations. If a name is defined twice, the first definition counts.
    pub(super) fn of(module: &'a ast::Module) -> (Names<'a>, Vec<Diagnostic>) {
        let mut names = Names {
            module: module.name.clone().unwrap_or_default(),
            types: Vec::new(),
            records: Vec::new(),
            functions: Vec::new(),
            by_name: BTreeSet::new(),
            record_names: BTreeSet::new(),
            exported_types: BTreeSet::new(),
            exported_functions: BTreeSet::new(),
            export_all: false,
            optional: BTreeMap::new(),
        };
        let diagnostics = module.forms.iter().filter_map(|entry| names.add(entry));
        let diagnostics = diagnostics.collect();
        (names, diagnostics)
    }

    fn add(&mut self, entry: &'a Entry) -> Option<Diagnostic> {
        let each = |names: &'a [(Name, i64)]| names.iter().map(|(name, n)| (name.as_str(), *n));
        match &entry.form.kind {
            FormKind::Type(form) => {
                if !self.by_name.insert((&form.name, form.parameters.len())) {
                    let shown = format!("{}/{}", form.name, form.parameters.len());
                    let diagnostic = catalog::DUPLICATE_TYPE.at(entry.form.at, shown);
                    return Some(diagnostic.in_file(&entry.file));
                }
                self.types.push((entry, form));
            }
            FormKind::Record(form) => {
                if self.record_names.insert(&form.name) {
                    self.records.push((entry, form));
                }
            }
            FormKind::Function(form) => self.functions.push((entry, form)),
            FormKind::ExportType(names) => self.exported_types.extend(each(names)),
            FormKind::Export(names) => self.exported_functions.extend(each(names)),
            FormKind::ExportAll => self.export_all = true,
            FormKind::OptionalCallbacks(term) => self.add_optional(entry, term),
            FormKind::Module(_) | FormKind::Behaviour(_) => {}
        }
        None
    }

    fn add_optional(&mut self, entry: &'a Entry, term: &Constant) {
        for name in name_arities(term).unwrap_or_default() {
            self.optional.insert(name, entry);
        }
    }

    pub(super) fn has_type(&self, name: &str, arity: usize) -> bool {
        self.by_name.contains(&(name, arity))
    }

    pub(super) fn has_record(&self, name: &str) -> bool {
        self.record_names.contains(name)
    }

    /// Returns whether a record of this module is a native one of OTP 29, which is not a tuple.
    pub(super) fn is_native(&self, name: &str) -> bool {
        let mut records = self.records.iter();
        records.any(|(_, form)| form.native && form.name == *name)
    }

    pub(super) fn exports_type(&self, name: &str, arity: usize) -> bool {
        self.exported_types.contains(&(name, signed(arity)))
    }

    pub(super) fn exports_function(&self, name: &str, arity: usize) -> bool {
        self.export_all || self.exported_functions.contains(&(name, signed(arity)))
    }

    /// Returns the optional callbacks with the attribute that names them.
    pub(super) fn optional(&self) -> impl Iterator<Item = (&(Name, i64), &'a Entry)> {
        self.optional.iter().map(|(name, entry)| (name, *entry))
    }

    pub(super) fn is_optional(&self, name: &Name, arity: usize) -> bool {
        self.optional.contains_key(&(name.clone(), signed(arity)))
    }
}

fn signed(arity: usize) -> i64 {
    i64::try_from(arity).unwrap_or(i64::MAX)
}
