//! Unions: what their members are once duplicates and overlaps are settled.
//!
//! Tagged tuples of one tag and arity become one member whose elements are the unions of theirs
//! (`{error, a} | {error, b}` is `{error, a | b}`), integers become one range, and `term()` is
//! always the last member, because it accepts everything that the others do.

use otp_specs::types::{Int, Type};

use super::tuple::split_tag;
use super::{Lowerer, Place};
use crate::facts::clauses::merged;
use crate::facts::world::World;
use crate::facts::{annotation, bare};
use crate::ir::{Kind, RustType};
use crate::text;

/// A union of more members than this is named after its place instead of its members.
const NAMED_BY_MEMBERS: usize = 4;

impl Lowerer<'_> {
    pub(super) fn union(&mut self, ty: &Type, members: &[Type], place: &Place<'_>) -> RustType {
        let members = normal(self.shared.world, members);
        if let [member] = members.as_slice() {
            return self.lower(member, place);
        }
        let place = place.outside_clause();
        let variants = self.variants(&members, &place);
        let joined: Vec<&str> = variants
            .iter()
            .map(|variant| variant.name.as_str())
            .collect();
        let mut names = vec![place.name()];
        if variants.len() <= NAMED_BY_MEMBERS {
            names.insert(0, joined.join("Or"));
        }
        self.anonymous(&names, text::erlang(ty), Kind::Enum(variants), &place)
    }
}

/// The members of a union without duplicates and overlaps, `term()` last.
pub(super) fn normal(world: &World<'_>, members: &[Type]) -> Vec<Type> {
    let mut distinct: Vec<Type> = Vec::new();
    for member in members {
        let nested = match bare(member) {
            Type::Union(nested) => nested.as_slice(),
            _ => std::slice::from_ref(member),
        };
        for member in nested {
            if !distinct.iter().any(|other| bare(other) == bare(member)) {
                distinct.push(member.clone());
            }
        }
    }
    let (terms, mut others): (Vec<Type>, Vec<Type>) = merge_tuples(merge_integers(distinct))
        .into_iter()
        .partition(|ty| world.is_term(ty));
    others.extend(terms.into_iter().take(1));
    others
}

/// Tagged tuples of one tag and arity as one member.
fn merge_tuples(members: Vec<Type>) -> Vec<Type> {
    let mut result: Vec<Type> = Vec::new();
    for member in members {
        let shape = |ty: &Type| match bare(ty) {
            Type::Tuple(elements) => {
                split_tag(elements).map(|(tag, rest)| (tag.to_owned(), rest.to_vec()))
            }
            _ => None,
        };
        let earlier = shape(&member).and_then(|(tag, rest)| {
            let same = |(_, other): &(usize, (String, Vec<Type>))| {
                other.0 == tag && other.1.len() == rest.len()
            };
            let mut shapes = result
                .iter()
                .enumerate()
                .filter_map(|(i, ty)| Some((i, shape(ty)?)));
            shapes.find(same).map(|(index, other)| (index, other, rest))
        });
        match earlier {
            None => result.push(member),
            Some((index, (tag, elements), others)) => {
                let merged = elements
                    .iter()
                    .zip(&others)
                    .map(|(one, other)| merged(&[one, other]));
                let tuple = std::iter::once(Type::Atom(tag)).chain(merged).collect();
                result[index] = Type::Tuple(tuple);
            }
        }
    }
    result
}

/// Integers and ranges as one range from the least to the greatest.
fn merge_integers(members: Vec<Type>) -> Vec<Type> {
    let bounds = |ty: &Type| match bare(ty) {
        Type::Integer(Int::Small(number)) => Some((*number, *number)),
        Type::Range(Int::Small(low), Int::Small(high)) => Some((*low, *high)),
        _ => None,
    };
    let all: Vec<(i128, i128)> = members.iter().filter_map(bounds).collect();
    if all.len() < 2 {
        return members;
    }
    let low = all.iter().map(|(low, _)| *low).min().unwrap_or_default();
    let high = all.iter().map(|(_, high)| *high).max().unwrap_or_default();
    let mut result: Vec<Type> = Vec::new();
    let mut placed = false;
    for member in members {
        if bounds(&member).is_none() {
            result.push(member);
        } else if !placed {
            placed = true;
            result.push(Type::Range(Int::Small(low), Int::Small(high)));
        }
    }
    result
}

/// The annotation of a member, unless that says less than its place does.
pub(super) fn member_annotation(member: &Type) -> Option<&str> {
    annotation(member).filter(|name| !name.starts_with('_'))
}
