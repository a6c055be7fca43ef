//! Types whose arguments grow at every turn of their recursion: `-type t(A) :: {A, t({A})}`.
//!
//! Such a type has infinitely many instances, which neither a Rust type nor a schema can express. A
//! graph of the type parameters finds it: `t`'s parameter flows into `u`'s if the body of `t` has
//! `u(…)` with it as the argument, or as a part of the argument. A flow as a part grows without
//! limit if it is on a circle. All other types have finitely many instances.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::components;
use otp_specs::types::{Type, TypeName};

use super::bare;
use super::references::all_parts;
use super::world::{World, type_name};

/// The parameters that reach each other.
pub(crate) struct Growth(BTreeMap<(TypeName, usize), usize>);

impl Growth {
    /// Examines every type of the run.
    pub(crate) fn new(world: &World<'_>) -> Self {
        let mut numbers = BTreeMap::new();
        for module in &world.modules {
            for definition in &module.types {
                let name = type_name(module, definition);
                for index in 0..definition.params.len() {
                    let next = numbers.len();
                    numbers.entry((name.clone(), index)).or_insert(next);
                }
            }
        }
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
        for module in &world.modules {
            for definition in &module.types {
                let owner = type_name(module, definition);
                let of_owner = |variable: &str| {
                    let index = definition.params.iter().position(|name| name == variable)?;
                    numbers.get(&(owner.clone(), index)).copied()
                };
                for (name, arguments) in references(&definition.body) {
                    for (index, argument) in arguments.iter().enumerate() {
                        let Some(target) = numbers.get(&(name.clone(), index)) else {
                            continue;
                        };
                        let sources = variables(argument).into_iter().filter_map(of_owner);
                        sources.for_each(|source| edges[source].push(*target));
                    }
                }
            }
        }
        let components = components(&edges);
        let of_component = numbers.into_iter();
        Growth(
            of_component
                .map(|(parameter, number)| (parameter, components[number]))
                .collect(),
        )
    }

    /// Returns whether the reference to `name` with these arguments in the definition of `owner`
    /// grows at every turn.
    pub(crate) fn is_endless(
        &self,
        world: &World<'_>,
        owner: &TypeName,
        name: &TypeName,
        arguments: &[Type],
    ) -> bool {
        let Some(definition) = world.definition(owner) else {
            return false;
        };
        let indexed = arguments.iter().enumerate();
        let mut larger = indexed.filter(|(_, argument)| !matches!(bare(argument), Type::Var(_)));
        larger.any(|(index, argument)| {
            let target = self.0.get(&(name.clone(), index));
            target.is_some()
                && variables(argument).into_iter().any(|variable| {
                    let mut parameters = definition.params.iter();
                    let index = parameters.position(|known| known == variable);
                    index.and_then(|index| self.0.get(&(owner.clone(), index))) == target
                })
        })
    }
}

/// Returns the named types with arguments in `ty`, at any depth.
fn references(ty: &Type) -> Vec<(&TypeName, &[Type])> {
    let mut found = Vec::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty {
            Type::Named(name, arguments) if !arguments.is_empty() => {
                found.push((&**name, arguments.as_slice()));
            }
            _ => {}
        }
        open.extend(all_parts(ty));
    }
    found
}

/// Returns the variables in `ty`.
fn variables(ty: &Type) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if let Type::Var(name) = ty {
            found.insert(name.as_str());
        }
        open.extend(all_parts(ty));
    }
    found
}
