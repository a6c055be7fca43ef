//! Reads plain terms.

use crate::ast::{Constant, Integer, Name};

/// `[{f, 1}, …]`. `[f/1, …]` is accepted as well.
pub(crate) fn name_arities(constant: &Constant) -> Option<Vec<(Name, i64)>> {
    match constant {
        Constant::List(elements, None) => elements.iter().map(name_arity).collect(),
        _ => None,
    }
}

fn name_arity(constant: &Constant) -> Option<(Name, i64)> {
    match constant {
        Constant::Tuple(parts) => match parts.as_slice() {
            [
                Constant::Atom(name),
                Constant::Integer(Integer::Small(arity)),
            ] => Some((name.clone(), *arity)),
            _ => None,
        },
        _ => None,
    }
}
