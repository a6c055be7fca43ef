//! Type variables: parameters of a definition, and bounds after `when`.

use std::collections::{BTreeMap, BTreeSet};

use super::Resolver;
use crate::ast::{self, Location};
use crate::catalog;
use crate::print;
use crate::types::Type;

/// The variables of the form that is being resolved.
pub(super) enum Scope<'a> {
    /// A record: no variable is bound.
    None,
    /// A type definition: its parameters.
    Parameters(BTreeSet<&'a str>),
    /// A clause of a signature.
    Clause(Bounds<'a>),
}

/// The constraints of a clause.
#[derive(Default)]
pub(super) struct Bounds<'a> {
    bounds: BTreeMap<&'a str, &'a ast::Type>,
    /// Variables whose bounds are being resolved, outermost first.
    open: Vec<&'a str>,
    /// Resolved bounds, with the number of nodes in each.
    done: BTreeMap<&'a str, (Type, usize)>,
}

impl<'a> Bounds<'a> {
    /// Collects the bounds. If a variable has two, the first counts.
    pub(super) fn of(constraints: &'a [ast::Constraint]) -> Self {
        let pairs = constraints.iter().rev();
        let bounds = pairs
            .map(|one| (one.variable.as_str(), &one.bound))
            .collect();
        Bounds {
            bounds,
            ..Bounds::default()
        }
    }
}

impl<'a> Resolver<'a> {
    /// Returns the meaning of a variable in its context.
    pub(super) fn variable(&mut self, name: &'a str, at: Location) -> Type {
        if name == "_" {
            return Type::Any;
        }
        let known = match &self.scope {
            Scope::None => false,
            Scope::Parameters(names) => names.contains(name),
            Scope::Clause(_) => return self.bounded(name, at),
        };
        if known {
            return Type::Var(print::variable(name).into_owned());
        }
        self.report(catalog::UNBOUND_VARIABLE.at(at, name));
        Type::Any
    }

    /// Resolves a variable of a signature: its name and bound, or the variable itself if it has
    /// none.
    fn bounded(&mut self, name: &'a str, at: Location) -> Type {
        let Scope::Clause(bounds) = &mut self.scope else {
            return Type::Invalid;
        };
        if let Some((done, size)) = bounds.done.get(name) {
            let (done, size) = (done.clone(), *size);
            return if self.spend(size, at, name) {
                done
            } else {
                Type::Invalid
            };
        }
        let Some(bound) = bounds.bounds.get(name).copied() else {
            return Type::Var(print::variable(name).into_owned());
        };
        if bounds.open.contains(&name) {
            self.report(catalog::RECURSIVE_CONSTRAINT.at(at, name));
            return Type::Var(print::variable(name).into_owned());
        }
        bounds.open.push(name);
        let before = self.budget;
        let bound = self.ty(bound);
        let size = before.saturating_sub(self.budget) + 1;
        let resolved = Type::Annotated(print::variable(name).into_owned(), Box::new(bound));
        if let Scope::Clause(bounds) = &mut self.scope {
            bounds.open.pop();
            bounds.done.insert(name, (resolved.clone(), size));
        }
        resolved
    }

    /// Takes nodes off the budget. Returns false, with a diagnostic, once it is exhausted.
    pub(super) fn spend(&mut self, nodes: usize, at: Location, name: &str) -> bool {
        if self.budget == 0 {
            return false;
        }
        if nodes >= self.budget {
            self.budget = 0;
            self.report(catalog::TYPE_TOO_LARGE.at(at, name));
            return false;
        }
        self.budget -= nodes;
        true
    }
}
