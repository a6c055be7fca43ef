//! Results of callbacks: what the return enum holds.

use std::collections::BTreeSet;

use otp_specs::types::Type;

use super::substitute::members;
use super::union::normal;
use super::{Lowerer, Place};
use crate::facts::{DEPTH, bare, parts};
use crate::ir::{Returns, RustType, Shape, Variant};
use crate::names::camel;

impl Lowerer<'_> {
    /// What a callback with this result may return; `name` is that of the callback's types.
    pub(super) fn returns(&mut self, name: &str, result: &Type) -> Returns {
        let mut place = Place::top(name);
        if matches!(bare(result), Type::None)
            || (self.shared.world.is_term(result) && !self.roles.is_state(result))
        {
            return Returns::AnyTerm;
        }
        let Some(members) = members(self.shared.world, result) else {
            place.in_clause = true;
            let ty = self.lower(result, &place);
            return match ty {
                RustType::Parameter(_) => self.clauses(name, std::slice::from_ref(result), &place),
                ty => Returns::Type(ty),
            };
        };
        place.in_clause = true;
        let members = normal(self.shared.world, &members);
        self.clauses(name, &members, &place)
    }

    fn clauses(&mut self, name: &str, members: &[Type], place: &Place<'_>) -> Returns {
        let mut variants = self.variants(members, place);
        let own = self.roles.state_name();
        for variant in &mut variants {
            one_state(&mut variant.shape, &own);
        }
        let wanted = camel(name);
        let wanted = if self.taken.contains(&wanted) {
            format!("{wanted}Result")
        } else {
            wanted
        };
        Returns::Clauses {
            name: self.taken.claim(&wanted),
            variants,
            kept: BTreeSet::new(),
        }
    }

    /// Whether the reply occurs in `result`.
    pub(super) fn has_reply(&self, result: &Type) -> bool {
        self.occurs(result, DEPTH)
    }

    fn occurs(&self, ty: &Type, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        self.roles.is_reply(ty) || parts(ty).iter().any(|(part, _)| self.occurs(part, depth))
    }
}

/// A clause moves the state once: a second mention of it is any term.
fn one_state(shape: &mut Shape, own: &str) {
    let (Shape::Tagged(_, elements) | Shape::Tuple(elements)) = shape else {
        return;
    };
    let mut seen = false;
    for element in elements {
        if !element.ty.mentions(own) {
            continue;
        }
        if seen {
            element.ty = RustType::TERM;
        }
        seen = true;
    }
}

/// Whether the type parameter `name` occurs in any clause.
pub(super) fn mentions(returns: &Returns, name: &str) -> bool {
    match returns {
        Returns::AnyTerm => false,
        Returns::Type(ty) => ty.mentions(name),
        Returns::Clauses { variants, .. } => {
            let types =
                |variant: &Variant| variant.shape.types().iter().any(|ty| ty.mentions(name));
            variants.iter().any(types)
        }
    }
}
