//! Tuples that are not members of a union.

use otp_contract::limits::TUPLE_ELEMENTS;
use otp_specs::types::Type;

use super::context::Context;
use super::lower;
use super::position::Position;
use crate::facts::annotation;
use crate::ir::{Element, Kind, RustType};
use crate::text;
pub(super) use crate::types::split_tag;

pub(super) fn tuple(
    cx: &mut Context<'_>,
    ty: &Type,
    elements: &[Type],
    position: &Position<'_>,
) -> RustType {
    if elements.is_empty() {
        return cx.precise(RustType::Tuple(Vec::new()));
    }
    if elements.len() <= TUPLE_ELEMENTS {
        let elements = elements
            .iter()
            .map(|element| lower(cx, element, position))
            .collect();
        return RustType::Tuple(elements);
    }
    let kind = tuple_kind(cx, elements, &position.outside_clause());
    let names = position.inside("tuple").names();
    cx.anonymous(&names, text::erlang(ty), kind, position)
}

/// The item of a tuple that is not empty: tagged, if its first element is an atom.
pub(super) fn tuple_kind(cx: &mut Context<'_>, elements: &[Type], position: &Position<'_>) -> Kind {
    match split_tag(elements) {
        Some((tag, rest)) => {
            cx.atom(tag);
            Kind::Tuple {
                tag: Some(tag.to_owned()),
                elements: self::elements(cx, rest, position),
            }
        }
        None => Kind::Tuple {
            tag: None,
            elements: self::elements(cx, elements, position),
        },
    }
}

/// Elements with their annotations.
pub(super) fn elements(
    cx: &mut Context<'_>,
    elements: &[Type],
    position: &Position<'_>,
) -> Vec<Element> {
    let element = |ty: &Type| Element {
        name: annotation(ty).map(str::to_owned),
        ty: lower(cx, ty, position),
    };
    elements.iter().map(element).collect()
}
