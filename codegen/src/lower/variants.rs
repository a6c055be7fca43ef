//! Members of a union, and clauses of a callback's result, as variants of an enum.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Builtin, Int, Type};

use super::context::Context;
use super::lower;
use super::position::Position;
use super::tuple::{elements, split_tag, tuple_kind};
use super::union::{head, member_annotation, one_for_each_head};
use crate::facts::{annotation, bare};
use crate::ir::{Shape, Variant};
use crate::names::{Taken, camel, snake, together, without_new};
use crate::report::Reason;
use crate::text;

/// Variants of the members, which [`super::union::normal`] gave, in their order.
pub(super) fn variants(
    cx: &mut Context<'_>,
    members: &[Type],
    position: &Position<'_>,
) -> Vec<Variant> {
    let joined;
    let mut members = members;
    if position.in_clause {
        let (clauses, count) = one_for_each_head(members);
        for _ in 0..count {
            cx.imprecise(
                &Type::Union(members.to_vec()),
                position,
                Reason::JoinedClauses,
            );
        }
        joined = clauses;
        members = &joined;
    }
    let shortest = shortest_of_tag(members);
    let mut taken = Taken::default();
    let mut heads = BTreeSet::new();
    let mut variants = Vec::new();
    for member in members {
        let plain = variant_name(cx, member, &shortest);
        let name = taken.claim(&plain);
        let repeated = head(member).is_some_and(|head| !heads.insert(head));
        let shape = shape(cx, member, repeated, &position.inside(&name));
        variants.push(Variant {
            name,
            erlang: member_text(member),
            shape,
        });
    }
    variants
}

fn shape(cx: &mut Context<'_>, member: &Type, repeated: bool, position: &Position<'_>) -> Shape {
    match bare(member) {
        Type::Atom(atom) => {
            cx.atom(atom);
            Shape::Unit(atom.clone())
        }
        // Another member of the same tag and size has the tag already.
        Type::Tuple(elements) if repeated => {
            let kind = tuple_kind(cx, elements, position);
            let names = [position.name()];
            Shape::Untagged(cx.anonymous(&names, member_text(member), kind, position))
        }
        Type::Tuple(elements) if !elements.is_empty() => match split_tag(elements) {
            Some((tag, rest)) => {
                cx.atom(tag);
                Shape::Tagged(tag.to_owned(), self::elements(cx, rest, position))
            }
            None => Shape::Tuple(self::elements(cx, elements, position)),
        },
        // A map in a union is named after the union: `ChildSpecMap`.
        Type::Map(_) => Shape::Untagged(lower(cx, member, &outer(position))),
        _ => Shape::Untagged(lower(cx, member, position)),
    }
}

fn outer<'p>(position: &Position<'p>) -> Position<'p> {
    let mut outer = position.clone();
    outer.path.pop();
    outer
}

fn variant_name(cx: &Context<'_>, member: &Type, shortest: &BTreeMap<String, Shortest>) -> String {
    match bare(member) {
        Type::Atom(atom) => camel(atom),
        Type::Tuple(elements) => match split_tag(elements) {
            Some((tag, rest)) => clause_name(tag, rest, shortest),
            None => "Tuple".to_owned(),
        },
        _ => match member_annotation(member) {
            Some(name) => camel(without_new(name)),
            None => kind_name(cx, bare(member)),
        },
    }
}

/// What a member without tag and annotation is called.
fn kind_name(cx: &Context<'_>, ty: &Type) -> String {
    match ty {
        Type::Any | Type::None | Type::Invalid => "Other".to_owned(),
        Type::Annotated(name, _) | Type::Var(name) => camel(name),
        Type::Named(name, _) => match cx.facts.names.of_type(name) {
            Some(plain) => plain.to_owned(),
            None => camel(&name.name),
        },
        Type::Builtin(builtin) => builtin_name(*builtin).to_owned(),
        Type::Atom(atom) => camel(atom),
        Type::Integer(number) => integer_name(number),
        Type::Range(..) => "Integer".to_owned(),
        Type::Union(_) => "Union".to_owned(),
        Type::Tuple(_) => "Tuple".to_owned(),
        Type::Nil => "Nil".to_owned(),
        Type::List(element) | Type::NonemptyList(element) => match bare(element) {
            Type::Any | Type::Union(_) | Type::Tuple(_) => "List".to_owned(),
            element => format!("ListOf{}", kind_name(cx, element)),
        },
        Type::MaybeImproperList(..) | Type::NonemptyImproperList(..) => "List".to_owned(),
        Type::Map(_) => "Map".to_owned(),
        Type::Record(name, _) => camel(&name.name),
        Type::Bitstring { .. } => "Binary".to_owned(),
        Type::Fun(..) => "Fun".to_owned(),
    }
}

