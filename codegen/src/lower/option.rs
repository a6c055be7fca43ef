//! `undefined | T` as `Option<T>`.

use otp_specs::types::{Builtin, Type};

use super::{Lowerer, Place};
use crate::facts::{DEPTH, bare};
use crate::ir::RustType;

/// The atom that OTP says "nothing" by.
const UNDEFINED: &str = "undefined";

impl Lowerer<'_> {
    /// `Option` of the other member, where `members` are two and one of them is `undefined`.
    pub(super) fn option(&mut self, members: &[Type], place: &Place<'_>) -> Option<RustType> {
        let content = self.option_content(members)?;
        self.precise(RustType::Atom(UNDEFINED.to_owned()));
        let content = self.lower(content, place);
        Some(RustType::Standard("Option", vec![content]))
    }

    /// What is in the `Option` that `members` are. It cannot be `undefined` itself, or reading
    /// could not tell the two; a type variable is given the benefit of the doubt.
    pub(super) fn option_content<'m>(&self, members: &'m [Type]) -> Option<&'m Type> {
        let [first, second] = members else {
            return None;
        };
        let undefined = |ty: &Type| matches!(bare(ty), Type::Atom(atom) if atom == UNDEFINED);
        let content = match (undefined(first), undefined(second)) {
            (true, false) => second,
            (false, true) => first,
            _ => return None,
        };
        (!self.may_be_undefined(content, DEPTH)).then_some(content)
    }

    fn may_be_undefined(&self, ty: &Type, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return true;
        };
        match bare(ty) {
            Type::Any | Type::Invalid => true,
            Type::Atom(atom) => atom == UNDEFINED,
            Type::Builtin(builtin) => {
                matches!(builtin, Builtin::Atom | Builtin::Module | Builtin::Node)
            }
            Type::Union(members) => members
                .iter()
                .any(|member| self.may_be_undefined(member, depth)),
            Type::Named(name, _) => match self.shared.world.definition(name) {
                Some(definition) => self.may_be_undefined(&definition.body, depth),
                // Mapped types say nothing of themselves; others are the dynamic term.
                None => true,
            },
            _ => false,
        }
    }
}
