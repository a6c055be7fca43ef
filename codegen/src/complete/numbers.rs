//! Which numbers convert into a union: one type for all of its integers, so that a literal is of
//! that type. What the type has besides those of the union is refused where the value is made.

use super::aliases::Aliases;
use crate::ir::{INTEGERS, Item, RustType, Variant, VariantShape};

/// The type of the numbers that are given for a union, and the first variant that has some. A time
/// needs a unit, and where the only integers are all those of a primitive type, nothing is to be
/// checked.
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
/// Whether a type is one of Rust's integers.
pub(super) fn is_integer(ty: &RustType) -> bool {
    let RustType::Primitive(name) = ty else {
        return false;
    };
    INTEGERS.iter().any(|(known, ..)| known == name)
}

/// The least and the greatest integer of a type.
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
