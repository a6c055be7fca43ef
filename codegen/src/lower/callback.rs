//! `-callback` forms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use otp_contract::behaviour::{REQUEST, Role};
use otp_contract::callback::CallbackKind;
use otp_specs::types::{Function, Type};

use super::callback_names;
use super::drafts::Draft;
use super::facts::{function_facts, report_not_state};
use super::members::normal;
use super::position::Position;
use super::signature::callback_signature;
use super::split::split;
use super::variants::{has_reply, mentions, returns, variants, word_for_state};
use super::{Context, lower, overridden};
use crate::catalog;
use crate::facts::clauses::{Share, Signature, shares};
use crate::facts::rewrite::rewrite;
use crate::facts::{DEPTH, annotation, bare, occurs};
use crate::ir::{
    Callback, CallbackArgument, CallbackForm, CallbackNames, CallbackParameters, CallbackResult,
    Discriminant, FunctionFacts, ItemKind, REPLY, Reply, RustType,
};
use crate::names::taken::ordinal;
use crate::names::words::snake_words;
use crate::names::{Taken, camel, snake};
use crate::text;

/// Facts about the callbacks' functions, by name and arity.
pub(super) type Functions = BTreeMap<(String, usize), FunctionFacts>;

/// Lowers all callbacks in source order, and collects the facts about their functions.
pub(super) fn lowered(cx: &mut Context<'_>) -> (Vec<Callback>, Functions) {
    let names = callback_names::of_forms(&cx.module.callbacks);
    let mut seen = BTreeSet::new();
    let mut lowered = Vec::new();
    let mut functions = BTreeMap::new();
    for form in &cx.module.callbacks {
        if seen.insert((&form.name, form.arity)) {
            let names = &names[&(form.name.as_str(), form.arity)];
            let of_form = callbacks(cx, form, names);
            let begins = |known: &FunctionFacts| known.facts.kind == CallbackKind::Init;
            let is_first = !functions.values().any(begins);
            let facts = function_facts(cx, form, &of_form, is_first);
            functions.insert((form.name.clone(), form.arity), facts);
            lowered.extend(of_form);
        } else {
            let item = format!("{}/{}", form.name, form.arity);
            cx.diagnose(item, &catalog::DECLARED_TWICE);
        }
    }
    (lowered, functions)
}

/// Lowers one form, usually to one callback, with the names of its trait and its method.
fn callbacks(
    cx: &mut Context<'_>,
    function: &Function,
    (name, method): &(String, String),
) -> Vec<Callback> {
    let any_name = cx.roles.of_any_name(cx.module, function);
    let mut lowered = Vec::new();
    for mut share in shares(function) {
        let own = any_name.is_some().then_some(&*function.name);
        let unchanged = unchanged(cx, &mut share, own);
        if let Some(name) = &any_name {
            // The name of the function is the name of the state. Here it stands for any of them.
            share.signature.result =
                rewrite(&share.signature.result, DEPTH, &mut |part| match part {
                    Type::Atom(atom) if *atom == function.name => {
                        Some(Type::Named(Arc::new(name.clone()), Vec::new()))
                    }
                    _ => None,
                });
        }
        let names = match &share.distinguished_by {
            Some((_, atom)) => (
                // A name that is part of a longer one cannot be a keyword, so its trailing `_` is
                // removed.
                format!("{name}{}", camel(atom).trim_end_matches('_')),
                snake(&format!(
                    "{}_{}",
                    method.trim_end_matches('_'),
                    snake_words(atom)
                )),
            ),
            None => (name.clone(), method.clone()),
        };
        let mut whole = callback(cx, function, &share, names, any_name.is_some());
        whole.result.notes.extend(unchanged);
        lowered.extend(split(cx, whole, &share));
    }
    lowered
}

/// Removes the clauses of the result that repeat a term which the callback received: the
/// implementation cannot choose it. Such a term is a variable of an argument, or `own`, the name of
/// the function, if the callback stands for any name. Returns a note about them.
fn unchanged(cx: &Context<'_>, share: &mut Share, own: Option<&str>) -> Option<String> {
    share.distinguished_by.as_ref()?;
    let clauses = cx.facts.members(&share.signature.result)?;
    let is_given = |ty: &Type| match ty {
        Type::Var(name) => share.given.contains(name),
        Type::Atom(atom) => own == Some(atom),
        _ => false,
    };
    let (given, left): (Vec<Type>, Vec<Type>) = clauses
        .into_iter()
        .partition(|clause| occurs(clause, &is_given, DEPTH));
    let note = format!(
        "`{}` is omitted: it could only repeat an argument of the callback",
        text::erlang(bare(given.first()?))
    );
    share.signature.result = Type::Union(left);
    Some(note)
}