/// The shortest member of a tag. A bare atom is the shortest of all.
struct Shortest {
    size: usize,
    annotations: Vec<String>,
}

fn shortest_of_tag(members: &[Type]) -> BTreeMap<String, Shortest> {
    let mut shortest: BTreeMap<String, Shortest> = BTreeMap::new();
    for member in members {
        let (tag, size, rest) = match bare(member) {
            Type::Atom(atom) => (atom.as_str(), 0, [].as_slice()),
            Type::Tuple(elements) => match split_tag(elements) {
                Some((tag, rest)) => (tag, elements.len(), rest),
                None => continue,
            },
            _ => continue,
        };
        if shortest.get(tag).is_none_or(|known| size < known.size) {
            let annotations = annotations(rest);
            shortest.insert(tag.to_owned(), Shortest { size, annotations });
        }
    }
    shortest
}

fn annotations(elements: &[Type]) -> Vec<String> {
    elements
        .iter()
        .filter_map(annotation)
        .map(|name| without_new(name).to_owned())
        .collect()
}

/// The tag; with what the shortest member of the same tag lacks.
fn clause_name(tag: &str, rest: &[Type], shortest: &BTreeMap<String, Shortest>) -> String {
    let Some(shortest) = shortest
        .get(tag)
        .filter(|shortest| shortest.size <= rest.len())
    else {
        return camel(tag);
    };
    let extra: String = annotations(rest)
        .iter()
        .filter(|name| !shortest.annotations.contains(name))
        .map(|name| camel(name))
        .collect();
    let extra = if extra.is_empty() {
        "With".to_owned()
    } else {
        extra
    };
    together(&[camel(tag), extra], "")
}

/// A member as Erlang writes it, with an annotation only where there is nothing else to say.
fn member_text(member: &Type) -> String {
    match member {
        Type::Annotated(_, inner) => text::erlang(inner),
        other => text::erlang(other),
    }
}

/// The last part of a variable's name in Rust, for elements without annotation.
pub(super) fn element_name(annotation: Option<&str>) -> String {
    annotation.map_or_else(|| "with".to_owned(), |name| snake(without_new(name)))
}

/// `N16`, `Minus1`
fn integer_name(number: &Int) -> String {
    let text = match number {
        Int::Small(number) => number.to_string(),
        Int::Big(digits) => digits.clone(),
    };
    match text.strip_prefix('-') {
        Some(digits) => format!("Minus{digits}"),
        None => format!("N{text}"),
    }
}

fn builtin_name(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Atom => "Atom",
        Builtin::Boolean => "Boolean",
        Builtin::Integer => "Integer",
        Builtin::Char => "Char",
        Builtin::NonNegInteger => "NonNegInteger",
        Builtin::PosInteger => "PosInteger",
        Builtin::NegInteger => "NegInteger",
        Builtin::Float => "Float",
        Builtin::Number => "Number",
        Builtin::Arity => "Arity",
        Builtin::Byte => "Byte",
        Builtin::Pid => "Pid",
        Builtin::Port => "Port",
        Builtin::Reference => "Reference",
        Builtin::Identifier => "Identifier",
        Builtin::Binary | Builtin::NonemptyBinary => "Binary",
        Builtin::Bitstring | Builtin::NonemptyBitstring => "Bitstring",
        Builtin::Function => "Fun",
        Builtin::Tuple => "Tuple",
        Builtin::Map => "Map",
        Builtin::Iodata => "Iodata",
        Builtin::Iolist => "Iolist",
        Builtin::String | Builtin::NonemptyString => "String",
        Builtin::Module => "Module",
        Builtin::Node => "Node",
        Builtin::Mfa => "Mfa",
        Builtin::Timeout => "Timeout",
        Builtin::List
        | Builtin::NonemptyList
        | Builtin::MaybeImproperList
        | Builtin::NonemptyMaybeImproperList => "List",
        Builtin::Record => "Record",
    }
}
