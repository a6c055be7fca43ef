//! The members of unions, resolved through the names of other unions. They are computed for all
//! names at once, in linear time, because a chain of unions may be as long as a file, and a member
//! may be reachable in many ways.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Builtin, Type, TypeDef, TypeName};

use super::bare;

/// Facts about named types.
#[derive(Default)]
pub(crate) struct Unions {
    /// Types with values other than literal atoms.
    pub(crate) others: BTreeSet<TypeName>,
    /// Types that may be the atom, for each of [`NOTHING`].
    pub(crate) with: BTreeMap<&'static str, BTreeSet<TypeName>>,
}

/// Atoms that mean "nothing": OTP's and Elixir's.
const NOTHING: [&str; 2] = ["undefined", "nil"];

impl Unions {
    /// Examines all types of a run.
    pub(crate) fn new(types: &BTreeMap<TypeName, &TypeDef>) -> Self {
        let numbers: BTreeMap<&TypeName, usize> = types.keys().zip(0..).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
        let mut others = Vec::new();
        let mut with = NOTHING.map(|atom| (atom, Vec::new()));
        for (owner, definition) in types.values().enumerate() {
            let mut open = vec![bare(&definition.body)];
            while let Some(ty) = open.pop() {
                match ty {
                    Type::Union(members) => open.extend(members.iter().map(bare)),
                    Type::Named(name, _) => match numbers.get(&**name) {
                        Some(number) => users[*number].push(owner),
                        // The values of mapped types are unknown; other types are the dynamic term.
                        None => {
                            others.push(owner);
                            with.iter_mut().for_each(|(_, owners)| owners.push(owner));
                        }
                    },
                    ty => {
                        let is_atom = matches!(ty, Type::Atom(_) | Type::Builtin(Builtin::Boolean));
                        others.extend((!is_atom).then_some(owner));
                        for (atom, owners) in &mut with {
                            owners.extend(may_be(ty, atom).then_some(owner));
                        }
                    }
                }
            }
        }
        let names: Vec<&TypeName> = types.keys().collect();
        let named = |numbers: BTreeSet<usize>| {
            let names = numbers.into_iter().map(|number| names[number].clone());
            names.collect()
        };
        Unions {
            others: named(reached(&users, others)),
            with: with
                .into_iter()
                .map(|(atom, owners)| (atom, named(reached(&users, owners))))
                .collect(),
        }
    }
}

/// Returns the numbers that can be reached from `open` through `users`.
fn reached(users: &[Vec<usize>], mut open: Vec<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            open.extend(&users[node]);
        }
    }
    seen
}

/// Returns whether an atom may be a value of a type that is neither a name nor a union.
pub(super) fn may_be(ty: &Type, atom: &str) -> bool {
    match ty {
        Type::Any | Type::Invalid => true,
        Type::Atom(other) => other == atom,
        Type::Builtin(builtin) => {
            matches!(builtin, Builtin::Atom | Builtin::Module | Builtin::Node)
        }
        _ => false,
    }
}
