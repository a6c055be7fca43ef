//! The members of unions, without duplicates and overlaps.
//!
//! Tagged tuples that differ in one element become one member (`{error, a} | {error, b}` is
//! `{error, a | b}`), and adjacent integers become one range. Narrow members come before the wide
//! ones that also accept their values, and `term()` is always the last.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Int, Type};

use super::Context;
use super::tuple::split_tag;
use crate::facts::bare;
use crate::facts::breadth::narrow_first;
use crate::facts::clauses::merged;
use crate::facts::synonyms::canonical;
use crate::facts::world::World;

/// Returns the members of a union without duplicates and overlaps, `term()` last.
pub(super) fn normal(world: &World<'_>, members: &[Type]) -> Vec<Type> {
    let mut seen: BTreeSet<Cow<'_, Type>> = BTreeSet::new();
    let mut distinct: Vec<Type> = Vec::new();
    for member in members {
        let nested = match bare(member) {
            Type::Union(nested) => nested.as_slice(),
            _ => std::slice::from_ref(member),
        };
        for member in nested {
            if seen.insert(canonical(member)) {
                distinct.push(member.clone());
            }
        }
    }
    let members = merge_tuples(merge_integers(distinct));
    let is_term = |ty: &Type| world.is_term(ty);
    let order = reading_order(world, &members, &is_term);
    let mut members = in_order(members, &order);
    let terms = members.iter().filter(|ty| is_term(ty)).count();
    members.truncate(members.len() - terms.saturating_sub(1));
    members
}

/// Returns the order in which members are tried: narrow ones first, and those that accept any term
/// last.
fn reading_order(
    world: &World<'_>,
    members: &[Type],
    is_term: &dyn Fn(&Type) -> bool,
) -> Vec<usize> {
    let order = narrow_first(world, members, is_term);
    let (terms, mut order): (Vec<usize>, Vec<usize>) = order
        .into_iter()
        .partition(|index| members.get(*index).is_some_and(is_term));
    order.extend(terms);
    order
}

impl Context<'_> {
    /// Returns the order in which the Rust types of members are tried.
    pub(super) fn reading_order(&self, members: &[Type]) -> Vec<usize> {
        reading_order(self.facts.world, members, &|ty| self.facts.is_term(ty))
    }
}

/// Returns `all` in this order of their indices.
pub(super) fn in_order<T>(all: Vec<T>, order: &[usize]) -> Vec<T> {
    let mut all: Vec<Option<T>> = all.into_iter().map(Some).collect();
    let one = |index: &usize| all.get_mut(*index).and_then(Option::take);
    order.iter().filter_map(one).collect()
}

/// Up to this number of tuples with the same tag and size are merged pair by pair; more are merged
/// element by element.
const FEW: usize = 64;

/// Merges tagged tuples that differ in only one element, repeatedly: `{error, a} | {error, b}` is
/// `{error, a | b}`, while merging `{a, x} | {b, y}` in an element's position would accept more.
fn merge_tuples(members: Vec<Type>) -> Vec<Type> {
    let mut heads: BTreeMap<(String, usize), Vec<(usize, Type)>> = BTreeMap::new();
    let mut result: Vec<(usize, Type)> = Vec::new();
    for (position, member) in members.into_iter().enumerate() {
        match head(&member) {
            Some(head) => heads.entry(head).or_default().push((position, member)),
            None => result.push((position, member)),
        }
    }
    for of_head in heads.into_values() {
        result.extend(if of_head.len() <= FEW {
            merged_in_pairs(of_head)
        } else {
            merged_by_element(of_head)
        });
    }
    result.sort_by_key(|(position, _)| *position);
    result.into_iter().map(|(_, member)| member).collect()
}

/// Returns the union of types that differ, each merged with those before; many are merged at once.
fn merged_one_by_one(types: &[&Type]) -> Type {
    match types {
        [first, others @ ..] if others.len() < FEW => {
            let merge = |all: Type, other: &&Type| merged(&[&all, other]);
            others.iter().fold((*first).clone(), merge)
        }
        many => merged(many),
    }
}

/// Returns the tag and size of a tagged tuple.
pub(super) fn head(member: &Type) -> Option<(String, usize)> {
    match bare(member) {
        Type::Tuple(elements) => {
            split_tag(elements).map(|(tag, rest)| (tag.to_owned(), rest.len()))
        }
        _ => None,
    }
}

/// Merges tuples with the same tag and size, each with its position in the union.
fn merged_in_pairs(members: Vec<(usize, Type)>) -> Vec<(usize, Type)> {
    let mut result: Vec<(usize, Type)> = Vec::new();
    for (mut position, mut member) in members {
        // The merged tuple may now differ from another one in only one element.
        while let Some((index, merged)) = merged_with_one(&result, &member) {
            position = position.min(result.remove(index).0);
            member = merged;
        }
        let index = result.partition_point(|(other, _)| *other < position);
        result.insert(index, (position, member));
    }
    result
}

