//! Facts about the input, computed once. `lower` draws the conclusions from them; a writer never
//! does.

pub(crate) mod alternatives;
pub(crate) mod breadth;
pub(crate) mod callbacks;
pub(crate) mod clauses;
pub(crate) mod growth;
pub(crate) mod headers;
pub(crate) mod leftmost;
pub(crate) mod module_names;
pub(crate) mod opaque;
pub(crate) mod recursion;
pub(crate) mod references;
pub(crate) mod rewrite;
pub(crate) mod roles;
pub(crate) mod scope;
pub(crate) mod synonyms;
pub(crate) mod type_names;
mod unions;
pub(crate) mod world;

use otp_specs::types::Type;

pub(crate) use crate::types::{annotation, bare};

/// Maximum depth of a type. Deeper types are lowered to the dynamic term. OTP's own types stay
/// below half of it, and the parser of the generated Rust needs most of a thread's stack at twice
/// of it.
pub(crate) const DEPTH: usize = 24;

/// Returns the types directly inside `ty`, each with whether the Rust type contains it by value,
/// that is, without a list, map or other heap structure between them.
pub(crate) fn parts(ty: &Type) -> Vec<(&Type, bool)> {
    match ty {
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Nil
        | Type::Var(_)
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Bitstring { .. }
        | Type::MaybeImproperList(..)
        | Type::NonemptyImproperList(..)
        | Type::Fun(..) => Vec::new(),
        Type::Annotated(_, inner) => vec![(inner, true)],
        Type::Named(_, arguments) => by_value(arguments),
        Type::Union(members) => by_value(members),
        Type::Tuple(elements) => by_value(elements),
        Type::List(element) | Type::NonemptyList(element) => vec![(element, false)],
        // A known key is a field of a struct.
        Type::Map(fields) => fields
            .iter()
            .flat_map(|field| {
                let known = matches!(bare(&field.key), Type::Atom(_));
                [(&field.key, false), (&field.value, known)]
            })
            .collect(),
        Type::Record(_, fields) => fields.iter().map(|field| (&field.ty, true)).collect(),
    }
}

fn by_value(types: &[Type]) -> Vec<(&Type, bool)> {
    types.iter().map(|ty| (ty, true)).collect()
}

/// Returns whether `is_sought` is true for a part of `ty`.
pub(crate) fn occurs(ty: &Type, is_sought: &impl Fn(&Type) -> bool, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut within = parts(ty).into_iter();
    is_sought(ty) || within.any(|(part, _)| occurs(part, is_sought, depth))
}
