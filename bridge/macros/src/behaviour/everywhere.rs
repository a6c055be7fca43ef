//! Checks for events that also reach modules or states without a clause for them: each handler of
//! `gen_event` gets each event, and the function of a state gets every event that arrives in that
//! state, even if only another state has a clause for it.

use otp_contract::behaviour::{Flag, Role};
use otp_contract::callback::CallbackKind;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::block::Block;
use super::clause::ClauseMethod;
use super::description::Callback;
use super::jumps::Jump;
use super::shapes::{ends_of_all, shape, taken};
use crate::refusal::{self, Refusal};

/// Returns all checks of a block. With `refuses`, an event without a matching clause does not end
/// the process, so there are none.
pub(super) fn checks(block: &Block<'_>, refuses: bool) -> TokenStream {
    if refuses {
        return TokenStream::new();
    }
    let (whole, everywhere, jumps) = (whole(block), everywhere(block), jumps(block));
    quote!(#whole #everywhere #jumps)
}

/// Checks that a clause matches all the events that no other one matches, if every event reaches
/// every module.
fn whole(block: &Block<'_>) -> TokenStream {
    let mut callbacks = block.clauses.iter();
    if !callbacks.any(|(it, _)| it.kind == CallbackKind::Event && it.is_open() && !is_typed(it)) {
        return TokenStream::new();
    }
    let of_others = [CallbackKind::Event, CallbackKind::Info];
    let clauses = block.clauses.iter();
    let clauses = clauses.filter(|(it, _)| of_others.contains(&it.kind));
    let checks = clauses.filter_map(|(callback, clauses)| {
        let last = clauses.last()?;
        let shapes = clauses.iter().map(shapes_of);
        let refusal = Refusal::new(format!(
            "`{}` has no clause for other events: every handler gets each event, and OTP removes one that fails",
            callback.label()
        ), "it takes these alone");
        let remedy = format!(
            "write `fn {}(&mut self, _: Term)` below the others",
            callback.written
        );
        let refusal = refusal.with_note(remedy).with_note(&callback.erlang);
        let condition = quote!(!::otp_bridge::__private::take_all(&[#(#shapes),*]));
        Some(refusal.if_true(&condition, ends_of_all(&last.keys("'_"))))
    });
    checks.collect()
}

/// Checks that the function of each state has a clause for the events that the function of another
/// state has a clause for.
fn everywhere(block: &Block<'_>) -> TokenStream {
    let clauses = block.clauses.iter();
    let named = clauses.filter(|(callback, _)| callback.has(Flag::AnyName) && is_typed(callback));
    let all: Vec<(&Callback, &ClauseMethod)> = named
        .flat_map(|(callback, clauses)| clauses.iter().map(move |clause| (*callback, clause)))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for name in block.functions_of_any_name() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let checks = names.into_iter().filter_map(|name| {
        let of = |clause: &ClauseMethod| clause.function.as_deref() == Some(name);
        let own = all.iter().filter(|(_, clause)| of(clause));
        let own: Vec<&(&Callback, &ClauseMethod)> = own.collect();
        let (callback, first) = own.first()?;
        let shapes = own.iter().map(|(_, clause)| shapes_of(clause));
        let others = all
            .iter()
            .filter(|(_, clause)| !of(clause) && comes_in_any_state(clause));
        let others: Vec<&(&Callback, &ClauseMethod)> = others.collect();
        let taken = others
            .iter()
            .map(|(callback, clause)| taken(callback, clause));
        let missing =
            quote!(::otp_bridge::__private::first_missing(&[#(#shapes),*], &[#(#taken),*]));
        let refusals = others
            .iter()
            .map(|(_, clause)| without(callback, name, clause));
        let span = (first.name_span, first.name_span);
        (!others.is_empty()).then(|| refusal::one_of(&missing, refusals, span))
    });
    checks.collect()
}

/// Returns the error for a state whose function lacks a clause that another state has.
fn without(callback: &Callback, function: &str, clause: &ClauseMethod) -> Refusal {
    let (event, attribute) = (clause.message(), &callback.written);
    let other = clause.function.as_deref().unwrap_or_default();
    let refusal = Refusal::new(
        format!(
            "the state `{function}` has no clause for `{event}`, which can occur in every state; `{other}` has one"
        ),
        format!("no clause for `{event}`"),
    );
    let remedy = format!(
        "write a clause that handles the event, or one for all events: `#[{attribute}] fn {function}(&mut self, _: EventType, \
         _: Term)`, which returns `keep_state_actions(postpone)` or `keep_state()`"
    );
    refusal.with_note(remedy).with_note(&callback.erlang)
}

/// Checks that each event that the block creates for a state has a clause in that state's function.
fn jumps(block: &Block<'_>) -> TokenStream {
    let named = block.clauses.iter();
    let all = named.flat_map(|(callback, clauses)| clauses.iter().map(move |it| (*callback, it)));
    let all: Vec<(&Callback, &ClauseMethod)> = all
        .filter(|(_, clause)| clause.function.is_some() && clause.called_with().len() == 2)
        .collect();
    let checks = block.jumps.iter().filter_map(|it| jump(it, &all));
    checks.collect()
}

/// The types are those of clauses, so that they exist.
fn jump(jump: &Jump, all: &[(&Callback, &ClauseMethod)]) -> Option<TokenStream> {
    let keys = |clause: &ClauseMethod| clause.called_with();
    let key = |at: usize| {
        let mut types = all.iter().map(|(_, clause)| keys(clause)[at].clone());
        types.find(|ty| last_word(ty).as_ref() == Some(&jump.event[at]))
    };
    let event = [key(0)?, key(1)?];
    let own = |(_, clause): &&(&Callback, &ClauseMethod)| {
        clause.function.as_deref() == Some(jump.state.as_str())
    };
    let own: Vec<_> = all.iter().filter(own).collect();
    let (callback, _) = own.first()?;
    let shapes = own.iter().map(|(_, clause)| shapes_of(clause));
    let taken = event.iter().map(shape);
    let (state, [event_type, content]) = (&jump.state, &jump.event);
    let refusal = Refusal::new(
        format!(
            "the state `{state}`, in which this event arrives, has no clause for `{event_type}`, `{content}`"
        ),
        "no clause takes it in that state",
    );
    let refusal = refusal
        .with_note(format!(
            "write `#[{}] fn {state}(&mut self, _: {event_type}, _: {content})`",
            callback.written
        ))
        .with_note(&callback.erlang);
    let condition = quote! {
        ::otp_bridge::__private::first_missing(&[#(#shapes),*], &[::otp_bridge::__private::Taken {
            message: "", shapes: &[#(#taken),*], discriminant: ::core::option::Option::None,
        }]) == 0
    };
    Some(refusal.if_true(&condition, (jump.span, jump.span)))
}

/// Returns whether the callback's events have types: `cast`, `{call, From}`.
fn is_typed(callback: &Callback) -> bool {
    let mut arguments = callback.arguments.iter();
    arguments.any(|it| it.role == Role::Discriminant)
}

fn shapes_of(clause: &ClauseMethod) -> TokenStream {
    let keys = clause.called_with();
    let shapes = keys.iter().map(shape);
    quote!(&[#(#shapes),*])
}

/// Returns whether the event can arrive in any state: another process sends it, or a timer that
/// survives a change of the state.
fn comes_in_any_state(clause: &ClauseMethod) -> bool {
    let keys = clause.keys("'_");
    let Some(event_type) = keys.first() else {
        return false;
    };
    match event_type {
        Type::Tuple(tuple) => {
            let first = tuple.elems.first().and_then(last_word);
            first.is_some_and(|it| it == "call" || it == "timeout")
        }
        other => last_word(other).is_some_and(|it| it == "cast" || it == "info"),
    }
}

fn last_word(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}
