//! Constructor functions of clauses, shared by all return enums that have the clause.

use super::union::element_name;
use crate::ir::{
    Callback, Constructed, Constructor, Element, Given, ReturnClause, Returns, RustType, Variant,
    VariantShape,
};
use crate::names::{Taken, camel, snake, without_new};

/// Returns one constructor for each clause that a callback may return. The clause of the most
/// callbacks gets the plain name; a different clause of the same name is prefixed with its
/// callback: `stop(reason)`, `init_stop(reason)`. Clauses that differ only in unions share a
/// constructor, which accepts all types that convert into one of these unions.
pub(super) fn constructors(
    callbacks: &[Callback],
    parameters: &[String],
    is_enum: &dyn Fn(&RustType) -> bool,
) -> Vec<Constructor> {
    let groups = groups(callbacks, is_enum);
    // The sort is stable: among equally common clauses, the first in source order counts.
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
        .map(|(index, name)| groups[index].constructor(name, parameters))
        .collect()
}

/// Clauses that one function creates.
struct Group<'c> {
    users: Vec<User<'c>>,
}

/// A clause of a callback.
struct User<'c> {
    callback: &'c Callback,
    enumeration: &'c str,
    variant: &'c Variant,
    elements: Vec<Element>,
}

fn groups<'c>(callbacks: &'c [Callback], is_enum: &dyn Fn(&RustType) -> bool) -> Vec<Group<'c>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for callback in callbacks {
        let Returns::Clauses { name, clauses } = &callback.result.returns else {
            continue;
        };
        for ReturnClause { variant, .. } in clauses {
            let Some(elements) = elements(variant) else {
                continue;
            };
            let user = User {
                callback,
                enumeration: name,
                variant,
                elements,
            };
            let same = |group: &&mut Group<'_>| {
                let first = group.users.first();
                first.is_some_and(|first| shared(first, &user, is_enum))
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.users.push(user),
                None => groups.push(Group { users: vec![user] }),
            }
        }
    }
    groups
}

/// Returns whether one function can create both clauses.
fn shared(one: &User<'_>, other: &User<'_>, is_enum: &dyn Fn(&RustType) -> bool) -> bool {
    let alike = |(one, other): (&Element, &Element)| {
        one.ty == other.ty || (is_enum(&one.ty) && is_enum(&other.ty))
    };
    one.variant.name == other.variant.name
        && one.elements.len() == other.elements.len()
        && one.elements.iter().zip(&other.elements).all(alike)
}

impl Group<'_> {
    fn constructor(&self, function: String, parameters: &[String]) -> Constructor {
        let elements = self.elements(parameters);
        let mentioned = parameters.iter().filter(|name| {
            let mentions = |(_, given): &(String, Given)| match given {
                Given::Same(ty) => ty.mentions(name),
                Given::Converted(_) => false,
            };
            elements.iter().any(mentions)
        });
        let converted = elements.iter().filter_map(|(_, given)| match given {
            Given::Same(_) => None,
            Given::Converted(name) => Some(name),
        });
        let parameters = mentioned.chain(converted).cloned().collect();
        let user = |user: &User<'_>| Constructed {
            enumeration: user.enumeration.to_owned(),
            parameters: user.callback.return_parameters(),
            variant: user.variant.name.clone(),
            types: user
                .elements
                .iter()
                .map(|element| element.ty.clone())
                .collect(),
            notes: notes(user.callback),
        };
        // The clause with the most annotations represents all.
        let annotations = |user: &&User<'_>| {
            user.elements
                .iter()
                .filter(|one| one.name.is_some())
                .count()
        };
        let most = self.users.iter().rev().max_by_key(annotations);
        Constructor {
            trait_name: format!("Is{}", camel(&function)),
            function,
            erlang: most
                .map(|user| user.variant.erlang.clone())
                .unwrap_or_default(),
            elements,
            parameters,
            enums: self.users.iter().map(user).collect(),
        }
    }

    /// Returns name and type of each element, in which the clauses may differ.
    fn elements(&self, parameters: &[String]) -> Vec<(String, Given)> {
        let Some(first) = self.users.first() else {
            return Vec::new();
        };
        let mut names = Taken::default();
        let mut types = Taken::default();
        for parameter in parameters {
            types.claim(parameter);
        }
        let mut elements = Vec::new();
        for (index, element) in first.elements.iter().enumerate() {
            let column = || {
                self.users
                    .iter()
                    .filter_map(|user| user.elements.get(index))
            };
            let name = column().find_map(|element| element.name.as_deref());
            let given = if column().all(|other| other.ty == element.ty) {
                Given::Same(element.ty.clone())
            } else {
                Given::Converted(types.claim(&camel(without_new(name.unwrap_or("With")))))
            };
            elements.push((names.claim(&element_name(name)), given));
        }
        elements
    }
}

/// Returns the form, and when the callback of the enum is used.
fn notes(callback: &Callback) -> Vec<String> {
    let condition = callback.result.condition.iter().map(|condition| {
        let (function, arity) = (&callback.form.function, callback.form.arity);
        format!("`{function}/{arity}` returns it only {condition}")
    });
    [callback.form.erlang.clone()]
        .into_iter()
        .chain(condition)
        .collect()
}

fn name(group: &Group<'_>, taken: &Taken) -> String {
    let Some(user) = group.users.first() else {
        return String::new();
    };
    let plain = snake(&camel_words(&user.variant.name));
    if taken.contains(&plain) {
        let words = plain.trim_start_matches("r#");
        snake(&format!("{}_{words}", user.callback.names.method))
    } else {
        plain
    }
}

/// Returns a variant's name without the `_` that distinguishes it from a keyword.
fn camel_words(variant: &str) -> String {
    variant.trim_end_matches('_').to_owned()
}

/// Returns a clause's elements; `None` for the clause that is `()`.
fn elements(variant: &Variant) -> Option<Vec<Element>> {
    match &variant.shape {
        VariantShape::Unit(_) => Some(Vec::new()),
        VariantShape::Tuple(elements) if elements.is_empty() => None,
        VariantShape::Tagged(_, elements) | VariantShape::Tuple(elements) => Some(elements.clone()),
        VariantShape::Untagged(ty) => Some(vec![Element {
            name: Some("Value".to_owned()),
            field: None,
            ty: ty.clone(),
        }]),
    }
}
