//! Replaces parts of types: variables by their values, and names by their definitions.

use std::sync::Arc;

use otp_specs::types::{MapField, RecordField, Type, TypeDef, TypeName};

use super::world::World;
use super::{DEPTH, bare};

/// Replaces parts of `ty` by the results of `replace`, from the outside in. `None` keeps a part.
/// Parts deeper than `depth` become `term()`; the fields of records are kept.
pub(crate) fn rewrite(
    ty: &Type,
    depth: usize,
    replace: &mut impl FnMut(&Type) -> Option<Type>,
) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    if let Some(other) = replace(ty) {
        return other;
    }
    let mut part = |ty: &Type| rewrite(ty, depth, replace);
    match ty {
        Type::Annotated(name, inner) => {
            let inner = part(inner);
            Type::Annotated(name.clone(), Box::new(bare(&inner).clone()))
        }
        Type::Record(..) => ty.clone(),
        _ => with_parts(ty, &mut part),
    }
}

/// Returns `ty` with each of the types directly inside it replaced.
pub(crate) fn with_parts(ty: &Type, part: &mut dyn FnMut(&Type) -> Type) -> Type {
    match ty {
        Type::Annotated(name, inner) => Type::Annotated(name.clone(), Box::new(part(inner))),
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments, part)),
        Type::Union(members) => Type::Union(all(members, part)),
        Type::Tuple(elements) => Type::Tuple(all(elements, part)),
        Type::List(element) => Type::List(Box::new(part(element))),
        Type::NonemptyList(element) => Type::NonemptyList(Box::new(part(element))),
        Type::MaybeImproperList(element, tail) => {
            Type::MaybeImproperList(Box::new(part(element)), Box::new(part(tail)))
        }
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(Box::new(part(element)), Box::new(part(tail)))
        }
        Type::Map(fields) => Type::Map(associations(fields, part)),
        Type::Record(name, fields) => {
            let field = |field: &RecordField| RecordField {
                ty: part(&field.ty),
                ..field.clone()
            };
            Type::Record(name.clone(), fields.iter().map(field).collect())
        }
        Type::Fun(parameters, result) => {
            let parameters = parameters.as_deref().map(|types| all(types, part));
            Type::Fun(parameters, Box::new(part(result)))
        }
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Nil
        | Type::Var(_)
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Bitstring { .. } => ty.clone(),
    }
}

/// Returns `ty` with other names of types in it, down to `depth`. The second argument of `name`
/// tells whether the name is that of a record.
pub(crate) fn renamed(
    ty: &Type,
    depth: usize,
    name: &dyn Fn(&TypeName, bool) -> Option<TypeName>,
) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return ty.clone();
    };
    let new = |old: Arc<TypeName>, is_record| name(&old, is_record).map_or(old, Arc::new);
    match with_parts(ty, &mut |part| renamed(part, depth, name)) {
        Type::Named(old, arguments) => Type::Named(new(old, false), arguments),
        Type::Record(old, fields) => Type::Record(new(old, true), fields),
        other => other,
    }
}

fn all(types: &[Type], part: &mut dyn FnMut(&Type) -> Type) -> Vec<Type> {
    types.iter().map(part).collect()
}

fn associations(fields: &[MapField], part: &mut dyn FnMut(&Type) -> Type) -> Vec<MapField> {
    let field = |field: &MapField| MapField {
        key: part(&field.key),
        value: part(&field.value),
        required: field.required,
    };
    fields.iter().map(field).collect()
}

/// Maximum number of names that are followed.
const NAMES: usize = 8;

/// Returns the members of a result. A named type with arguments is replaced by the union that it
/// stands for, since its arguments may be the state. Other named types are kept, and so are those
/// that `stays` selects.
pub(crate) fn members(
    world: &World<'_>,
    result: &Type,
    stays: &dyn Fn(&TypeName) -> bool,
) -> Option<Vec<Type>> {
    let mut found = Vec::new();
    let expanded = expand(world, result, stays, NAMES);
    match bare(&expanded) {
        Type::Union(members) => {
            for member in members {
                let member = expand(world, member, stays, NAMES);
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

fn expand(world: &World<'_>, ty: &Type, stays: &dyn Fn(&TypeName) -> bool, names: usize) -> Type {
    let Some(names) = names.checked_sub(1) else {
        return ty.clone();
    };
    match bare(ty) {
        Type::Named(name, _) if stays(name) => ty.clone(),
        Type::Named(name, arguments) if !arguments.is_empty() => match world.definition(name) {
            Some(definition) => {
                let body = substituted(&definition.body, definition, arguments);
                match bare(&body) {
                    Type::Union(_) | Type::Tuple(_) | Type::Named(..) => {
                        expand(world, &body, stays, names)
                    }
                    _ => ty.clone(),
                }
            }
            None => ty.clone(),
        },
        Type::Union(members) => {
            let members = members
                .iter()
                .map(|member| expand(world, member, stays, names))
                .collect();
            Type::Union(members)
        }
        _ => ty.clone(),
    }
}

/// Returns `ty` with the parameters of `definition` replaced by `arguments`.
pub(crate) fn substituted(ty: &Type, definition: &TypeDef, arguments: &[Type]) -> Type {
    rewrite(ty, DEPTH, &mut |part| {
        let Type::Var(name) = part else { return None };
        let mut parameters = definition.params.iter();
        let index = parameters.position(|parameter| parameter == name)?;
        arguments.get(index).cloned()
    })
}
