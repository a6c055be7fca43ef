//! Results of callbacks: what the return enum holds.

use otp_specs::types::Type;

use super::clause::{clause, same, without_state};

use super::union::normal;
use super::{Lowerer, Place};
use crate::facts::substitute::members;
use crate::facts::{DEPTH, annotation, bare, parts};
use crate::ir::{Clause, Returns, RustType};
use crate::names::camel;
use crate::text;

impl Lowerer<'_> {
    /// What a callback with this result may return; `name` is that of the callback's types,
    /// `makes` tells whether it makes the state.
    pub(super) fn returns(&mut self, name: &str, result: &Type, makes: bool) -> Returns {
        let mut place = Place::top(name);
        if matches!(bare(result), Type::None)
            || (self.shared.world.is_term(result) && !self.roles.is_state(result))
        {
            return Returns::AnyTerm;
        }
        let Some(members) = members(self.shared.world, result) else {
            place.in_clause = true;
            let ty = self.lower(result, &place);
            let own = self.roles.state_name();
            return match ty {
                RustType::Parameter(_) => {
                    self.clauses(name, std::slice::from_ref(result), &place, makes)
                }
                ty => Returns::Type(without_state(&ty, &own)),
            };
        };
        place.in_clause = true;
        let members = normal(self.shared.world, &members);
        self.clauses(name, &members, &place, makes)
    }

    /// One clause for each member; those that are the same without the state are one.
    fn clauses(&mut self, name: &str, members: &[Type], place: &Place<'_>, makes: bool) -> Returns {
        let own = self.roles.state_name();
        let mut clauses: Vec<Clause> = Vec::new();
        for variant in self.variants(members, place) {
            let clause = clause(variant, &own, makes);
            if !clauses.iter().any(|known| same(known, &clause)) {
                clauses.push(clause);
            }
        }
        let wanted = camel(name);
        let wanted = if self.taken.contains(&wanted) {
            format!("{wanted}Result")
        } else {
            wanted
        };
        Returns::Clauses {
            name: self.taken.claim(&wanted),
            clauses,
        }
    }

    /// What the form calls the state in `result`, if it is there.
    pub(super) fn word_for_state(&self, result: &Type) -> Option<String> {
        let whole = || vec![result.clone()];
        let members = members(self.shared.world, result).unwrap_or_else(whole);
        let mut words = members.iter().map(|ty| self.state_within(ty, DEPTH));
        words.find_map(|word| word)
    }

    fn state_within(&self, ty: &Type, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if self.roles.is_state(ty) {
            let name = annotation(ty).map(str::to_owned);
            return Some(name.unwrap_or_else(|| text::erlang(ty)));
        }
        let mut within = parts(ty).into_iter();
        within.find_map(|(part, _)| self.state_within(part, depth))
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

/// Whether the type parameter `name` occurs in any clause.
pub(super) fn mentions(returns: &Returns, name: &str) -> bool {
    match returns {
        Returns::AnyTerm => false,
        Returns::Type(ty) => ty.mentions(name),
        Returns::Clauses { clauses, .. } => {
            clauses.iter().any(|clause| clause_mentions(clause, name))
        }
    }
}

/// Whether the type parameter `name` occurs in the clause.
pub(super) fn clause_mentions(clause: &Clause, name: &str) -> bool {
    let types = clause.variant.shape.types();
    types.into_iter().any(|ty| ty.mentions(name))
}
