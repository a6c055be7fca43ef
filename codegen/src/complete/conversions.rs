//! `From` implementations of enums and tagged tuples: from atoms, from Erlang-shaped tuples, from
//! the types of untagged members, and from types that convert into those.
//!
//! If two of them would overlap, the first variant has the conversion; a variant's own conversions
//! come before those of a type inside it. Two tuples with the same tag and size do not overlap if
//! one of them has an atom in a position in which the other has a union that does not accept it
//! (`{timeout, Time, Content}` and `{timeout, update, Content}`).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::accepts::{
    Accepts, Conversion, Made, Source, Width, accepts, first_atom, generic, is_types_own,
};
use super::aliases::Aliases;
use super::payload::{bool_of, from_payload};
use super::{given, numbers};
use crate::facts::DEPTH;
use crate::ir::{Element, Item, ItemKind, Module, RustType, Variant, VariantShape, led};

/// Tuples with this number of elements convert into `tuple()`. A tuple of a single element is
/// written as `Tuple::from`.
const TUPLES: RangeInclusive<usize> = 2..=8;

/// An item: its module, and its name there.
pub(crate) type Key<'m> = (&'m str, &'m str);

/// A value for each item, by its module and its name.
pub(crate) type ByKey<'m, T> = BTreeMap<&'m str, BTreeMap<&'m str, T>>;

/// A module and the name of an item in it, each with the item's fingerprint.
pub(crate) type Fingerprints = BTreeMap<(String, String), String>;

pub(super) fn items(modules: &[Module]) -> ByKey<'_, &Item> {
    let all = modules.iter().map(|module| {
        let items = module.items.iter();
        let items = items.map(|item| (item.name.as_str(), item));
        (module.name.as_str(), items.collect())
    });
    all.collect()
}

/// Returns the `From` implementations of each item of all modules.
pub(super) fn conversions<'m>(
    modules: &'m [Module],
    aliases: &Aliases,
    provided: &Fingerprints,
) -> ByKey<'m, Vec<Conversion>> {
    let mut items = Items {
        known: items(modules),
        aliases,
        provided,
        made: BTreeMap::new(),
    };
    for module in modules {
        for item in &module.items {
            items.add((&module.name, &item.name), DEPTH);
        }
    }
    let plain = |made: Made| made.all.into_iter().map(|(made, _)| made).collect();
    let of_module = |made: BTreeMap<&'m str, Made>| {
        let made = made.into_iter();
        made.map(|(item, made)| (item, plain(made))).collect()
    };
    let made = items.made.into_iter();
    made.map(|(module, made)| (module, of_module(made)))
        .collect()
}

/// All items, and the conversions of those already processed.
pub(super) struct Items<'m, 'a> {
    known: ByKey<'m, &'m Item>,
    pub(super) aliases: &'a Aliases,
    /// Types that may be defined in `otp-bridge`.
    provided: &'a Fingerprints,
    made: ByKey<'m, Made>,
}

