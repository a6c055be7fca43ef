//! A callback that is given its caller, and may reply by what it returns or later, is two in Rust:
//! one that is not given the caller and must reply, and one that replies through the caller.

use otp_contract::behaviour::Role;
use otp_contract::manifest::Signature;
use otp_specs::types::Type;

use super::context::Context;
use super::result::{clause_mentions, mentions};
use super::signature::returned;
use crate::facts::DEPTH;
use crate::facts::clauses::Share;
use crate::ir::{Argument, Callback, Clause, REPLY, Returns, RustType};
use crate::names::{camel, snake};

/// What the callback without the reply is called, after the name of both.
const WITHOUT_REPLY: &str = "noreply";

/// The callbacks that `callback` is; one, unless its clauses differ in whether they reply.
pub(super) fn split(cx: &mut Context<'_>, callback: Callback, share: &Share) -> Vec<Callback> {
    let Some(caller) = callback.arguments.iter().find_map(caller_name) else {
        return vec![callback];
    };
    let Returns::Clauses { name, clauses } = &callback.returns else {
        return vec![callback];
    };
    let replies = |clause: &Clause| clause_mentions(clause, REPLY);
    let (replying, others): (Vec<Clause>, Vec<Clause>) = clauses.iter().cloned().partition(replies);
    if replying.is_empty() || others.is_empty() {
        return vec![callback];
    }
    let enumeration = cx.claim(&format!("{name}{}", camel(WITHOUT_REPLY)));
    let without = without_reply(cx, &callback, share, &caller, enumeration, others);
    vec![
        self::replying(cx, callback, share, &caller, replying),
        without,
    ]
}

/// The half that replies.
fn replying(
    cx: &Context<'_>,
    mut callback: Callback,
    share: &Share,
    caller: &str,
    replying: Vec<Clause>,
) -> Callback {
    if let Returns::Clauses { clauses, .. } = &mut callback.returns {
        *clauses = replying;
    }
    for argument in callback.arguments.iter_mut().filter(|one| one.is_caller()) {
        argument.role = Role::Hidden;
    }
    let condition = format!("without an argument `{caller}<{REPLY}>`");
    callback
        .notes
        .push(format!("{condition} it has to reply by what it returns"));
    callback.condition = Some(condition);
    half(cx, callback, share, true)
}

/// The half that is given the caller.
fn without_reply(
    cx: &mut Context<'_>,
    callback: &Callback,
    share: &Share,
    caller: &str,
    enumeration: String,
    clauses: Vec<Clause>,
) -> Callback {
    let name = format!("{}{}", callback.name, camel(WITHOUT_REPLY));
    let mut half = Callback {
        return_trait: cx.claim(&format!("{name}Return")),
        name,
        method: format!("{}_{}", callback.method, snake(WITHOUT_REPLY)),
        returns: Returns::Clauses {
            name: enumeration,
            clauses,
        },
        ..callback.clone()
    };
    let condition = format!("with an argument `{caller}<{REPLY}>`");
    half.notes.push(format!(
        "{condition} it replies through that, not by what it returns"
    ));
    half.condition = Some(condition);
    self::half(cx, half, share, false)
}

/// `callback` with what follows from which clauses it has.
fn half(cx: &Context<'_>, callback: Callback, share: &Share, replies: bool) -> Callback {
    let result = &share.signature.result;
    Callback {
        returns_reply: replies,
        makes_state: callback.makes_state && mentions(&callback.returns, &callback.own),
        returns_chosen: callback
            .chosen
            .as_ref()
            .is_some_and(|name| mentions(&callback.returns, name)),
        signature: Signature {
            returns: returned(cx, result, |member| {
                self::replies(cx, member, DEPTH) == replies
            }),
            ..callback.signature
        },
        ..callback
    }
}

/// Whether the reply is where a clause has a type parameter for it.
fn replies(cx: &Context<'_>, ty: &Type, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let within = match ty {
        Type::Annotated(_, inner) => std::slice::from_ref(&**inner),
        Type::Tuple(parts) | Type::Named(_, parts) => parts.as_slice(),
        _ => &[],
    };
    cx.roles.is_reply(ty) || within.iter().any(|part| replies(cx, part, depth))
}

/// The Rust name of the caller's type, where `argument` is the caller.
fn caller_name(argument: &Argument) -> Option<String> {
    match &argument.ty {
        RustType::Mapped {
            path,
            reply: Some(_),
        } => path.rsplit("::").next().map(str::to_owned),
        _ => None,
    }
}
