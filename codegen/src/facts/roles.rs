//! The role of each argument of a callback, determined from the names in its form.
//!
//! - *State*: an argument `State :: term()` whose name, without a leading `New` or `Old`, also
//!   names a `term()` in the result of the same callback. A name that is the state in one callback
//!   is the state in every callback of the module. A callback has at most one state: of several
//!   such arguments, the one that most callbacks receive and return. The state is the Rust type
//!   that implements the behaviour. If no callback returns an argument that it receives, the state
//!   is the one that the first callback returns by that name, if a callback that ends with the
//!   argument receives it (`application`: `start/2` returns it, `stop(State)` receives it). `Reply`
//!   is never the state. `term()` may have a name: then arguments and results of that type are the
//!   state too, annotated or not.
//! - *Args*: an argument that would be the state, but that no callback makes (`cowboy_websocket`,
//!   whose `init/2` returns `any()`). No process can then have the Rust type that implements the
//!   behaviour. The argument is *fixed* in a callback that runs in another process than the one
//!   with the state. The report lists both cases.
//! - *Chosen*: an argument of a named union with `term()` (`state()` of `gen_statem`), if such a
//!   callback returns that type by that name. The callbacks pass the value to each other, so it has
//!   one type for all of them, an associated type of the behaviour's trait with Erlang's name. A
//!   named member of that union (`state_name()`) counts as the chosen type.
//! - *Open*: another argument that is `term()`, or a union with it, and has a name: an annotation,
//!   or a type's name. The argument that distinguishes clauses is open, too (see `clauses`).
//! - *Args* also applies to such an argument in a callback without a state, because there is no
//!   process yet. A table lists the callbacks without a state that are called later, and their
//!   arguments that select a module's clause for each call: those are *open*. Another table lists
//!   the callbacks with a state that receive the start argument again.
//! - *Literal*: the atom that distinguishes a callback's clauses.
//! - *Hidden*: the caller, in the half of a callback that replies by its return value (see
//!   `lower::split`).
//! - *Fixed*: every other argument.
//!
//! A callback *makes* the state if it does not receive one, or if the table of [`super::callbacks`]
//! marks it as converting the state of another version (`code_change`). The state of another
//! version has another type, so that argument is *open*, and a module has a clause for each older
//! type. Every other callback changes the state in place.

use std::collections::BTreeSet;

use otp_contract::behaviour::Role;
use otp_contract::callback::CallbackKind;
use otp_specs::types::{Builtin, Function, Module, Type, TypeName};

use super::callbacks::callback;
use super::clauses::{Share, Signature, signature};
use super::rewrite::members;
use super::world::World;
use super::{DEPTH, annotation, bare, occurs, parts};
use crate::ir::REPLY;
use crate::names::{camel, stem};

/// The name of the state, if the behaviour has no name for it.
const STATE: &str = "State";

/// The name of the state if arguments that would be the state may be called `State`.
const NO_STATE: &str = "ProcessState";

/// The reason why an argument that is named like the state is not the state.
pub(crate) enum NotState {
    /// No callback makes it.
    NotMade,
    /// The callback runs in another process than the one that has the state.
    Elsewhere,
}

/// The names of the state and the chosen type in one module.
pub(crate) struct Roles<'a> {
    world: &'a World<'a>,
    /// The module's name.
    module: String,
    /// Variables that name the state, in source order.
    states: Vec<String>,
    /// Variables that would name it if a callback made it.
    passed: Vec<String>,
    /// Names of `term()` that are types of the state.
    state_types: BTreeSet<TypeName>,
    /// The chosen type, and the named members of its union.
    chosen: Vec<TypeName>,
}

impl<'a> Roles<'a> {
    /// Examines every callback of `module`.
    pub(crate) fn new(world: &'a World<'a>, module: &Module) -> Self {
        let signatures: Vec<Signature> = module.callbacks.iter().map(signature).collect();
        let (states, passed): (Vec<String>, Vec<String>) = states(world, &signatures)
            .into_iter()
            .partition(|name| is_made(world, module, &signatures, name));
        let states = without_rivals(world, &signatures, states);
        let arguments = || signatures.iter().flat_map(|signature| &signature.arguments);
        let is_state = |ty: &&Type| {
            pure_term(world, ty).is_some_and(|name| states.iter().any(|state| state == stem(name)))
        };
        let state_types = arguments()
            .filter(is_state)
            .filter_map(|ty| named(ty).cloned())
            .collect();
        Roles {
            world,
            module: module.name.clone(),
            chosen: chosen(world, &signatures),
            states,
            passed,
            state_types,
        }
    }

    /// Returns the state's name: `State`, or the module's name for it (`Data`).
    pub(crate) fn state_name(&self) -> String {
        let without = if self.passed.is_empty() {
            STATE
        } else {
            NO_STATE
        };
        camel(self.states.first().map_or(without, String::as_str))
    }

