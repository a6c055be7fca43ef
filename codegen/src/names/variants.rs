//! Variants of unions, and unions that Erlang has no name for.
//!
//! | member | names, the first free one is used |
//! |---|---|
//! | an atom | the atom |
//! | `{tag, …}` | the tag; if a shorter member has it, too: with the annotations that this one lacks, otherwise with `With` |
//! | | if another member has that name, too: with the nouns of all elements |
//! | `{{tag, Name}, …}` | `TagName`; with the noun of the last element |
//! | `Name :: T` | `Name`; a leading `New` and the number at the end are dropped |
//! | another | its noun; if another member has that, too: with the module of a named type, `Any` before a predefined one, all elements of a tuple, the required keys of a map, the arguments of a fun, the bounds of a range |
//! | `term()` | `Other` |

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Int, Type};

use super::nouns::{kind, noun, of_size};
use super::taken::has_ordinal;
use super::words::{joined, value_name};
use super::{camel, without_new};
use crate::types::{annotation, bare, split_tag};

/// A union of more members than this, and a tuple of more elements, is named after its position
/// instead of its members.
const MEMBERS: usize = 4;
/// The longest name, in letters, of a union that is named by its members.
pub(crate) const UNION: usize = 32;

/// The longest name, in letters, of a variant that is named by its elements.
const ELEMENTS: usize = 28;

/// The shortest member with a tag. A bare atom is the shortest of all.
pub(crate) struct Shortest {
    size: usize,
    annotations: Vec<String>,
}

