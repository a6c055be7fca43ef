//! Which type or function each entry is about.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Function, Module, Type, TypeName};

use super::{OverrideDiagnostic, OverrideId, Overrides, Target};
use crate::facts::type_names::TypeNames;
use crate::facts::world::type_name;
use crate::text;

/// What was found, or why not.
type Found<T = ()> = Result<T, Box<OverrideDiagnostic>>;

/// Entries with what they are about.
#[derive(Debug)]
pub(crate) struct Matched<'a> {
    pub(super) overrides: &'a Overrides,
    /// Types that are left out.
    pub(crate) skipped: BTreeSet<TypeName>,
    /// Types for which a Rust type stands, as it is written.
    pub(crate) mapped: BTreeMap<TypeName, String>,
    /// Entries about types by module and by the Rust name without entries; of a type without a form
    /// it is not known yet whether there is one.
    pub(super) items: BTreeMap<(String, String), usize>,
    /// Entries about functions by module, name and arity.
    pub(super) functions: BTreeMap<(String, String, usize), usize>,
    pub(super) diagnostics: Vec<OverrideDiagnostic>,
}

impl<'a> Matched<'a> {
    /// Looks for every entry's type or function in `modules`. Functions count only where they are
    /// `bound`.
    pub(crate) fn new(
        overrides: &'a Overrides,
        modules: &[&Module],
        names: &BTreeMap<String, TypeNames>,
        bound: bool,
    ) -> Self {
        let mut settled = Matched {
            overrides,
            skipped: BTreeSet::new(),
            mapped: BTreeMap::new(),
            items: BTreeMap::new(),
            functions: BTreeMap::new(),
            diagnostics: Vec::new(),
        };
        for (index, entry) in overrides.types.iter().enumerate() {
            let found = module(OverrideId::Type(index), &entry.target, modules)
                .and_then(|module| settled.find_type(index, module, names.get(&module.name)));
            settled
                .diagnostics
                .extend(found.err().map(|diagnostic| *diagnostic));
        }
        for (index, entry) in overrides.functions.iter().enumerate() {
            let found = module(OverrideId::Function(index), &entry.target, modules)
                .and_then(|module| settled.find_function(index, module, bound));
            settled
                .diagnostics
                .extend(found.err().map(|diagnostic| *diagnostic));
        }
        settled
    }

    /// Whether a function is left out.
    pub(crate) fn skips(&self, module: &str, function: &Function) -> bool {
        let key = (module.to_owned(), function.name.clone(), function.arity);
        let entry = self.functions.get(&key);
        entry.is_some_and(|index| self.overrides.functions[*index].skip)
    }

    fn find_type(&mut self, index: usize, module: &Module, names: Option<&TypeNames>) -> Found {
        let Some(names) = names else {
            return Ok(());
        };
        let overrides = self.overrides;
        let entry = &overrides.types[index];
        let target = &entry.target;
        let named = module.types.iter().filter(|ty| ty.name == target.name);
        let arities = named.map(|ty| ty.params.len()).collect();
        let Some(arity) = arity(OverrideId::Type(index), target, &arities)? else {
            return self.find_other(index, module, names);
        };
        let name = TypeName {
            module: module.name.clone(),
            name: target.name.clone(),
            arity,
        };
        let Some(rust) = names.of_type(&name.name, arity) else {
            return Ok(());
        };
        self.claim(index, &module.name, rust.to_owned())?;
        if entry.skip {
            self.skipped.insert(name.clone());
        }
        if let Some(written) = &entry.rust {
            self.mapped.insert(name, written.clone());
        }
        Ok(())
    }

    /// A record, or a type that Erlang has no name for.
    fn find_other(&mut self, index: usize, module: &Module, names: &TypeNames) -> Found {
        let id = OverrideId::Type(index);
        let entry = &self.overrides.types[index];
        let target = &entry.target;
        let rust = match target.name.strip_prefix('#') {
            Some(record) => names.of_record(record).map(str::to_owned),
            None => Some(target.name.clone()).filter(|_| target.arity.is_none()),
        };
        let Some(rust) = rust else {
            return Err(Box::new(no_such_type(id, target, module, &[])));
        };
        for (key, said) in [("skip", entry.skip), ("rust", entry.rust.is_some())] {
            if said {
                let diagnostic = no_such_type(id, target, module, &[]);
                let hint = format!("`{key}` is for types that have a -type");
                return Err(Box::new(diagnostic.hint(hint)));
            }
        }
        self.claim(index, &module.name, rust)
    }

