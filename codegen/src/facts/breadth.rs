//! How much a member of a union accepts, so that narrow members are tried before wide ones.

use otp_specs::types::{Builtin, Type};

use super::world::World;
use super::{DEPTH, bare};

/// Kinds of terms; members of different families have no value in common, or share it as they were
/// written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// `members` with the narrower before the wider of each family, otherwise in their order: a
/// family's members stay on the places that the family has.
pub(crate) fn narrow_first(world: &World<'_>, members: Vec<Type>) -> Vec<Type> {
    let breadths: Vec<Option<(Family, u8)>> = members
        .iter()
        .map(|member| breadth(world, member, DEPTH))
        .collect();
    let mut order: Vec<usize> = (0..members.len()).collect();
    for (place, found) in breadths.iter().enumerate() {
        let Some((family, _)) = found else {
            continue;
        };
        let of_family = |index: &usize| breadths[*index].is_some_and(|(other, _)| other == *family);
        let rank = |index: usize| breadths[index].map_or(0, |(_, rank)| rank);
        let mut places: Vec<usize> = (0..members.len()).filter(of_family).collect();
        // Once for each family, at its first member.
        if places.first() == Some(&place) {
            let mut sorted = places.clone();
            sorted.sort_by_key(|index| rank(*index));
            for (place, index) in places.drain(..).zip(sorted) {
                order[place] = index;
            }
        }
    }
    order
        .into_iter()
        .map(|index| members[index].clone())
        .collect()
}

/// The family and how wide `ty` is in it; `None` where nothing is known to be wider or narrower.
fn breadth(world: &World<'_>, ty: &Type, depth: usize) -> Option<(Family, u8)> {
    let depth = depth.checked_sub(1)?;
    Some(match bare(ty) {
        Type::Named(name, _) => return breadth(world, &world.definition(name)?.body, depth),
        Type::Union(members) => {
            let atoms = |member| breadth(world, member, depth) == Some((Family::Atom, 0));
            return members.iter().all(atoms).then_some((Family::Atom, 0));
        }
        Type::Builtin(builtin) => return of_builtin(*builtin),
        Type::Atom(_) => (Family::Atom, 0),
        Type::Integer(_) => (Family::Number, 0),
        Type::Range(..) => (Family::Number, 1),
        Type::Tuple(_) | Type::Record(..) => (Family::Tuple, 0),
        Type::Nil => (Family::List, 0),
        Type::List(element) | Type::NonemptyList(element) => match world.is_term(element) {
            true => (Family::List, 5),
            false => (Family::List, 3),
        },
        Type::MaybeImproperList(..) | Type::NonemptyImproperList(..) => (Family::List, 4),
        Type::Map(fields) => match fields.iter().any(|field| field.required) {
            _ if fields.is_empty() => (Family::Map, 0),
            true => (Family::Map, 1),
            false => (Family::Map, 2),
        },
        Type::Bitstring { .. } => (Family::Bits, 0),
        Type::Fun(Some(_), _) => (Family::Fun, 0),
        Type::Fun(None, _) => (Family::Fun, 1),
        Type::Any | Type::None | Type::Invalid | Type::Var(_) | Type::Annotated(..) => return None,
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
        Builtin::Tuple | Builtin::Record => (Family::Tuple, 1),
        Builtin::Map => (Family::Map, 3),
        Builtin::Function => (Family::Fun, 2),
        Builtin::Pid | Builtin::Port | Builtin::Reference => (Family::Identifier, 0),
        Builtin::Identifier => (Family::Identifier, 1),
        // Milliseconds or an atom: neither's family.
        Builtin::Timeout => return None,
    })
}
