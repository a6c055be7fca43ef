//! What of an opaque type can be seen from outside: what kind of term it is.

use otp_specs::types::{Builtin, Type};

use super::context::Context;

/// How many names are followed to what they stand for.
const NAMES: usize = 100;

/// The type of all terms of the same kinds. Nothing in them is looked at: another release of the
/// module may have other parts there.
pub(super) fn outer(cx: &Context<'_>, body: &Type) -> Type {
    let mut kinds = Vec::new();
    collect(cx, body, NAMES, &mut kinds);
    match kinds.len() {
        1 => kinds.remove(0),
        _ if kinds.contains(&Type::Any) || kinds.is_empty() => Type::Any,
        _ => Type::Union(kinds),
    }
}

/// Adds the kinds of a type, each once.
fn collect(cx: &Context<'_>, ty: &Type, names: usize, kinds: &mut Vec<Type>) {
    let kind = match ty {
        Type::Annotated(_, inner) => return collect(cx, inner, names, kinds),
        Type::Union(members) => {
            return members
                .iter()
                .for_each(|member| collect(cx, member, names, kinds));
        }
        Type::Named(name, _) => match cx.facts.world.definition(name) {
            Some(definition) if names > 0 => {
                return collect(cx, &definition.body, names - 1, kinds);
            }
            _ => Type::Any,
        },
        Type::None => return,
        Type::Any | Type::Var(_) | Type::Invalid => Type::Any,
        Type::Atom(_) => Type::Builtin(Builtin::Atom),
        Type::Integer(_) | Type::Range(..) => Type::Builtin(Builtin::Integer),
        Type::Tuple(_) | Type::Record(..) => Type::Builtin(Builtin::Tuple),
        Type::Map(_) => Type::Builtin(Builtin::Map),
        Type::Bitstring { .. } => Type::Builtin(Builtin::Bitstring),
        Type::Fun(..) => Type::Builtin(Builtin::Function),
        Type::Nil
        | Type::List(_)
        | Type::NonemptyList(_)
        | Type::MaybeImproperList(..)
        | Type::NonemptyImproperList(..) => Type::Builtin(Builtin::MaybeImproperList),
        Type::Builtin(builtin) => outer_builtin(*builtin),
    };
    if !kinds.contains(&kind) {
        kinds.push(kind);
    }
}

fn outer_builtin(builtin: Builtin) -> Type {
    Type::Builtin(match builtin {
        Builtin::Atom | Builtin::Boolean | Builtin::Module | Builtin::Node => Builtin::Atom,
        Builtin::Integer
        | Builtin::NonNegInteger
        | Builtin::PosInteger
        | Builtin::NegInteger
        | Builtin::Arity
        | Builtin::Byte
        | Builtin::Char => Builtin::Integer,
        Builtin::Binary
        | Builtin::NonemptyBinary
        | Builtin::Bitstring
        | Builtin::NonemptyBitstring => Builtin::Bitstring,
        Builtin::Tuple | Builtin::Mfa => Builtin::Tuple,
        Builtin::String
        | Builtin::NonemptyString
        | Builtin::List
        | Builtin::NonemptyList
        | Builtin::MaybeImproperList
        | Builtin::NonemptyMaybeImproperList => Builtin::MaybeImproperList,
        Builtin::Float
        | Builtin::Number
        | Builtin::Pid
        | Builtin::Port
        | Builtin::Reference
        | Builtin::Identifier
        | Builtin::Function
        | Builtin::Map => builtin,
        // Several kinds, or one that has no Rust type.
        Builtin::Iodata | Builtin::Iolist | Builtin::Timeout | Builtin::Record => return Type::Any,
    })
}
