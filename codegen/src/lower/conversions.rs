//! `From` implementations of enums: from atoms, from Erlang-shaped tuples, from the types of
//! untagged members. Where two would overlap, the first variant has it.

use crate::facts::aliases::Aliases;
use crate::ir::{Conversion, Element, Item, Kind, Module, RustType, Shape, Source, Variant};

/// Adds the conversions of every enum.
pub(crate) fn add_conversions(modules: &mut [Module], aliases: &Aliases) {
    for module in modules.iter_mut() {
        for item in &mut module.items {
            item.conversions = conversions(item, aliases);
            module.atoms.extend(
                item.conversions
                    .iter()
                    .filter_map(|made| match made.source {
                        Source::AtomValue(atom, _) => Some(atom.to_owned()),
                        _ => None,
                    }),
            );
        }
    }
}

/// What a conversion accepts, so far as two of them may overlap.
#[derive(Debug, PartialEq)]
enum Accepts {
    /// An atom's unit struct.
    Atom(String),
    /// A tuple that begins with an atom and has this many elements.
    Tagged(String, usize),
    /// A type.
    Type(RustType),
}

fn conversions(item: &Item, aliases: &Aliases) -> Vec<Conversion> {
    let Kind::Enum(variants) = &item.kind else {
        return Vec::new();
    };
    let mut accepted = Vec::new();
    let mut conversions = Vec::new();
    for (index, variant) in variants.iter().enumerate() {
        for (source, accepts) in sources(variant, aliases) {
            if !accepted.contains(&accepts) {
                accepted.push(accepts);
                conversions.push(Conversion {
                    source,
                    variant: index,
                });
            }
        }
    }
    conversions
}

fn sources(variant: &Variant, aliases: &Aliases) -> Vec<(Source, Accepts)> {
    match &variant.shape {
        Shape::Unit(atom) => vec![(Source::Atom(atom.clone()), Accepts::Atom(atom.clone()))],
        Shape::Tagged(tag, elements) => {
            let accepts = Accepts::Tagged(tag.clone(), elements.len() + 1);
            vec![(Source::Tagged(tag.clone()), accepts)]
        }
        Shape::Tuple(elements) => from_tuple(elements, aliases),
        Shape::Untagged(ty) => from_payload(&aliases.canonical(ty)),
    }
}

/// A tuple of exactly the elements. With a type parameter among them it could be any tuple.
fn from_tuple(elements: &[Element], aliases: &Aliases) -> Vec<(Source, Accepts)> {
    let types: Vec<RustType> = elements
        .iter()
        .map(|element| aliases.canonical(&element.ty))
        .collect();
    if types.iter().any(generic) {
        return Vec::new();
    }
    vec![(Source::Tuple, accepts(RustType::Tuple(types)))]
}

fn from_payload(ty: &RustType) -> Vec<(Source, Accepts)> {
    if generic(ty) || matches!(ty, RustType::Standard("Box", _)) {
        return Vec::new();
    }
    let mut sources = vec![(Source::Payload, accepts(ty.clone()))];
    if *ty == RustType::Runtime("Timeout", Vec::new()) {
        let duration = "::core::time::Duration";
        let accepted = Accepts::Type(RustType::Primitive(duration));
        sources.push((Source::Through(duration), accepted));
        let infinity = Accepts::Atom("infinity".to_owned());
        sources.push((
            Source::AtomValue("infinity", "rt::Timeout::Infinity"),
            infinity,
        ));
    }
    sources
}

fn accepts(ty: RustType) -> Accepts {
    match &ty {
        RustType::Atom(atom) => Accepts::Atom(atom.clone()),
        RustType::Tuple(elements) => match elements.first() {
            Some(RustType::Atom(tag)) => Accepts::Tagged(tag.clone(), elements.len()),
            _ => Accepts::Type(ty),
        },
        _ => Accepts::Type(ty),
    }
}

fn generic(ty: &RustType) -> bool {
    matches!(ty, RustType::Parameter(_)) || ty.children().into_iter().any(generic)
}
