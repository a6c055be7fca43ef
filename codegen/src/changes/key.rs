//! When two types are the same.

use otp_specs::types::{MapField, RecordField, Type};

use crate::facts::DEPTH;
use crate::text;

/// Text in which annotations and variables, which say nothing to the VM, do not count.
pub(super) fn key(ty: &Type) -> String {
    text::erlang(&nameless(ty, DEPTH))
}

fn nameless(ty: &Type, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    let one = |ty: &Type| Box::new(nameless(ty, depth));
    let all = |types: &[Type]| types.iter().map(|ty| nameless(ty, depth)).collect();
    match ty {
        Type::Annotated(_, inner) => nameless(inner, depth),
        Type::Var(_) => Type::Any,
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::List(element) => Type::List(one(element)),
        Type::NonemptyList(element) => Type::NonemptyList(one(element)),
        Type::MaybeImproperList(element, tail) => Type::MaybeImproperList(one(element), one(tail)),
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(one(element), one(tail))
        }
        Type::Map(fields) => Type::Map(fields.iter().map(|it| association(it, depth)).collect()),
        Type::Record(name, fields) => {
            let field = |field: &RecordField| RecordField {
                name: field.name.clone(),
                ty: nameless(&field.ty, depth),
                has_default: field.has_default,
            };
            Type::Record(name.clone(), fields.iter().map(field).collect())
        }
        Type::Fun(arguments, result) => Type::Fun(arguments.as_deref().map(all), one(result)),
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Nil
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Bitstring { .. } => ty.clone(),
    }
}

fn association(field: &MapField, depth: usize) -> MapField {
    MapField {
        key: nameless(&field.key, depth),
        value: nameless(&field.value, depth),
        required: field.required,
    }
}
