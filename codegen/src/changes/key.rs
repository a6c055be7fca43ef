//! Equality of two types.

use otp_specs::types::Type;

use crate::facts::DEPTH;
use crate::facts::rewrite::with_parts;
use crate::text;

/// Returns a text that is equal for equal types. It ignores annotations and variables, which have
/// no meaning for the VM.
pub(super) fn key(ty: &Type) -> String {
    text::erlang(&nameless(ty, DEPTH))
}

fn nameless(ty: &Type, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    match ty {
        Type::Annotated(_, inner) => nameless(inner, depth),
        Type::Var(_) => Type::Any,
        _ => with_parts(ty, &mut |part| nameless(part, depth)),
    }
}
