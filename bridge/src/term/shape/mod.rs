//! The outer shapes of types' terms.

mod keys;
mod of_term;
mod ranges;

use super::TermKind;
use keys::{has_excluded, has_required, keys_are_of, keys_cover, keys_exclude};
use ranges::{is_below, is_from, is_to};

pub(super) use of_term::{Resemblance, Tags};

/// The common properties of a type's terms, as a constant.
///
/// A type has two of them: [`super::FromTerm::KIND`] describes only the term, and
/// [`super::FromTerm::SHAPE`] also the kinds of a list's or tuple's elements and of a map's keys
/// and values. Neither goes deeper, so recursive types have them, too.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Term;
/// use otp_bridge::term::{Covers, FromTerm};
///
/// #[derive(Term)]
/// struct Deposit(u8);
///
/// #[derive(Term)]
/// enum Request {
///     Deposit(u64),
///     Get,
/// }
///
/// const COVERED: Covers = Request::SHAPE.covers(&Deposit::SHAPE);
/// assert_eq!(COVERED, Covers::Yes);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Every term
    Any,
    /// This atom
    Atom(&'static str),
    /// Every atom
    Atoms,
    /// The integers of a range, both ends included. `None`: without an end.
    Integers(Option<i128>, Option<i128>),
    /// Every float
    Floats,
    /// Every binary
    Binaries,
    /// Every bitstring, the binaries among them
    Bitstrings,
    /// `[]`
    EmptyList,
    /// Every other list, proper or improper
    NonemptyLists,
    /// The proper lists of these elements, `[]` among them
    ListsOf(&'static Shape),
    /// Every tuple with this number of elements
    Tuples(usize),
    /// Every tuple
    AllTuples,
    /// The tuples of these elements
    Elements(&'static [Shape]),
    /// `#{}`
    EmptyMap,
    /// Every map, the empty one too
    Maps,
    /// The maps of these keys and values, the empty one too
    MapsOf(&'static Shape, &'static Shape),
    /// The maps with these keys
    Keys {
        /// The keys and their values.
        keys: &'static [KeyShape],
        /// Whether a map may have other keys.
        others: bool,
    },
    /// Every process identifier
    Pids,
    /// Every port identifier
    Ports,
    /// Every reference
    References,
    /// Every fun
    Funs,
    /// Some of these terms, without further knowledge
    Some(&'static Shape),
    /// The terms of all of these. If there are none, there are no terms.
    Union(&'static [Shape]),
}

/// A key of a map, and the shape of its value.
#[derive(Clone, Copy, Debug)]
pub struct KeyShape {
    /// The text of the key, which is an atom.
    pub key: &'static str,
    /// Whether it may be missing.
    pub is_optional: bool,
    /// The value.
    pub value: Shape,
}

/// Whether all terms of one shape are terms of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// All of them are.
    Yes,
    /// At least one is not.
    No,
    /// It is unknown.
    Unknown,
}

impl Covers {
    /// Combines two results: both must hold.
    const fn and(self, other: Covers) -> Covers {
        match (self, other) {
            (Covers::No, _) | (_, Covers::No) => Covers::No,
            (Covers::Unknown, _) | (_, Covers::Unknown) => Covers::Unknown,
            (Covers::Yes, Covers::Yes) => Covers::Yes,
        }
    }

    const fn of(yes: bool) -> Covers {
        if yes { Covers::Yes } else { Covers::No }
    }
}

impl Shape {
    /// No term
    pub const NONE: Shape = Shape::Union(&[]);

    /// Returns whether every term of `other` is a term of this shape.
    pub const fn covers(&self, other: &Shape) -> Covers {
        match (self, other) {
            (_, Shape::Union(members)) => self.covers_all(members),
            (_, Shape::Some(all)) => match self.covers(all) {
                Covers::Yes => Covers::Yes,
                _ if self.excludes(all) => Covers::No,
                _ => Covers::Unknown,
            },
            (Shape::Some(all), _) => match all.covers(other) {
                Covers::No => Covers::No,
                Covers::Yes | Covers::Unknown => Covers::Unknown,
            },
            (Shape::Union(members), _) => any_covers(members, other),
            _ => self.covers_one(other),
        }
    }

    /// Returns whether the two shapes have the same terms.
    pub const fn equals(&self, other: &Shape) -> Covers {
        self.covers(other).and(other.covers(self))
    }

    /// Returns whether it is certain that no term has both shapes.
    pub const fn excludes(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Union(members), _) => all_exclude(members, other),
            (_, Shape::Union(members)) => all_exclude(members, self),
            (Shape::Some(all), _) => all.excludes(other),
            (_, Shape::Some(all)) => self.excludes(all),
            (Shape::Any, _) | (_, Shape::Any) => false,
            (Shape::Atom(left), Shape::Atom(right)) => !is_same(left, right),
            (Shape::Integers(low, high), Shape::Integers(other_low, other_high)) => {
                is_below(*high, *other_low) || is_below(*other_high, *low)
            }
            (Shape::Elements(left), Shape::Elements(right)) => elements_exclude(left, right),
            (Shape::Elements(elements), Shape::Tuples(arity))
            | (Shape::Tuples(arity), Shape::Elements(elements)) => elements.len() != *arity,
            (Shape::Tuples(left), Shape::Tuples(right)) => *left != *right,
            (Shape::ListsOf(_), Shape::EmptyList | Shape::NonemptyLists)
            | (Shape::EmptyList | Shape::NonemptyLists, Shape::ListsOf(_)) => false,
            (Shape::MapsOf(key, value), Shape::Keys { keys, .. })
            | (Shape::Keys { keys, .. }, Shape::MapsOf(key, value)) => {
                has_excluded(keys, key, value)
            }
            (Shape::Keys { keys, .. }, Shape::EmptyMap)
            | (Shape::EmptyMap, Shape::Keys { keys, .. }) => has_required(keys),
            (
                Shape::Keys { keys, others },
                Shape::Keys {
                    keys: more,
                    others: other,
                },
            ) => keys_exclude(keys, *others, more) || keys_exclude(more, *other, keys),
            _ => self.group() != other.group(),
        }
    }

    const fn covers_all(&self, members: &[Shape]) -> Covers {
        let (mut all, mut index) = (Covers::Yes, 0);
        while index < members.len() {
            all = all.and(self.covers(&members[index]));
            index += 1;
        }
        all
    }

    /// [`Shape::covers`] for shapes that are neither unions nor only partly known.
    const fn covers_one(&self, other: &Shape) -> Covers {
        match (self, other) {
            (Shape::Any, _) => Covers::Yes,
            (Shape::Atom(left), Shape::Atom(right)) => Covers::of(is_same(left, right)),
            (Shape::Integers(low, high), Shape::Integers(other_low, other_high)) => {
                Covers::of(is_from(*low, *other_low) && is_to(*high, *other_high))
            }
            (Shape::Tuples(arity), Shape::Elements(elements)) => {
                Covers::of(elements.len() == *arity)
            }
            (Shape::Elements(elements), Shape::Tuples(arity)) if elements.len() == *arity => {
                elements_cover(elements, None)
            }
            (Shape::Elements(left), Shape::Elements(right)) if left.len() == right.len() => {
                elements_cover(left, Some(right))
            }
            (Shape::Elements(_), Shape::Elements(_)) => Covers::No,
            (Shape::Tuples(left), Shape::Tuples(right)) => Covers::of(*left == *right),
            (
                Shape::Keys { keys, others },
                Shape::Keys {
                    keys: more,
                    others: other,
                },
            ) => keys_cover(keys, *others, more, *other),
            (Shape::Keys { keys, .. }, Shape::EmptyMap) => Covers::of(!has_required(keys)),
            (Shape::Keys { keys, others }, Shape::Maps) => Covers::of(keys.is_empty() && *others),
            (Shape::EmptyMap, Shape::Keys { keys, others }) => {
                Covers::of(keys.is_empty() && !*others)
            }
            (Shape::ListsOf(left), Shape::ListsOf(right)) => left.covers(right),
            (Shape::ListsOf(_), Shape::EmptyList) => Covers::Yes,
            (Shape::MapsOf(key, value), Shape::MapsOf(other_key, other)) => {
                key.covers(other_key).and(value.covers(other))
            }
            (Shape::MapsOf(key, value), Shape::Keys { keys, others }) => {
                keys_are_of(keys, *others, key, value)
            }
            (Shape::MapsOf(key, value), Shape::Maps) => {
                key.covers(&Shape::Any).and(value.covers(&Shape::Any))
            }
            (Shape::MapsOf(..), Shape::EmptyMap) => Covers::Yes,
            (Shape::Keys { keys, others }, Shape::MapsOf(..)) => match has_required(keys) {
                true => Covers::No,
                false if keys.is_empty() && *others => Covers::Yes,
                false => Covers::Unknown,
            },
            _ => Covers::of(self.group() == other.group() && self.breadth() >= other.breadth()),
        }
    }

    /// Returns whether terms of this kind may be among these.
    pub(super) const fn has(&self, kind: TermKind) -> bool {
        match self {
            Shape::Any => true,
            Shape::Some(all) => all.has(kind),
            Shape::Union(members) => {
                let mut index = 0;
                while index < members.len() {
                    if members[index].has(kind) {
                        return true;
                    }
                    index += 1;
                }
                false
            }
            Shape::Atom(_) | Shape::Atoms => matches!(kind, TermKind::Atom),
            Shape::Integers(..) => matches!(kind, TermKind::Integer),
            Shape::Floats => matches!(kind, TermKind::Float),
            Shape::Binaries | Shape::Bitstrings => matches!(kind, TermKind::Bitstring),
            Shape::EmptyList | Shape::NonemptyLists | Shape::ListsOf(_) => {
                matches!(kind, TermKind::List)
            }
            Shape::Tuples(_) | Shape::AllTuples | Shape::Elements(_) => {
                matches!(kind, TermKind::Tuple)
            }
            Shape::EmptyMap | Shape::Maps | Shape::MapsOf(..) | Shape::Keys { .. } => {
                matches!(kind, TermKind::Map)
            }
            Shape::Pids => matches!(kind, TermKind::Pid),
            Shape::Ports => matches!(kind, TermKind::Port),
            Shape::References => matches!(kind, TermKind::Reference),
            Shape::Funs => matches!(kind, TermKind::Fun),
        }
    }

    /// Returns the shape's group. Terms of different groups are different.
    const fn group(&self) -> u8 {
        match self {
            Shape::Atom(_) | Shape::Atoms => 0,
            Shape::Integers(..) => 1,
            Shape::Floats => 2,
            Shape::Binaries | Shape::Bitstrings => 3,
            Shape::EmptyList => 4,
            Shape::NonemptyLists => 5,
            Shape::Tuples(_) | Shape::AllTuples | Shape::Elements(_) => 6,
            Shape::EmptyMap | Shape::Maps | Shape::MapsOf(..) | Shape::Keys { .. } => 7,
            Shape::Pids => 8,
            Shape::Ports => 9,
            Shape::References => 10,
            Shape::Funs => 11,
            Shape::Any | Shape::Some(_) | Shape::Union(_) => 12,
            // The empty list and some of the other lists.
            Shape::ListsOf(_) => 13,
        }
    }

    /// Returns the breadth of the shape within its group. The broader shape has all terms of the
    /// narrower one. Shapes of the same breadth that can differ are compared by
    /// [`Shape::covers_one`].
    const fn breadth(&self) -> u8 {
        match self {
            Shape::Atom(_) | Shape::Binaries | Shape::EmptyMap | Shape::Elements(_) => 0,
            Shape::Tuples(_) | Shape::Keys { .. } => 1,
            _ => 2,
        }
    }
}

/// Returns whether members of a union cover `other`. If several members have terms of `other`, they
/// may cover it together.
const fn any_covers(members: &[Shape], other: &Shape) -> Covers {
    let (mut overlapping, mut last, mut index) = (0, Covers::No, 0);
    while index < members.len() {
        match members[index].covers(other) {
            Covers::Yes => return Covers::Yes,
            answer => {
                if !members[index].excludes(other) {
                    overlapping += 1;
                    last = answer;
                }
            }
        }
        index += 1;
    }
    match (overlapping, other) {
        // Narrower members cannot cover all of these.
        (0, _) | (_, Shape::Any | Shape::Atoms | Shape::AllTuples) => Covers::No,
        (1, _) => last,
        _ => Covers::Unknown,
    }
}

const fn all_exclude(members: &[Shape], other: &Shape) -> bool {
    let mut index = 0;
    while index < members.len() {
        if !members[index].excludes(other) {
            return false;
        }
        index += 1;
    }
    true
}

const fn elements_exclude(left: &[Shape], right: &[Shape]) -> bool {
    if left.len() != right.len() {
        return true;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index].excludes(&right[index]) {
            return true;
        }
        index += 1;
    }
    false
}

/// Returns whether the elements cover as many others, or all terms if there are no others.
const fn elements_cover(elements: &[Shape], others: Option<&[Shape]>) -> Covers {
    let (mut all, mut index) = (Covers::Yes, 0);
    while index < elements.len() {
        let other = match others {
            Some(others) => &others[index],
            None => &Shape::Any,
        };
        all = all.and(elements[index].covers(other));
        index += 1;
    }
    all
}

const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}