/// Lowers the clauses of a form that become one callback; `any_name` tells whether it stands for
/// functions of any name.
fn callback(
    cx: &mut Context<'_>,
    function: &Function,
    share: &Share,
    (name, method): (String, String),
    any_name: bool,
) -> Callback {
    let state = cx.roles.state_name();
    let result = &share.signature.result;
    let makes = cx.roles.makes_state(function, share);
    overridden::refuse_hidden_state(cx, function, result);
    let returns = returns(cx, &name, result, makes);
    let arguments = arguments(cx, (&function.name, &name), share);
    let signature = callback_signature(cx, share, &arguments);
    let has_reply = mentions(&returns, REPLY);
    let reply = reply(cx, &share.signature, &arguments, has_reply);
    let own = arguments.into_iter();
    let arguments: Vec<_> = match reply {
        Reply::OfRequest => own.map(CallbackArgument::of_request).collect(),
        Reply::Dynamic | Reply::Absent => own.collect(),
    };
    let chosen = cx.roles.chosen_name();
    let result = CallbackResult {
        makes_state: mentions(&returns, &state),
        has_reply,
        has_chosen: chosen.is_some_and(|name| mentions(&returns, &name)),
        returns,
        notes: notes(cx, result, makes),
        condition: None,
    };
    let takes_chosen = arguments
        .iter()
        .any(|argument| argument.role == Role::Chosen);
    let has_chosen = result.has_chosen || takes_chosen;
    Callback {
        form: CallbackForm {
            function: function.name.clone(),
            arity: function.arity,
            optional: function.optional,
            erlang: quoted(function, share),
            signature,
        },
        names: CallbackNames {
            return_trait: cx.claim(&format!("{name}Return")),
            callback_trait: name,
            written: method.clone(),
            method,
            any_name,
        },
        parameters: CallbackParameters {
            state,
            chosen: cx.roles.chosen_name().filter(|_| has_chosen),
        },
        arguments,
        reply,
        result,
    }
}

/// A form with more clauses than this is quoted without the clauses of its other callbacks.
const QUOTED: usize = 16;

/// Returns the form as messages quote it.
fn quoted(function: &Function, share: &Share) -> String {
    if function.clauses.len() <= QUOTED {
        return function.erlang.clone();
    }
    let arguments = share.signature.arguments.iter().map(text::erlang);
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let result = text::erlang(&share.signature.result);
    let name = text::atom(&function.name);
    format!("-callback {name}({arguments}) -> {result}.")
}

/// Returns notes about a result without the state that is in its form.
fn notes(cx: &Context<'_>, result: &Type, makes: bool) -> Vec<String> {
    let left_out = (!makes).then(|| word_for_state(cx, result)).flatten();
    let note = left_out.map(|word| {
        format!("`{word}` is omitted: the callback changes the state in place, through `&mut self`")
    });
    note.into_iter().collect()
}

fn reply(
    cx: &Context<'_>,
    signature: &Signature,
    arguments: &[CallbackArgument],
    in_clause: bool,
) -> Reply {
    let request =
        |argument: &CallbackArgument| argument.role == Role::Open && argument.name == REQUEST;
    if !in_clause && !has_reply(cx, &signature.result) {
        Reply::Absent
    } else if arguments.iter().any(request) {
        Reply::OfRequest
    } else if in_clause {
        Reply::Dynamic
    } else {
        Reply::Absent
    }
}

