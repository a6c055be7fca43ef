//! Decisions of a user for single types and functions: derives, names, replacement Rust types, and
//! items to leave out.
//!
//! [`matched`] checks the overrides and finds the item of each before anything is lowered. Lowering
//! applies them wherever it creates a name. An override that matches no item, or that cannot be
//! applied, is an [`OverrideDiagnostic`](crate::report::OverrideDiagnostic).
//!
//! An override changes one type and no other. Facts (the argument that is the state, recursion, the
//! kinds of terms of an opaque type) are therefore derived only from the Erlang definitions, and
//! lowering looks up overrides only where a type is written.

mod check;

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Builtin, Module, Type, TypeName};

use crate::catalog;
use crate::facts::type_names::Names;
use crate::facts::world::World;
use crate::facts::{DEPTH, bare};
use crate::options::{FunctionOverride, OverrideId, Overrides, Target, TypeOverride, name_part};
use crate::report::OverrideDiagnostic;
use check::legal;

/// The result of a check, or its diagnostic.
type Found<T = ()> = Result<T, Box<OverrideDiagnostic>>;

/// The replacement of a type.
pub(crate) enum Replacement<'o> {
    /// Any term, because the type is left out.
    Term,
    /// A Rust type of the user's.
    Rust(&'o str),
}

/// Overrides by the item that they change.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    /// Derives for every struct and enum.
    pub(crate) derives: Vec<String>,
    /// Types that are left out.
    pub(crate) skipped: BTreeSet<TypeName>,
    /// Types that a Rust type replaces, with its text.
    pub(crate) mapped: BTreeMap<TypeName, String>,
    /// By module and by the Rust name without overrides. For an anonymous type, only lowering finds
    /// out whether it exists.
    types: BTreeMap<(String, String), (OverrideId, TypeOverride)>,
    /// By module, name and arity.
    functions: BTreeMap<(String, String, usize), (OverrideId, FunctionOverride)>,
}

/// Finds the item of each override in `modules`, and returns the problems. Functions are considered
/// only if they are `bound`.
pub(crate) fn matched(
    overrides: &Overrides,
    modules: &[&Module],
    names: &Names,
    bound: bool,
) -> (Matched, Vec<OverrideDiagnostic>) {
    let (overrides, mut diagnostics) = legal(overrides);
    let mut matched = Matched {
        derives: overrides.derives,
        ..Matched::default()
    };
    for (index, of_type) in overrides.types.into_iter().enumerate() {
        let id = OverrideId::Type(index);
        let found = module(id, &of_type.target, modules)
            .and_then(|module| matched.match_type(id, of_type, module, names));
        diagnostics.extend(found.err().map(|diagnostic| *diagnostic));
    }
    for (index, of_function) in overrides.functions.into_iter().enumerate() {
        let id = OverrideId::Function(index);
        let found = module(id, &of_function.target, modules)
            .and_then(|module| matched.match_function(id, of_function, module, bound));
        diagnostics.extend(found.err().map(|diagnostic| *diagnostic));
    }
    (matched, diagnostics)
}

impl Matched {
    /// Returns the override of the type that has this name without overrides.
    pub(crate) fn of_type(&self, module: &str, plain: &str) -> Option<&(OverrideId, TypeOverride)> {
        self.types.get(&(module.to_owned(), plain.to_owned()))
    }

    /// Returns the name of the type that has the name `plain` without overrides.
    pub(crate) fn name<'n>(&'n self, module: &str, plain: &'n str) -> &'n str {
        let found = self.of_type(module, plain);
        let renamed = found.and_then(|(_, of_type)| of_type.rename.as_deref());
        renamed.unwrap_or(plain)
    }

