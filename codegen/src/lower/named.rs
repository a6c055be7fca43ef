//! References to named types.

use otp_specs::types::{Type, TypeName};

use super::position::Position;
use super::{Context, lower};
use crate::facts::recursion::Node;
use crate::ir::{REPLY, RustType};
use crate::report::Reason;

pub(super) fn named(
    cx: &mut Context<'_>,
    ty: &Type,
    name: &TypeName,
    arguments: &[Type],
    position: &Position<'_>,
) -> RustType {
    if let Some(path) = cx.facts.overrides.mapped.get(name) {
        return cx.precise(by_user(path));
    }
    if cx.facts.overrides.skipped.contains(name) {
        return cx.fallback(ty, position, Reason::Skipped);
    }
    if let Some(mapped) = cx.facts.mapped.0.get(name) {
        let reply = mapped.takes_reply.then(|| Box::new(RustType::TERM));
        let mapped = RustType::Mapped {
            path: mapped.path.clone(),
            reply,
        };
        return cx.precise(mapped);
    }
    if is_unknown_to_bridge(cx, name, position) {
        return cx.fallback(ty, position, Reason::OtherModule);
    }
    let Some(plain) = cx.facts.names.of_type(name) else {
        let reason = if cx.facts.world.has_module(&name.module) {
            Reason::UnknownType
        } else {
            Reason::OtherModule
        };
        return cx.fallback(ty, position, reason);
    };
    if is_endless(cx, name, arguments, position) {
        return cx.fallback(ty, position, Reason::Endless);
    }
    let mut arguments: Vec<RustType> = arguments
        .iter()
        .map(|argument| lower(cx, argument, position))
        .collect();
    if let Some(full) = cx.facts.names.instance(name) {
        arguments.resize(full, RustType::TERM);
    }
    let item = cx.reference(&name.module, plain, arguments);
    let item = cx.precise(item);
    boxed_in(cx, position, &Node::Type(name.clone()), item)
}

/// Returns whether the owner's arguments grow in this reference, which leads back to the owner.
fn is_endless(
    cx: &Context<'_>,
    name: &TypeName,
    arguments: &[Type],
    position: &Position<'_>,
) -> bool {
    let Some(Node::Type(owner)) = position.owner else {
        return false;
    };
    let growth = cx.facts.growth;
    !arguments.is_empty() && growth.is_endless(cx.facts.world, owner, name, arguments)
}

/// Returns whether `otp-bridge` has the type that is being lowered, with the dynamic term in place
/// of `name`: `otp-bridge` is generated only from the behaviours.
fn is_unknown_to_bridge(cx: &Context<'_>, name: &TypeName, position: &Position<'_>) -> bool {
    let Some(Node::Type(owner)) = position.owner else {
        return false;
    };
    let of_owner = cx.facts.names.of_type(owner).map(str::to_owned);
    let is_provided = of_owner.is_some_and(|rust| {
        let item = (owner.module.clone(), rust);
        cx.facts.provided.contains_key(&item)
    });
    is_provided && !crate::options::BRIDGE_BEHAVIOURS.contains(&name.module.as_str())
}

/// Boxes `item` if the owner would otherwise contain itself by value.
pub(super) fn boxed_in(
    cx: &Context<'_>,
    position: &Position<'_>,
    inner: &Node,
    item: RustType,
) -> RustType {
    let recursive = position
        .owner
        .is_some_and(|owner| cx.facts.recursion.boxed(owner, inner));
    if position.by_value && recursive {
        RustType::Standard("Box", vec![item])
    } else {
        item
    }
}

/// Returns a user's Rust type for an Erlang type.
pub(super) fn by_user(path: &str) -> RustType {
    RustType::Mapped {
        path: path.to_owned(),
        reply: None,
    }
}

pub(super) fn annotated(
    cx: &mut Context<'_>,
    ty: &Type,
    name: &str,
    inner: &Type,
    position: &Position<'_>,
) -> RustType {
    match role_parameter(cx, ty, position) {
        Some(parameter) => parameter,
        None => lower(cx, inner, &position.inside(name)),
    }
}

pub(super) fn variable(
    cx: &mut Context<'_>,
    ty: &Type,
    name: &str,
    position: &Position<'_>,
) -> RustType {
    if let Some(parameter) = role_parameter(cx, ty, position) {
        return parameter;
    }
    match position.parameter(name) {
        Some(parameter) => cx.precise(RustType::Parameter(parameter.to_owned())),
        None => cx.fallback(ty, position, Reason::UnboundVariable),
    }
}

/// Returns the type parameter of the reply, the state or the chosen type, if a callback's result
/// has one.
pub(super) fn role_parameter(
    cx: &mut Context<'_>,
    ty: &Type,
    position: &Position<'_>,
) -> Option<RustType> {
    if !position.in_clause {
        return None;
    }
    let name = if cx.roles.is_reply(ty) {
        REPLY.to_owned()
    } else if cx.roles.is_state(ty) {
        cx.roles.state_name()
    } else if cx.roles.is_chosen(ty) {
        cx.roles.chosen_name()?
    } else {
        return None;
    };
    Some(cx.precise(RustType::Parameter(name)))
}