    /// Returns the chosen type's name, if there is one.
    pub(crate) fn chosen_name(&self) -> Option<String> {
        let name = camel(&self.chosen.first()?.name);
        // If the state has this name, the name of Erlang's type is used.
        Some(if name == self.state_name() {
            format!("{name}Type")
        } else {
            name
        })
    }

    /// Returns whether `ty`, anywhere in a callback, is the state.
    pub(crate) fn is_state(&self, ty: &Type) -> bool {
        let by_name = pure_term(self.world, ty)
            .is_some_and(|name| self.states.iter().any(|state| state == stem(name)));
        by_name || named(ty).is_some_and(|name| self.state_types.contains(name))
    }

    /// Returns why `ty`, an argument of `function`, is not the state although it is named like it.
    pub(crate) fn not_state(&self, function: &str, ty: &Type) -> Option<NotState> {
        let is_elsewhere = callback(&self.module, function).is_some_and(|row| row.elsewhere);
        if is_elsewhere && self.is_state(ty) {
            return Some(NotState::Elsewhere);
        }
        let name = pure_term(self.world, ty)?;
        let is_passed = self.passed.iter().any(|passed| passed == stem(name));
        is_passed.then_some(NotState::NotMade)
    }

    /// Returns whether `ty`, anywhere in a callback, is of the chosen type.
    pub(crate) fn is_chosen(&self, ty: &Type) -> bool {
        named(ty).is_some_and(|name| self.chosen.contains(name))
    }

    /// Returns whether `ty`, in a result, is the reply.
    pub(crate) fn is_reply(&self, ty: &Type) -> bool {
        plain_term(ty) == Some(REPLY)
    }

    /// Returns the chosen type of atoms whose name the callback has, if it stands for functions of
    /// any name (`state_name/3` and `state_name()`).
    pub(crate) fn of_any_name(&self, module: &Module, function: &Function) -> Option<TypeName> {
        let name = TypeName {
            module: module.name.clone(),
            name: function.name.clone(),
            arity: 0,
        };
        let definition = self.world.definition(&name)?;
        let atoms = *bare(&definition.body) == Type::Builtin(Builtin::Atom);
        (atoms && self.chosen.contains(&name)).then_some(name)
    }

    /// Returns whether the callback makes the state in its result.
    pub(crate) fn makes_state(&self, function: &Function, share: &Share) -> bool {
        let arguments = &share.signature.arguments;
        self.is_change(&function.name) || !arguments.iter().any(|ty| self.is_state(ty))
    }

    /// Returns the role of every argument.
    pub(crate) fn of_arguments(&self, function: &str, share: &Share) -> Vec<Role> {
        let arguments = &share.signature.arguments;
        let row = callback(&self.module, function);
        let not_state = |argument: &Type| self.not_state(function, argument);
        let state = arguments
            .iter()
            .position(|argument| self.is_state(argument) && not_state(argument).is_none());
        let has_passed = arguments
            .iter()
            .any(|argument| not_state(argument).is_some());
        let distinguished_by = share.distinguished_by.as_ref().map(|(index, _)| *index);
        let role = |(index, argument): (usize, &Type)| {
            if let Some(reason) = not_state(argument) {
                match reason {
                    NotState::NotMade => Role::Args,
                    NotState::Elsewhere => Role::Fixed,
                }
            } else if Some(index) == state && self.is_change(function) {
                Role::Open
            } else if Some(index) == state {
                Role::State
            } else if row.is_some_and(|row| row.started_with == Some(index)) {
                Role::Args
            } else if row.is_some_and(|row| row.open.contains(&index)) {
                Role::Open
            } else if Some(index) == distinguished_by {
                Role::Literal
            } else if self.is_chosen(argument) {
                Role::Chosen
            } else if Some(index) != share.discriminant && !self.is_open(argument) {
                Role::Fixed
            } else if state.is_none() && !has_passed {
                Role::Args
            } else {
                Role::Open
            }
        };
        arguments.iter().enumerate().map(role).collect()
    }

    /// Returns whether the callback receives a state and makes another.
    fn is_change(&self, function: &str) -> bool {
        callback(&self.module, function).is_some_and(|row| row.kind == CallbackKind::Change)
    }

    fn is_open(&self, argument: &Type) -> bool {
        match argument {
            Type::Annotated(..) => self.world.holds_term(argument),
            Type::Var(_) => true,
            Type::Named(..) => self.world.is_term(argument),
            _ => false,
        }
    }
}

fn named(ty: &Type) -> Option<&TypeName> {
    match bare(ty) {
        Type::Named(name, arguments) if arguments.is_empty() => Some(name),
        _ => None,
    }
}

/// Returns the variable's name if `ty` is an annotated `term()`.
fn plain_term(ty: &Type) -> Option<&str> {
    matches!(bare(ty), Type::Any | Type::Var(_))
        .then(|| annotation(ty))
        .flatten()
}

/// Like `plain_term`, but `term()` may have another name.
fn pure_term<'t>(world: &World<'_>, ty: &'t Type) -> Option<&'t str> {
    (matches!(bare(ty), Type::Var(_)) || world.is_term(ty))
        .then(|| annotation(ty))
        .flatten()
}

