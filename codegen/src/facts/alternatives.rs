//! Types of several modules that are alternatives of each other: `a:t() :: x | b:t()` and `b:t() ::
//! y | a:t()` have equal values. Within one module, the resolver refuses such types.

use std::borrow::Cow;
use std::collections::BTreeSet;

use otp_specs::types::{Module, Type, TypeName};

use super::bare;
use super::rewrite::substituted;
use super::world::{World, type_name};

/// Returns `modules`, in which a type that is one of its own alternatives is replaced by the
/// alternatives of the other types, because an enum cannot contain itself in that way. The text of
/// the forms is kept.
pub(crate) fn expanded<'m>(modules: &'m [Cow<'m, Module>]) -> Vec<Cow<'m, Module>> {
    let world = World::of(modules.iter().map(Cow::as_ref));
    let expanded = |module: &'m Cow<'m, Module>| {
        let mut module = Cow::Borrowed(&**module);
        for index in 0..module.types.len() {
            let body = module
                .types
                .get(index)
                .and_then(|definition| without_itself(&world, &type_name(&module, definition)));
            if let Some(body) = body
                && let Some(definition) = module.to_mut().types.get_mut(index)
            {
                definition.body = body;
            }
        }
        module
    };
    modules.iter().map(expanded).collect()
}

/// Returns the body of the type without references to itself, if it has some.
fn without_itself(world: &World<'_>, name: &TypeName) -> Option<Type> {
    let body = &world.definition(name)?.body;
    if !leads_to(world, body, name, &mut BTreeSet::new()) {
        return None;
    }
    let mut found = Vec::new();
    let mut open = BTreeSet::from([name.clone()]);
    collect(world, body, name, &mut open, &mut found);
    Some(match found.len() {
        // The definitions do not determine any values.
        0 => Type::Invalid,
        1 => found.remove(0),
        _ => Type::Union(found),
    })
}

/// Collects the alternatives of `ty` that do not lead to `name`.
fn collect(
    world: &World<'_>,
    ty: &Type,
    name: &TypeName,
    open: &mut BTreeSet<TypeName>,
    found: &mut Vec<Type>,
) {
    match bare(ty) {
        Type::Union(members) => {
            for member in members {
                collect(world, member, name, open, found);
            }
        }
        Type::Named(other, arguments) if leads_to(world, ty, name, &mut BTreeSet::new()) => {
            if open.insert(TypeName::clone(other))
                && let Some(definition) = world.definition(other)
            {
                let body = substituted(&definition.body, definition, arguments);
                collect(world, &body, name, open, found);
            }
        }
        _ if found.contains(ty) => {}
        _ => found.push(ty.clone()),
    }
}

/// Returns whether one of the alternatives of `ty` is the type.
fn leads_to(world: &World<'_>, ty: &Type, name: &TypeName, seen: &mut BTreeSet<TypeName>) -> bool {
    match bare(ty) {
        Type::Union(members) => members
            .iter()
            .any(|member| leads_to(world, member, name, seen)),
        Type::Named(other, _) if **other == *name => true,
        Type::Named(other, _) => {
            seen.insert(TypeName::clone(other))
                && world
                    .definition(other)
                    .is_some_and(|definition| leads_to(world, &definition.body, name, seen))
        }
        _ => false,
    }
}
