//! What a behaviour's callbacks may return in one OTP and not in another.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use otp_specs::types::{Function, MapField, Module, RecordField, Type, TypeName};

use crate::facts::world::World;
use crate::facts::{DEPTH, bare, clauses};
use crate::{lower, text};

/// How many names are followed from one type.
const MOST_NAMES: usize = 256;
/// Into how many clauses a tuple with unions inside is taken apart.
const MOST_CLAUSES: usize = 512;

/// A difference between the callbacks of two versions of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A callback that the old one does not have.
    Added {
        /// Name and arity, as `init/1`.
        callback: String,
        /// Whether a module may do without it.
        optional: bool,
        /// The form as Erlang text.
        erlang: String,
    },
    /// A callback that the new one does not have.
    Removed {
        /// Name and arity.
        callback: String,
        /// The form as Erlang text.
        erlang: String,
    },
    /// A callback that a module may do without now, or no longer.
    Optional {
        /// Name and arity.
        callback: String,
        /// Whether it is optional in the new one.
        now: bool,
    },
    /// A callback that may return something else.
    Returns {
        /// Name and arity.
        callback: String,
        /// Clauses that only the new one has, as Erlang text.
        added: Vec<String>,
        /// Clauses that only the old one has.
        removed: Vec<String>,
    },
    /// A type that callbacks return, and that means something else.
    Type {
        /// Module, name and arity, as `supervisor:sup_flags/0`.
        name: String,
        /// Members that only the new one has, as Erlang text.
        added: Vec<String>,
        /// Members that only the old one has.
        removed: Vec<String>,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Added {
                callback,
                optional,
                erlang,
            } => {
                let kind = if *optional { "optional" } else { "required" };
                write!(formatter, "{callback} is new and {kind}\n  + {erlang}")
            }
            Change::Removed { callback, erlang } => {
                write!(formatter, "{callback} is gone\n  - {erlang}")
            }
            Change::Optional { callback, now } => {
                let kind = if *now { "optional" } else { "required" };
                write!(formatter, "{callback} is {kind} now")
            }
            Change::Returns {
                callback,
                added,
                removed,
            } => {
                write!(formatter, "{callback} returns")?;
                lines(formatter, added, removed)
            }
            Change::Type {
                name,
                added,
                removed,
            } => {
                write!(formatter, "{name}, which callbacks return, is")?;
                lines(formatter, added, removed)
            }
        }
    }
}

fn lines(formatter: &mut fmt::Formatter<'_>, added: &[String], removed: &[String]) -> fmt::Result {
    for clause in added {
        write!(formatter, "\n  + {clause}")?;
    }
    for clause in removed {
        write!(formatter, "\n  - {clause}")?;
    }
    Ok(())
}

/// Compares the callbacks of a module in two sets of modules. Types that are not in a set are
/// taken for the same in both when their names are.
pub fn changes(old: &[Module], new: &[Module], module: &str) -> Vec<Change> {
    let sides = (World::new(old), World::new(new));
    let (before, after) = (callbacks(&sides.0, module), callbacks(&sides.1, module));
    let mut changes = Vec::new();
    // Types that are told of already, as what callbacks return.
    let mut told = BTreeSet::new();
    for (key, function) in &after {
        let callback = format!("{}/{}", text::atom(key.0), key.1);
        match before.get(key) {
            None => changes.push(Change::Added {
                callback,
                optional: function.optional,
                erlang: function.erlang.clone(),
            }),
            Some(earlier) => {
                told.extend(compare(callback, earlier, function, &sides, &mut changes))
            }
        }
    }
    for (key, function) in &before {
        if !after.contains_key(key) {
            changes.push(Change::Removed {
                callback: format!("{}/{}", text::atom(key.0), key.1),
                erlang: function.erlang.clone(),
            });
        }
    }
    for name in returned(&sides.1, &after) {
        if !told.contains(&name) {
            changes.extend(changed_type(&name, &sides));
        }
    }
    changes
}

type Callbacks<'a> = BTreeMap<(&'a str, usize), &'a Function>;

fn callbacks<'a>(world: &World<'a>, module: &str) -> Callbacks<'a> {
    let found = world.modules.iter().find(|known| known.name == module);
    let callbacks = found.map_or(&[][..], |module| &module.callbacks);
    let keyed = callbacks
        .iter()
        .map(|one| ((one.name.as_str(), one.arity), one));
    keyed.collect()
}

/// Adds what changed of a callback; gives the names of unions that were looked into.
fn compare(
    callback: String,
    old: &Function,
    new: &Function,
    sides: &(World<'_>, World<'_>),
    changes: &mut Vec<Change>,
) -> BTreeSet<TypeName> {
    if old.optional != new.optional {
        changes.push(Change::Optional {
            callback: callback.clone(),
            now: new.optional,
        });
    }
    let old = Members::of(&sides.0, &clauses::signature(old).result);
    let new = Members::of(&sides.1, &clauses::signature(new).result);
    if let Some((added, removed)) = difference(&old.found, &new.found) {
        changes.push(Change::Returns {
            callback,
            added,
            removed,
        });
    }
    new.names
}

