//! Types that are written differently and contain the same terms, such as `byte()` and `0..255`.

use std::borrow::Cow;

use otp_specs::types::{Builtin, Int, Type};

use super::rewrite::with_parts;
use super::{DEPTH, bare};

/// Returns the canonical spelling of a type: two types with equal spellings have the same terms.
/// The spelling has no annotations, replaces predefined types by their definitions, and sorts the
/// members of unions. Named types of modules are not expanded, so two names are never synonyms.
pub(crate) fn canonical(ty: &Type) -> Cow<'_, Type> {
    match bare(ty) {
        ty @ (Type::Atom(_) | Type::Integer(_) | Type::Nil | Type::Var(_)) => Cow::Borrowed(ty),
        ty => Cow::Owned(spelled(ty, DEPTH)),
    }
}

fn spelled(ty: &Type, depth: usize) -> Type {
    let ty = bare(ty);
    let Some(depth) = depth.checked_sub(1) else {
        return ty.clone();
    };
    if let Type::Builtin(builtin) = ty {
        return defined(*builtin).unwrap_or_else(|| ty.clone());
    }
    match with_parts(ty, &mut |part| spelled(part, depth)) {
        Type::Union(members) => {
            let nested = members.into_iter().flat_map(|member| match member {
                Type::Union(nested) => nested,
                member => vec![member],
            });
            let mut members: Vec<Type> = nested.collect();
            members.sort_unstable();
            members.dedup();
            match <[Type; 1]>::try_from(members) {
                Ok([only]) => only,
                Err(several) => Type::Union(several),
            }
        }
        other => other,
    }
}

/// Returns the definition of a predefined type, if it is not a set of terms of its own.
fn defined(builtin: Builtin) -> Option<Type> {
    let range = |last| Type::Range(Int::Small(0), Int::Small(last));
    let list = |element| Type::List(Box::new(element));
    Some(match builtin {
        Builtin::Arity | Builtin::Byte => range(255),
        Builtin::Char => range(0x10_FFFF),
        Builtin::Module | Builtin::Node => Type::Builtin(Builtin::Atom),
        Builtin::List => list(Type::Any),
        Builtin::NonemptyList => Type::NonemptyList(Box::new(Type::Any)),
        Builtin::String => list(range(0x10_FFFF)),
        Builtin::NonemptyString => Type::NonemptyList(Box::new(range(0x10_FFFF))),
        Builtin::Mfa => {
            let atom = Type::Builtin(Builtin::Atom);
            Type::Tuple(vec![atom.clone(), atom, range(255)])
        }
        Builtin::Binary => Type::Bitstring { size: 0, unit: 8 },
        Builtin::Bitstring => Type::Bitstring { size: 0, unit: 1 },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(builtin: Builtin) -> Type {
        Type::Builtin(builtin)
    }

    #[test]
    fn synonyms_have_one_spelling() {
        let byte = || Type::Range(Int::Small(0), Int::Small(255));
        let list = |ty| Type::List(Box::new(ty));
        let (a, b) = (Type::Atom("a".to_owned()), Type::Atom("b".to_owned()));
        let union = |members: [&Type; 2]| Type::Union(members.map(Clone::clone).to_vec());
        for (one, other) in [
            (of(Builtin::Arity), byte()),
            (list(of(Builtin::Byte)), list(of(Builtin::Arity))),
            (of(Builtin::String), list(of(Builtin::Char))),
            (list(Type::Any), of(Builtin::List)),
            (of(Builtin::Binary), Type::Bitstring { size: 0, unit: 8 }),
            (list(union([&a, &b])), list(union([&b, &a]))),
            (list(union([&a, &a])), list(a.clone())),
            (
                Type::Annotated("X".to_owned(), Box::new(of(Builtin::Byte))),
                byte(),
            ),
        ] {
            assert_eq!(canonical(&one), canonical(&other));
        }
    }

    #[test]
    fn different_sets_of_terms_stay_different() {
        for (one, other) in [
            (of(Builtin::Byte), of(Builtin::Char)),
            (of(Builtin::Integer), of(Builtin::NonNegInteger)),
            (of(Builtin::Binary), of(Builtin::NonemptyBinary)),
            (of(Builtin::String), of(Builtin::NonemptyString)),
        ] {
            assert_ne!(canonical(&one), canonical(&other));
        }
    }
}
