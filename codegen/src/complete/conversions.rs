//! `From` implementations of enums and tagged tuples: from atoms, from Erlang-shaped tuples, from
//! the types of untagged members and from what converts into those. Where two would overlap, the
//! first variant has it; what a variant says itself goes before what it has from within. Two tuples
//! of one tag and size do not overlap where one has an atom that does not convert into the union
//! that the other has there (`{timeout, Time, Content}` and `{timeout, update, Content}`).

use std::collections::{BTreeMap, BTreeSet};

use super::aliases::Aliases;
use crate::facts::DEPTH;
use crate::ir::{Element, Item, Kind, Module, RustType, Shape, Variant, led};

/// The `From` implementations of each item, by its name.
pub(super) fn conversions<'m>(
    module: &'m Module,
    aliases: &Aliases,
) -> BTreeMap<&'m str, Vec<Conversion>> {
    let mut items = Items {
        module: &module.name,
        items: module
            .items
            .iter()
            .map(|item| (item.name.as_str(), item))
            .collect(),
        aliases,
        made: BTreeMap::new(),
    };
    for item in &module.items {
        items.add(item, DEPTH);
    }
    let made = items.made.into_iter();
    made.map(|(item, made)| (item, made.all.into_iter().map(|(made, _)| made).collect()))
        .collect()
}

/// A `From` implementation of an enum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conversion {
    /// What converts.
    pub(crate) source: Source,
    /// Into which variant.
    pub(crate) variant: usize,
}

impl Conversion {
    /// The atom that its code names besides those of the item.
    pub(crate) fn atom(&self) -> Option<&'static str> {
        match self.source {
            Source::AtomValue(atom, _) => Some(atom),
            _ => None,
        }
    }
}

/// What converts into a variant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// The atom of a unit variant.
    Atom(String),
    /// The Erlang-shaped tuple of a tagged variant: the atom, then the variant's elements. A
    /// dynamic term among them may be any term.
    Tagged(String),
    /// A tuple of exactly the variant's elements; if it begins with a tagged tuple, what
    /// [`Source::Tagged`] says holds for it too.
    Tuple,
    /// The untagged variant's own type.
    Payload,
    /// A type that converts into the untagged variant's type; its path.
    Through(&'static str),
    /// An atom that is one value of the untagged variant's type: the atom, and that value.
    AtomValue(&'static str, &'static str),
    /// What converts into the untagged variant's type, an item of the same module: its name, and
    /// which of its conversions.
    Within { item: String, conversion: usize },
}

/// The items of one module, and the conversions of those that were looked at.
struct Items<'m, 'a> {
    module: &'m str,
    items: BTreeMap<&'m str, &'m Item>,
    aliases: &'a Aliases,
    made: BTreeMap<&'m str, Made>,
}

/// What a conversion accepts, so far as two of them may overlap.
#[derive(Debug, Clone, PartialEq)]
enum Accepts {
    /// An atom's unit struct.
    Atom(String),
    /// A tuple.
    Tuple(Vec<Accepts>),
    /// A type.
    Type(RustType),
    /// Whatever converts into this union.
    Union(String),
    /// Any term.
    Term,
}

/// The conversions of an item, and what they accept: so that a new one need not be compared with all of them.
#[derive(Default)]
struct Made {
    all: Vec<(Conversion, Accepts)>,
    atoms: BTreeSet<String>,
    /// Tuples that begin with an atom, by their size and that.
    tuples: BTreeMap<usize, BTreeMap<String, Vec<Accepts>>>,
    types: BTreeSet<RustType>,
    /// All others.
    wide: Vec<Accepts>,
}

impl Made {
    fn add(&mut self, conversion: Conversion, accepts: Accepts) {
        match &accepts {
            Accepts::Atom(atom) => _ = self.atoms.insert(atom.clone()),
            Accepts::Type(ty) if !generic(ty) => _ = self.types.insert(ty.clone()),
            Accepts::Tuple(elements) if let Some(tag) = first_atom(elements) => {
                let of_size = self.tuples.entry(elements.len()).or_default();
                let same = of_size.entry(tag.to_owned()).or_default();
                same.push(accepts.clone());
            }
            _ => self.wide.push(accepts.clone()),
        }
        self.all.push((conversion, accepts));
    }
}