/// The shortest member of each tag.
pub(crate) fn shortest_of_tag(members: &[Type]) -> BTreeMap<String, Shortest> {
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

/// Returns names of a member, the best first.
pub(crate) fn names(member: &Type, shortest: &BTreeMap<String, Shortest>) -> Vec<String> {
    match bare(member) {
        Type::Atom(atom) => vec![camel(atom)],
        Type::Tuple(elements) => match split_tag(elements) {
            Some((tag, rest)) => vec![tagged(tag, rest, shortest), of_all(&camel(tag), rest)],
            None => led(elements).unwrap_or_else(|| untagged(member)),
        },
        _ => untagged(member),
    }
}

/// Returns the tag, with the elements that the shortest member with this tag lacks.
fn tagged(tag: &str, rest: &[Type], shortest: &BTreeMap<String, Shortest>) -> String {
    let plain = camel(tag);
    let Some(shortest) = shortest
        .get(tag)
        .filter(|shortest| shortest.size <= rest.len())
    else {
        return plain;
    };
    let annotations = annotations(rest);
    let mut names = vec![plain.clone()];
    names.extend(
        annotations
            .iter()
            .filter(|name| !shortest.annotations.contains(name))
            .map(|name| camel(name)),
    );
    let name = joined(&names);
    if name.trim_end_matches('_') == plain.trim_end_matches('_') {
        joined(&[plain, "With".to_owned()])
    } else {
        name
    }
}

/// Returns `first` with the nouns of as many elements as fit.
fn of_all(first: &str, elements: &[Type]) -> String {
    let mut name = first.to_owned();
    for element in elements {
        let noun = noun(element).unwrap_or_else(|| "other".to_owned());
        let longer = if name.is_empty() {
            camel(&noun)
        } else {
            joined(&[name.clone(), noun])
        };
        if longer.len() > ELEMENTS {
            break;
        }
        name = longer;
    }
    name
}

/// Returns names of a tuple that begins with a tagged one: its tag and annotations; with the noun
/// of the last element.
fn led(elements: &[Type]) -> Option<Vec<String>> {
    let (first, rest) = elements.split_first()?;
    let Type::Tuple(head) = bare(first) else {
        return None;
    };
    let (tag, of_head) = split_tag(head)?;
    let names: Vec<String> = std::iter::once(tag.to_owned())
        .chain(annotations(of_head))
        .map(|name| camel(&name))
        .collect();
    let plain = joined(&names);
    let longer = of_all(&plain, rest.last().map_or(&[], std::slice::from_ref));
    Some(vec![plain, longer])
}

fn untagged(member: &Type) -> Vec<String> {
    let own = annotation(member).filter(|name| !name.starts_with('_'));
    let bare = bare(member);
    let mut names: Vec<String> = own
        .iter()
        .map(|name| camel(value_name(name)))
        .chain([plain(bare)])
        .collect();
    names.extend(longer(bare));
    names
}

/// Returns a longer name, which distinguishes a member from another one with the same name.
fn longer(ty: &Type) -> Option<String> {
    match ty {
        Type::Named(name, _) => Some(joined(&[&name.module, &name.name])),
        Type::Builtin(_) => Some(joined(&["Any", &plain(ty)])),
        Type::Tuple(elements) => {
            let (first, rest) = elements.split_at(usize::from(!elements.is_empty()));
            let of_all = of_all(&of_all("", first), rest);
            let nouns: BTreeSet<Option<String>> = elements.iter().map(noun).collect();
            if nouns.len() < elements.len() || elements.len() == 1 {
                Some(joined(&[of_all, camel(of_size(elements.len()))]))
            } else {
                // The elements of `{}` have no names. A name that is too long is dropped.
                Some(of_all).filter(|name| !name.is_empty())
            }
        }
        Type::List(element) | Type::NonemptyList(element) => match bare(element) {
            Type::Union(members) => {
                let nouns: Option<Vec<String>> = members.iter().map(noun).collect();
                Some(camel(&format!("{}_list", nouns?.join("_or_"))))
            }
            _ => None,
        },
        Type::Map(fields) => {
            let has_required = fields.iter().any(|field| field.required);
            let keys = fields.iter().filter(|field| field.required == has_required);
            let keys: Vec<Type> = keys.map(|field| field.key.clone()).collect();
            Some(joined(&[of_all("", &keys), "Map".to_owned()]))
        }
        Type::Fun(Some(arguments), _) => Some(of_all("FunOf", arguments)),
        Type::Range(Int::Small(low), Int::Small(high)) => {
            let text = format!("integer_{low}_to_{high}").replace('-', "minus_");
            Some(camel(&text))
        }
        _ => None,
    }
}

/// Returns the name of a member without tag and annotation.
fn plain(ty: &Type) -> String {
    camel(&kind(ty).unwrap_or_else(|| "other".to_owned()))
}

/// Returns the name of a union derived from its variants; the members and variants are in one
/// order. `None` if there are too many, or their names are too long.
pub(crate) fn union(members: &[Type], variants: &[&str]) -> Option<String> {
    if variants.len() > MEMBERS || variants.iter().any(|name| has_ordinal(name)) {
        return None;
    }
    let name = match one_or_list(members) {
        Some(index) => joined(&[variants[index], "Or", "List"]),
        None => {
            let between = variants.iter().flat_map(|name| ["Or", name]).skip(1);
            joined(&between.collect::<Vec<_>>())
        }
    };
    (name.len() <= UNION).then_some(name)
}

/// Returns the name of a tuple derived from its elements. `None` if there are too many, or their
/// names are too long.
pub(crate) fn tuple(elements: &[Type]) -> Option<String> {
    let names: Vec<String> = elements.iter().filter_map(annotation).map(camel).collect();
    if names.len() < elements.len() || names.len() > MEMBERS {
        return None;
    }
    let name = joined(&names);
    (name.len() <= ELEMENTS).then_some(name)
}

/// Returns the index of `T` in `T | [T]`.
fn one_or_list(members: &[Type]) -> Option<usize> {
    let [one, other] = members else {
        return None;
    };
    let is_list_of = |list: &Type, element: &Type| match bare(list) {
        Type::List(inner) | Type::NonemptyList(inner) => bare(inner) == bare(element),
        _ => false,
    };
    match (is_list_of(other, one), is_list_of(one, other)) {
        (true, _) => Some(0),
        (_, true) => Some(1),
        _ => None,
    }
}
