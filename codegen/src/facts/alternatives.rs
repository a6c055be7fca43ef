//! Types that are one of their own alternatives: `a:t() :: x | b:t()` and `b:t() :: y | a:t()` have
//! equal values. With `m(A) :: A | {m, A}`, the type `n() :: m(n()) | n` is its own alternative,
//! too. If neither another module nor a parameter is involved, the resolver refuses such types.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Module, Type, TypeDef, TypeName};

use super::bare;
use super::rewrite::substituted;
use super::world::{World, type_name};

/// Maximum number of instances of types whose alternatives replace a type. The arguments of more
/// instances grow at every turn.
const INSTANCES: usize = 64;

/// Returns `modules`, in which a type that is one of its own alternatives is replaced by the
/// alternatives of the other types, because an enum cannot contain itself in that way. The text of
/// the forms is kept.
pub(crate) fn expanded<'m>(modules: &'m [Cow<'m, Module>]) -> Vec<Cow<'m, Module>> {
    let world = World::of(modules.iter().map(Cow::as_ref));
    let alternatives = Alternatives::new(&world);
    let expanded = |module: &'m Cow<'m, Module>| {
        let mut module = Cow::Borrowed(&**module);
        for index in 0..module.types.len() {
            let body = module.types.get(index).and_then(|definition| {
                let name = type_name(&module, definition);
                alternatives.without_itself(&name, definition)
            });
            if let Some(body) = body
                && let Some(definition) = module.to_mut().types.get_mut(index)
            {
                definition.body = body;
            }
        }
        module
    };
    modules.iter().map(expanded).collect()
}

/// The types of a run, and their parameters that are alternatives: `A` in `t(A) :: A | {ok, A}`.
struct Alternatives<'w, 'm> {
    world: &'w World<'m>,
    parameters: BTreeMap<TypeName, BTreeSet<usize>>,
}

/// Types whose alternatives are already collected, with their arguments.
type Instances = Vec<(TypeName, Vec<Type>)>;

impl<'w, 'm> Alternatives<'w, 'm> {
    fn new(world: &'w World<'m>) -> Self {
        let mut all = Alternatives {
            world,
            parameters: BTreeMap::new(),
        };
        let modules = world.modules.iter();
        let types = modules.flat_map(|module| {
            let types = module.types.iter();
            types.map(move |definition| (type_name(module, definition), definition))
        });
        let mut generic: Vec<(TypeName, &TypeDef)> = types
            .filter(|(_, definition)| !definition.params.is_empty())
            .collect();
        // A type passes its parameters on to other types, so one pass may not be enough.
        let mut is_complete = false;
        while !is_complete {
            is_complete = true;
            for (name, definition) in &generic {
                let found = all.parameters_of(definition);
                if !found.is_empty() && all.parameters.get(name) != Some(&found) {
                    all.parameters.insert(name.clone(), found);
                    is_complete = false;
                }
            }
            generic.reverse();
        }
        all
    }

    fn parameters_of(&self, definition: &TypeDef) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        self.visit(&definition.body, &mut |ty| {
            if let Type::Var(name) = ty {
                let mut parameters = definition.params.iter();
                found.extend(parameters.position(|parameter| parameter == name));
            }
        });
        found
    }

    /// Visits the alternatives of a type, and those of its arguments that are alternatives of it.
    fn visit<'t>(&self, ty: &'t Type, visitor: &mut impl FnMut(&'t Type)) {
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            let ty = bare(ty);
            match ty {
                Type::Union(members) => open.extend(members),
                Type::Named(name, arguments) => {
                    let parameters = self.parameters.get(&**name).into_iter().flatten();
                    open.extend(parameters.filter_map(|index| arguments.get(*index)));
                    visitor(ty);
                }
                _ => visitor(ty),
            }
        }
    }

    /// Returns the body of the type without references to itself, if it has some.
    fn without_itself(&self, name: &TypeName, definition: &TypeDef) -> Option<Type> {
        if !self.leads_to(&definition.body, name) {
            return None;
        }
        let own = definition.params.iter().cloned().map(Type::Var);
        let mut instances = vec![(name.clone(), own.collect())];
        let mut found = Vec::new();
        if !self.collect(&definition.body, name, &mut instances, &mut found) {
            found.clear();
        }
        Some(match found.len() {
            // The definitions do not determine any values, or Rust cannot express them.
            0 => Type::Invalid,
            1 => found.remove(0),
            _ => Type::Union(found),
        })
    }

    /// Collects the alternatives of `ty` that do not lead to `name`. Returns false if there are too
    /// many instances.
    fn collect(
        &self,
        ty: &Type,
        name: &TypeName,
        instances: &mut Instances,
        found: &mut Vec<Type>,
    ) -> bool {
        match bare(ty) {
            Type::Union(members) => members
                .iter()
                .all(|member| self.collect(member, name, instances, found)),
            Type::Named(other, arguments) if self.leads_to(ty, name) => {
                let is_it = |one: &(TypeName, Vec<Type>)| one.0 == **other && one.1 == *arguments;
                if instances.iter().any(is_it) {
                    return true;
                }
                instances.push((TypeName::clone(other), arguments.clone()));
                let Some(definition) = self.world.definition(other) else {
                    return true;
                };
                let body = substituted(&definition.body, definition, arguments);
                instances.len() <= INSTANCES && self.collect(&body, name, instances, found)
            }
            _ if found.contains(ty) => true,
            _ => {
                found.push(ty.clone());
                true
            }
        }
    }

    /// Returns whether one of the alternatives of `ty` is the type.
    fn leads_to(&self, ty: &Type, name: &TypeName) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            let mut others = Vec::new();
            self.visit(ty, &mut |alternative| {
                if let Type::Named(other, _) = alternative {
                    others.push(&**other);
                }
            });
            for other in others {
                if other == name {
                    return true;
                }
                if seen.insert(other)
                    && let Some(definition) = self.world.definition(other)
                {
                    open.push(&definition.body);
                }
            }
        }
        false
    }
}
