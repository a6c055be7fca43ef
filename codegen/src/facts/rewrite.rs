//! Types with parts of them replaced.

use otp_specs::types::{MapField, Type};

use super::bare;

/// `ty` with every part for which `replace` has another one replaced by that, from the outside
/// in. Parts deeper than `depth` become `term()`.
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
    let mut all = |types: &[Type]| -> Vec<Type> {
        types.iter().map(|ty| rewrite(ty, depth, replace)).collect()
    };
    match ty {
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::Map(fields) => {
            let field = |field: &MapField| MapField {
                key: rewrite(&field.key, depth, replace),
                value: rewrite(&field.value, depth, replace),
                required: field.required,
            };
            Type::Map(fields.iter().map(field).collect())
        }
        Type::Fun(parameters, result) => {
            let parameters = parameters.as_deref().map(&mut all);
            Type::Fun(parameters, Box::new(rewrite(result, depth, replace)))
        }
        Type::Annotated(name, inner) => {
            let inner = rewrite(inner, depth, replace);
            Type::Annotated(name.clone(), Box::new(bare(&inner).clone()))
        }
        other => one_part(other, &mut |part| Box::new(rewrite(part, depth, replace))),
    }
}

/// A type of at most two parts, with those replaced.
fn one_part(ty: &Type, part: &mut impl FnMut(&Type) -> Box<Type>) -> Type {
    match ty {
        Type::List(element) => Type::List(part(element)),
        Type::NonemptyList(element) => Type::NonemptyList(part(element)),
        Type::MaybeImproperList(element, tail) => {
            Type::MaybeImproperList(part(element), part(tail))
        }
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(part(element), part(tail))
        }
        other => other.clone(),
    }
}
