//! Predefined types and bitstrings.

use otp_specs::types::{Builtin, Type};

use super::Context;
use super::position::Position;
use crate::ir::RustType;
use crate::report::Reason;

pub(super) fn builtin(
    cx: &mut Context<'_>,
    ty: &Type,
    builtin: Builtin,
    position: &Position<'_>,
) -> RustType {
    match rust(builtin) {
        Some(found) => cx.precise(found),
        None if builtin == Builtin::Record => cx.fallback(ty, position, Reason::NativeRecord),
        None => cx.fallback(ty, position, Reason::NoRustType),
    }
}

pub(super) fn bitstring(cx: &mut Context<'_>, size: u64, unit: u64) -> RustType {
    cx.precise(match (size, unit) {
        (0, 8) => runtime("Binary"),
        (0, 1) => runtime("Bitstring"),
        _ => RustType::Bits(size, unit),
    })
}

fn runtime(name: &'static str) -> RustType {
    RustType::Runtime(name, Vec::new())
}

/// Returns the Rust type of a predefined type; `None` if there is none yet.
fn rust(builtin: Builtin) -> Option<RustType> {
    Some(match builtin {
        Builtin::Atom | Builtin::Module | Builtin::Node => runtime("Atom"),
        Builtin::Boolean => RustType::Primitive("bool"),
        Builtin::Integer => runtime("Integer"),
        Builtin::NegInteger => runtime("NegInteger"),
        Builtin::Float => RustType::Primitive("f64"),
        Builtin::NonNegInteger => RustType::Primitive("u64"),
        Builtin::PosInteger => RustType::Primitive("::core::num::NonZeroU64"),
        Builtin::Arity | Builtin::Byte => RustType::Primitive("u8"),
        Builtin::Char => runtime("Char"),
        Builtin::Pid => runtime("Pid"),
        Builtin::Port => runtime("Port"),
        Builtin::Reference => runtime("Reference"),
        Builtin::Binary => runtime("Binary"),
        Builtin::NonemptyBinary => RustType::Bits(8, 8),
        Builtin::Bitstring => runtime("Bitstring"),
        Builtin::NonemptyBitstring => RustType::Bits(1, 1),
        Builtin::Function => runtime("Fun"),
        Builtin::Map => RustType::Runtime("Map", vec![RustType::TERM, RustType::TERM]),
        Builtin::Iodata => runtime("Iodata"),
        Builtin::Iolist => runtime("Iolist"),
        Builtin::String => runtime("ErlangString"),
        Builtin::NonemptyString => runtime("NonemptyString"),
        Builtin::Mfa => RustType::Tuple(vec![
            runtime("Atom"),
            runtime("Atom"),
            RustType::Primitive("u8"),
        ]),
        Builtin::Timeout => runtime("Timeout"),
        Builtin::List => RustType::Standard("Vec", vec![RustType::TERM]),
        Builtin::NonemptyList => RustType::Runtime("NonemptyList", vec![RustType::TERM]),
        Builtin::MaybeImproperList => {
            RustType::Runtime("MaybeImproperList", vec![RustType::TERM, RustType::TERM])
        }
        Builtin::Number => runtime("Number"),
        Builtin::Identifier => runtime("Identifier"),
        Builtin::Tuple => runtime("Tuple"),
        Builtin::NonemptyMaybeImproperList | Builtin::Record => return None,
    })
}
