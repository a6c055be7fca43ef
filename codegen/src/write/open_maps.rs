//! Decides which maps ignore keys that their type does not have.
//!
//! A later release of OTP may add a key to a map in its answers, while the old keys keep their
//! meaning. Types of OTP's answers, those of `otp-bindings` and of `otp-bridge`, ignore such keys.
//! All other maps are exact. A map in a union before a member that accepts maps with more keys is
//! exact as well, because the keys distinguish the two.

use std::collections::{BTreeMap, BTreeSet};

use crate::complete::{Aliases, Complete};
use crate::ir::{Field, ItemKind, RustType, VariantShape};
use crate::options::Options;

/// A module and the name of an item in it.
type Name = (String, String);

/// The maps of a run.
#[derive(Debug)]
pub(crate) struct OpenMaps {
    /// Whether maps ignore other keys at all.
    are_open: bool,
    /// Exact maps, because their keys distinguish them from other maps.
    told_by_keys: BTreeSet<Name>,
}

impl OpenMaps {
    pub(crate) fn new(modules: &[Complete<'_>], options: &Options) -> Self {
        let are_open = options.open_maps;
        let mut found = Unions::new(modules);
        if are_open {
            found.read_all();
        }
        OpenMaps {
            are_open,
            told_by_keys: found.told_by_keys,
        }
    }

    /// Returns whether the map `item` of `module` ignores other keys.
    pub(super) fn has(&self, module: &str, item: &str) -> bool {
        let name = (module.to_owned(), item.to_owned());
        self.are_open && !self.told_by_keys.contains(&name)
    }
}

/// A reader of all unions.
struct Unions<'m> {
    aliases: Option<&'m Aliases>,
    items: BTreeMap<(&'m str, &'m str), &'m ItemKind>,
    told_by_keys: BTreeSet<Name>,
}

impl<'m> Unions<'m> {
    fn new(modules: &'m [Complete<'_>]) -> Self {
        let items = modules.iter().flat_map(|complete| {
            let module = complete.module;
            let items = module.items.iter();
            items.map(|item| ((module.name.as_str(), item.name.as_str()), &item.kind))
        });
        Unions {
            aliases: modules.first().map(|complete| &*complete.aliases),
            items: items.collect(),
            told_by_keys: BTreeSet::new(),
        }
    }

    fn read_all(&mut self) {
        let kinds: Vec<&ItemKind> = self.items.values().copied().collect();
        for kind in kinds {
            let members = self.members(kind);
            for (index, member) in members.iter().enumerate() {
                for later in &members[index + 1..] {
                    self.compare(member, later);
                }
            }
        }
    }

    /// Returns the members of a union that have no tag, and those of the unions among them.
    fn members(&self, kind: &ItemKind) -> Vec<RustType> {
        let (mut members, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open = self.untagged(kind);
        while let Some(ty) = open.pop() {
            match self.item(&ty) {
                Some(kind @ ItemKind::Enum(_)) => {
                    if seen.insert(ty) {
                        open.extend(self.untagged(kind));
                    }
                }
                _ => members.push(ty),
            }
        }
        members
    }

    /// Returns the types of a union's variants without a tag, the last one first.
    fn untagged(&self, kind: &ItemKind) -> Vec<RustType> {
        let ItemKind::Enum(variants) = kind else {
            return Vec::new();
        };
        let types = variants
            .iter()
            .rev()
            .filter_map(|variant| match &variant.shape {
                VariantShape::Untagged(ty) => Some(ty),
                _ => None,
            });
        types
            .map(|ty| {
                self.aliases
                    .map_or_else(|| ty.clone(), |all| all.canonical(ty))
            })
            .collect()
    }

    fn item(&self, ty: &RustType) -> Option<&'m ItemKind> {
        let RustType::Item { module, name, .. } = ty else {
            return None;
        };
        self.items.get(&(module.as_str(), name.as_str())).copied()
    }

    /// Marks maps in `ty` as exact that `later`, tried after it, accepts with other keys.
    fn compare(&mut self, ty: &RustType, later: &RustType) {
        match (ty, later) {
            (RustType::Item { module, name, .. }, _) => {
                if let Some(ItemKind::Map { fields, rest: None }) = self.item(ty)
                    && self.takes_more(later, fields)
                {
                    self.told_by_keys.insert((module.clone(), name.clone()));
                }
            }
            (_, RustType::Runtime("Term", _)) => {
                for inner in ty.children() {
                    self.compare(inner, later);
                }
            }
            (RustType::Runtime(one, inner), RustType::Runtime(other, others))
            | (RustType::Standard(one, inner), RustType::Standard(other, others))
                if one == other =>
            {
                self.compare_all(inner, others);
            }
            (RustType::Tuple(inner), RustType::Tuple(others)) if inner.len() == others.len() => {
                self.compare_all(inner, others);
            }
            _ => {}
        }
    }

    fn compare_all(&mut self, inner: &[RustType], others: &[RustType]) {
        for (ty, later) in inner.iter().zip(others) {
            self.compare(ty, later);
        }
    }

    /// Returns whether `later` accepts a map with these fields and other ones.
    fn takes_more(&self, later: &RustType, fields: &[Field]) -> bool {
        match self.item(later) {
            Some(ItemKind::Map {
                fields: other,
                rest,
            }) => !are_apart(fields, other, rest.is_some()),
            Some(ItemKind::Newtype { .. }) => true,
            Some(_) => false,
            None => matches!(
                later,
                RustType::Runtime("Term" | "Map", _)
                    | RustType::Parameter(_)
                    | RustType::Mapped { .. }
            ),
        }
    }
}

/// Returns whether a map with `fields` can never match the `other` ones, because it has a key that
/// these lack, or another atom or number as a key's value.
fn are_apart(fields: &[Field], other: &[Field], takes_any_key: bool) -> bool {
    let mut demanded = fields.iter().filter(|field| field.required);
    demanded.any(|field| {
        let same = other.iter().find(|one| one.key == field.key);
        same.map_or(!takes_any_key, |one| are_different(&field.ty, &one.ty))
    })
}

fn are_different(one: &RustType, other: &RustType) -> bool {
    let is_constant = |ty: &RustType| matches!(ty, RustType::Atom(_) | RustType::Literal(_));
    is_constant(one) && is_constant(other) && one != other
}
