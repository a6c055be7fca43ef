//! Queries on resolved types that all stages use.

use otp_specs::types::Type;

/// Returns `ty` without its annotations.
pub(crate) fn bare(mut ty: &Type) -> &Type {
    while let Type::Annotated(_, inner) = ty {
        ty = inner;
    }
    ty
}

/// Returns the outermost annotation of `ty`. A variable without a bound counts as an annotated
/// `term()`.
pub(crate) fn annotation(ty: &Type) -> Option<&str> {
    match ty {
        Type::Annotated(name, _) | Type::Var(name) => Some(name),
        _ => None,
    }
}

/// Returns the atom at the head of a tuple, and the rest.
pub(crate) fn split_tag(elements: &[Type]) -> Option<(&str, &[Type])> {
    let (first, rest) = elements.split_first()?;
    match bare(first) {
        Type::Atom(tag) => Some((tag, rest)),
        _ => None,
    }
}
