//! When two types are the same.

use otp_specs::types::Type;

use crate::facts::DEPTH;
use crate::facts::rewrite::with_parts;
use crate::text;

/// Text in which annotations and variables, which say nothing to the VM, do not count.
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