/// A named type that both sides have, with another meaning.
fn changed_type(name: &TypeName, sides: &(World<'_>, World<'_>)) -> Option<Change> {
    let (old, new) = (sides.0.definition(name)?, sides.1.definition(name)?);
    let old = Members::of(&sides.0, &old.body).found;
    let new = Members::of(&sides.1, &new.body).found;
    let (added, removed) = difference(&old, &new)?;
    let (module, base) = (text::atom(&name.module), text::atom(&name.name));
    Some(Change::Type {
        name: format!("{module}:{base}/{}", name.arity),
        added,
        removed,
    })
}

/// Every named type that stands in a result, or in one of these.
fn returned(world: &World<'_>, callbacks: &Callbacks<'_>) -> BTreeSet<TypeName> {
    let mut found = BTreeSet::new();
    let mut ahead = Vec::new();
    for function in callbacks.values() {
        for clause in &function.clauses {
            names(&clause.result, DEPTH, &mut ahead);
        }
    }
    while let Some(name) = ahead.pop() {
        if let Some(definition) = world.definition(&name)
            && found.insert(name)
        {
            names(&definition.body, DEPTH, &mut ahead);
        }
    }
    found
}

fn names(ty: &Type, depth: usize, found: &mut Vec<TypeName>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Type::Named(name, _) = ty {
        found.push((**name).clone());
    }
    for (part, _) in crate::facts::parts(ty) {
        names(part, depth, found);
    }
}

/// What only the new and what only the old has, as Erlang text; `None` if there is nothing.
fn difference(old: &[Type], new: &[Type]) -> Option<(Vec<String>, Vec<String>)> {
    let only = |these: &[Type], others: &[Type]| -> Vec<Type> {
        let others: BTreeSet<String> = others.iter().map(key).collect();
        let mut seen = BTreeSet::new();
        let is_new = |ty: &&Type| !others.contains(&key(ty)) && seen.insert(key(ty));
        these.iter().filter(is_new).cloned().collect()
    };
    let (added, removed) = (only(new, old), only(old, new));
    if added.is_empty() && removed.is_empty() {
        return None;
    }
    // Names of what stands there are what OTP's manual says; where they tell nothing apart, its
    // types do.
    let shown = |ty: &Type, others: &[Type]| {
        let text = text::erlang(bare(ty));
        match others.iter().any(|other| text::erlang(bare(other)) == text) {
            true => key(ty),
            false => text,
        }
    };
    let texts = |these: &[Type], others: &[Type]| -> Vec<String> {
        these.iter().map(|ty| shown(ty, others)).collect()
    };
    Some((texts(&added, old), texts(&removed, new)))
}

/// Text in which annotations and variables, which say nothing to the VM, do not count.
fn key(ty: &Type) -> String {
    text::erlang(&nameless(ty, DEPTH))
}

fn nameless(ty: &Type, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    let one = |ty: &Type| Box::new(nameless(ty, depth));
    let all = |types: &[Type]| types.iter().map(|ty| nameless(ty, depth)).collect();
    match ty {
        Type::Annotated(_, inner) => nameless(inner, depth),
        Type::Var(_) => Type::Any,
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::List(element) => Type::List(one(element)),
        Type::NonemptyList(element) => Type::NonemptyList(one(element)),
        Type::MaybeImproperList(element, tail) => Type::MaybeImproperList(one(element), one(tail)),
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(one(element), one(tail))
        }
        Type::Map(fields) => Type::Map(fields.iter().map(|it| association(it, depth)).collect()),
        Type::Record(name, fields) => {
            let field = |field: &RecordField| RecordField {
                name: field.name.clone(),
                ty: nameless(&field.ty, depth),
                has_default: field.has_default,
            };
            Type::Record(name.clone(), fields.iter().map(field).collect())
        }
        Type::Fun(arguments, result) => Type::Fun(arguments.as_deref().map(all), one(result)),
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Nil
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Bitstring { .. } => ty.clone(),
    }
}

fn association(field: &MapField, depth: usize) -> MapField {
    MapField {
        key: nameless(&field.key, depth),
        value: nameless(&field.value, depth),
        required: field.required,
    }
}

/// The members of a union, also of one that stands behind a name; tuples with unions in them are
/// taken apart, so that one more possibility inside is one more member.
struct Members<'a> {
    world: &'a World<'a>,
    /// Every name with its arguments is followed once: types may be unions of each other.
    followed: BTreeSet<String>,
    /// The names, without arguments.
    names: BTreeSet<TypeName>,
    found: Vec<Type>,
}

impl<'a> Members<'a> {
    fn of(world: &'a World<'a>, ty: &Type) -> Self {
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

    /// The union behind a name, or also the tuple.
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
        let body = lower::substituted(&definition.body, definition, arguments);
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

    /// What an element of a tuple may be; one that is no union stays as it is called.
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
