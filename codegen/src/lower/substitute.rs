//! Results that are another name for a union: the clauses behind the name.

use otp_specs::types::{MapField, Type, TypeDef};

use crate::facts::world::World;
use crate::facts::{DEPTH, bare};

/// How many names are followed.
const NAMES: usize = 8;

/// Members of a result. A named type with arguments is replaced by the union behind it, since its
/// arguments may be the state; other named types stay.
pub(super) fn members(world: &World<'_>, result: &Type) -> Option<Vec<Type>> {
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
                let body = substitute(&definition.body, definition, arguments, DEPTH);
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
    substitute(ty, definition, arguments, DEPTH)
}

fn substitute(ty: &Type, definition: &TypeDef, arguments: &[Type], depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    let all = |types: &[Type]| -> Vec<Type> {
        types
            .iter()
            .map(|ty| substitute(ty, definition, arguments, depth))
            .collect()
    };
    let one = |ty: &Type| Box::new(substitute(ty, definition, arguments, depth));
    match ty {
        Type::Var(name) => {
            let index = definition
                .params
                .iter()
                .position(|parameter| parameter == name);
            index
                .and_then(|index| arguments.get(index))
                .cloned()
                .unwrap_or_else(|| ty.clone())
        }
        Type::Annotated(name, inner) => {
            Type::Annotated(name.clone(), Box::new(bare(&one(inner)).clone()))
        }
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::List(element) => Type::List(one(element)),
        Type::NonemptyList(element) => Type::NonemptyList(one(element)),
        Type::MaybeImproperList(element, tail) => Type::MaybeImproperList(one(element), one(tail)),
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(one(element), one(tail))
        }
        Type::Map(fields) => Type::Map(
            fields
                .iter()
                .map(|field| MapField {
                    key: *one(&field.key),
                    value: *one(&field.value),
                    required: field.required,
                })
                .collect(),
        ),
        Type::Fun(parameters, result) => Type::Fun(parameters.as_deref().map(all), one(result)),
        Type::Any
        | Type::None
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Nil
        | Type::Record(..)
        | Type::Bitstring { .. }
        | Type::Invalid => ty.clone(),
    }
}
