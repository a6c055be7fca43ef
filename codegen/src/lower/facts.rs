//! Facts about a callback: the meaning of its arguments, and of its return values. They come from
//! its form, and otherwise from the table ([`crate::facts::callbacks`]).

use otp_contract::behaviour::Role;
use otp_contract::callback::{CallbackFacts, CallbackKind, ReplyPosition};
use otp_specs::types::{Function, Type};

use super::Context;
use super::position::Position;
use crate::facts::bare;
use crate::facts::callbacks;
use crate::facts::clauses::shares;
use crate::facts::rewrite::members;
use crate::facts::roles::NotState;
use crate::ir::{Callback, CallbackArgument, FunctionFacts};
use crate::report::Reason;

/// The first element of the tuple with which a callback refuses: `{error, Reason}`.
const ERROR: &str = "error";

/// Returns the facts about the function that `form` declares. `lowered` are its callbacks in Rust.
pub(super) fn function_facts(
    cx: &Context<'_>,
    form: &Function,
    lowered: &[Callback],
    is_first: bool,
) -> FunctionFacts {
    let shares = shares(form);
    let results = shares.iter().flat_map(|share| {
        let result = &share.signature.result;
        members(cx.facts.world, result, &|_| false).unwrap_or_else(|| vec![result.clone()])
    });
    let results: Vec<Type> = results.collect();
    let tuples = || results.iter().filter_map(tagged);
    let keeps = tuples().find(|(_, rest)| matches!(rest, [only] if cx.roles.is_state(only)));
    let replies = tuples().filter_map(|(tag, rest)| {
        let index = rest.iter().position(|ty| cx.roles.is_reply(ty))? + 1;
        Some(ReplyPosition {
            tag: tag.to_owned(),
            size: rest.len() + 1,
            index,
        })
    });
    let mut facts = of_arguments(lowered);
    let mut arguments = shares.iter().flat_map(|share| &share.signature.arguments);
    let is_passed = arguments.any(|ty| cx.roles.not_state(&form.name, ty).is_some());
    // A process that already has a state, even if it is not one of Rust's, does not begin with this
    // callback.
    facts.kind = kind(cx, form, lowered, &facts, is_first && !is_passed);
    let is_error = |ty: &Type| {
        let tagged = tagged(ty).is_some_and(|(tag, rest)| tag == ERROR && rest.len() == 1);
        tagged || cx.facts.world.is_term(ty)
    };
    facts.has_error = !facts.ends() && results.iter().any(is_error);
    if facts.kind == CallbackKind::Change {
        let old = shares.iter().flat_map(|share| &share.signature.arguments);
        facts.state = old.into_iter().position(|ty| cx.roles.is_state(ty));
    }
    let has_message = has_message(facts.kind);
    facts.message = facts.message.filter(|_| has_message);
    FunctionFacts {
        facts,
        keeps: keeps
            .filter(|_| has_message && facts.state.is_some())
            .map(|(tag, _)| tag.to_owned()),
        replies: replies.collect(),
    }
}

/// Returns the positions of the arguments. A caller in one of the function's callbacks is a caller
/// in each.
fn of_arguments(lowered: &[Callback]) -> CallbackFacts {
    let position = |is_it: &dyn Fn(&CallbackArgument) -> bool| {
        let mut callbacks = lowered.iter();
        callbacks.find_map(|callback| callback.arguments.iter().position(is_it))
    };
    let is_event_type = |argument: &CallbackArgument| argument.discriminant.is_some();
    CallbackFacts {
        message: position(&|it| it.role == Role::Open && !is_event_type(it)),
        event_type: position(&is_event_type),
        caller: position(&CallbackArgument::is_caller),
        state: position(&|it| it.role == Role::State),
        chosen: chosen(lowered),
        ..CallbackFacts::of(CallbackKind::Other)
    }
}

/// Returns the argument that is chosen in each of the callbacks. One of them may receive the
/// previously chosen value, too.
fn chosen(lowered: &[Callback]) -> Option<usize> {
    let of = |callback: &Callback, index: usize| {
        callback
            .arguments
            .get(index)
            .is_some_and(|it| it.role == Role::Chosen)
    };
    let count = lowered
        .first()
        .map_or(0, |callback| callback.arguments.len());
    (0..count).find(|index| lowered.iter().all(|callback| of(callback, *index)))
}

/// Returns when the callback is called. `is_first` tells whether no earlier callback begins a
/// process.
fn kind(
    cx: &Context<'_>,
    form: &Function,
    lowered: &[Callback],
    facts: &CallbackFacts,
    is_first: bool,
) -> CallbackKind {
    let row = callbacks::callback(&cx.module.name, &form.name);
    let begins = |callback: &Callback| {
        let is_started = !callback.with_role(&[Role::Args]).is_empty();
        is_started || callback.result.makes_state && facts.state.is_none()
    };
    if let Some(row) = row {
        row.kind
    } else if lowered.iter().any(Callback::ends) {
        CallbackKind::End
    } else if facts.caller.is_some() {
        CallbackKind::Call
    } else if facts.event_type.is_some() {
        CallbackKind::Event
    } else if is_first && lowered.iter().any(begins) {
        CallbackKind::Init
    } else {
        CallbackKind::Other
    }
}

/// Returns whether a message distinguishes the clauses of such a callback.
fn has_message(kind: CallbackKind) -> bool {
    match kind {
        CallbackKind::Call
        | CallbackKind::Cast
        | CallbackKind::Info
        | CallbackKind::Event
        | CallbackKind::Continue
        | CallbackKind::Other => true,
        CallbackKind::Init
        | CallbackKind::Start
        | CallbackKind::Phase
        | CallbackKind::Change
        | CallbackKind::Status
        | CallbackKind::Mode
        | CallbackKind::End => false,
    }
}

/// Returns the first atom of a tuple, and its other elements.
fn tagged(ty: &Type) -> Option<(&str, &[Type])> {
    let Type::Tuple(elements) = bare(ty) else {
        return None;
    };
    let (first, rest) = elements.split_first()?;
    match bare(first) {
        Type::Atom(tag) => Some((tag, rest)),
        _ => None,
    }
}

/// Counts an argument that is named like the state but is not the state.
pub(super) fn report_not_state(
    cx: &mut Context<'_>,
    function: &str,
    ty: &Type,
    position: &Position<'_>,
) {
    let reason = match cx.roles.not_state(function, ty) {
        Some(NotState::NotMade) => Reason::StateNotMade,
        Some(NotState::Elsewhere) => Reason::StateElsewhere,
        None => return,
    };
    cx.imprecise(ty, position, reason);
}
