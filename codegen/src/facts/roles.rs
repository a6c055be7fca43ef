//! What each argument of a callback is for, told by the names in its form.
//!
//! - *State*: an argument `State :: term()` whose name, a leading `New` left out, also names a
//!   `term()` in the result of the same callback. What is the state in one callback is the state
//!   in every callback of the module. `Reply` never is.
//! - *Open*: another annotated argument that is `term()`, or a union with it.
//! - *Args*: the same in a callback without a state: there is no process yet.
//! - *Fixed*: every other argument.

use std::collections::BTreeSet;

use otp_specs::types::{Function, Module, Type};

use super::clauses::{Signature, signature};
use super::world::World;
use super::{DEPTH, annotation, bare, parts};
use crate::ir::Role;
use crate::names::without_new;

/// The variable that stands for the reply to a request.
pub(crate) const REPLY: &str = "Reply";
/// The argument that a reply answers.
pub(crate) const REQUEST: &str = "Request";

/// Variables that name the state in one module.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    states: BTreeSet<String>,
}

impl Roles {
    /// Looks at every callback of `module`.
    pub(crate) fn new(module: &Module) -> Self {
        let states = module.callbacks.iter().flat_map(state_variables).collect();
        Roles { states }
    }

    /// Whether `ty`, anywhere in a callback, is the state.
    pub(crate) fn is_state(&self, ty: &Type) -> bool {
        pure_term(ty).is_some_and(|name| self.states.contains(without_new(name)))
    }

    /// Whether `ty`, in a result, is the reply.
    pub(crate) fn is_reply(&self, ty: &Type) -> bool {
        pure_term(ty) == Some(REPLY)
    }

    /// The role of every argument.
    pub(crate) fn of_arguments(&self, world: &World<'_>, signature: &Signature) -> Vec<Role> {
        let state = signature
            .arguments
            .iter()
            .position(|argument| self.is_state(argument));
        let role = |(index, argument): (usize, &Type)| {
            if Some(index) == state {
                Role::State
            } else if annotation(argument).is_none() || !open(world, argument) {
                Role::Fixed
            } else if state.is_none() {
                Role::Args
            } else {
                Role::Open
            }
        };
        signature.arguments.iter().enumerate().map(role).collect()
    }
}

fn open(world: &World<'_>, argument: &Type) -> bool {
    matches!(bare(argument), Type::Var(_)) || world.holds_term(argument)
}

/// The variable's name, when `ty` is an annotated `term()`.
fn pure_term(ty: &Type) -> Option<&str> {
    matches!(bare(ty), Type::Any | Type::Var(_))
        .then(|| annotation(ty))
        .flatten()
}

fn state_variables(callback: &Function) -> Vec<String> {
    let signature = signature(callback);
    let mut returned = BTreeSet::new();
    variables(&signature.result, DEPTH, &mut returned);
    let names = signature
        .arguments
        .iter()
        .filter_map(pure_term)
        .map(without_new);
    names
        .filter(|name| *name != REPLY && returned.contains(name))
        .map(str::to_owned)
        .collect()
}

fn variables<'t>(ty: &'t Type, depth: usize, found: &mut BTreeSet<&'t str>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Some(name) = pure_term(ty) {
        found.insert(without_new(name));
    }
    for (part, _) in parts(ty) {
        variables(part, depth, found);
    }
}
