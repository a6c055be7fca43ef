//! Cuts parts out of terms that are too large or too deep to be read.
//!
//! The reason why a process ends can be any term, and its callbacks cannot choose another one. So
//! the parts beyond the limits for messages are left out, and `terminate/2` still runs.

use crate::nif::{VmHeap, VmTerm};
use crate::term::{StaticAtom, TermKind};
use crate::{Heap, View};

/// The placeholder for a part that is left out, as in Erlang's texts of long terms.
static LEFT_OUT: StaticAtom = StaticAtom::new("...");

/// The largest number of parts that remain, which also limits the levels: a part has fewer parts
/// than the term that contains it.
const PARTS: usize = 4096;

/// The largest size in bytes of a binary that is not cut.
const BYTES: usize = 512;

/// The largest number of entries of a map, or elements of a list, that remain.
const ELEMENTS: usize = 64;

/// Returns the term with `'...'` for parts that are too many or too deep. Its outer tuples stay
/// unchanged, so that the same clause matches.
///
/// A list or a binary keeps its beginning. A map loses entries, those with a compound key first,
/// since such keys could become equal.
#[cold]
pub(in crate::runtime) fn cut<'a>(heap: VmHeap<'a>, term: VmTerm<'a>) -> VmTerm<'a> {
    within(PARTS, heap, term)
}

/// Cuts the term to at most this many parts.
fn within<'a>(parts: usize, heap: VmHeap<'a>, term: VmTerm<'a>) -> VmTerm<'a> {
    let kept = match term.kind() {
        _ if parts == 0 => None,
        TermKind::Atom | TermKind::Float | TermKind::Pid | TermKind::Port | TermKind::Reference => {
            Some(term)
        }
        TermKind::Integer => is_small(term).then_some(term),
        TermKind::Bitstring => term.binary().map(|bytes| match bytes.len() {
            0..=BYTES => term,
            _ => heap.binary(beginning(bytes)),
        }),
        TermKind::List => Some(list(parts, heap, term)),
        TermKind::Tuple => tuple(parts, heap, term),
        TermKind::Map => map(parts, heap, term),
        // A fun may have captured any term.
        TermKind::Fun => None,
    };
    kept.unwrap_or_else(|| heap.atom(&LEFT_OUT))
}

/// Returns whether an integer is small enough to be read without a check.
fn is_small(term: VmTerm<'_>) -> bool {
    term.integer().is_some() || term.unsigned().is_some()
}

/// Returns the first bytes, without a part of a UTF-8 character at the end.
fn beginning(bytes: &[u8]) -> &[u8] {
    let is_within = |at: &usize| bytes[*at] & 0b1100_0000 == 0b1000_0000;
    let end = (BYTES - 3..=BYTES).rev().find(|at| !is_within(at));
    &bytes[..end.unwrap_or(BYTES)]
}

/// Returns how many parts each of `count` elements may have.
fn share(parts: usize, count: usize) -> usize {
    (parts - 1) / count.max(1)
}

fn list<'a>(parts: usize, heap: VmHeap<'a>, term: VmTerm<'a>) -> VmTerm<'a> {
    let Some((elements, tail)) = term.list_with_tail() else {
        return term; // []
    };
    let most = parts.min(ELEMENTS);
    let elements: Vec<VmTerm<'a>> = elements.take(most + 1).collect();
    let left = share(parts, elements.len());
    let kept = elements
        .iter()
        .take(most)
        .map(|element| within(left, heap, *element));
    let mut kept: Vec<VmTerm<'a>> = kept.collect();
    if elements.len() > most {
        kept.push(heap.atom(&LEFT_OUT));
        return heap.list(kept);
    }
    let tail = tail.map_or_else(|| heap.list([]), |tail| within(left, heap, tail));
    heap.list_with_tail(kept, tail)
}

/// Cuts a tuple. It keeps its arity or is left out.
fn tuple<'a>(parts: usize, heap: VmHeap<'a>, term: VmTerm<'a>) -> Option<VmTerm<'a>> {
    let elements = term.tuple_elements()?;
    let count = elements.len();
    if count > parts {
        return None;
    }
    let left = share(parts, count);
    let kept = elements.map(|element| within(left, heap, element));
    Some(heap.tuple_from(kept.collect()))
}

fn map<'a>(parts: usize, heap: VmHeap<'a>, term: VmTerm<'a>) -> Option<VmTerm<'a>> {
    let most = parts.min(ELEMENTS);
    let left = share(parts, term.map_size()?.min(most));
    let is_plain = |key: VmTerm<'a>| match key.kind() {
        TermKind::Integer => is_small(key),
        TermKind::Bitstring => key.binary().is_some_and(|bytes| bytes.len() <= BYTES),
        TermKind::Atom | TermKind::Float | TermKind::Pid | TermKind::Port | TermKind::Reference => {
            true
        }
        TermKind::List | TermKind::Tuple | TermKind::Map | TermKind::Fun => false,
    };
    let entries = term.map_entries()?.filter(|(key, _)| is_plain(*key));
    let kept = entries.take(most);
    let kept = kept.map(|(key, value)| (key, within(left, heap, value)));
    Some(heap.map_from(kept.collect::<Vec<_>>()))
}
