//! Unions: what their members are without duplicates and overlaps.
//!
//! Tagged tuples that differ in one element become one member (`{error, a} | {error, b}` is
//! `{error, a | b}`), integers that touch become one range, narrow members stand before the wide
//! ones that accept their values too, and `term()` is always the last.

use otp_specs::types::{Builtin, Int, Type};

use super::context::Context;
use super::lower;
use super::position::Position;
use super::tuple::split_tag;
use super::variants::variants;
use crate::facts::breadth::narrow_first;
use crate::facts::clauses::merged;
use crate::facts::world::World;
use crate::facts::{DEPTH, bare};
use crate::ir::{Kind, RustType};
use crate::names::variants as naming;
use crate::text;

pub(super) fn union(
    cx: &mut Context<'_>,
    ty: &Type,
    members: &[Type],
    position: &Position<'_>,
) -> RustType {
    let members = normal(cx.facts.world, members);
    if let [member] = members.as_slice() {
        return lower(cx, member, position);
    }
    if is_boolean(&members) {
        return cx.precise(RustType::Primitive("bool"));
    }
    let position = position.outside_clause();
    if let Some(option) = option(cx, &members, &position) {
        return option;
    }
    let variants = variants(cx, &members, &position);
    let variant_names: Vec<&str> = variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect();
    let by_members = naming::union(&members, &variant_names);
    let names: Vec<String> = by_members.into_iter().chain(position.names()).collect();
    cx.anonymous(&names, text::erlang(ty), Kind::Enum(variants), &position)
}

/// Whether the members are `true` and `false`, which is `boolean()`.
pub(super) fn is_boolean(members: &[Type]) -> bool {
    let is = |ty: &Type, name: &str| matches!(bare(ty), Type::Atom(atom) if atom == name);
    match members {
        [one, other] => {
            (is(one, "true") && is(other, "false")) || (is(one, "false") && is(other, "true"))
        }
        _ => false,
    }
}

/// The atom that OTP says "nothing" by.
const UNDEFINED: &str = "undefined";

/// `Option` of the other member, where `members` are two and one of them is `undefined`.
pub(super) fn option(
    cx: &mut Context<'_>,
    members: &[Type],
    position: &Position<'_>,
) -> Option<RustType> {
    let content = option_content(cx, members)?;
    cx.precise(RustType::Atom(UNDEFINED.to_owned()));
    let content = lower(cx, content, position);
    Some(RustType::Standard("Option", vec![content]))
}

/// What is in the `Option` that `members` are. It cannot be `undefined` itself, or reading
/// could not tell the two; a type variable is given the benefit of the doubt.
pub(super) fn option_content<'m>(cx: &Context<'_>, members: &'m [Type]) -> Option<&'m Type> {
    let [first, second] = members else {
        return None;
    };
    let undefined = |ty: &Type| matches!(bare(ty), Type::Atom(atom) if atom == UNDEFINED);
    let content = match (undefined(first), undefined(second)) {
        (true, false) => second,
        (false, true) => first,
        _ => return None,
    };
    (!may_be_undefined(cx, content, DEPTH)).then_some(content)
}

fn may_be_undefined(cx: &Context<'_>, ty: &Type, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    match bare(ty) {
        Type::Any | Type::Invalid => true,
        Type::Atom(atom) => atom == UNDEFINED,
        Type::Builtin(builtin) => {
            matches!(builtin, Builtin::Atom | Builtin::Module | Builtin::Node)
        }
        Type::Union(members) => members
            .iter()
            .any(|member| may_be_undefined(cx, member, depth)),
        Type::Named(name, _) => match cx.facts.world.definition(name) {
            Some(definition) => may_be_undefined(cx, &definition.body, depth),
            // Mapped types say nothing of themselves; others are the dynamic term.
            None => true,
        },
        _ => false,
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
    let (terms, others): (Vec<Type>, Vec<Type>) = merge_tuples(merge_integers(distinct))
        .into_iter()
        .partition(|ty| world.is_term(ty));
    let mut members = narrow_first(world, others);
    members.extend(terms.into_iter().take(1));
    members
}

