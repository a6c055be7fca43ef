//! Unions whose members cannot all be distinguished by their tags.

use super::reader::UnionMember;
use super::shape::{Resemblance, Tags};
use super::{DecodeError, FromTerm, Misfit, Reader, Shape, TermKind, View};

/// The members of a union, in the order in which they are tried.
pub trait Members: FromTerm {
    /// The number of members.
    const COUNT: usize;

    /// The outer shape of each member's terms, without their contents.
    const KINDS: &'static [Shape];

    /// For each kind of term, the members that such a term may be: a bit for each of the first 64.
    const BY_KIND: [u64; TermKind::COUNT] = by_kind(Self::KINDS);

    /// Whether the shape of a term leaves at most one member.
    const ARE_DISTINCT: bool = are_distinct(&Self::SHAPE);

    /// Reads a term as a member.
    ///
    /// # Errors
    /// The term is not this member.
    fn read_member<'a, V: View<'a>>(
        member: usize,
        view: V,
        reader: Reader<'_>,
    ) -> Result<Self, DecodeError>;

    /// Checks whether a term is a member.
    ///
    /// # Errors
    /// It is not this member, to the depth of the reader.
    fn check_member<'a, V: View<'a>>(
        member: usize,
        view: V,
        reader: Reader<'_>,
    ) -> Result<(), Misfit>;
}

const fn by_kind(members: &[Shape]) -> [u64; TermKind::COUNT] {
    let mut table = [0; TermKind::COUNT];
    let mut kind = 0;
    while kind < table.len() {
        let mut member = 0;
        while member < members.len() && member < u64::BITS as usize {
            if members[member].has(TermKind::ALL[kind]) {
                table[kind] |= 1 << member;
            }
            member += 1;
        }
        kind += 1;
    }
    table
}

/// Returns the members that a term of its kind may be.
fn possible<'a, T: Members, V: View<'a>>(view: V) -> impl Iterator<Item = usize> {
    let bits = T::BY_KIND[view.kind() as usize];
    let has_bit = move |member: &usize| *member >= u64::BITS as usize || bits >> *member & 1 == 1;
    (0..T::COUNT).filter(has_bit)
}

/// Returns whether no term has the shapes of two members.
const fn are_distinct(shape: &Shape) -> bool {
    let Shape::Union(members) = shape else {
        return false;
    };
    let mut one = 0;
    while one < members.len() {
        let mut other = one + 1;
        while other < members.len() {
            if !members[one].excludes(&members[other]) {
                return false;
            }
            other += 1;
        }
        one += 1;
    }
    true
}

/// Reads a union.
///
/// The shapes of its members decide which of them is read. If they leave several, the whole term is
/// checked first, and the results for the unions in it are stored. So each part of the term is
/// checked once for each type that it may have, and read once.
pub fn read_union<'a, T: Members, V: View<'a>>(
    view: V,
    reader: Reader<'_>,
) -> Result<T, DecodeError> {
    let choice = match recall::<T, V>(view, reader) {
        Some(choice) => choice,
        None => match by_shape::<T, V>(view, reader) {
            Some(only) => UnionMember::Member(only),
            None => examine::<T, V>(view, reader),
        },
    };
    let best = match choice {
        UnionMember::Member(member) => Some(member),
        UnionMember::None { best, .. } => best,
    };
    let error = match best.map(|member| T::read_member(member, view, reader)) {
        Some(Ok(value)) => return Ok(value),
        Some(Err(error)) => Some(error).filter(|error| !error.is_of_the_whole()),
        None => beyond_bound::<T, V>(view, reader),
    };
    Err(error.unwrap_or_else(|| DecodeError::expected::<T, V>(view)))
}

/// Returns the error of the first member whose Erlang type may have the term, although its Rust
/// type does not hold it.
#[cold]
fn beyond_bound<'a, T: Members, V: View<'a>>(view: V, reader: Reader<'_>) -> Option<DecodeError> {
    let error = |member| T::read_member(member, view, reader).err();
    (0..T::COUNT)
        .filter_map(error)
        .find(DecodeError::is_at_bound)
}

