//! Constructor functions of clauses, shared by all return enums that have the clause.

use super::variants::element_name;
use crate::ir::{Callback, Constructor, Element, Returns, RustType, Shape, Variant};
use crate::names::{Taken, camel, snake};

/// One constructor for each clause of several elements or more that a callback may return. The
/// clause that most callbacks have gets the plain name, a different one of the same name is
/// prefixed with its callback: `stop(reason, state)`, `init_stop(reason)`.
pub(super) fn constructors(callbacks: &[Callback]) -> Vec<Constructor> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for callback in callbacks {
        let Returns::Clauses { name, variants } = &callback.returns else {
            continue;
        };
        for variant in variants {
            let Some(elements) = arguments(variant) else {
                continue;
            };
            let user = User {
                callback,
                enumeration: name,
            };
            let same = |group: &&mut Group<'_>| {
                group.variant.name == variant.name && group.elements == elements
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.users.push(user),
                None => groups.push(Group {
                    variant,
                    elements,
                    users: vec![user],
                }),
            }
        }
    }
    // A stable sort: among equally common clauses the first in source order counts.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(groups[*index].users.len()));
    let mut functions = Taken::default();
    let mut named: Vec<(usize, String)> = Vec::new();
    for index in order {
        let name = name(&groups[index], &functions);
        named.push((index, functions.claim(&name)));
    }
    named.sort_by_key(|(index, _)| *index);
    named
        .into_iter()
        .map(|(index, name)| groups[index].constructor(name))
        .collect()
}

/// A clause and the callbacks that may return it.
struct Group<'c> {
    variant: &'c Variant,
    elements: Vec<(String, RustType)>,
    users: Vec<User<'c>>,
}

struct User<'c> {
    callback: &'c Callback,
    enumeration: &'c str,
}

impl Group<'_> {
    fn constructor(&self, function: String) -> Constructor {
        let parameters = ["Reply", "State"]
            .into_iter()
            .filter(|name| self.elements.iter().any(|(_, ty)| ty.mentions(name)))
            .map(str::to_owned)
            .collect();
        let user = |user: &User<'_>| {
            let parameters = user.callback.return_parameters();
            (
                user.enumeration.to_owned(),
                parameters,
                self.variant.name.clone(),
            )
        };
        Constructor {
            trait_name: format!("Is{}", camel(&function)),
            function,
            erlang: self.variant.erlang.clone(),
            elements: self.elements.clone(),
            parameters,
            enums: self.users.iter().map(user).collect(),
        }
    }
}

fn name(group: &Group<'_>, taken: &Taken) -> String {
    let plain = snake(&camel_words(&group.variant.name));
    match group.users.first() {
        Some(user) if taken.contains(&plain) => snake(&format!("{}_{plain}", user.callback.method)),
        _ => plain,
    }
}

/// A variant's name without the `_` that keeps it from being a keyword.
fn camel_words(variant: &str) -> String {
    variant.trim_end_matches('_').to_owned()
}

/// Names and types of a clause's elements; `None` for a clause that is one atom.
fn arguments(variant: &Variant) -> Option<Vec<(String, RustType)>> {
    let named = |elements: &[Element]| {
        let mut taken = Taken::default();
        let name = |element: &Element| {
            (
                taken.claim(&element_name(element.name.as_deref())),
                element.ty.clone(),
            )
        };
        elements.iter().map(name).collect()
    };
    match &variant.shape {
        Shape::Unit(_) => None,
        Shape::Tagged(_, elements) | Shape::Tuple(elements) => Some(named(elements)),
        Shape::Untagged(ty) => Some(named(&[Element {
            name: Some("Value".to_owned()),
            ty: ty.clone(),
        }])),
    }
}