    /// Returns the overrides of the types of a module, by the names without overrides.
    pub(crate) fn of_types<'m>(
        &'m self,
        module: &'m str,
    ) -> impl Iterator<Item = (&'m str, &'m (OverrideId, TypeOverride))> {
        let all = self.types.iter();
        let found = all.filter(move |((of_module, _), _)| of_module == module);
        found.map(|((_, plain), matched)| (plain.as_str(), matched))
    }

    /// Returns the override of a function.
    pub(crate) fn of_function(
        &self,
        module: &str,
        name: &str,
        arity: usize,
    ) -> Option<&(OverrideId, FunctionOverride)> {
        let key = (module.to_owned(), name.to_owned(), arity);
        self.functions.get(&key)
    }

    /// Returns the replacement of a record or of a type without an Erlang name, by the Rust name
    /// that it has without overrides.
    pub(crate) fn replacement(&self, module: &str, plain: &str) -> Option<Replacement<'_>> {
        let (_, of_type) = self.of_type(module, plain)?;
        match &of_type.rust {
            _ if of_type.skip => Some(Replacement::Term),
            Some(path) => Some(Replacement::Rust(path)),
            None => None,
        }
    }

    /// Returns whether uses of a type ignore its definition, because another Rust type replaces it.
    pub(crate) fn is_replaced(&self, name: &TypeName) -> bool {
        self.skipped.contains(name) || self.mapped.contains_key(name)
    }

    /// Returns the override, and its key, that replaces `name` by another Rust type.
    pub(crate) fn replacing(
        &self,
        names: &Names,
        name: &TypeName,
    ) -> Option<(OverrideId, &'static str)> {
        let (id, of_type) = self.of_type(&name.module, names.of_type(name)?)?;
        let key = if of_type.skip { "skip" } else { "rust" };
        self.is_replaced(name).then_some((*id, key))
    }

    /// Returns whether the Rust type of `ty` accepts any term: `term()` directly or through other
    /// names, a type that is left out, or a native record.
    pub(crate) fn is_term(&self, world: &World<'_>, ty: &Type) -> bool {
        let mut ty = bare(ty);
        for _ in 0..DEPTH {
            match ty {
                Type::Named(name, _) if self.skipped.contains(name) => return true,
                Type::Named(name, _) if self.mapped.contains_key(name) => return false,
                Type::Named(name, _) => match world.definition(name) {
                    Some(definition) => ty = bare(&definition.body),
                    None => return false,
                },
                other => return matches!(other, Type::Any | Type::Builtin(Builtin::Record)),
            }
        }
        false
    }

    fn match_type(
        &mut self,
        id: OverrideId,
        of_type: TypeOverride,
        module: &Module,
        names: &Names,
    ) -> Found {
        let target = &of_type.target;
        let named = module.types.iter().filter(|ty| ty.name == target.name);
        let arities = named.map(|ty| ty.params.len()).collect();
        let Some(arity) = arity(id, target, &arities)? else {
            return self.match_other(id, of_type, module, names);
        };
        let name = TypeName {
            module: module.name.clone(),
            name: target.name.clone(),
            arity,
        };
        let Some(plain) = names.of_type(&name) else {
            return Ok(());
        };
        let (skip, rust) = (of_type.skip, of_type.rust.clone());
        self.add_type(id, of_type, &module.name, plain.to_owned())?;
        if skip {
            self.skipped.insert(name.clone());
        }
        if let Some(written) = rust {
            self.mapped.insert(name, written);
        }
        Ok(())
    }

    /// Matches an override of a record, or of a type without an Erlang name.
    fn match_other(
        &mut self,
        id: OverrideId,
        of_type: TypeOverride,
        module: &Module,
        names: &Names,
    ) -> Found {
        let target = &of_type.target;
        let plain = match target.name.strip_prefix('#') {
            Some(record) => names.of_record(&module.name, record).map(str::to_owned),
            None => Some(target.name.clone()).filter(|_| target.arity.is_none()),
        };
        // Lowering reports a name that no type has: it knows which types exist.
        let plain = plain.unwrap_or_else(|| target.shown_name());
        self.add_type(id, of_type, &module.name, plain)
    }

    fn add_type(
        &mut self,
        id: OverrideId,
        of_type: TypeOverride,
        module: &str,
        plain: String,
    ) -> Found {
        let again = twice(id, &of_type.target);
        let key = (module.to_owned(), plain);
        let before = self.types.insert(key, (id, of_type));
        before.map_or(Ok(()), |_| Err(again))
    }

    fn match_function(
        &mut self,
        id: OverrideId,
        of_function: FunctionOverride,
        module: &Module,
        bound: bool,
    ) -> Found {
        let target = &of_function.target;
        let exported = || module.functions.iter().filter(|one| bound && one.exported);
        let named = exported().filter(|one| one.name == target.name);
        let arities = named.map(|one| one.arity).collect();
        let Some(arity) = arity(id, target, &arities)? else {
            let message = &catalog::NO_FUNCTION;
            let diagnostic = OverrideDiagnostic::new(message, id, &[&target.shown()]);
            let known: BTreeSet<String> = exported().map(|one| name_part(&one.name)).collect();
            return Err(Box::new(if bound {
                diagnostic.instead_of(&name_part(&target.name), known)
            } else {
                diagnostic.hint("functions are bound with --functions")
            }));
        };
        let again = twice(id, target);
        let key = (module.name.clone(), target.name.clone(), arity);
        let before = self.functions.insert(key, (id, of_function));
        before.map_or(Ok(()), |_| Err(again))
    }
}

fn module<'m>(id: OverrideId, target: &Target, modules: &[&'m Module]) -> Found<&'m Module> {
    let mut all = modules.iter().copied();
    all.find(|module| module.name == target.module)
        .ok_or_else(|| {
            let known = modules.iter().map(|module| module.name.clone());
            let diagnostic = OverrideDiagnostic::new(&catalog::NO_MODULE, id, &[&target.module]);
            Box::new(diagnostic.instead_of(&target.module, known))
        })
}

/// Returns the arity of the target; `None` if no item has the name.
fn arity(id: OverrideId, target: &Target, arities: &BTreeSet<usize>) -> Found<Option<usize>> {
    let all: Vec<usize> = arities.iter().copied().collect();
    let written = |arity: &usize| {
        let target = Target {
            arity: Some(*arity),
            ..target.clone()
        };
        format!("`{}`", target.shown())
    };
    let message = match (target.arity, all.as_slice()) {
        (_, []) => return Ok(None),
        (None, [only]) => return Ok(Some(*only)),
        (Some(arity), _) if arities.contains(&arity) => return Ok(Some(arity)),
        (Some(_), _) => &catalog::NO_ARITY,
        (None, _) => &catalog::SEVERAL_ARITIES,
    };
    let there = all.iter().map(written).collect::<Vec<_>>().join(" and ");
    let diagnostic = OverrideDiagnostic::new(message, id, &[&target.shown()]);
    Err(Box::new(diagnostic.hint(format!("there is {there}"))))
}

fn twice(id: OverrideId, target: &Target) -> Box<OverrideDiagnostic> {
    Box::new(OverrideDiagnostic::new(
        &catalog::TWICE,
        id,
        &[&target.shown()],
    ))
}
