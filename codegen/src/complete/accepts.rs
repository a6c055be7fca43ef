//! Conversions, and the types that they accept, as far as overlaps depend on them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::RustType;

/// A `From` implementation of an enum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conversion {
    /// The type that is converted.
    pub(crate) source: Source,
    /// The resulting variant.
    pub(crate) variant: usize,
}

impl Conversion {
    /// Returns the atom that the conversion's code uses in addition to the atoms of the item.
    pub(crate) fn atom(&self) -> Option<&'static str> {
        match self.source {
            Source::AtomValue(atom, _) => Some(atom),
            _ => None,
        }
    }

    /// Returns whether its code uses something of another item, for example an atom.
    pub(crate) fn is_of_another_item(&self) -> bool {
        matches!(self.source, Source::Within { .. })
    }
}

/// The source of a conversion into a variant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// The atom of a unit variant.
    Atom(String),
    /// The Erlang-shaped tuple of a tagged variant: the atom, then the variant's elements. If one
    /// of them is a dynamic term, any term may be in its position.
    Tagged(String),
    /// A tuple of exactly the variant's elements. If it begins with a tagged tuple, the note on
    /// [`Source::Tagged`] applies.
    Tuple,
    /// A tuple of types that convert into the variant's elements, if no other conversion accepts
    /// such a tuple.
    Elements,
    /// The untagged variant's own type.
    Payload,
    /// A type that converts into the untagged variant's type, by its path.
    Through(&'static str),
    /// A `bool`, for a union with both atoms. It has the variant of `false`; the variant of `true`
    /// is that of the conversion.
    Bool(usize),
    /// A tuple of this number of terms, for `tuple()`.
    AnyTuple(usize),
    /// A number of this type, for all integers of the union. Its value is checked.
    Number(&'static str),
    /// A `Duration`, for the milliseconds of a union with `infinity`.
    Milliseconds,
    /// An atom that is one value of the untagged variant's type: the atom, and the value.
    AtomValue(&'static str, &'static str),
    /// A type that converts into the untagged variant's type, which is an item: its module and
    /// name, and the index of its conversion. `width` tells which types it accepts for a tuple's
    /// elements.
    Within {
        module: String,
        item: String,
        conversion: usize,
        width: Width,
    },
}

/// The types that a conversion accepts, as far as overlaps depend on them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Accepts {
    /// An atom's unit struct.
    Atom(String),
    Tuple(Vec<Accepts>),
    Type(RustType),
    /// Every type that converts into this union, an item with this module and name.
    Union(String, String),
    /// Every type that converts into this type, which is not a union of the module.
    Converted,
    Term,
}

/// The types that a tuple without a tag accepts for its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// Exactly their types.
    Exact,
    /// Exactly their types, except any integer for an integer of arbitrary size.
    Integers,
    /// Every type that converts into them.
    Converted,
}

impl Width {
    /// Returns whether types that convert into an element of this type are accepted. All aliases in
    /// it have been replaced.
    pub(crate) fn converts(self, ty: &RustType) -> bool {
        match self {
            Width::Exact => false,
            Width::Integers => matches!(ty, RustType::Runtime("Integer", _)),
            Width::Converted => true,
        }
    }
}

/// The conversions of an item, and an index of the types that they accept, so that a new one does
/// not have to be compared with all of them.
#[derive(Default)]
pub(super) struct Made {
    pub(super) all: Vec<(Conversion, Accepts)>,
    pub(super) atoms: BTreeSet<String>,
    /// Tuples that begin with an atom, by their size and that atom.
    pub(super) tuples: BTreeMap<usize, BTreeMap<String, Vec<Accepts>>>,
    pub(super) types: BTreeSet<RustType>,
    /// All other conversions.
    pub(super) wide: Vec<Accepts>,
}

impl Made {
    pub(super) fn add(&mut self, conversion: Conversion, accepts: Accepts) {
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

pub(super) fn first_atom(elements: &[Accepts]) -> Option<&str> {
    match elements.first() {
        Some(Accepts::Atom(atom)) => Some(atom),
        _ => None,
    }
}

pub(super) fn accepts(ty: RustType) -> Accepts {
    match &ty {
        RustType::Atom(atom) => Accepts::Atom(atom.clone()),
        RustType::Tuple(elements) => {
            Accepts::Tuple(elements.iter().cloned().map(accepts).collect())
        }
        _ => Accepts::Type(ty),
    }
}

/// Returns whether a user's type is certainly different from all other types here, because it is
/// defined in another crate.
pub(super) fn is_types_own(ty: &RustType) -> bool {
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

/// Returns whether a part can be any type: a type parameter, or a type of the user's.
pub(super) fn generic(ty: &RustType) -> bool {
    let unknown = matches!(
        ty,
        RustType::Parameter(_) | RustType::Mapped { reply: None, .. }
    );
    unknown || ty.children().into_iter().any(generic)
}
