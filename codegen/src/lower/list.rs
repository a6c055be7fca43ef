//! Lists: empty, proper, improper.

use otp_specs::types::{Builtin, Type};

use super::position::Position;
use super::{Context, lower};
use crate::facts::{DEPTH, bare};
use crate::ir::RustType;
use crate::report::Reason;

pub(super) fn list(cx: &mut Context<'_>, element: &Type, position: &Position<'_>) -> RustType {
    let element = lower(cx, element, &position.element());
    RustType::Standard("Vec", vec![element])
}

pub(super) fn nonempty_list(
    cx: &mut Context<'_>,
    element: &Type,
    position: &Position<'_>,
) -> RustType {
    let element = lower(cx, element, &position.element());
    RustType::Runtime("NonemptyList", vec![element])
}

/// Lowers a list of `element` that ends in `tail`, or in `[]` if `tail` contains it or `proper` is
/// set.
pub(super) fn improper_list(
    cx: &mut Context<'_>,
    ty: &Type,
    element: &Type,
    tail: &Type,
    proper: bool,
    position: &Position<'_>,
) -> RustType {
    let (rest, ends_in_nil) = without_nil(tail);
    if may_be_list(cx, &rest, DEPTH) && !cx.facts.is_term(element) {
        return cx.fallback(ty, position, Reason::ListTail);
    }
    let position = position.behind();
    if rest == Type::None {
        return if proper {
            list(cx, element, &position)
        } else {
            nonempty_list(cx, element, &position)
        };
    }
    // If the list may also be proper, the type does not check that it has elements.
    let name = if proper || ends_in_nil {
        "MaybeImproperList"
    } else {
        "NonemptyImproperList"
    };
    if !proper && ends_in_nil {
        cx.imprecise(ty, &position, Reason::ListTail);
    }
    let element = lower(cx, element, &position.inside("Element"));
    let tail = lower(cx, &rest, &position.inside("Tail"));
    RustType::Runtime(name, vec![element, tail])
}

/// Returns whether a value of `ty` may be a list, whose elements would belong to the list before
/// it. A type variable is assumed not to be one.
fn may_be_list(cx: &Context<'_>, ty: &Type, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    match bare(ty) {
        Type::Any
        | Type::Invalid
        | Type::Nil
        | Type::List(_)
        | Type::NonemptyList(_)
        | Type::MaybeImproperList(..)
        | Type::NonemptyImproperList(..) => true,
        Type::Builtin(builtin) => matches!(
            builtin,
            Builtin::Iodata
                | Builtin::Iolist
                | Builtin::String
                | Builtin::NonemptyString
                | Builtin::List
                | Builtin::NonemptyList
                | Builtin::MaybeImproperList
                | Builtin::NonemptyMaybeImproperList
        ),
        Type::Union(members) => members.iter().any(|member| may_be_list(cx, member, depth)),
        Type::Named(name, _) => match cx.facts.world.definition(name) {
            Some(definition) => may_be_list(cx, &definition.body, depth),
            None => true,
        },
        _ => false,
    }
}

/// Returns `tail` without `[]`, and whether it contained `[]`.
fn without_nil(tail: &Type) -> (Type, bool) {
    match bare(tail) {
        Type::Nil => (Type::None, true),
        Type::Union(members) => {
            let mut others: Vec<Type> = members
                .iter()
                .filter(|member| *bare(member) != Type::Nil)
                .cloned()
                .collect();
            let found = others.len() < members.len();
            match others.len() {
                0 => (Type::None, found),
                1 => (others.remove(0), found),
                _ => (Type::Union(others), found),
            }
        }
        other => (other.clone(), false),
    }
}
