//! Tuples that are no member of a union.

use otp_contract::limits::TUPLE_ELEMENTS;
use otp_specs::types::Type;

use super::{Lowerer, Place};
use crate::facts::{annotation, bare};
use crate::ir::{Element, Item, Kind, RustType};
use crate::text;

impl Lowerer<'_> {
    pub(super) fn tuple(&mut self, ty: &Type, elements: &[Type], place: &Place<'_>) -> RustType {
        if elements.is_empty() {
            return self.precise(RustType::Tuple(Vec::new()));
        }
        if elements.len() <= TUPLE_ELEMENTS {
            let elements = elements
                .iter()
                .map(|element| self.lower(element, place))
                .collect();
            return RustType::Tuple(elements);
        }
        let kind = self.tuple_kind(elements, &place.outside_clause());
        let name = format!("{}Tuple", place.name());
        self.anonymous(&[name], text::erlang(ty), kind, place)
    }

    /// The item of a tuple that is not empty: tagged, if its first element is an atom.
    pub(super) fn tuple_kind(&mut self, elements: &[Type], place: &Place<'_>) -> Kind {
        match split_tag(elements) {
            Some((tag, rest)) => {
                self.atom_type(tag);
                let elements = self.elements(rest, place);
                Kind::Tuple {
                    tag: Some(tag.to_owned()),
                    elements,
                }
            }
            None => Kind::Tuple {
                tag: None,
                elements: self.elements(elements, place),
            },
        }
    }

    /// Elements with their annotations.
    pub(super) fn elements(&mut self, elements: &[Type], place: &Place<'_>) -> Vec<Element> {
        let element = |ty: &Type| Element {
            name: annotation(ty).map(str::to_owned),
            ty: self.lower(ty, place),
        };
        elements.iter().map(element).collect()
    }

    /// An item that Erlang has no name for: an equal one that exists already, or a new one with
    /// the first of `names` that is free.
    pub(super) fn anonymous(
        &mut self,
        names: &[String],
        erlang: String,
        kind: Kind,
        place: &Place<'_>,
    ) -> RustType {
        let parameters: Vec<String> = place
            .parameters
            .iter()
            .map(|(_, rust)| rust.clone())
            .filter(|parameter| kind_mentions(&kind, parameter))
            .collect();
        let same = |item: &&Item| item.anonymous && item.kind == kind;
        let name = match self.items.iter().find(same) {
            Some(item) => item.name.clone(),
            None => {
                let free = names.iter().find(|name| !self.taken.contains(name));
                let name = self
                    .taken
                    .claim(free.or(names.last()).map_or("Anonymous", |name| name));
                let (name_of_item, parameters) = (name.clone(), parameters.clone());
                self.items.push(Item {
                    name: name_of_item,
                    erlang,
                    parameters,
                    anonymous: true,
                    kind,
                    derives: Vec::new(),
                });
                name
            }
        };
        let arguments = parameters.into_iter().map(RustType::Parameter).collect();
        RustType::Item {
            module: self.module.name.clone(),
            name,
            arguments,
        }
    }
}

/// The atom at the head of a tuple, and the rest.
pub(super) fn split_tag(elements: &[Type]) -> Option<(&str, &[Type])> {
    let (first, rest) = elements.split_first()?;
    match bare(first) {
        Type::Atom(tag) => Some((tag, rest)),
        _ => None,
    }
}

fn kind_mentions(kind: &Kind, parameter: &str) -> bool {
    kind.types().into_iter().any(|ty| ty.mentions(parameter))
}
