//! Maps with overlapping associations: in Erlang, the leftmost one whose key type contains the key
//! determines the value.
//!
//! A key that is a single atom becomes a field of a struct, wherever it is. It therefore gets the
//! type of the association that determines its value. If its own association adds nothing to that
//! one, it is left out.

use std::borrow::Cow;

use otp_specs::types::{Builtin, Function, MapField, Module, Type};

use super::rewrite::with_parts;
use super::world::World;
use super::{DEPTH, bare};

/// Whether a type contains a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    Yes,
    No,
    /// This depends on the values of type variables, or on a missing module.
    Unknown,
}

/// Returns `modules`, in which each atom that is a key of a map has the value of the leftmost
/// matching association. The text of the forms is kept.
pub(crate) fn resolved<'m>(modules: &[&'m Module]) -> Vec<Cow<'m, Module>> {
    let world = World::of(modules.iter().copied());
    let resolved = |module: &&'m Module| {
        let mut module = Cow::Borrowed(*module);
        if types(&module).any(|ty| has_shadowed(ty, DEPTH)) {
            rewrite_all(&world, module.to_mut());
        }
        module
    };
    modules.iter().map(resolved).collect()
}

fn types(module: &Module) -> impl Iterator<Item = &Type> {
    let functions = module.callbacks.iter().chain(&module.functions);
    let clauses = functions.flat_map(|function| &function.clauses);
    let fields = module.records.iter().flat_map(|record| &record.fields);
    let bodies = module.types.iter().map(|definition| &definition.body);
    bodies
        .chain(fields.map(|field| &field.ty))
        .chain(clauses.flat_map(|clause| clause.params.iter().chain([&clause.result])))
}

/// Returns whether a known key is behind another association anywhere in a type.
fn has_shadowed(ty: &Type, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if let Type::Map(fields) = ty {
        let mut after = fields.iter().skip_while(|field| atom(field).is_some());
        if after.any(|field| atom(field).is_some()) {
            return true;
        }
    }
    let mut found = false;
    with_parts(ty, &mut |part| {
        found = found || has_shadowed(part, depth);
        Type::Any
    });
    found
}

fn rewrite_all(world: &World<'_>, module: &mut Module) {
    for definition in &mut module.types {
        definition.body = rewritten(world, &definition.body, DEPTH);
    }
    for field in module
        .records
        .iter_mut()
        .flat_map(|record| &mut record.fields)
    {
        field.ty = rewritten(world, &field.ty, DEPTH);
    }
    let functions = module.callbacks.iter_mut().chain(&mut module.functions);
    let clauses = functions.flat_map(|function: &mut Function| &mut function.clauses);
    for clause in clauses {
        let results = std::iter::once(&mut clause.result);
        for ty in clause.params.iter_mut().chain(results) {
            *ty = rewritten(world, ty, DEPTH);
        }
    }
}

fn rewritten(world: &World<'_>, ty: &Type, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return ty.clone();
    };
    match with_parts(ty, &mut |part| rewritten(world, part, depth)) {
        Type::Map(fields) => Type::Map(leftmost(world, &fields)),
        other => other,
    }
}

fn leftmost(world: &World<'_>, fields: &[MapField]) -> Vec<MapField> {
    let mut kept = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let Some(key) = atom(field) else {
            kept.push(field.clone());
            continue;
        };
        let mut values = Vec::new();
        let mut is_shadowed = false;
        for earlier in fields[..index].iter().filter(|one| atom(one).is_none()) {
            match has(world, &earlier.key, key, DEPTH) {
                Has::No => continue,
                Has::Yes => is_shadowed = true,
                Has::Unknown => {}
            }
            values.push(earlier.value.clone());
            if is_shadowed {
                break;
            }
        }
        if is_shadowed && values.len() == 1 && !field.required {
            continue;
        }
        if !is_shadowed {
            values.push(field.value.clone());
        }
        kept.push(MapField {
            value: union(values),
            ..field.clone()
        });
    }
    kept
}

/// Returns the union of one or more types.
fn union(mut types: Vec<Type>) -> Type {
    if types.len() == 1 {
        return types.remove(0);
    }
    let members = types.into_iter().flat_map(|ty| match ty {
        Type::Union(members) => members,
        other => vec![other],
    });
    Type::Union(members.collect())
}

/// Returns whether the type contains the atom.
fn has(world: &World<'_>, ty: &Type, key: &str, depth: usize) -> Has {
    let Some(depth) = depth.checked_sub(1) else {
        return Has::Unknown;
    };
    match bare(ty) {
        Type::Any => Has::Yes,
        Type::Var(_) | Type::Invalid => Has::Unknown,
        Type::Atom(atom) if atom == key => Has::Yes,
        Type::Builtin(Builtin::Atom | Builtin::Module | Builtin::Node) => Has::Yes,
        Type::Builtin(Builtin::Boolean) if matches!(key, "true" | "false") => Has::Yes,
        Type::Builtin(Builtin::Timeout) if key == "infinity" => Has::Yes,
        Type::Named(name, _) => match world.definition(name) {
            Some(definition) => has(world, &definition.body, key, depth),
            None => Has::Unknown,
        },
        Type::Union(members) => {
            let all = members.iter().map(|member| has(world, member, key, depth));
            all.fold(Has::No, |so_far, member| match (so_far, member) {
                (Has::Yes, _) | (_, Has::Yes) => Has::Yes,
                (Has::Unknown, _) | (_, Has::Unknown) => Has::Unknown,
                (Has::No, Has::No) => Has::No,
            })
        }
        _ => Has::No,
    }
}

/// Returns the key of an association, if it is one atom.
fn atom(field: &MapField) -> Option<&str> {
    match bare(&field.key) {
        Type::Atom(key) => Some(key),
        _ => None,
    }
}
