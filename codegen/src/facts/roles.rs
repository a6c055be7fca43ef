//! What each argument of a callback is for, from the names in its form.
//!
//! - *State*: an argument `State :: term()` whose name, a leading `New` or `Old` left out, also
//!   names a `term()` in the result of the same callback. What is the state in one callback is the
//!   state in every callback of the module. A callback has one: of several such arguments, that
//!   which most callbacks are given and return. It is the Rust type that implements the behaviour.
//!   Where no callback returns what it is given, an argument is the state that the first callback
//!   returns by that name, if it is given to callbacks that end with it (`application`: what
//!   `start/2` returns, `stop(State)` is given). `Reply` never is. `term()` may have a name: then
//!   arguments and results of that type are the state too, annotated or not.
//! - *Args* is what would be the state, if no callback makes it (`cowboy_websocket`, whose `init/2`
//!   returns `any()`): then no process can have the Rust type that implements the behaviour. It is
//!   *fixed* in a callback that another process calls than the one that has the state. The report
//!   says both.
//! - *Chosen*: an argument of a named union with `term()` (`state()` of `gen_statem`), where such
//!   a callback returns the same type by the same name: the callbacks hand it to each other, so it
//!   is one type for all of them, an associated type of the behaviour's trait named like Erlang's.
//!   A named member of that union (`state_name()`) is the same.
//! - *Open*: another argument that is `term()`, or a union with it, and has a name: an annotation,
//!   or a type's. So is the one by which clauses are distinguished (see `clauses`).
//! - *Args* is the same in a callback without a state, too: there is no process yet. A table has
//!   the callbacks that are called later, and the arguments by which a module has a clause for each
//!   call: those are *open*. Another one has those with a state that are given the same once more.
//! - *Literal*: the atom by which a callback's clauses are distinguished.
//! - *Hidden*: the caller, in the half of a callback that replies by what it returns (see
//!   `lower::split`).
//! - *Fixed*: every other argument.
//!
//! A callback *makes* the state where it is not given one, and where the table of
//! [`super::callbacks`] says that it changes one of another version (`code_change`). That is given
//! the state of another version, whose type is another one: so that argument is *open*, and a
//! module has a clause for each older type. Every other callback changes the state where it is.

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

/// The state, where a behaviour has none that could name it.
const STATE: &str = "State";

/// The same, where the arguments that would be the state may have that name.
const NO_STATE: &str = "ProcessState";

/// Why an argument that is named as the state is not it.
pub(crate) enum NotState {
    /// No callback makes it.
    NotMade,
    /// Another process than the one that has it calls the callback.
    Elsewhere,
}

/// What names the state and the chosen type in one module.
pub(crate) struct Roles<'a> {
    world: &'a World<'a>,
    /// The module's name.
    module: String,
    /// Variables that name the state, in source order.
    states: Vec<String>,
    /// Variables that would name it, if a callback made it.
    passed: Vec<String>,
    /// Names of `term()` that the state has as a type.
    state_types: BTreeSet<TypeName>,
    /// The chosen type, and the named members of its union.
    chosen: Vec<TypeName>,
}

impl<'a> Roles<'a> {
    /// Looks at every callback of `module`.
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

    /// The state's name: `State`, or what the module calls it (`Data`).
    pub(crate) fn state_name(&self) -> String {
        let without = if self.passed.is_empty() {
            STATE
        } else {
            NO_STATE
        };
        camel(self.states.first().map_or(without, String::as_str))
    }

    /// The chosen type's name, if there is one.
    pub(crate) fn chosen_name(&self) -> Option<String> {
        let name = camel(&self.chosen.first()?.name);
        // Beside a state of the same name it is the type that Erlang names.
        Some(if name == self.state_name() {
            format!("{name}Type")
        } else {
            name
        })
    }

    /// Whether `ty`, anywhere in a callback, is the state.
    pub(crate) fn is_state(&self, ty: &Type) -> bool {
        let by_name = pure_term(self.world, ty)
            .is_some_and(|name| self.states.iter().any(|state| state == stem(name)));
        by_name || named(ty).is_some_and(|name| self.state_types.contains(name))
    }

    /// Why `ty`, an argument of `function`, is not the state although its name says so.
    pub(crate) fn not_state(&self, function: &str, ty: &Type) -> Option<NotState> {
        let is_elsewhere = callback(&self.module, function).is_some_and(|row| row.elsewhere);
        if is_elsewhere && self.is_state(ty) {
            return Some(NotState::Elsewhere);
        }
        let name = pure_term(self.world, ty)?;
        let is_passed = self.passed.iter().any(|passed| passed == stem(name));
        is_passed.then_some(NotState::NotMade)
    }

    /// Whether `ty`, anywhere in a callback, is of the chosen type.
    pub(crate) fn is_chosen(&self, ty: &Type) -> bool {
        named(ty).is_some_and(|name| self.chosen.contains(name))
    }

    /// Whether `ty`, in a result, is the reply.
    pub(crate) fn is_reply(&self, ty: &Type) -> bool {
        plain_term(ty) == Some(REPLY)
    }

    /// Whether the callback stands for functions of any name: that of a type of atoms which are
    /// chosen (`state_name/3` and `state_name()`).
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

    /// Whether the callback makes the state that its result holds.
    pub(crate) fn makes_state(&self, function: &Function, share: &Share) -> bool {
        let arguments = &share.signature.arguments;
        self.is_change(&function.name) || !arguments.iter().any(|ty| self.is_state(ty))
    }

    /// The role of every argument.
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

    /// Whether the callback is given a state and makes another.
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

/// The variable's name, when `ty` is an annotated `term()`.
fn plain_term(ty: &Type) -> Option<&str> {
    matches!(bare(ty), Type::Any | Type::Var(_))
        .then(|| annotation(ty))
        .flatten()
}

/// The same where `term()` may be behind a name.
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

/// `names`, without those that are given to a callback beside the state: `Reason` in
/// `handle_exit(Reason, State) -> {stop, Reason, NewState}`. The state is the one that most
/// callbacks are given and return, and of several the last argument.
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

/// Whether a callback that is not given the state returns it, by this name, where a clause of its
/// result has it.
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

/// Whether `ty` or an element of the tuples in it is what `is_sought` looks for.
fn in_tuples(ty: &Type, is_sought: &impl Fn(&Type) -> bool) -> bool {
    let elements = match bare(ty) {
        Type::Tuple(elements) => elements.as_slice(),
        _ => &[],
    };
    is_sought(ty) || elements.iter().any(|element| in_tuples(element, is_sought))
}

/// The stems of the variables that are `term()` in `ty`.
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
