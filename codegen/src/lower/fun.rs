//! Funs with their arguments and results.

use otp_contract::limits::FUN_ARITY;
use otp_specs::types::Type;

use super::{Lowerer, Place};
use crate::ir::RustType;
use crate::report::Reason;

impl Lowerer<'_> {
    pub(super) fn fun(
        &mut self,
        ty: &Type,
        arguments: Option<&[Type]>,
        result: &Type,
        place: &Place<'_>,
    ) -> RustType {
        if arguments.is_some_and(|arguments| arguments.len() > FUN_ARITY) {
            self.imprecise(ty, place, Reason::NoRustType);
            return RustType::Runtime("Fun", Vec::new());
        }
        let place = place.behind();
        let arguments = arguments.map(|arguments| {
            let lowered = arguments.iter().enumerate().map(|(index, argument)| {
                let place = place.inside(&format!("Argument{}", index + 1));
                self.lower(argument, &place)
            });
            lowered.collect::<Vec<_>>()
        });
        let result = self.lower(result, &place.inside("Result"));
        match (&arguments, &result) {
            (None, result) if *result == RustType::TERM => RustType::Runtime("Fun", Vec::new()),
            _ => RustType::Fun(arguments, Box::new(result)),
        }
    }
}