/// Lowers the arguments of `function`. Types that have no name in Erlang are named after
/// `callback`.
fn arguments(
    cx: &mut Context<'_>,
    (function, callback): (&str, &str),
    share: &Share,
) -> Vec<CallbackArgument> {
    let roles = cx.roles.of_arguments(function, share);
    let own = cx.roles.state_name();
    let mut names = Taken::default();
    let mut identifiers = Taken::default();
    // Names that generated code uses for its own type parameters.
    names.claim(REPLY);
    names.claim("T");
    names.claim(&own);
    if let Some(chosen) = cx.roles.chosen_name() {
        names.claim(&chosen);
    }
    identifiers.claim("cx");
    identifiers.claim("call");
    let mut arguments = Vec::new();
    for (index, (ty, role)) in share.signature.arguments.iter().zip(roles).enumerate() {
        let plain = match argument_name(ty) {
            Some(name) => name.trim_start_matches('_').to_owned(),
            None => format!("{}_argument", ordinal(index + 1)),
        };
        let plain = match (&role, camel(&plain) == own) {
            // `code_change` receives the state of another version.
            (Role::Open, true) => format!("Old{plain}"),
            _ => plain,
        };
        let name = match role {
            Role::State => own.clone(),
            _ => names.claim(&camel(&plain)),
        };
        let identifier = match role {
            Role::State => identifiers.claim(&snake(&own)),
            _ => identifiers.claim(&snake(&plain)),
        };
        let discriminant = match share.discriminant {
            Some(position) if position == index => self::discriminant(cx, callback, ty),
            _ => None,
        };
        report_not_state(cx, function, ty, &Position::top(callback).inside(&name));
        let ty = argument_type(cx, callback, &name, role, ty);
        arguments.push(CallbackArgument {
            name,
            identifier,
            role,
            ty,
            discriminant,
        });
    }
    arguments
}

fn argument_type(
    cx: &mut Context<'_>,
    callback: &str,
    name: &str,
    role: Role,
    ty: &Type,
) -> RustType {
    match role {
        Role::State => cx.precise(RustType::Parameter(cx.roles.state_name())),
        Role::Chosen => {
            let chosen = cx.roles.chosen_name().unwrap_or_default();
            cx.precise(RustType::Parameter(chosen))
        }
        Role::Literal => lower(cx, bare(ty), &Position::top(callback)),
        Role::Args | Role::Open | Role::Discriminant => {
            if let Type::Union(members) = bare(ty) {
                open_union(cx, callback, name, members);
            }
            cx.precise(RustType::Parameter(name.to_owned()))
        }
        Role::Fixed | Role::Caller | Role::Hidden => {
            lower(cx, bare(ty), &Position::top(callback).inside(name))
        }
    }
}

/// Returns the trait of the types in the position that distinguishes clauses; `None` if the form
/// has no named union there.
fn discriminant(cx: &mut Context<'_>, callback: &str, ty: &Type) -> Option<String> {
    let union = lower(cx, bare(ty), &Position::top(callback));
    let draft = cx.draft(&union);
    let plain = draft
        .filter(|draft| matches!(draft.kind, ItemKind::Enum(_)))?
        .plain
        .clone();
    if let Some(known) = cx
        .discriminants
        .iter()
        .find(|discriminant| discriminant.union == union)
    {
        return Some(known.name.clone());
    }
    let name = cx.claim(&format!("{plain}Of"));
    let erlang = text::erlang(bare(ty));
    cx.discriminants.push(Discriminant {
        name: name.clone(),
        union,
        erlang,
    });
    Some(name)
}

/// Adds an enum that decodes all values of an open argument with a union type.
fn open_union(cx: &mut Context<'_>, callback: &str, name: &str, members: &[Type]) {
    let position = Position::top(callback).inside(name);
    let members = normal(cx.facts.world, members);
    let variants = variants(cx, &members, &position);
    let draft = Draft {
        plain: cx.claim_first(&position.names()),
        erlang: text::erlang(&Type::Union(members)),
        parameters: Vec::new(),
        defaults: Vec::new(),
        anonymous: true,
        kind: ItemKind::Enum(variants),
    };
    cx.add(draft);
}

/// Returns the name of an argument: its annotation, or the name of its type.
fn argument_name(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named(name, _) => Some(&name.name),
        other => annotation(other),
    }
}

impl CallbackArgument {
    /// Returns the argument of a callback whose reply is that of its request.
    fn of_request(self) -> Self {
        let ty = with_reply(&self.ty);
        CallbackArgument { ty, ..self }
    }
}

/// Returns `ty` with the request's reply as the parameter of hand-written types that have one.
fn with_reply(ty: &RustType) -> RustType {
    match ty {
        RustType::Mapped {
            path,
            reply: Some(_),
        } => RustType::Mapped {
            path: path.clone(),
            reply: Some(Box::new(RustType::Parameter(REPLY.to_owned()))),
        },
        other => other.map_children(&mut with_reply),
    }
}
