//! Types with parts of them replaced.

use otp_specs::types::{MapField, RecordField, Type};

use super::bare;

/// `ty` with every part for which `replace` has another one replaced by that, from the outside
/// in. Parts deeper than `depth` become `term()`; the fields of records stay.
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

/// `ty` with each of the types directly inside of it replaced.
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
