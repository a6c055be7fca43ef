//! Lists: empty, proper, improper.

use otp_specs::types::{Builtin, Type};

use super::{Lowerer, Place};
use crate::facts::{DEPTH, bare};
use crate::ir::RustType;
use crate::report::Reason;

impl Lowerer<'_> {
    pub(super) fn list(&mut self, element: &Type, place: &Place<'_>) -> RustType {
        let element = self.lower(element, &place.behind());
        RustType::Standard("Vec", vec![element])
    }

    pub(super) fn nonempty_list(&mut self, element: &Type, place: &Place<'_>) -> RustType {
        let element = self.lower(element, &place.behind());
        RustType::Runtime("NonemptyList", vec![element])
    }

    /// A list of `element` that ends in `tail`, or in `[]` if `tail` says so or `proper`.
    pub(super) fn improper_list(
        &mut self,
        ty: &Type,
        element: &Type,
        tail: &Type,
        proper: bool,
        place: &Place<'_>,
    ) -> RustType {
        let (rest, ends_in_nil) = without_nil(tail);
        if self.may_be_list(&rest, DEPTH) && !self.shared.world.is_term(element) {
            return self.fallback(ty, place, Reason::ListTail);
        }
        let place = place.behind();
        if rest == Type::None {
            return match proper {
                true => self.list(element, &place),
                false => self.nonempty_list(element, &place),
            };
        }
        // That such a list has elements is not checked where it may be proper too.
        let name = match proper || ends_in_nil {
            true => "MaybeImproperList",
            false => "NonemptyImproperList",
        };
        if !proper && ends_in_nil {
            self.imprecise(ty, &place, Reason::ListTail);
        }
        let element = self.lower(element, &place.inside("Element"));
        let tail = self.lower(&rest, &place.inside("Tail"));
        RustType::Runtime(name, vec![element, tail])
    }

    /// Whether a value of `ty` may be a list, which would be no tail but more elements. A type
    /// variable is given the benefit of the doubt.
    fn may_be_list(&self, ty: &Type, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return true;
        };
        match bare(ty) {
            Type::Any
            | Type::Invalid
            | Type::Nil
            | Type::List(_)
            | Type::NonemptyList(_)
            | Type::MaybeImproperList(..)
            | Type::NonemptyImproperList(..) => true,
            Type::Builtin(builtin) => matches!(
                builtin,
                Builtin::Iodata
                    | Builtin::Iolist
                    | Builtin::String
                    | Builtin::NonemptyString
                    | Builtin::List
                    | Builtin::NonemptyList
                    | Builtin::MaybeImproperList
                    | Builtin::NonemptyMaybeImproperList
            ),
            Type::Union(members) => members.iter().any(|member| self.may_be_list(member, depth)),
            Type::Named(name, _) => match self.shared.world.definition(name) {
                Some(definition) => self.may_be_list(&definition.body, depth),
                None => true,
            },
            _ => false,
        }
    }
}

/// `tail` without `[]`, and whether that was in it.
fn without_nil(tail: &Type) -> (Type, bool) {
    match bare(tail) {
        Type::Nil => (Type::None, true),
        Type::Union(members) => {
            let mut others: Vec<Type> = members
                .iter()
                .filter(|member| *bare(member) != Type::Nil)
                .cloned()
                .collect();
            let found = others.len() < members.len();
            match others.len() {
                0 => (Type::None, found),
                1 => (others.remove(0), found),
                _ => (Type::Union(others), found),
            }
        }
        other => (other.clone(), false),
    }
}
