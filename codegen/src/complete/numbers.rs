//! Conversions of numbers into a union. All integers of the union share one type, so that a literal
//! has an unambiguous type. Numbers of that type that are not in the union are rejected when the
//! value is created.

use super::aliases::Aliases;
use crate::ir::{INTEGERS, Item, RustType, Variant, VariantShape};

/// Returns the type of numbers for a union, and the first variant that contains some. There is none
/// if the union has a time, which needs a unit, or if its only integers are all those of a
/// primitive type, which need no check.
pub(super) fn number(
    aliases: &Aliases,
    item: &Item,
    variants: &[Variant],
) -> Option<(usize, &'static str)> {
    if !item.parameters.is_empty() {
        return None;
    }
    let mut members = Vec::new();
    for (index, variant) in variants.iter().enumerate() {
        let VariantShape::Untagged(ty) = &variant.shape else {
            continue;
        };
        let ty = aliases.canonical(ty);
        if ty == RustType::Runtime("Timeout", Vec::new()) {
            return None;
        }
        members.extend(bounds(&ty).map(|bounds| (index, ty, bounds)));
    }
    let (first, ty, _) = members.first()?;
    if members.len() == 1 && is_integer(ty) {
        return None;
    }
    let low = members.iter().map(|(_, _, (low, _))| *low).min()?;
    let high = members.iter().map(|(_, _, (_, high))| *high).max()?;
    let holds = |(_, least, most): &&(&str, i128, i128)| *least <= low && high <= *most;
    let narrowest = INTEGERS.iter().find(holds);
    Some((*first, narrowest.map_or("i64", |(name, ..)| name)))
}
/// Returns whether a type is one of Rust's integers.
pub(super) fn is_integer(ty: &RustType) -> bool {
    let RustType::Primitive(name) = ty else {
        return false;
    };
    INTEGERS.iter().any(|(known, ..)| known == name)
}

/// Returns the least and the greatest integer of a type.
fn bounds(ty: &RustType) -> Option<(i128, i128)> {
    match ty {
        RustType::Literal(number) => Some((*number, *number)),
        RustType::Ranged(_, low, high) => Some((*low, *high)),
        RustType::Primitive("::core::num::NonZeroU64") => Some((1, u64::MAX.into())),
        RustType::Runtime("Integer", _) => Some((i64::MIN.into(), i64::MAX.into())),
        RustType::Runtime("NegInteger", _) => Some((i64::MIN.into(), -1)),
        RustType::Primitive(name) => {
            let known = INTEGERS.iter().find(|(known, ..)| known == name);
            known.map(|(_, low, high)| (*low, *high))
        }
        _ => None,
    }
}
