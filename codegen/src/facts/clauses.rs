//! One signature of a function with several clauses: each position is the union of the clauses'.

use otp_specs::types::{Function, Type};

use super::{annotation, bare};

/// A callback's argument types and its result, all clauses taken together.
pub(crate) struct Signature {
    /// One for each argument.
    pub(crate) arguments: Vec<Type>,
    /// The result.
    pub(crate) result: Type,
}

/// The signature of `function`. Positions on which clauses disagree are unions; an annotation
/// stays where all clauses that have one have the same.
pub(crate) fn signature(function: &Function) -> Signature {
    let arguments = (0..function.arity)
        .map(|index| {
            let column: Vec<&Type> = function
                .clauses
                .iter()
                .filter_map(|clause| clause.params.get(index))
                .collect();
            merged(&column)
        })
        .collect();
    let results: Vec<&Type> = function
        .clauses
        .iter()
        .map(|clause| &clause.result)
        .collect();
    Signature {
        arguments,
        result: merged(&results),
    }
}

/// The union of `types`, without duplicates; `term()` when there are none.
pub(crate) fn merged(types: &[&Type]) -> Type {
    let Some(first) = types.first() else {
        return Type::Any;
    };
    if types.iter().all(|ty| ty == first) {
        return (*first).clone();
    }
    let mut members: Vec<Type> = Vec::new();
    for ty in types {
        let inner = match bare(ty) {
            Type::Union(inner) => inner.as_slice(),
            Type::Var(_) => &[Type::Any],
            other => std::slice::from_ref(other),
        };
        for member in inner {
            if !members.contains(member) {
                members.push(member.clone());
            }
        }
    }
    let union = if members.len() == 1 {
        members.remove(0)
    } else {
        Type::Union(members)
    };
    let mut names: Vec<&str> = types.iter().filter_map(|ty| annotation(ty)).collect();
    names.dedup();
    match names.as_slice() {
        [name] => Type::Annotated((*name).to_owned(), Box::new(union)),
        _ => union,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotated(name: &str, ty: Type) -> Type {
        Type::Annotated(name.to_owned(), Box::new(ty))
    }

    #[test]
    fn agreeing_positions_stay_as_they_are() {
        let state = annotated("State", Type::Any);
        assert_eq!(merged(&[&state, &state]), state);
    }

    #[test]
    fn differing_positions_become_one_union_that_keeps_a_common_annotation() {
        let one = annotated("Event", Type::Atom("enter".to_owned()));
        let other = annotated(
            "Event",
            Type::Union(vec![
                Type::Atom("enter".to_owned()),
                Type::Atom("info".to_owned()),
            ]),
        );
        let members = vec![
            Type::Atom("enter".to_owned()),
            Type::Atom("info".to_owned()),
        ];
        assert_eq!(
            merged(&[&one, &other]),
            annotated("Event", Type::Union(members.clone()))
        );
        let renamed = annotated("Type", Type::Atom("info".to_owned()));
        assert_eq!(merged(&[&one, &renamed]), Type::Union(members));
    }
}
