//! Results that are another name for a union: the clauses behind the name.

use otp_specs::types::{Type, TypeDef};

use super::rewrite::rewrite;
use super::world::World;
use super::{DEPTH, bare};

/// How many names are followed.
const NAMES: usize = 8;

/// Members of a result. A named type with arguments is replaced by the union behind it, since its
/// arguments may be the state; other named types stay.
pub(crate) fn members(world: &World<'_>, result: &Type) -> Option<Vec<Type>> {
    let mut found = Vec::new();
    let expanded = expand(world, result, NAMES);
    match bare(&expanded) {
        Type::Union(members) => {
            for member in members {
                let member = expand(world, member, NAMES);
                match bare(&member) {
                    Type::Union(nested) => found.extend(nested.iter().cloned()),
                    _ => found.push(member),
                }
            }
        }
        Type::Tuple(elements) if !elements.is_empty() => found.push(expanded),
        Type::Atom(_) => found.push(expanded),
        _ => return None,
    }
    Some(found)
}

fn expand(world: &World<'_>, ty: &Type, names: usize) -> Type {
    let Some(names) = names.checked_sub(1) else {
        return ty.clone();
    };
    match bare(ty) {
        Type::Named(name, arguments) if !arguments.is_empty() => match world.definition(name) {
            Some(definition) => {
                let body = substituted(&definition.body, definition, arguments);
                match bare(&body) {
                    Type::Union(_) | Type::Tuple(_) | Type::Named(..) => {
                        expand(world, &body, names)
                    }
                    _ => ty.clone(),
                }
            }
            None => ty.clone(),
        },
        Type::Union(members) => {
            let members = members
                .iter()
                .map(|member| expand(world, member, names))
                .collect();
            Type::Union(members)
        }
        _ => ty.clone(),
    }
}

/// `ty` with the parameters of `definition` replaced by `arguments`.
pub(crate) fn substituted(ty: &Type, definition: &TypeDef, arguments: &[Type]) -> Type {
    rewrite(ty, DEPTH, &mut |part| {
        let Type::Var(name) = part else { return None };
        let mut parameters = definition.params.iter();
        let index = parameters.position(|parameter| parameter == name)?;
        arguments.get(index).cloned()
    })
}
