//! Types of callbacks and start functions as Erlang text, for the `-spec` lines of the modules that
//! implement them.

use std::sync::Arc;

use otp_contract::behaviour::Role;
use otp_contract::manifest::{START_ARGUMENT, Signature};
use otp_specs::types::{Function, Type, TypeName};

use super::Context;

use crate::facts::clauses::{Share, signature};
use crate::facts::rewrite::rewrite;
use crate::facts::rewrite::{members, substituted};
use crate::facts::{DEPTH, annotation, bare};
use crate::ir::{CallbackArgument, REPLY};
use crate::text;

/// Maximum number of names that are spelled out in one type, because names can contain other names.
const LONGEST: usize = 50;

/// The names that have been spelled out.
struct Spelt {
    in_result: bool,
    /// The names that are being spelled out.
    within: Vec<Arc<TypeName>>,
    /// The number of names that may still be spelled out.
    left: usize,
}

/// Returns the types of a callback. `arguments` tells which of them are type parameters.
pub(super) fn callback_signature(
    cx: &Context<'_>,
    share: &Share,
    arguments: &[CallbackArgument],
) -> Signature {
    let argument = |(argument, ty): (&CallbackArgument, &Type)| match argument.role {
        Role::Args | Role::Open | Role::Discriminant => argument.name.clone(),
        Role::State => cx.roles.state_name(),
        Role::Chosen => cx.roles.chosen_name().unwrap_or_default(),
        Role::Fixed | Role::Caller | Role::Literal | Role::Hidden => {
            text::elsewhere(&public(cx, ty, false))
        }
    };
    let types = &share.signature.arguments;
    Signature {
        arguments: arguments.iter().zip(types).map(argument).collect(),
        returns: returned(cx, &share.signature.result, |_| true),
    }
}

/// Returns the types of a function that starts a process.
pub(super) fn start_signature(cx: &Context<'_>, function: &Function) -> Signature {
    let signature = signature(function);
    let argument = |ty: &Type| match annotation(ty) {
        Some(START_ARGUMENT) => START_ARGUMENT.to_owned(),
        _ => text::elsewhere(&public(cx, ty, false)),
    };
    let result = public(cx, &signature.result, false);
    Signature {
        arguments: signature.arguments.iter().map(argument).collect(),
        returns: texts(&[result]),
    }
}

/// Returns the members of a callback's result that `is_part` accepts.
pub(super) fn returned(
    cx: &Context<'_>,
    result: &Type,
    is_part: impl Fn(&Type) -> bool,
) -> Vec<String> {
    let whole = || vec![result.clone()];
    let members = members(cx.facts.world, result, &|_| false).unwrap_or_else(whole);
    let members = members.iter().filter(|ty| is_part(ty));
    let members = members.map(|ty| public(cx, ty, true));
    texts(&members.collect::<Vec<_>>())
}

/// Returns `ty` in names that other modules may use. A type that is not exported is spelled out;
/// where it occurs within itself, it becomes any term. In a result, the state, the reply and the
/// chosen type are variables.
fn public(cx: &Context<'_>, ty: &Type, in_result: bool) -> Type {
    let mut spelt = Spelt {
        in_result,
        within: Vec::new(),
        left: LONGEST,
    };
    spell(cx, ty, DEPTH, &mut spelt)
}

fn spell(cx: &Context<'_>, ty: &Type, depth: usize, spelt: &mut Spelt) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    rewrite(ty, depth, &mut |part| {
        if let Some(parameter) = parameter(cx, part).filter(|_| spelt.in_result) {
            return Some(Type::Var(parameter));
        }
        match part {
            Type::Annotated(_, inner) => Some(spell(cx, inner, depth, spelt)),
            Type::Var(_) => Some(Type::Any),
            Type::Named(name, arguments) => {
                let definition = cx.facts.world.definition(name)?;
                if definition.exported {
                    return None;
                }
                if spelt.left == 0 || spelt.within.contains(name) {
                    return Some(Type::Any);
                }
                spelt.left -= 1;
                spelt.within.push(name.clone());
                let body = substituted(&definition.body, definition, arguments);
                let body = spell(cx, &body, depth, spelt);
                spelt.within.pop();
                Some(body)
            }
            _ => None,
        }
    })
}

fn parameter(cx: &Context<'_>, ty: &Type) -> Option<String> {
    if cx.roles.is_reply(ty) {
        Some(REPLY.to_owned())
    } else if cx.roles.is_state(ty) {
        Some(cx.roles.state_name())
    } else if cx.roles.is_chosen(ty) {
        cx.roles.chosen_name()
    } else {
        None
    }
}

/// Returns each distinct text of a member.
fn texts(members: &[Type]) -> Vec<String> {
    let mut found = Vec::new();
    for member in members {
        let parts = match bare(member) {
            Type::Union(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        for text in parts.iter().map(text::elsewhere) {
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}