fn first_atom(elements: &[Accepts]) -> Option<&str> {
    match elements.first() {
        Some(Accepts::Atom(atom)) => Some(atom),
        _ => None,
    }
}

impl<'m> Items<'m, '_> {
    /// Finds the conversions of `item`, and before them those of the items in it. An item holds
    /// no item in a circle, since such a part is boxed.
    fn add(&mut self, item: &'m Item, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        if self.made.contains_key(item.name.as_str()) {
            return;
        }
        let types: Vec<&RustType> = match &item.kind {
            Kind::Enum(variants) => variants.iter().flat_map(|v| v.shape.types()).collect(),
            Kind::Tuple { elements, .. } => elements.iter().map(|element| &element.ty).collect(),
            _ => Vec::new(),
        };
        for ty in types {
            if let Some(inner) = self.item(ty) {
                self.add(inner, depth);
            }
        }
        let made = self.conversions(item);
        self.made.insert(&item.name, made);
    }

    /// The conversions of `item`, each with what it accepts.
    fn conversions(&self, item: &Item) -> Made {
        let mut found = Made::default();
        let variants = match &item.kind {
            Kind::Enum(variants) => variants,
            Kind::Tuple {
                tag: Some(tag),
                elements,
            } => {
                let accepts = self.tagged(tag, elements);
                let source = Source::Tagged(tag.clone());
                found.add(Conversion { source, variant: 0 }, accepts);
                return found;
            }
            _ => return found,
        };
        let mut add = |source: Source, variant: usize, accepts: Accepts| {
            if !self.overlaps_any(&found, &accepts) {
                found.add(Conversion { source, variant }, accepts);
            }
        };
        for (index, variant) in variants.iter().enumerate() {
            for (source, accepts) in self.sources(variant) {
                add(source, index, accepts);
            }
        }
        for (index, variant) in variants.iter().enumerate() {
            for (source, accepts) in self.within(variant) {
                add(source, index, accepts);
            }
        }
        found
    }

    /// What converts into the payload of an untagged variant.
    fn within(&self, variant: &Variant) -> Vec<(Source, Accepts)> {
        let Some(inner) = self.payload(variant) else {
            return Vec::new();
        };
        let made = self.made.get(inner.name.as_str());
        let made = made.into_iter().flat_map(|made| &made.all);
        made.enumerate()
            .map(|(conversion, (_, accepts))| {
                let item = inner.name.clone();
                (Source::Within { item, conversion }, accepts.clone())
            })
            .collect()
    }

    /// The item that is the payload of an untagged variant.
    fn payload(&self, variant: &Variant) -> Option<&'m Item> {
        match &variant.shape {
            Shape::Untagged(ty) => self.item(ty),
            _ => None,
        }
    }

    /// The item of this module that `ty` is.
    fn item(&self, ty: &RustType) -> Option<&'m Item> {
        match self.aliases.canonical(ty) {
            RustType::Item {
                module,
                name,
                arguments,
            } if module == self.module && arguments.is_empty() => {
                self.items.get(name.as_str()).copied()
            }
            _ => None,
        }
    }

    fn sources(&self, variant: &Variant) -> Vec<(Source, Accepts)> {
        match &variant.shape {
            Shape::Unit(atom) => vec![(Source::Atom(atom.clone()), Accepts::Atom(atom.clone()))],
            Shape::Tagged(tag, elements) => {
                vec![(Source::Tagged(tag.clone()), self.tagged(tag, elements))]
            }
            Shape::Tuple(elements) => self.tuple(elements),
            Shape::Untagged(ty) => from_payload(&self.aliases.canonical(ty)),
        }
    }

    fn tagged(&self, tag: &str, elements: &[Element]) -> Accepts {
        let elements = elements.iter().map(|element| self.element(&element.ty));
        let tag = Accepts::Atom(tag.to_owned());
        Accepts::Tuple(std::iter::once(tag).chain(elements).collect())
    }

    /// What a tagged tuple accepts for an element.
    fn element(&self, ty: &RustType) -> Accepts {
        if self.aliases.is_term(ty) {
            return Accepts::Term;
        }
        let union = |item: &&Item| matches!(item.kind, Kind::Enum(_));
        match self.item(ty).filter(union) {
            Some(item)
                if self
                    .made
                    .get(item.name.as_str())
                    .is_none_or(|made| !made.all.is_empty()) =>
            {
                Accepts::Union(item.name.clone())
            }
            _ => accepts(self.aliases.canonical(ty)),
        }
    }

    /// A tuple of exactly the elements, unless it begins with a tagged one. With a type parameter
    /// among them it could be any tuple.
    fn tuple(&self, elements: &[Element]) -> Vec<(Source, Accepts)> {
        let types: Vec<RustType> = elements
            .iter()
            .map(|element| self.aliases.canonical(&element.ty))
            .collect();
        if types.iter().any(generic) {
            return Vec::new();
        }
        let Some((head, rest)) = led(elements) else {
            return vec![(Source::Tuple, accepts(RustType::Tuple(types)))];
        };
        let head = Accepts::Tuple(head.iter().map(|ty| self.element(ty)).collect());
        let rest = rest.iter().map(|element| self.element(&element.ty));
        let accepted = Accepts::Tuple(std::iter::once(head).chain(rest).collect());
        vec![(Source::Tuple, accepted)]
    }

    /// Whether a value may be both what is accepted and what one of the conversions accepts.
    fn overlaps_any(&self, made: &Made, accepts: &Accepts) -> bool {
        let overlaps = |known: &Accepts| self.overlap(known, accepts);
        let mut found = made.wide.iter().any(overlaps);
        found = found
            || match accepts {
                Accepts::Atom(atom) => made.atoms.contains(atom),
                Accepts::Type(ty) => made.types.contains(ty),
                Accepts::Term | Accepts::Union(_) => {
                    made.all.iter().any(|(_, known)| overlaps(known))
                }
                Accepts::Tuple(elements) => {
                    let of_size = made.tuples.get(&elements.len());
                    let of_tag = first_atom(elements).map(|tag| of_size?.get(tag));
                    let all = || of_size.into_iter().flat_map(BTreeMap::values).flatten();
                    match of_tag {
                        Some(same) => same.into_iter().flatten().any(overlaps),
                        None => all().any(overlaps),
                    }
                }
            };
        found
    }

    /// Whether a value may be both.
    fn overlap(&self, one: &Accepts, other: &Accepts) -> bool {
        match (one, other) {
            (Accepts::Term, _) | (_, Accepts::Term) => true,
            (Accepts::Tuple(one), Accepts::Tuple(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|(one, other)| self.overlap(one, other))
            }
            (Accepts::Union(name), Accepts::Atom(_)) => self.converts(other, name),
            (Accepts::Atom(_), Accepts::Union(name)) => self.converts(one, name),
            (Accepts::Union(_), _) | (_, Accepts::Union(_)) => true,
            _ => {
                one == other || matches!(one, Accepts::Type(ty) if generic(ty) && !is_types_own(ty))
            }
        }
    }

    fn converts(&self, accepted: &Accepts, union: &str) -> bool {
        let made = self.made.get(union);
        made.is_none_or(|made| self.overlaps_any(made, accepted))
    }
}

fn from_payload(ty: &RustType) -> Vec<(Source, Accepts)> {
    if is_types_own(ty) {
        return vec![(Source::Payload, accepts(ty.clone()))];
    }
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
        RustType::Tuple(elements) => {
            Accepts::Tuple(elements.iter().cloned().map(accepts).collect())
        }
        _ => Accepts::Type(ty),
    }
}

/// Whether a user's type cannot be one that something else here is: it is of a crate of its own.
fn is_types_own(ty: &RustType) -> bool {
    let RustType::Mapped { path, reply: None } = ty else {
        return false;
    };
    let path = path.trim_start_matches("::");
    let root = path.split_once("::").map(|(root, _)| root);
    root.is_some_and(|root| !["std", "core", "alloc"].contains(&root) && is_name(root))
}

fn is_name(root: &str) -> bool {
    let mut letters = root.chars();
    letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Whether nothing is known of what a part is: a type parameter, or a type of the user's.
fn generic(ty: &RustType) -> bool {
    let unknown = matches!(
        ty,
        RustType::Parameter(_) | RustType::Mapped { reply: None, .. }
    );
    unknown || ty.children().into_iter().any(generic)
}