/// Tagged tuples that differ in one element alone as one member, again and again:
/// `{error, a} | {error, b}` is `{error, a | b}`, while `{a, x} | {b, y}` in its position would
/// accept more.
fn merge_tuples(members: Vec<Type>) -> Vec<Type> {
    let mut result: Vec<Type> = Vec::new();
    for mut member in members {
        let mut position = result.len();
        // What was merged may now differ in one element from another one.
        while let Some((index, merged)) = merged_with_one(&result, &member) {
            result.remove(index);
            position = position.min(index);
            member = merged;
        }
        result.insert(position.min(result.len()), member);
    }
    result
}

fn merged_with_one(others: &[Type], member: &Type) -> Option<(usize, Type)> {
    let tagged = |ty: &Type| match bare(ty) {
        Type::Tuple(elements) => split_tag(elements).map(|_| elements.clone()),
        _ => None,
    };
    let elements = tagged(member)?;
    let one = |(index, other): (usize, &Type)| {
        let merged = merged_elements(&tagged(other)?, &elements)?;
        Some((index, Type::Tuple(merged)))
    };
    others.iter().enumerate().find_map(one)
}

/// The elements of two tuples of one tag and size as one, if at most one element differs.
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

/// Clauses of one tag and size as one clause, whose elements are the unions of theirs: a value that
/// a callback returns must tell its clause by them. How many were joined to others.
pub(super) fn one_for_each_head(members: &[Type]) -> (Vec<Type>, usize) {
    let mut result: Vec<Type> = Vec::new();
    let mut joined = 0;
    for member in members {
        let tagged = |ty: &Type| match bare(ty) {
            Type::Tuple(elements) => split_tag(elements).map(|_| elements.clone()),
            _ => None,
        };
        let same_head = |elements: &[Type], others: &[Type]| {
            elements.len() == others.len() && bare(&elements[0]) == bare(&others[0])
        };
        let found = tagged(member).and_then(|elements| {
            let mut others = result.iter().enumerate();
            others.find_map(|(index, other)| {
                let other = tagged(other).filter(|other| same_head(&elements, other))?;
                let pairs = other.iter().zip(&elements);
                let all = pairs.map(|(one, other)| merged(&[one, other]));
                Some((index, Type::Tuple(all.collect())))
            })
        });
        match found {
            Some((index, tuple)) => {
                joined += 1;
                result[index] = tuple;
            }
            None => result.push(member.clone()),
        }
    }
    (result, joined)
}

/// Integers and ranges that overlap or touch as one range.
fn merge_integers(members: Vec<Type>) -> Vec<Type> {
    let bounds = |ty: &Type| match bare(ty) {
        Type::Integer(Int::Small(number)) => Some((*number, *number)),
        Type::Range(Int::Small(low), Int::Small(high)) if low <= high => Some((*low, *high)),
        _ => None,
    };
    let mut all: Vec<(i128, i128)> = members.iter().filter_map(bounds).collect();
    all.sort_unstable();
    let mut ranges: Vec<(i128, i128)> = Vec::new();
    for (low, high) in all {
        match ranges.last_mut() {
            Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
            _ => ranges.push((low, high)),
        }
    }
    let mut result: Vec<Type> = Vec::new();
    for member in members {
        let Some((low, _)) = bounds(&member) else {
            result.push(member);
            continue;
        };
        // Each range stands where the first of its parts stood.
        let range = ranges
            .iter()
            .position(|range| range.0 <= low && low <= range.1);
        if let Some((low, high)) = range.map(|index| ranges.remove(index)) {
            let unchanged = bounds(&member) == Some((low, high));
            let range = Type::Range(Int::Small(low), Int::Small(high));
            result.push(if unchanged { member } else { range });
        }
    }
    result
}
