//! Which type or function each entry is about.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Function, Module, Type, TypeName};

use super::{Control, Part, Refusal, Target};
use crate::facts::type_names::TypeNames;
use crate::facts::world::type_name;
use crate::text;

/// What was found, or why not.
type Found<T = ()> = Result<T, Box<Refusal>>;

/// Entries with what they are about.
#[derive(Debug)]
pub(crate) struct Settled<'a> {
    pub(super) control: &'a Control,
    /// Types that are left out.
    pub(crate) skipped: BTreeSet<TypeName>,
    /// Types for which a Rust type stands, as it is written.
    pub(crate) mapped: BTreeMap<TypeName, String>,
    /// Entries about types by module and by the Rust name without entries; of a type without a form
    /// it is not known yet whether there is one.
    pub(super) items: BTreeMap<(String, String), usize>,
    /// Entries about functions by module, name and arity.
    pub(super) functions: BTreeMap<(String, String, usize), usize>,
    pub(super) refusals: Vec<Refusal>,
}

impl<'a> Settled<'a> {
    /// Looks for every entry's type or function in `modules`. Functions count only where they are
    /// `bound`.
    pub(crate) fn new(
        control: &'a Control,
        modules: &[&Module],
        names: &BTreeMap<String, TypeNames>,
        bound: bool,
    ) -> Self {
        let mut settled = Settled {
            control,
            skipped: BTreeSet::new(),
            mapped: BTreeMap::new(),
            items: BTreeMap::new(),
            functions: BTreeMap::new(),
            refusals: Vec::new(),
        };
        for (index, entry) in control.types.iter().enumerate() {
            let found = module(Part::Type(index), &entry.target, modules)
                .and_then(|module| settled.find_type(index, module, names.get(&module.name)));
            settled.refusals.extend(found.err().map(|refusal| *refusal));
        }
        for (index, entry) in control.functions.iter().enumerate() {
            let found = module(Part::Function(index), &entry.target, modules)
                .and_then(|module| settled.find_function(index, module, bound));
            settled.refusals.extend(found.err().map(|refusal| *refusal));
        }
        settled
    }

    /// Whether a function is left out.
    pub(crate) fn skips(&self, module: &str, function: &Function) -> bool {
        let key = (module.to_owned(), function.name.clone(), function.arity);
        let entry = self.functions.get(&key);
        entry.is_some_and(|index| self.control.functions[*index].skip)
    }

    fn find_type(&mut self, index: usize, module: &Module, names: Option<&TypeNames>) -> Found {
        let Some(names) = names else {
            return Ok(());
        };
        let control = self.control;
        let entry = &control.types[index];
        let target = &entry.target;
        let named = module.types.iter().filter(|ty| ty.name == target.name);
        let arities = named.map(|ty| ty.params.len()).collect();
        let Some(arity) = arity(Part::Type(index), target, &arities)? else {
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
        let part = Part::Type(index);
        let entry = &self.control.types[index];
        let target = &entry.target;
        let rust = match target.name.strip_prefix('#') {
            Some(record) => names.of_record(record).map(str::to_owned),
            None => Some(target.name.clone()).filter(|_| target.arity.is_none()),
        };
        let Some(rust) = rust else {
            return Err(Box::new(no_such_type(part, target, module, &[])));
        };
        for (key, said) in [("skip", entry.skip), ("rust", entry.rust.is_some())] {
            if said {
                let refusal = no_such_type(part, target, module, &[]);
                let help = format!("`{key}` is for types that have a -type");
                return Err(Box::new(refusal.help(help)));
            }
        }
        self.claim(index, &module.name, rust)
    }

    fn claim(&mut self, index: usize, module: &str, rust: String) -> Found {
        let part = Part::Type(index);
        let before = self.items.insert((module.to_owned(), rust), index);
        before.map_or(Ok(()), |_| {
            Err(twice(part, &self.control.types[index].target))
        })
    }

    fn find_function(&mut self, index: usize, module: &Module, bound: bool) -> Found {
        let part = Part::Function(index);
        let target = &self.control.functions[index].target;
        let exported = || module.functions.iter().filter(|one| bound && one.exported);
        let named = exported().filter(|one| one.name == target.name);
        let arities = named.map(|one| one.arity).collect();
        let Some(arity) = arity(part, target, &arities)? else {
            let message = format!("no function `{}` is bound in this run", target.shown());
            let refusal = Refusal::new(part, message);
            let known = exported().map(|one| one.name.clone());
            return Err(Box::new(match bound {
                true => refusal.instead_of(&target.name, known),
                false => refusal.help("functions are bound with --functions"),
            }));
        };
        let key = (module.name.clone(), target.name.clone(), arity);
        let before = self.functions.insert(key, index);
        before.map_or(Ok(()), |_| Err(twice(part, target)))
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

fn module<'m>(part: Part, target: &Target, modules: &[&'m Module]) -> Found<&'m Module> {
    let mut all = modules.iter().copied();
    all.find(|module| module.name == target.module)
        .ok_or_else(|| {
            let message = format!(
                "the module `{}` is not generated in this run",
                target.module
            );
            let known = modules.iter().map(|module| module.name.clone());
            Box::new(Refusal::new(part, message).instead_of(&target.module, known))
        })
}

/// The arity that is meant, `None` if there is no such name.
fn arity(part: Part, target: &Target, arities: &BTreeSet<usize>) -> Found<Option<usize>> {
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
    let refusal = Refusal::new(part, message);
    Err(Box::new(refusal.help(format!("there is {there}"))))
}

fn twice(part: Part, target: &Target) -> Box<Refusal> {
    let message = format!("an entry before this one is about `{}` too", target.shown());
    Box::new(Refusal::new(part, message).help("say it all in one entry"))
}

/// Nothing of that name: `unnamed` are the Rust names of types without a form.
pub(super) fn no_such_type(
    part: Part,
    target: &Target,
    module: &Module,
    unnamed: &[String],
) -> Refusal {
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
    Refusal::new(part, message).instead_of(&target.name, known)
}
