//! The atoms of a type: a tuple that begins with one has a tag, and a map whose keys are atoms is
//! an object.

use std::collections::BTreeMap;
use std::rc::Rc;

use otp_contract::schema::Names;
use otp_specs::types::{Builtin, Type, TypeName};

use super::instances::SchemaScope;
use super::types::Types;
use crate::facts::{DEPTH, bare};

/// The atoms of a type, and whether it has other terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atoms {
    pub(super) names: Names,
    pub(super) has_others: bool,
}

impl Atoms {
    /// The atoms of `term()`.
    pub(super) const ANY: Atoms = Atoms {
        names: Names::Any,
        has_others: true,
    };

    fn only(names: Names) -> Atoms {
        Atoms {
            names,
            has_others: false,
        }
    }

    fn none() -> Atoms {
        Atoms {
            names: Names::none(),
            has_others: true,
        }
    }

    /// No term at all.
    pub(super) fn nothing() -> Atoms {
        Atoms::only(Names::none())
    }

    pub(super) fn and(self, other: Atoms) -> Atoms {
        Atoms {
            names: self.names.and(other.names),
            has_others: self.has_others || other.has_others,
        }
    }

    /// Returns the atom that is the only term.
    pub(super) fn only_atom(&self) -> Option<&str> {
        match &self.names {
            Names::These(names) if names.len() == 1 && !self.has_others => {
                names.first().map(String::as_str)
            }
            _ => None,
        }
    }
}

/// The atoms of type variables.
type Variables<'t> = Rc<BTreeMap<&'t str, Atoms>>;

/// Facts about types without parameters.
#[derive(Default)]
pub(super) struct KnownAtoms {
    /// `None` while a type is being examined.
    types: BTreeMap<TypeName, Option<Atoms>>,
    /// Whether the type being examined depends on another type being examined.
    is_partial: bool,
}

impl<'a> Types<'a> {
    /// Returns the atoms of a type in this scope.
    pub(super) fn atoms(&mut self, ty: &Type, scope: &SchemaScope<'_>) -> Atoms {
        let variables = scope.variables.iter();
        let variables = variables.map(|(name, argument)| (*name, argument.atoms.clone()));
        self.known.is_partial = false;
        self.atoms_within(ty, &Rc::new(variables.collect()), DEPTH)
    }

    /// Follows names and unions without recursion, and arguments to a limited depth.
    fn atoms_within<'t>(&mut self, ty: &'t Type, variables: &Variables<'t>, depth: usize) -> Atoms
    where
        'a: 't,
    {
        let Some(depth) = depth.checked_sub(1) else {
            return Atoms::ANY;
        };
        let mut atoms = Atoms::nothing();
        let mut seen: Vec<(&TypeName, Vec<Atoms>)> = Vec::new();
        let mut open = vec![(ty, Rc::clone(variables))];
        while let Some((ty, variables)) = open.pop() {
            let (name, arguments) = match bare(ty) {
                Type::Union(members) => {
                    let member = |member: &'t Type| (member, Rc::clone(&variables));
                    open.extend(members.iter().map(member));
                    continue;
                }
                Type::Named(name, arguments) => (&**name, arguments),
                other => {
                    atoms = atoms.and(of_unnamed(other, &variables));
                    continue;
                }
            };
            let definition = match self.world.definition(name) {
                Some(definition) if !self.is_left_out(name) => definition,
                _ => return Atoms::ANY,
            };
            let arguments = arguments.iter();
            let arguments = arguments.map(|one| self.atoms_of_argument(one, &variables, depth));
            let arguments: Vec<Atoms> = arguments.collect();
            if !seen.contains(&(name, arguments.clone())) {
                let parameters = definition.params.iter().map(String::as_str);
                let inner = parameters.zip(arguments.iter().cloned()).collect();
                open.push((&definition.body, Rc::new(inner)));
                seen.push((name, arguments));
            }
        }
        atoms
    }

    /// Like `atoms_within`, but computed only once for each type without parameters.
    fn atoms_of_argument<'t>(
        &mut self,
        ty: &'t Type,
        variables: &Variables<'t>,
        depth: usize,
    ) -> Atoms
    where
        'a: 't,
    {
        let name = match bare(ty) {
            Type::Named(name, arguments) if arguments.is_empty() => name,
            _ => return self.atoms_within(ty, variables, depth),
        };
        match self.known.types.get(&**name) {
            Some(Some(atoms)) => return atoms.clone(),
            Some(None) => {
                self.known.is_partial = true;
                return Atoms::nothing();
            }
            None => {}
        }
        self.known.types.insert((**name).clone(), None);
        let atoms = self.atoms_within(ty, variables, depth);
        if self.known.is_partial {
            self.known.types.remove(&**name);
        } else {
            let known = Some(atoms.clone());
            self.known.types.insert((**name).clone(), known);
        }
        atoms
    }
}

fn of_unnamed(ty: &Type, variables: &BTreeMap<&str, Atoms>) -> Atoms {
    match ty {
        Type::Any | Type::Invalid => Atoms::ANY,
        Type::None => Atoms::nothing(),
        Type::Atom(text) => Atoms::only(Names::one(text)),
        Type::Builtin(builtin) => of_builtin(*builtin),
        Type::Var(name) => variables.get(name.as_str()).cloned().unwrap_or(Atoms::ANY),
        _ => Atoms::none(),
    }
}

fn of_builtin(builtin: Builtin) -> Atoms {
    match builtin {
        Builtin::Atom | Builtin::Module | Builtin::Node => Atoms::only(Names::Any),
        Builtin::Boolean => Atoms::only(Names::boolean()),
        Builtin::Timeout => Atoms {
            names: Names::one("infinity"),
            has_others: true,
        },
        _ => Atoms::none(),
    }
}
