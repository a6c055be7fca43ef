//! Integers and ranges: the narrowest primitive type, checked where it holds more.

use otp_specs::types::{Int, Type};

use super::Context;
use super::position::Position;
use crate::ir::{INTEGERS, RustType};
use crate::report::Reason;

/// The type of the integers from `low` to `high`.
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
        // From more to less: no integer is there.
        (Int::Small(_), Int::Small(_)) => cx.precise(RustType::Runtime("Never", Vec::new())),
        (Int::Big(_), _) | (_, Int::Big(_)) => {
            cx.imprecise(ty, position, Reason::HugeInteger);
            RustType::Runtime("Integer", Vec::new())
        }
    }
}

/// The first primitive type that holds `low..high`: itself where it holds nothing else.
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