/// Checks a union.
///
/// # Errors
/// No member matches, to the depth of the reader.
pub fn check_union<'a, T: Members, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
    if !reader.looks_at_all() {
        let fits = |member| T::check_member(member, view, reader).is_ok();
        return if possible::<T, V>(view).any(fits) {
            Ok(())
        } else {
            Err(Misfit::HERE)
        };
    }
    let choice = match recall::<T, V>(view, reader) {
        Some(choice) => choice,
        None => match by_shape::<T, V>(view, reader) {
            Some(only) => check_only::<T, V>(only, view, reader),
            None => examine::<T, V>(view, reader),
        },
    };
    match choice {
        UnionMember::Member(_) => Ok(()),
        UnionMember::None { misfit, .. } => Err(misfit),
    }
}

/// Returns the only member that the term may be by its shape.
fn by_shape<'a, T: Members, V: View<'a>>(view: V, reader: Reader<'_>) -> Option<usize> {
    let reader = reader.outer();
    let fits = |member: &usize| T::check_member(*member, view, reader).is_ok();
    let mut fitting = possible::<T, V>(view).filter(fits);
    let first = fitting.next()?;
    (T::ARE_DISTINCT || fitting.next().is_none()).then_some(first)
}

fn check_only<'a, T: Members, V: View<'a>>(
    only: usize,
    view: V,
    reader: Reader<'_>,
) -> UnionMember {
    let choice = match T::check_member(only, view, reader) {
        Ok(()) => UnionMember::Member(only),
        Err(misfit) => UnionMember::None {
            best: Some(only),
            misfit,
        },
    };
    remember::<T, V>(view, reader, choice);
    choice
}

/// Checks the whole term, for each member.
fn examine<'a, T: Members, V: View<'a>>(view: V, reader: Reader<'_>) -> UnionMember {
    let reader = reader.whole();
    let (mut furthest, mut failed) = (Misfit::HERE, Vec::new());
    for member in 0..T::COUNT {
        match T::check_member(member, view, reader) {
            Ok(()) => {
                let choice = UnionMember::Member(member);
                remember::<T, V>(view, reader, choice);
                return choice;
            }
            Err(misfit) if misfit > Misfit::HERE => {
                furthest = furthest.max(misfit);
                failed.push((member, misfit));
            }
            Err(_) => {}
        }
    }
    let best = most_similar::<T, V>(view, &failed);
    let choice = UnionMember::None {
        best,
        misfit: furthest,
    };
    remember::<T, V>(view, reader, choice);
    choice
}

/// Returns the member with the most useful error: first a member with the term's tags, then the one
/// whose check got furthest into the term, then the one with most of its keys. Among equals it is
/// the first. `None` if the member has other tags, because then any other member may be meant.
fn most_similar<'a, T: Members, V: View<'a>>(view: V, failed: &[(usize, Misfit)]) -> Option<usize> {
    let shape = |member: usize| match T::SHAPE {
        Shape::Union(members) => members.get(member),
        _ => None,
    };
    let similar = |(member, misfit): &(usize, Misfit)| {
        let Resemblance { tags, keys } =
            shape(*member).map_or_else(Resemblance::default, |shape| shape.resemblance(view));
        (tags == Tags::Right, *misfit, keys, tags)
    };
    // `max_by_key` returns the last one of equals.
    let best = failed.iter().rev().max_by_key(|failed| similar(failed))?;
    let (.., tags) = similar(best);
    (tags != Tags::Wrong || failed.len() == 1).then_some(best.0)
}

/// Returns a number for a union. A union may have several numbers, which only means that some
/// results are computed again.
fn number<'a, T: Members, V: View<'a>>() -> usize {
    let check: fn(usize, V, Reader<'_>) -> Result<(), Misfit> = T::check_member::<V>;
    check as usize
}

fn recall<'a, T: Members, V: View<'a>>(view: V, reader: Reader<'_>) -> Option<UnionMember> {
    if T::ARE_DISTINCT {
        None
    } else {
        reader.recall(number::<T, V>(), view.identity())
    }
}

fn remember<'a, T: Members, V: View<'a>>(view: V, reader: Reader<'_>, choice: UnionMember) {
    // Members with distinct shapes are distinguished by their shapes again, which needs no stored
    // result.
    if !T::ARE_DISTINCT {
        reader.remember(number::<T, V>(), view.identity(), choice);
    }
}
