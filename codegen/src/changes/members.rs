//! The members of a callback's result, expanded.

use std::collections::BTreeSet;

use otp_specs::types::{Type, TypeName};

use super::key::key;
use crate::facts::rewrite::substituted;
use crate::facts::world::World;
use crate::facts::{DEPTH, bare};

/// Maximum number of names that are followed from one type.
const MOST_NAMES: usize = 256;
/// Maximum number of clauses into which a tuple with unions inside is expanded.
const MOST_CLAUSES: usize = 512;

/// The members of a union, also if the union has a name. A tuple with unions in it is expanded, so
/// that each combination is one member.
pub(super) struct Members<'a> {
    world: &'a World<'a>,
    /// Names that were already followed, with their arguments. Each is followed only once, because
    /// types may be unions of each other.
    followed: BTreeSet<String>,
    /// The names, without arguments.
    pub(super) names: BTreeSet<TypeName>,
    pub(super) found: Vec<Type>,
}

impl<'a> Members<'a> {
    pub(super) fn of(world: &'a World<'a>, ty: &Type) -> Self {
        let mut members = Self::none(world);
        members.collect(ty, DEPTH, true);
        members
    }

    fn none(world: &'a World<'a>) -> Self {
        Members {
            world,
            followed: BTreeSet::new(),
            names: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    fn collect(&mut self, ty: &Type, depth: usize, apart: bool) {
        let depth = depth.saturating_sub(1);
        match bare(ty) {
            _ if depth == 0 => self.found.push(ty.clone()),
            Type::Union(members) => {
                for member in members {
                    self.collect(member, depth, apart);
                }
            }
            Type::Tuple(elements) if apart => self.take_apart(elements, depth),
            Type::Named(name, arguments) => match self.follow(name, arguments, ty, apart) {
                Some(body) => self.collect(&body, depth, apart),
                None => self.found.push(ty.clone()),
            },
            _ => self.found.push(ty.clone()),
        }
    }

    /// Adds the members of the union that a name stands for, or also of the tuple.
    fn follow(
        &mut self,
        name: &TypeName,
        arguments: &[Type],
        ty: &Type,
        tuple: bool,
    ) -> Option<Type> {
        let definition = self.world.definition(name)?;
        if self.followed.len() >= MOST_NAMES || !self.followed.insert(key(ty)) {
            return None;
        }
        let body = substituted(&definition.body, definition, arguments);
        let goes_on = match bare(&body) {
            Type::Union(_) | Type::Named(..) => true,
            Type::Tuple(_) => tuple,
            _ => false,
        };
        goes_on.then(|| {
            self.names.insert(name.clone());
            body
        })
    }

    fn take_apart(&mut self, elements: &[Type], depth: usize) {
        let mut tuples: Vec<Vec<Type>> = vec![Vec::new()];
        for element in elements {
            let choices = match bare(element) {
                Type::Union(_) | Type::Named(..) => self.choices(element, depth),
                _ => vec![element.clone()],
            };
            if tuples.len().saturating_mul(choices.len()) > MOST_CLAUSES {
                tuples = vec![elements.to_vec()];
                break;
            }
            let with = |tuple: &Vec<Type>, choice: &Type| [tuple, &[choice.clone()][..]].concat();
            let longer = tuples
                .iter()
                .flat_map(|tuple| choices.iter().map(move |choice| with(tuple, choice)));
            tuples = longer.collect();
        }
        self.found.extend(tuples.into_iter().map(Type::Tuple));
    }

    /// Returns the possible values of an element of a tuple. A type that is not a union keeps its
    /// name.
    fn choices(&mut self, element: &Type, depth: usize) -> Vec<Type> {
        let mut inner = Self::none(self.world);
        inner.collect(element, depth, false);
        if inner.found.len() < 2 {
            return vec![element.clone()];
        }
        self.names.append(&mut inner.names);
        inner.found
    }
}
