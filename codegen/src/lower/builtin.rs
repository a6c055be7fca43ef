//! Predefined types, integers and bitstrings.

use otp_specs::types::{Builtin, Int, Type};

use super::{Lowerer, Place};
use crate::ir::RustType;
use crate::report::Reason;

impl Lowerer<'_> {
    pub(super) fn builtin(&mut self, ty: &Type, builtin: Builtin, place: &Place<'_>) -> RustType {
        match rust(builtin) {
            Some(found) => self.precise(found),
            None => self.fallback(ty, place, Reason::NoRustType),
        }
    }

    /// The smallest integer type that holds `low..high`.
    pub(super) fn integer(
        &mut self,
        ty: &Type,
        low: &Int,
        high: &Int,
        place: &Place<'_>,
    ) -> RustType {
        match (low, high) {
            (Int::Small(low), Int::Small(high)) if low <= high => {
                self.precise(smallest(*low, *high))
            }
            (Int::Small(_), Int::Small(_)) => self.fallback(ty, place, Reason::NoRustType),
            (Int::Big(_), _) | (_, Int::Big(_)) => self.precise(runtime("Integer")),
        }
    }

    pub(super) fn bitstring(&mut self, size: u64, unit: u64) -> RustType {
        let whole_bytes = size.is_multiple_of(8) && unit.is_multiple_of(8);
        self.precise(runtime(if whole_bytes { "Binary" } else { "Bitstring" }))
    }
}

fn runtime(name: &'static str) -> RustType {
    RustType::Runtime(name, Vec::new())
}

/// The Rust type of a predefined type; `None` where there is none yet.
fn rust(builtin: Builtin) -> Option<RustType> {
    Some(match builtin {
        Builtin::Atom | Builtin::Module | Builtin::Node => runtime("Atom"),
        Builtin::Boolean => RustType::Primitive("bool"),
        Builtin::Integer | Builtin::NegInteger => runtime("Integer"),
        Builtin::Float => RustType::Primitive("f64"),
        Builtin::NonNegInteger => RustType::Primitive("u64"),
        Builtin::PosInteger => RustType::Primitive("::core::num::NonZeroU64"),
        Builtin::Arity | Builtin::Byte => RustType::Primitive("u8"),
        Builtin::Char => RustType::Primitive("u32"),
        Builtin::Pid => runtime("Pid"),
        Builtin::Port => runtime("Port"),
        Builtin::Reference => runtime("Reference"),
        Builtin::Binary | Builtin::NonemptyBinary => runtime("Binary"),
        Builtin::Bitstring | Builtin::NonemptyBitstring => runtime("Bitstring"),
        Builtin::Function => runtime("Fun"),
        Builtin::Map => RustType::Runtime("Map", vec![RustType::TERM, RustType::TERM]),
        Builtin::Iodata | Builtin::Iolist => runtime("Iodata"),
        Builtin::String | Builtin::NonemptyString => runtime("ErlangString"),
        Builtin::Mfa => RustType::Tuple(vec![
            runtime("Atom"),
            runtime("Atom"),
            RustType::Primitive("u8"),
        ]),
        Builtin::Timeout => runtime("Timeout"),
        Builtin::List | Builtin::NonemptyList => RustType::Standard("Vec", vec![RustType::TERM]),
        Builtin::Number
        | Builtin::Identifier
        | Builtin::Tuple
        | Builtin::MaybeImproperList
        | Builtin::NonemptyMaybeImproperList
        | Builtin::Record => return None,
    })
}

fn smallest(low: i128, high: i128) -> RustType {
    let fits = |least: i128, most: i128| least <= low && high <= most;
    let name = if fits(0, u8::MAX.into()) {
        "u8"
    } else if fits(0, u16::MAX.into()) {
        "u16"
    } else if fits(0, u32::MAX.into()) {
        "u32"
    } else if fits(0, u64::MAX.into()) {
        "u64"
    } else if fits(i8::MIN.into(), i8::MAX.into()) {
        "i8"
    } else if fits(i16::MIN.into(), i16::MAX.into()) {
        "i16"
    } else if fits(i32::MIN.into(), i32::MAX.into()) {
        "i32"
    } else if fits(i64::MIN.into(), i64::MAX.into()) {
        "i64"
    } else {
        "i128"
    };
    RustType::Primitive(name)
}