impl<'m> Items<'m, '_> {
    /// Finds the conversions of `item`, after those of the items inside it. Items are never inside
    /// each other in a circle, since such a part is boxed.
    fn add(&mut self, key: Key<'m>, depth: usize) {
        let (Some(depth), Some(item)) = (depth.checked_sub(1), self.known_item(key)) else {
            return;
        };
        if self.made_of(key).is_some() {
            return;
        }
        let types: Vec<&RustType> = match &item.kind {
            ItemKind::Enum(variants) => variants.iter().flat_map(|v| v.shape.types()).collect(),
            ItemKind::Tuple { elements, .. } => {
                elements.iter().map(|element| &element.ty).collect()
            }
            _ => Vec::new(),
        };
        for ty in types {
            if let Some((inner, _)) = self.item(ty) {
                self.add(inner, depth);
            }
        }
        let made = self.conversions(item);
        self.made.entry(key.0).or_default().insert(key.1, made);
    }

    /// Returns the conversions of `item`, each with the types that it accepts.
    fn conversions(&self, item: &Item) -> Made {
        let mut found = Made::default();
        let variants = match &item.kind {
            ItemKind::Enum(variants) => variants,
            ItemKind::Tuple {
                tag: Some(tag),
                elements,
            } => {
                let accepts = self.tagged(tag, elements);
                let source = Source::Tagged(tag.clone());
                found.add(Conversion { source, variant: 0 }, accepts);
                return found;
            }
            // Every member of a union that contains it accepts a tuple for it.
            ItemKind::Tuple {
                tag: None,
                elements,
            } if item.parameters.is_empty() => {
                for (source, accepts) in self.tuple(elements) {
                    found.add(Conversion { source, variant: 0 }, accepts);
                }
                return self.widened(found, item);
            }
            _ => return found,
        };
        for (source, variant, accepts) in self.offered(item, variants) {
            if !self.overlaps_any(&found, &accepts) {
                found.add(Conversion { source, variant }, accepts);
            }
        }
        self.widened(found, item)
    }

    /// Returns the candidates for conversions into a union, each with its variant, in order of
    /// precedence.
    fn offered(&self, item: &Item, variants: &[Variant]) -> Vec<(Source, usize, Accepts)> {
        let is_infinity = |variant: &Variant| matches!(&variant.shape, VariantShape::Unit(atom) if atom == "infinity");
        let has_infinity = variants.iter().any(is_infinity);
        let mut offered = Vec::new();
        for (index, variant) in variants.iter().enumerate() {
            let own = self.sources(variant, has_infinity).into_iter();
            offered.extend(own.map(|(source, accepts)| (source, index, accepts)));
        }
        if let Some((index, source)) = bool_of(variants) {
            offered.push((source, index, accepts(RustType::Primitive("bool"))));
        }
        for (index, variant) in variants.iter().enumerate() {
            let within = self.within(variant).into_iter();
            offered.extend(within.map(|(source, accepts)| (source, index, accepts)));
        }
        if let Some((index, primitive)) = numbers::number(self.aliases, item, variants) {
            let accepts = accepts(RustType::Primitive(primitive));
            offered.retain(|(source, _, accepts)| !is_covered(source, accepts));
            offered.insert(0, (Source::Number(primitive), index, accepts));
        }
        offered.extend(self.any_tuple(variants));
        offered
    }

    /// Returns Rust tuples, for a member that is `tuple()`.
    fn any_tuple(&self, variants: &[Variant]) -> Vec<(Source, usize, Accepts)> {
        let is_tuple = |variant: &Variant| match &variant.shape {
            VariantShape::Untagged(ty) => {
                self.aliases.canonical(ty) == RustType::Runtime("Tuple", Vec::new())
            }
            VariantShape::Unit(_) | VariantShape::Tagged(..) | VariantShape::Tuple(_) => false,
        };
        let index = variants.iter().position(is_tuple).into_iter();
        let of_size = |(index, size): (usize, usize)| {
            let accepts = Accepts::Tuple(vec![Accepts::Term; size]);
            (Source::AnyTuple(size), index, accepts)
        };
        index
            .flat_map(|index| TUPLES.map(move |size| (index, size)))
            .map(of_size)
            .collect()
    }

    pub(super) fn known_item(&self, (module, item): Key<'_>) -> Option<&'m Item> {
        self.known.get(module)?.get(item).copied()
    }

    pub(super) fn made_of(&self, (module, item): Key<'_>) -> Option<&Made> {
        self.made.get(module)?.get(item)
    }

    /// Returns the conversions into the payload of an untagged variant.
    fn within(&self, variant: &Variant) -> Vec<(Source, Accepts)> {
        let VariantShape::Untagged(ty) = &variant.shape else {
            return Vec::new();
        };
        let Some((key, _)) = self.item(ty) else {
            return Vec::new();
        };
        let within = |conversion: usize| {
            let (width, accepts) = self.narrowed(key, conversion, Width::Exact)?;
            let source = Source::Within {
                module: key.0.to_owned(),
                item: key.1.to_owned(),
                conversion,
                width,
            };
            Some((source, accepts))
        };
        let count = self.made_of(key).map_or(0, |made| made.all.len());
        (0..count).filter_map(within).collect()
    }

    /// Returns the item that `ty` refers to.
    fn item(&self, ty: &RustType) -> Option<(Key<'m>, &'m Item)> {
        match self.aliases.canonical(ty) {
            RustType::Item {
                module,
                name,
                arguments,
            } if arguments.is_empty() => {
                let (module, items) = self.known.get_key_value(module.as_str())?;
                let (name, item) = items.get_key_value(name.as_str())?;
                Some(((module, name), item))
            }
            _ => None,
        }
    }

    fn sources(&self, variant: &Variant, has_infinity: bool) -> Vec<(Source, Accepts)> {
        match &variant.shape {
            VariantShape::Unit(atom) => {
                vec![(Source::Atom(atom.clone()), Accepts::Atom(atom.clone()))]
            }
            VariantShape::Tagged(tag, elements) => {
                vec![(Source::Tagged(tag.clone()), self.tagged(tag, elements))]
            }
            VariantShape::Tuple(elements) => self.tuple(elements),
            VariantShape::Untagged(ty) => from_payload(&self.aliases.canonical(ty), has_infinity),
        }
    }

    fn tagged(&self, tag: &str, elements: &[Element]) -> Accepts {
        let elements = elements.iter().map(|element| self.element(&element.ty));
        let tag = Accepts::Atom(tag.to_owned());
        Accepts::Tuple(std::iter::once(tag).chain(elements).collect())
    }

    /// Returns the types that a tagged tuple accepts for an element.
    pub(super) fn element(&self, ty: &RustType) -> Accepts {
        if self.aliases.is_term(ty) {
            return Accepts::Term;
        }
        let union = |(_, item): &(Key<'_>, &Item)| matches!(item.kind, ItemKind::Enum(_));
        match self.item(ty).filter(union) {
            Some((key, _)) if self.made_of(key).is_none_or(|made| !made.all.is_empty()) => {
                Accepts::Union(key.0.to_owned(), key.1.to_owned())
            }
            _ if given::is_converted(&self.aliases.canonical(ty)) => Accepts::Converted,
            _ => match given::number(&self.aliases.canonical(ty)) {
                Some(number) => accepts(RustType::Primitive(number)),
                None => accepts(self.aliases.canonical(ty)),
            },
        }
    }

    /// Returns a tuple of exactly the elements, unless it begins with a tagged tuple. A tuple with
    /// a type parameter could be any tuple, so it is left out.
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

    /// Returns whether some value is accepted both by `accepts` and by one of the conversions.
    fn overlaps_any(&self, made: &Made, accepts: &Accepts) -> bool {
        let overlaps = |known: &Accepts| self.overlap(known, accepts);
        let mut found = made.wide.iter().any(overlaps);
        found = found
            || match accepts {
                Accepts::Atom(atom) => made.atoms.contains(atom),
                Accepts::Type(ty) => made.types.contains(ty),
                Accepts::Term | Accepts::Union(..) | Accepts::Converted => {
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

    /// Returns whether some value is accepted by both.
    pub(super) fn overlap(&self, one: &Accepts, other: &Accepts) -> bool {
        match (one, other) {
            (Accepts::Term | Accepts::Converted, _) | (_, Accepts::Term | Accepts::Converted) => {
                true
            }
            (Accepts::Tuple(one), Accepts::Tuple(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|(one, other)| self.overlap(one, other))
            }
            (Accepts::Union(module, name), Accepts::Atom(_)) => {
                self.converts(other, (module, name))
            }
            (Accepts::Atom(_), Accepts::Union(module, name)) => self.converts(one, (module, name)),
            (Accepts::Union(..), _) | (_, Accepts::Union(..)) => true,
            _ => {
                one == other || matches!(one, Accepts::Type(ty) if generic(ty) && !is_types_own(ty))
            }
        }
    }

    /// Returns whether `accepted` converts into the union. If the union may be in another crate,
    /// the answer is always yes: Rust's coherence rules assume that the crate may add
    /// implementations.
    fn converts(&self, accepted: &Accepts, union: Key<'_>) -> bool {
        let is_foreign = self
            .provided
            .contains_key(&(union.0.to_owned(), union.1.to_owned()));
        let made = self.made_of(union).filter(|_| !is_foreign);
        made.is_none_or(|made| self.overlaps_any(made, accepted))
    }
}

/// Returns whether a union's number conversion also covers a member of this integer type.
fn is_covered(source: &Source, accepts: &Accepts) -> bool {
    let is_payload = *source == Source::Payload || matches!(source, Source::Within { .. });
    is_payload && matches!(accepts, Accepts::Type(ty) if numbers::is_integer(ty))
}
