//! The breadth of a union's members, so that narrow members are tried before wide ones.

use std::collections::BTreeMap;

use otp_specs::types::{Builtin, Type};

use super::world::World;

/// Kinds of terms. Members of different families have no value in common, or are tried in their
/// written order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    Atom,
    Number,
    Bits,
    List,
    Tuple,
    Map,
    Fun,
    Identifier,
}

/// Returns the order in which the narrower of `members` come before the wider of each family.
/// Otherwise the order is unchanged: the members of a family occupy the positions that the family
/// had. `is_term` tells whether a type's Rust type accepts any term.
pub(crate) fn narrow_first(
    world: &World<'_>,
    members: &[Type],
    is_term: &dyn Fn(&Type) -> bool,
) -> Vec<usize> {
    let breadths: Vec<Option<(Family, u8)>> = members
        .iter()
        .map(|member| breadth(world, member, is_term))
        .collect();
    let mut positions: BTreeMap<Family, Vec<usize>> = BTreeMap::new();
    for (position, found) in breadths.iter().enumerate() {
        if let Some((family, _)) = found {
            positions.entry(*family).or_default().push(position);
        }
    }
    let rank = |index: usize| breadths[index].map_or(0, |(_, rank)| rank);
    let mut order: Vec<usize> = (0..members.len()).collect();
    for of_family in positions.into_values() {
        let mut sorted = of_family.clone();
        sorted.sort_by_key(|index| rank(*index));
        for (position, index) in of_family.into_iter().zip(sorted) {
            order[position] = index;
        }
    }
    order
}

/// Returns the family of `ty` and its breadth in the family; `None` if it cannot be compared.
fn breadth(world: &World<'_>, ty: &Type, is_term: &dyn Fn(&Type) -> bool) -> Option<(Family, u8)> {
    Some(match world.behind_names(ty)? {
        ty @ Type::Union(_) => {
            return world.only_atoms(ty).then_some((Family::Atom, 0));
        }
        Type::Builtin(builtin) => return of_builtin(*builtin),
        Type::Atom(_) => (Family::Atom, 0),
        Type::Integer(_) => (Family::Number, 0),
        Type::Range(..) => (Family::Number, 1),
        Type::Tuple(_) | Type::Record(..) => (Family::Tuple, 0),
        Type::Nil => (Family::List, 0),
        Type::List(element) | Type::NonemptyList(element) => {
            if is_term(element) {
                (Family::List, 5)
            } else {
                (Family::List, 3)
            }
        }
        Type::MaybeImproperList(..) | Type::NonemptyImproperList(..) => (Family::List, 4),
        Type::Map(fields) => match fields.iter().any(|field| field.required) {
            _ if fields.is_empty() => (Family::Map, 0),
            true => (Family::Map, 1),
            false => (Family::Map, 2),
        },
        Type::Bitstring { .. } => (Family::Bits, 0),
        Type::Fun(Some(_), _) => (Family::Fun, 0),
        Type::Fun(None, _) => (Family::Fun, 1),
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Var(_)
        | Type::Named(..)
        | Type::Annotated(..) => return None,
    })
}

fn of_builtin(builtin: Builtin) -> Option<(Family, u8)> {
    Some(match builtin {
        Builtin::Boolean => (Family::Atom, 0),
        Builtin::Atom | Builtin::Module | Builtin::Node => (Family::Atom, 1),
        Builtin::Byte | Builtin::Char | Builtin::Arity => (Family::Number, 1),
        Builtin::PosInteger | Builtin::NegInteger => (Family::Number, 2),
        Builtin::NonNegInteger => (Family::Number, 3),
        Builtin::Integer | Builtin::Float => (Family::Number, 4),
        Builtin::Number => (Family::Number, 5),
        Builtin::NonemptyBinary => (Family::Bits, 1),
        Builtin::Binary => (Family::Bits, 2),
        Builtin::NonemptyBitstring => (Family::Bits, 3),
        Builtin::Bitstring => (Family::Bits, 4),
        Builtin::Iodata => (Family::Bits, 5),
        Builtin::NonemptyString => (Family::List, 1),
        Builtin::String => (Family::List, 2),
        Builtin::Iolist => (Family::List, 4),
        Builtin::List | Builtin::NonemptyList => (Family::List, 5),
        Builtin::MaybeImproperList | Builtin::NonemptyMaybeImproperList => (Family::List, 6),
        Builtin::Mfa => (Family::Tuple, 0),
        Builtin::Tuple => (Family::Tuple, 1),
        Builtin::Map => (Family::Map, 3),
        Builtin::Function => (Family::Fun, 2),
        Builtin::Pid | Builtin::Port | Builtin::Reference => (Family::Identifier, 0),
        Builtin::Identifier => (Family::Identifier, 1),
        // Milliseconds or an atom: they belong to neither family. A native record belongs to no
        // family.
        Builtin::Timeout | Builtin::Record => return None,
    })
}