/// Merges many tuples: first those that differ only in their last element, then those that differ
/// only in the one before, and so on.
fn merged_by_element(mut members: Vec<(usize, Type)>) -> Vec<(usize, Type)> {
    let size = members
        .first()
        .map_or(0, |(_, member)| elements(member).len());
    for differing in (1..size.min(FEW)).rev() {
        let mut groups: BTreeMap<Vec<Type>, Vec<(usize, Type)>> = BTreeMap::new();
        for (position, member) in members {
            let mut key = elements(&member).to_vec();
            let element = std::mem::replace(&mut key[differing], Type::Nil);
            groups.entry(key).or_default().push((position, element));
        }
        let merged = groups.into_iter().map(|(mut key, group)| {
            let column: Vec<&Type> = group.iter().map(|(_, element)| element).collect();
            key[differing] = merged_one_by_one(&column);
            let first = group.iter().map(|(position, _)| *position).min();
            (first.unwrap_or_default(), Type::Tuple(key))
        });
        members = merged.collect();
    }
    members
}

fn elements(tuple: &Type) -> &[Type] {
    match bare(tuple) {
        Type::Tuple(elements) => elements,
        _ => &[],
    }
}

fn merged_with_one(others: &[(usize, Type)], member: &Type) -> Option<(usize, Type)> {
    let one = |(index, (_, other)): (usize, &(usize, Type))| {
        let merged = merged_elements(elements(other), elements(member))?;
        Some((index, Type::Tuple(merged)))
    };
    others.iter().enumerate().find_map(one)
}

/// Returns the merged elements of two tuples with the same tag and size, if at most one element
/// differs.
fn merged_elements(ones: &[Type], others: &[Type]) -> Option<Vec<Type>> {
    if ones.len() != others.len() || bare(&ones[0]) != bare(&others[0]) {
        return None;
    }
    let pairs = ones.iter().zip(others);
    let different = pairs
        .clone()
        .filter(|(one, other)| bare(one) != bare(other));
    (different.count() <= 1).then(|| pairs.map(|(one, other)| merged(&[one, other])).collect())
}

/// Merges clauses with the same tag and size into one clause, whose elements are the unions of
/// theirs: a value that a callback returns has only the tag and size to select its clause. Also
/// returns how many clauses were merged into others.
pub(super) fn one_for_each_head(members: &[Type]) -> (Vec<Type>, usize) {
    let mut groups: Vec<Vec<&Type>> = Vec::new();
    let mut heads: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for member in members {
        let next = groups.len();
        let index = match head(member) {
            Some(head) => *heads.entry(head).or_insert(next),
            None => next,
        };
        match groups.get_mut(index) {
            Some(group) => group.push(member),
            None => groups.push(vec![member]),
        }
    }
    let joined = members.len() - groups.len();
    let one = |group: Vec<&Type>| match group.as_slice() {
        [only] => (*only).clone(),
        several => {
            let size = several.first().map_or(0, |member| elements(member).len());
            let column = |index| {
                let elements = several.iter().map(|member| &elements(member)[index]);
                merged_one_by_one(&elements.collect::<Vec<_>>())
            };
            Type::Tuple((0..size).map(column).collect())
        }
    };
    (groups.into_iter().map(one).collect(), joined)
}

/// Returns the bounds of a finite set of adjacent integers.
fn bounds(ty: &Type) -> Option<(i128, i128)> {
    match &*canonical(ty) {
        Type::Integer(Int::Small(number)) => Some((*number, *number)),
        Type::Range(Int::Small(low), Int::Small(high)) if low <= high => Some((*low, *high)),
        _ => None,
    }
}

/// Merges integers, ranges and types such as `byte()` that overlap or are adjacent. A member that
/// has all of the others keeps its name.
fn merge_integers(members: Vec<Type>) -> Vec<Type> {
    let mut all: Vec<(i128, i128)> = members.iter().filter_map(bounds).collect();
    all.sort_unstable();
    let mut ranges: Vec<(i128, i128)> = Vec::new();
    for (low, high) in all {
        match ranges.last_mut() {
            Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
            _ => ranges.push((low, high)),
        }
    }
    let mut whole: BTreeMap<(i128, i128), Type> = BTreeMap::new();
    for member in &members {
        if let Some(bounds) = bounds(member) {
            whole.entry(bounds).or_insert_with(|| member.clone());
        }
    }
    let mut written = BTreeSet::new();
    let mut result: Vec<Type> = Vec::new();
    for member in members {
        let Some((low, _)) = bounds(&member) else {
            result.push(member);
            continue;
        };
        // Each range is in the position of the first of its parts.
        let range = ranges.partition_point(|(_, high)| *high < low);
        if written.insert(range)
            && let Some((low, high)) = ranges.get(range).copied()
        {
            let range = || Type::Range(Int::Small(low), Int::Small(high));
            result.push(whole.remove(&(low, high)).unwrap_or_else(range));
        }
    }
    result
}
