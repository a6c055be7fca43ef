//! Splits a callback that receives its caller and may reply by its return value or later. It
//! becomes two callbacks in Rust: one that does not receive the caller and must reply, and one that
//! replies through the caller.

use otp_contract::behaviour::Role;
use otp_contract::manifest::Signature;
use otp_specs::types::Type;

use super::Context;
use super::signature::returned;
use super::variants::{clause_mentions, mentions};
use crate::facts::DEPTH;
use crate::facts::clauses::Share;
use crate::ir::{
    Callback, CallbackArgument, CallbackForm, CallbackNames, CallbackParameters, CallbackResult,
    REPLY, ReturnClause, Returns, RustType,
};
use crate::names::{camel, snake};

/// The suffix of the name of the callback without the reply.
const WITHOUT_REPLY: &str = "noreply";

/// Returns the callbacks for `callback`: one, unless its clauses differ in whether they reply.
pub(super) fn split(cx: &mut Context<'_>, callback: Callback, share: &Share) -> Vec<Callback> {
    let Some(caller) = callback.arguments.iter().find_map(caller_name) else {
        return vec![callback];
    };
    let Returns::Clauses { name, clauses } = &callback.result.returns else {
        return vec![callback];
    };
    let replies = |clause: &ReturnClause| clause_mentions(clause, REPLY);
    let (replying, others): (Vec<ReturnClause>, Vec<ReturnClause>) =
        clauses.iter().cloned().partition(replies);
    if replying.is_empty() || others.is_empty() {
        return vec![callback];
    }
    let replying = Returns::Clauses {
        name: name.clone(),
        clauses: replying,
    };
    let others = Returns::Clauses {
        name: cx.claim(&format!("{name}{}", camel(WITHOUT_REPLY))),
        clauses: others,
    };
    let without = without_reply(cx, callback.clone(), share, &caller, others);
    vec![
        self::replying(cx, callback, share, &caller, replying),
        without,
    ]
}

/// Returns the half that replies.
fn replying(
    cx: &Context<'_>,
    whole: Callback,
    share: &Share,
    caller: &str,
    returns: Returns,
) -> Callback {
    let hidden = |argument: CallbackArgument| {
        if argument.is_caller() {
            CallbackArgument {
                role: Role::Hidden,
                ..argument
            }
        } else {
            argument
        }
    };
    let arguments = whole.arguments.into_iter().map(hidden).collect();
    let condition = format!("without an argument `{caller}<{REPLY}>`");
    let note = format!("{condition}, the return value has to contain the reply");
    Callback {
        arguments,
        form: form(cx, whole.form, share, true),
        result: result(whole.result, &whole.parameters, returns, (condition, note)),
        ..whole
    }
}

/// Returns the half that receives the caller.
fn without_reply(
    cx: &mut Context<'_>,
    whole: Callback,
    share: &Share,
    caller: &str,
    returns: Returns,
) -> Callback {
    let name = format!("{}{}", whole.names.callback_trait, camel(WITHOUT_REPLY));
    let condition = format!("with an argument `{caller}<{REPLY}>`");
    let note = format!("{condition}, the callback replies through it, and not by its return value");
    Callback {
        names: CallbackNames {
            return_trait: cx.claim(&format!("{name}Return")),
            callback_trait: name,
            method: snake(&format!("{}_{WITHOUT_REPLY}", whole.names.method)),
            ..whole.names
        },
        form: form(cx, whole.form, share, false),
        result: result(whole.result, &whole.parameters, returns, (condition, note)),
        ..whole
    }
}

/// Returns the form of the half whose clauses reply, or do not.
fn form(cx: &Context<'_>, whole: CallbackForm, share: &Share, replies: bool) -> CallbackForm {
    let is_of_half = |member: &Type| self::replies(cx, member, DEPTH) == replies;
    let signature = Signature {
        returns: returned(cx, &share.signature.result, is_of_half),
        ..whole.signature
    };
    CallbackForm { signature, ..whole }
}

/// Returns the result of the half with these clauses.
fn result(
    whole: CallbackResult,
    parameters: &CallbackParameters,
    returns: Returns,
    (condition, note): (String, String),
) -> CallbackResult {
    let chosen = parameters.chosen.as_ref();
    CallbackResult {
        makes_state: whole.makes_state && mentions(&returns, &parameters.state),
        has_reply: mentions(&returns, REPLY),
        has_chosen: chosen.is_some_and(|name| mentions(&returns, name)),
        returns,
        notes: whole.notes.into_iter().chain([note]).collect(),
        condition: Some(condition),
    }
}

/// Returns whether the reply is in a position in which a clause has a type parameter for it.
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

/// Returns the Rust name of the caller's type, if `argument` is the caller.
fn caller_name(argument: &CallbackArgument) -> Option<String> {
    match &argument.ty {
        RustType::Mapped {
            path,
            reply: Some(_),
        } => path.rsplit("::").next().map(str::to_owned),
        _ => None,
    }
}
