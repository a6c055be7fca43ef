//! Conversions, and what they accept, so far as two of them may overlap.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::RustType;

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

    /// Whether its code names what another item has, an atom maybe.
    pub(crate) fn is_of_another_item(&self) -> bool {
        matches!(self.source, Source::Within { .. })
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
    /// A tuple of what converts into the variant's elements, where no other conversion is from such
    /// a tuple.
    Elements,
    /// The untagged variant's own type.
    Payload,
    /// A type that converts into the untagged variant's type; its path.
    Through(&'static str),
    /// A `bool`, of a union with both atoms; the variant of `false`, that of `true` being the
    /// conversion's own.
    Bool(usize),
    /// A tuple of so many terms, for `tuple()`.
    AnyTuple(usize),
    /// A number of this type, for all integers of the union. It is checked.
    Number(&'static str),
    /// A `Duration`, for the milliseconds of a union with `infinity`.
    Milliseconds,
    /// An atom that is one value of the untagged variant's type: the atom, and that value.
    AtomValue(&'static str, &'static str),
    /// What converts into the untagged variant's type, an item: its module and name, and which of
    /// its conversions. `width` is what it takes for a tuple's elements.
    Within {
        module: String,
        item: String,
        conversion: usize,
        width: Width,
    },
}

/// What a conversion accepts, so far as two of them may overlap.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Accepts {
    /// An atom's unit struct.
    Atom(String),
    Tuple(Vec<Accepts>),
    Type(RustType),
    /// Whatever converts into this union, an item of this module and name.
    Union(String, String),
    /// Whatever converts into this type, which is not a union of the module.
    Converted,
    Term,
}

/// What a tuple without a tag accepts for its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// Exactly their types.
    Exact,
    /// The same, but any integer for an integer of any size.
    Integers,
    /// Whatever converts into them.
    Converted,
}

impl Width {
    /// Whether what converts into an element of this type is accepted. All aliases in it are
    /// replaced.
    pub(crate) fn converts(self, ty: &RustType) -> bool {
        match self {
            Width::Exact => false,
            Width::Integers => matches!(ty, RustType::Runtime("Integer", _)),
            Width::Converted => true,
        }
    }
}

/// The conversions of an item, and what they accept: so that a new one need not be compared with
/// all of them.
#[derive(Default)]
pub(super) struct Made {
    pub(super) all: Vec<(Conversion, Accepts)>,
    pub(super) atoms: BTreeSet<String>,
    /// Tuples that begin with an atom, by their size and that.
    pub(super) tuples: BTreeMap<usize, BTreeMap<String, Vec<Accepts>>>,
    pub(super) types: BTreeSet<RustType>,
    /// All others.
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

/// Whether a user's type cannot be one that something else here is: it is of a crate of its own.
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

/// Whether nothing is known of what a part is: a type parameter, or a type of the user's.
pub(super) fn generic(ty: &RustType) -> bool {
    let unknown = matches!(
        ty,
        RustType::Parameter(_) | RustType::Mapped { reply: None, .. }
    );
    unknown || ty.children().into_iter().any(generic)
}
