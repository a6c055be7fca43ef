//! Type variables of a clause: which stay generic.
//!
//! A variable is generic when it ties types together: it occurs in an argument and in the result,
//! or twice in arguments. Any other is `term()`, as is one that only the result has: nothing would
//! say what it is.

use std::collections::BTreeMap;

use otp_specs::types::{MapField, RecordField, Type};

use crate::facts::DEPTH;
use crate::facts::references::all_parts;

/// Where a variable occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    /// How often in arguments.
    pub(crate) arguments: usize,
    /// How often in the result.
    pub(crate) result: usize,
}

/// The variables of a clause that stay generic.
pub(crate) fn generic(params: &[Type], result: &Type) -> BTreeMap<String, Uses> {
    let mut uses: BTreeMap<String, Uses> = BTreeMap::new();
    for param in params {
        count(param, DEPTH, &mut |name| {
            uses.entry(name.to_owned()).or_default().arguments += 1;
        });
    }
    count(result, DEPTH, &mut |name| {
        uses.entry(name.to_owned()).or_default().result += 1;
    });
    uses.retain(|_, uses| uses.arguments >= 1 && uses.arguments + uses.result >= 2);
    uses
}

/// `name` if `ty` is a variable: without a bound, or with `term()` as its bound. An argument's name
/// may stand in front of it: `Key :: K`.
fn variable(ty: &Type) -> Option<&str> {
    let name = match ty {
        Type::Var(name) => name.as_str(),
        Type::Annotated(name, inner) if **inner == Type::Any => name.as_str(),
        Type::Annotated(_, inner) => variable(inner)?,
        _ => return None,
    };
    (!name.starts_with('_')).then_some(name)
}

fn count(ty: &Type, depth: usize, found: &mut impl FnMut(&str)) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Some(name) = variable(ty) {
        return found(name);
    }
    for part in all_parts(ty) {
        count(part, depth, found);
    }
}

/// `ty` with generic variables written as such and all others as `term()`. Names of arguments stay.
pub(crate) fn settled(ty: &Type, generic: &BTreeMap<String, Uses>) -> Type {
    settle(ty, generic, DEPTH)
}

fn settle(ty: &Type, generic: &BTreeMap<String, Uses>, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return ty.clone();
    };
    let one = |ty: &Type| Box::new(settle(ty, generic, depth));
    let all = |types: &[Type]| types.iter().map(|ty| *one(ty)).collect::<Vec<_>>();
    match ty {
        Type::Annotated(name, inner) => match variable(ty) {
            Some(variable) if generic.contains_key(variable) => {
                Type::Annotated(name.clone(), Box::new(Type::Var(variable.to_owned())))
            }
            Some(_) => Type::Annotated(name.clone(), Box::new(Type::Any)),
            None => Type::Annotated(name.clone(), one(inner)),
        },
        Type::Var(name) if generic.contains_key(name) => ty.clone(),
        Type::Var(name) => Type::Annotated(name.clone(), Box::new(Type::Any)),
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::List(element) => Type::List(one(element)),
        Type::NonemptyList(element) => Type::NonemptyList(one(element)),
        Type::MaybeImproperList(element, tail) => Type::MaybeImproperList(one(element), one(tail)),
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(one(element), one(tail))
        }
        Type::Map(fields) => {
            let field = |field: &MapField| MapField {
                key: *one(&field.key),
                value: *one(&field.value),
                required: field.required,
            };
            Type::Map(fields.iter().map(field).collect())
        }
        Type::Record(name, fields) => {
            let field = |field: &RecordField| RecordField {
                ty: *one(&field.ty),
                ..field.clone()
            };
            Type::Record(name.clone(), fields.iter().map(field).collect())
        }
        Type::Fun(arguments, result) => Type::Fun(arguments.as_deref().map(all), one(result)),
        Type::Any
        | Type::None
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Nil
        | Type::Bitstring { .. }
        | Type::Invalid => ty.clone(),
    }
}