    fn claim(&mut self, index: usize, module: &str, rust: String) -> Found {
        let id = OverrideId::Type(index);
        let before = self.items.insert((module.to_owned(), rust), index);
        before.map_or(Ok(()), |_| {
            Err(twice(id, &self.overrides.types[index].target))
        })
    }

    fn find_function(&mut self, index: usize, module: &Module, bound: bool) -> Found {
        let id = OverrideId::Function(index);
        let target = &self.overrides.functions[index].target;
        let exported = || module.functions.iter().filter(|one| bound && one.exported);
        let named = exported().filter(|one| one.name == target.name);
        let arities = named.map(|one| one.arity).collect();
        let Some(arity) = arity(id, target, &arities)? else {
            let message = format!("no function `{}` is bound in this run", target.shown());
            let diagnostic = OverrideDiagnostic::new(id, message);
            let known = exported().map(|one| one.name.clone());
            return Err(Box::new(match bound {
                true => diagnostic.instead_of(&target.name, known),
                false => diagnostic.hint("functions are bound with --functions"),
            }));
        };
        let key = (module.name.clone(), target.name.clone(), arity);
        let before = self.functions.insert(key, index);
        before.map_or(Ok(()), |_| Err(twice(id, target)))
    }
}

/// `modules` in which types that are left out are any term.
pub(crate) fn without(modules: &[Module], skipped: &BTreeSet<TypeName>) -> Vec<Module> {
    let mut modules = modules.to_vec();
    for module in &mut modules {
        let names: Vec<TypeName> = module
            .types
            .iter()
            .map(|ty| type_name(module, ty))
            .collect();
        for (definition, name) in module.types.iter_mut().zip(names) {
            if skipped.contains(&name) {
                definition.body = Type::Any;
            }
        }
    }
    modules
}

fn module<'m>(id: OverrideId, target: &Target, modules: &[&'m Module]) -> Found<&'m Module> {
    let mut all = modules.iter().copied();
    all.find(|module| module.name == target.module)
        .ok_or_else(|| {
            let message = format!(
                "the module `{}` is not generated in this run",
                target.module
            );
            let known = modules.iter().map(|module| module.name.clone());
            Box::new(OverrideDiagnostic::new(id, message).instead_of(&target.module, known))
        })
}

/// The arity that is meant, `None` if there is no such name.
fn arity(id: OverrideId, target: &Target, arities: &BTreeSet<usize>) -> Found<Option<usize>> {
    let all: Vec<usize> = arities.iter().copied().collect();
    let written = |arity: &usize| format!("`{}:{}/{arity}`", target.module, target.name);
    let message = match (target.arity, all.as_slice()) {
        (_, []) => return Ok(None),
        (None, [only]) => return Ok(Some(*only)),
        (Some(arity), _) if arities.contains(&arity) => return Ok(Some(arity)),
        (Some(_), _) => format!("there is no `{}`", target.shown()),
        (None, _) => format!("which `{}`?", target.shown()),
    };
    let there = all.iter().map(written).collect::<Vec<_>>().join(" and ");
    let diagnostic = OverrideDiagnostic::new(id, message);
    Err(Box::new(diagnostic.hint(format!("there is {there}"))))
}

fn twice(id: OverrideId, target: &Target) -> Box<OverrideDiagnostic> {
    let message = format!("an entry before this one is about `{}` too", target.shown());
    Box::new(OverrideDiagnostic::new(id, message).hint("say it all in one entry"))
}

/// Nothing of that name: `unnamed` are the Rust names of types without a form.
pub(super) fn no_such_type(
    id: OverrideId,
    target: &Target,
    module: &Module,
    unnamed: &[String],
) -> OverrideDiagnostic {
    let message = format!(
        "`{}` has no type `{}` in this run",
        target.module, target.name
    );
    let types = module.types.iter().map(|ty| ty.name.clone());
    let records = module
        .records
        .iter()
        .map(|record| format!("#{}", text::atom(&record.name)));
    let known = types.chain(records).chain(unnamed.iter().cloned());
    OverrideDiagnostic::new(id, message).instead_of(&target.name, known)
}
