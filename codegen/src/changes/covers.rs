//! Decides whether every value of one type is also a value of another.

use otp_specs::types::{Builtin, Type};

use super::key::key;
use crate::facts::{DEPTH, bare};

/// Returns whether `wide` contains all of `narrow`; `false` if a structural comparison cannot
/// decide.
pub(super) fn covers(wide: &Type, narrow: &Type) -> bool {
    covers_to(wide, narrow, DEPTH)
}

fn covers_to(wide: &Type, narrow: &Type, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let inside = |wide: &Type, narrow: &Type| covers_to(wide, narrow, depth);
    match (bare(wide), bare(narrow)) {
        (Type::Any | Type::Var(_), _) => true,
        (wide, Type::Union(members)) => members.iter().all(|narrow| inside(wide, narrow)),
        (Type::Union(members), narrow) => members.iter().any(|wide| inside(wide, narrow)),
        (Type::Builtin(Builtin::Atom), Type::Atom(_)) | (Type::List(_), Type::Nil) => true,
        (Type::Tuple(wide), Type::Tuple(narrow)) => {
            wide.len() == narrow.len()
                && (wide.iter().zip(narrow)).all(|(wide, narrow)| inside(wide, narrow))
        }
        (Type::List(wide), Type::List(narrow) | Type::NonemptyList(narrow))
        | (Type::NonemptyList(wide), Type::NonemptyList(narrow)) => inside(wide, narrow),
        (wide, narrow) => key(wide) == key(narrow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_types_cover_narrow_ones_alone() {
        let atom = Type::Builtin(Builtin::Atom);
        let literal = Type::Atom("a".to_owned());
        let tuple =
            |ty: &Type| Type::Tuple(vec![literal.clone(), Type::List(Box::new(ty.clone()))]);
        let union = Type::Union(vec![literal.clone(), Type::Nil]);
        let pairs = [
            (&Type::Any, &atom),
            (&atom, &literal),
            (&union, &literal),
            (&tuple(&atom), &tuple(&literal)),
            (&tuple(&union), &tuple(&literal)),
            (&Type::List(Box::new(atom.clone())), &Type::Nil),
        ];
        for (wide, narrow) in pairs {
            assert!(covers(wide, narrow), "{wide:?} {narrow:?}");
            assert!(!covers(narrow, wide), "{narrow:?} {wide:?}");
        }
    }
}
