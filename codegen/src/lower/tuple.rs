//! Tuples that are not members of a union, and elements of all tuples.
//!
//! If the form names every element, the elements become fields with these names, and a tuple
//! without a form of its own becomes a struct. In clauses of a callback's result they do not, since
//! those are written as in Erlang.

use std::collections::BTreeSet;

use otp_contract::limits::TUPLE_ELEMENTS;
use otp_specs::types::Type;

use super::position::Position;
use super::{Context, lower};
use crate::facts::{annotation, bare};
use crate::ir::{Element, ItemKind, RustType};
use crate::names::{Taken, value_name, variants as naming};
use crate::text;
pub(super) use crate::types::split_tag;

/// Minimum number of elements for names: a single element of a variant, or of a tuple without a
/// form of its own, is clear without a name.
const NAMED: usize = 2;

pub(super) fn tuple(
    cx: &mut Context<'_>,
    ty: &Type,
    elements: &[Type],
    position: &Position<'_>,
) -> RustType {
    if elements.is_empty() {
        return cx.precise(RustType::Tuple(Vec::new()));
    }
    let has_fields = fields(after_tag(elements), NAMED, position).is_some();
    if elements.len() <= TUPLE_ELEMENTS && !has_fields {
        let elements = elements
            .iter()
            .map(|element| lower(cx, element, position))
            .collect();
        return RustType::Tuple(elements);
    }
    let names = if has_fields {
        names(elements, position)
    } else {
        position.inside("tuple").names()
    };
    let kind = tuple_kind(cx, elements, &position.outside_clause());
    // A value for a type parameter is not converted, so the tuple is passed as a tuple.
    if position.is_argument && elements.len() <= TUPLE_ELEMENTS && has_parameter(&kind) {
        return plain(kind);
    }
    cx.anonymous(&names, text::erlang(ty), kind, position)
}

fn has_parameter(kind: &ItemKind) -> bool {
    let mut types = kind.types().into_iter();
    types.any(RustType::has_parameter)
}

fn plain(kind: ItemKind) -> RustType {
    let mut types = Vec::new();
    if let ItemKind::Tuple { tag, .. } = &kind {
        types.extend(tag.clone().map(RustType::Atom));
    }
    types.extend(kind.types().into_iter().cloned());
    RustType::Tuple(types)
}

/// Returns names for a struct. A function's result is named after the function, any other struct
/// after its elements if that is short.
fn names(elements: &[Type], position: &Position<'_>) -> Vec<String> {
    let by_position = position.names();
    let by_elements = match split_tag(elements) {
        None if !position.is_result() => naming::tuple(elements),
        _ => None,
    };
    by_elements.into_iter().chain(by_position).collect()
}

fn after_tag(elements: &[Type]) -> &[Type] {
    split_tag(elements).map_or(elements, |(_, rest)| rest)
}

/// Lowers a tuple that is not empty: it is tagged if its first element is an atom.
pub(super) fn tuple_kind(
    cx: &mut Context<'_>,
    elements: &[Type],
    position: &Position<'_>,
) -> ItemKind {
    let tag = split_tag(elements).map(|(tag, _)| tag.to_owned());
    if let Some(tag) = &tag {
        cx.atom(tag);
    }
    ItemKind::Tuple {
        tag,
        elements: lowered(cx, after_tag(elements), 1, position),
    }
}

/// Lowers the elements of a variant with their annotations.
pub(super) fn elements(
    cx: &mut Context<'_>,
    elements: &[Type],
    position: &Position<'_>,
) -> Vec<Element> {
    lowered(cx, elements, NAMED, position)
}

/// Lowers elements, with names in Rust if there are at least `least` and all have annotations.
fn lowered(
    cx: &mut Context<'_>,
    elements: &[Type],
    least: usize,
    position: &Position<'_>,
) -> Vec<Element> {
    let mut fields = fields(elements, least, position).into_iter().flatten();
    let element = |ty: &Type| Element {
        name: annotation(ty).map(str::to_owned),
        field: fields.next(),
        ty: lower(cx, ty, position),
    };
    elements.iter().map(element).collect()
}

/// Returns the names of the elements in Rust.
fn fields(elements: &[Type], least: usize, position: &Position<'_>) -> Option<Vec<String>> {
    if elements.len() < least || position.in_clause {
        return None;
    }
    let name = |ty| annotation(ty).filter(|name| is_name(name, ty));
    let whole: Vec<&str> = elements.iter().map(name).collect::<Option<_>>()?;
    let plain: BTreeSet<&str> = whole.iter().map(|name| value_name(name)).collect();
    let mut taken = Taken::default();
    let field = |name: &&str| {
        if plain.len() == whole.len() {
            taken.claim_field(value_name(name))
        } else {
            taken.claim_field(name)
        }
    };
    Some(whole.iter().map(field).collect())
}

/// Returns whether an annotation is a useful name: `_` is not, nor is the `A` of a type variable.
fn is_name(name: &str, ty: &Type) -> bool {
    let is_letter = name.chars().count() == 1 && matches!(bare(ty), Type::Var(_));
    !is_letter && name.contains(|letter: char| letter != '_')
}
