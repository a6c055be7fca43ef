//! Integers and ranges: the narrowest primitive type, with a check if that type contains more
//! values.

use otp_specs::types::{Int, Type};

use super::Context;
use super::position::Position;
use crate::ir::{INTEGERS, RustType};
use crate::report::Reason;

/// Returns the type of the integers from `low` to `high`.
pub(super) fn integer(
    cx: &mut Context<'_>,
    ty: &Type,
    low: &Int,
    high: &Int,
    position: &Position<'_>,
) -> RustType {
    match (low, high) {
        (Int::Small(low), Int::Small(high)) if low == high => cx.precise(RustType::Literal(*low)),
        (Int::Small(low), Int::Small(high)) if low < high => cx.precise(ranged(*low, *high)),
        // The range is empty, so there is no such integer.
        (Int::Small(_), Int::Small(_)) => cx.precise(RustType::Runtime("Never", Vec::new())),
        (Int::Big(_), _) | (_, Int::Big(_)) => {
            cx.imprecise(ty, position, Reason::HugeInteger);
            RustType::Runtime("Integer", Vec::new())
        }
    }
}

/// Returns the first primitive type that contains `low..high`: the type itself if it contains no
/// other values.
fn ranged(low: i128, high: i128) -> RustType {
    let holds = |(_, least, most): &&(&str, i128, i128)| *least <= low && high <= *most;
    match INTEGERS.iter().find(holds) {
        Some((name, least, most)) if *least == low && *most == high => RustType::Primitive(name),
        Some(("i64", least, _)) if *least == low && high == -1 => {
            RustType::Runtime("NegInteger", Vec::new())
        }
        Some((name, ..)) => RustType::Ranged(name, low, high),
        None => RustType::Ranged("i128", low, high),
    }
}