fn states(world: &World<'_>, signatures: &[Signature]) -> Vec<String> {
    let returned = |signature: &Signature| {
        let mut found = BTreeSet::new();
        variables(world, &signature.result, DEPTH, &mut found);
        found.remove(REPLY);
        found
    };
    let given = |signature: &Signature, returned: &BTreeSet<String>| -> Vec<String> {
        let names = signature
            .arguments
            .iter()
            .filter_map(|ty| pure_term(world, ty));
        names
            .map(|name| stem(name).to_owned())
            .filter(|name| returned.contains(name))
            .collect()
    };
    let of_one_callback: Vec<String> = signatures
        .iter()
        .flat_map(|signature| given(signature, &returned(signature)))
        .collect();
    if !of_one_callback.is_empty() {
        return of_one_callback;
    }
    let made = signatures.first().map(returned).unwrap_or_default();
    let ends = |signature: &&Signature| world.is_term(&signature.result);
    let is_given = |signature: &&Signature| !given(signature, &made).is_empty();
    if !signatures.iter().filter(is_given).all(|one| ends(&one)) {
        return Vec::new();
    }
    signatures
        .iter()
        .flat_map(|signature| given(signature, &made))
        .collect()
}

/// Removes from `names` arguments that a callback receives beside the state: `Reason` in
/// `handle_exit(Reason, State) -> {stop, Reason, NewState}`. The state is the name that most
/// callbacks receive and return; if several are equal, the last argument.
fn without_rivals(
    world: &World<'_>,
    signatures: &[Signature],
    mut names: Vec<String>,
) -> Vec<String> {
    for signature in signatures {
        let arguments = signature.arguments.iter();
        let given = arguments.filter_map(|ty| pure_term(world, ty).map(stem));
        let rank = |name: &str| names.iter().filter(|other| *other == name).count();
        let given: Vec<&str> = given.filter(|name| rank(name) > 0).collect();
        if let Some(state) = given.iter().max_by_key(|name| rank(name)) {
            names.retain(|name| name == state || !given.contains(&name.as_str()));
        }
    }
    names
}

/// Returns whether a callback that does not receive the state returns it, by this name, in a clause
/// of its result.
fn is_made(world: &World<'_>, module: &Module, signatures: &[Signature], state: &str) -> bool {
    let is_state = |ty: &Type| pure_term(world, ty).is_some_and(|name| stem(name) == state);
    let arguments = || signatures.iter().flat_map(|signature| &signature.arguments);
    let of_type = |ty: &Type| {
        let mut states = arguments().filter(|argument| is_state(argument));
        named(ty).is_some() && states.any(|argument| named(argument) == named(ty))
    };
    let is_state = |ty: &Type| is_state(ty) || of_type(ty);
    let mut forms = module.callbacks.iter().zip(signatures);
    forms.any(|(form, signature)| {
        let is_change =
            callback(&module.name, &form.name).is_some_and(|row| row.kind == CallbackKind::Change);
        let makes = !is_change && !signature.arguments.iter().any(is_state);
        let whole = || vec![signature.result.clone()];
        let clauses = members(world, &signature.result, &|_| false).unwrap_or_else(whole);
        makes && clauses.iter().any(|clause| in_tuples(clause, &is_state))
    })
}

/// Returns whether `is_sought` is true for `ty` or an element of the tuples in it.
fn in_tuples(ty: &Type, is_sought: &impl Fn(&Type) -> bool) -> bool {
    let elements = match bare(ty) {
        Type::Tuple(elements) => elements.as_slice(),
        _ => &[],
    };
    is_sought(ty) || elements.iter().any(|element| in_tuples(element, is_sought))
}

/// Collects the stems of the variables that are `term()` in `ty`.
fn variables(world: &World<'_>, ty: &Type, depth: usize, found: &mut BTreeSet<String>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Some(name) = pure_term(world, ty) {
        found.insert(stem(name).to_owned());
    }
    for (part, _) in parts(ty) {
        variables(world, part, depth, found);
    }
}

fn chosen(world: &World<'_>, signatures: &[Signature]) -> Vec<TypeName> {
    for signature in signatures {
        for argument in &signature.arguments {
            let (Some(variable), Some(name)) = (annotation(argument), named(argument)) else {
                continue;
            };
            let Some(definition) = world.definition(name) else {
                continue;
            };
            let Type::Union(members) = bare(&definition.body) else {
                continue;
            };
            let is_same = |ty: &Type| {
                annotation(ty).is_some_and(|own| stem(own) == stem(variable))
                    && named(ty) == Some(name)
            };
            if members.iter().any(|member| world.is_term(member))
                && occurs(&signature.result, &is_same, DEPTH)
            {
                let named_members = members.iter().filter_map(|member| named(member).cloned());
                return std::iter::once(name.clone()).chain(named_members).collect();
            }
        }
    }
    Vec::new()
}
