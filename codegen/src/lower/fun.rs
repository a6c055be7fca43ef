//! Funs with their arguments and results.

use otp_contract::limits::FUN_ARITY;
use otp_specs::types::Type;

use super::position::Position;
use super::{Context, lower};
use crate::ir::RustType;
use crate::names::taken::ordinal;
use crate::report::Reason;

pub(super) fn fun(
    cx: &mut Context<'_>,
    ty: &Type,
    arguments: Option<&[Type]>,
    result: &Type,
    position: &Position<'_>,
) -> RustType {
    if arguments.is_some_and(|arguments| arguments.len() > FUN_ARITY) {
        cx.imprecise(ty, position, Reason::NoRustType);
        return RustType::Runtime("Fun", Vec::new());
    }
    let position = position.behind();
    let arguments = arguments.map(|arguments| {
        let lowered = arguments.iter().enumerate().map(|(index, argument)| {
            let position = position.inside(&format!("{}_argument", ordinal(index + 1)));
            lower(cx, argument, &position)
        });
        lowered.collect::<Vec<_>>()
    });
    let result = lower(cx, result, &position.inside("Result"));
    match (&arguments, &result) {
        (None, result) if *result == RustType::TERM => RustType::Runtime("Fun", Vec::new()),
        _ => RustType::Fun(arguments, Box::new(result)),
    }
}
