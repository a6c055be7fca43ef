//! Unions: as an existing type, or as an enum.

use otp_specs::types::Type;

use super::members::{in_order, normal};
use super::position::Position;
use super::variants::as_written;
use super::{Context, lower};
use crate::facts::bare;
use crate::ir::{ItemKind, RustType};
use crate::names::variants as naming;
use crate::names::{snake, without_new};
use crate::text;

pub(super) fn union(
    cx: &mut Context<'_>,
    ty: &Type,
    members: &[Type],
    position: &Position<'_>,
) -> RustType {
    let members = normal(cx.facts.world, members);
    if let [member] = members.as_slice() {
        return lower(cx, member, position);
    }
    if is_boolean(&members) {
        return cx.precise(RustType::Primitive("bool"));
    }
    let position = position.outside_clause();
    if let Some(option) = option(cx, &members, &position) {
        return option;
    }
    let (variants, order) = as_written(cx, &members, &position);
    let variant_names: Vec<&str> = variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect();
    let by_members = naming::union(&members, &variant_names);
    let names: Vec<String> = by_members.into_iter().chain(position.names()).collect();
    cx.anonymous(
        &names,
        text::erlang(ty),
        ItemKind::Enum(in_order(variants, &order)),
        &position,
    )
}

/// Returns whether the members are `true` and `false`, that is, `boolean()`.
pub(super) fn is_boolean(members: &[Type]) -> bool {
    let is = |ty: &Type, name: &str| matches!(bare(ty), Type::Atom(atom) if atom == name);
    match members {
        [one, other] => {
            (is(one, "true") && is(other, "false")) || (is(one, "false") && is(other, "true"))
        }
        _ => false,
    }
}

/// An atom that means "nothing", and the Rust type for a union with it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Nothing {
    /// OTP's: becomes `Option`.
    Undefined,
    /// Elixir's: becomes `OrNil`.
    Nil,
}

impl Nothing {
    fn atom(self) -> &'static str {
        match self {
            Nothing::Undefined => "undefined",
            Nothing::Nil => "nil",
        }
    }

    fn of(ty: &Type) -> Option<Self> {
        match bare(ty) {
            Type::Atom(atom) => [Nothing::Undefined, Nothing::Nil]
                .into_iter()
                .find(|nothing| nothing.atom() == atom),
            _ => None,
        }
    }
}

/// Returns `Option` of the other member if there are two `members` and one is `undefined`; `OrNil`
/// for `nil`.
pub(super) fn option(
    cx: &mut Context<'_>,
    members: &[Type],
    position: &Position<'_>,
) -> Option<RustType> {
    let (nothing, content) = option_content(cx, members)?;
    cx.precise(RustType::Atom(nothing.atom().to_owned()));
    let content = lower(cx, content, position);
    Some(match nothing {
        Nothing::Undefined => RustType::Standard("Option", vec![content]),
        Nothing::Nil => RustType::Runtime("OrNil", vec![content]),
    })
}

/// Returns the content of the `Option` for `members`. It cannot be the atom itself, because
/// decoding could not distinguish the two. A type variable is assumed to be something else.
pub(super) fn option_content<'m>(
    cx: &Context<'_>,
    members: &'m [Type],
) -> Option<(Nothing, &'m Type)> {
    let [first, second] = members else {
        return None;
    };
    let (nothing, content) = match (Nothing::of(first), Nothing::of(second)) {
        (Some(nothing), None) => (nothing, second),
        (None, Some(nothing)) => (nothing, first),
        _ => return None,
    };
    let may_be = cx.facts.world.may_be(content, nothing.atom());
    (!may_be).then_some((nothing, content))
}

/// Returns the last part of a variable's name in Rust, for elements without annotation.
pub(super) fn element_name(annotation: Option<&str>) -> String {
    annotation.map_or_else(|| "with".to_owned(), |name| snake(without_new(name)))
}
