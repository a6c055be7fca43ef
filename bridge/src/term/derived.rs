//! What the code of `derive(Term)` calls

use super::decode_error;
use super::{
    DecodeError, ErlangType, FromTerm, Heap, PathSegment, StaticAtom, ToTerm, View, describe,
    guard_depth,
};
use crate::term::types::{Map, read_entry};

/// The element of a tuple at an index, counted from 0.
#[inline]
pub fn read_element<'a, T: FromTerm, V: View<'a>>(
    element: V,
    position: usize,
) -> Result<T, DecodeError> {
    T::from_term(element).map_err(|error| error.at_element(position))
}

/// The value of a required key of a map.
#[inline]
pub fn read_key<'a, T: FromTerm, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
) -> Result<T, DecodeError> {
    match map.map_get(key) {
        Some(value) => T::from_term(value).map_err(|error| error.at_field(key.text())),
        None => Err(DecodeError::missing_key::<T, V>(key.text(), map)),
    }
}

/// The value of an optional key of a map.
#[inline]
pub fn read_optional_key<'a, T: FromTerm, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
) -> Result<Option<T>, DecodeError> {
    let value = map.map_get(key).map(T::from_term);
    value
        .transpose()
        .map_err(|error| error.at_field(key.text()))
}

fn is_known<'a>(key: impl View<'a>, known: &[&'static StaticAtom]) -> bool {
    known.iter().any(|atom| key.is_atom(atom))
}

/// Refuses a map that has keys other than the `known` ones.
pub fn refuse_other_keys<'a, V: View<'a>>(
    map: V,
    known: &[&'static StaticAtom],
) -> Result<(), DecodeError> {
    let present = known.iter().filter(|key| map.map_get(key).is_some());
    if map.map_size() == Some(present.count()) {
        return Ok(());
    }
    let mut entries = map.map_entries().into_iter().flatten();
    match entries.find(|(key, _)| !is_known(*key, known)) {
        Some((key, value)) => {
            let step = PathSegment::Field(describe(key, 60).into());
            Err(DecodeError::expected_text("no such key", value).at(step))
        }
        None => Ok(()),
    }
}

/// The entries of a map except those of the `known` keys.
pub fn read_rest<'a, K: FromTerm, W: FromTerm, V: View<'a>>(
    map: V,
    known: &[&'static StaticAtom],
) -> Result<Map<K, W>, DecodeError> {
    let entries = map.map_entries().into_iter().flatten();
    let others = entries.filter(|(key, _)| !is_known(*key, known));
    let entries = guard_depth(|| others.map(read_entry).collect());
    entries.map(Map::from_distinct)
}

/// A map of `entries`, and of the entries of `rest` with other keys.
pub fn map_with_rest<H: Heap, K: ToTerm, W: ToTerm, const N: usize>(
    heap: H,
    entries: [Option<(H::Term, H::Term)>; N],
    rest: &Map<K, W>,
) -> H::Term {
    let rest = rest
        .iter()
        .map(|(key, value)| (key.to_term(heap), value.to_term(heap)));
    // If two entries have the same key, the later one counts.
    heap.map_from(rest.chain(entries.into_iter().flatten()).collect())
}

/// A field that holds all keys of a map without a field of their own. All of a derive's functions ask for it, and the
/// compiler's message about another type comes once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the other keys of a map",
    label = "a field with `#[term(rest)]` is a `Map` of terms"
)]
pub trait RestField: Sized {
    /// The text of the keys.
    fn text() -> String;

    /// # Errors
    /// Those of [`read_rest`].
    fn read<'a, V: View<'a>>(map: V, known: &[&'static StaticAtom]) -> Result<Self, DecodeError>;

    /// See [`map_with_rest`].
    fn write<H: Heap, const N: usize>(
        heap: H,
        entries: [Option<(H::Term, H::Term)>; N],
        rest: &Self,
    ) -> H::Term;
}

#[diagnostic::do_not_recommend]
impl<K: ToTerm + FromTerm, W: ToTerm + FromTerm> RestField for Map<K, W>
where
    Map<K, W>: ErlangType,
{
    fn text() -> String {
        associations_text::<Self>()
    }

    fn read<'a, V: View<'a>>(map: V, known: &[&'static StaticAtom]) -> Result<Self, DecodeError> {
        read_rest(map, known)
    }

    fn write<H: Heap, const N: usize>(
        heap: H,
        entries: [Option<(H::Term, H::Term)>; N],
        rest: &Self,
    ) -> H::Term {
        map_with_rest(heap, entries, rest)
    }
}

/// `K => V`, of a map type's text `#{K => V}`.
pub fn associations_text<M: ErlangType>() -> String {
    let text = M::erlang_type();
    let inner = text
        .strip_prefix("#{")
        .and_then(|text| text.strip_suffix('}'));
    inner.unwrap_or(&text).to_owned()
}

/// Reads a union with members that can only be distinguished by trying them.
///
/// `members` tries the members in turn and reports each one that fails. It runs first without texts
/// for errors, since a failed attempt is not an error if another one succeeds. Only if none
/// succeeds, it runs again to build the texts. Within an attempt of an outer union nobody sees the
/// texts of this one, so an error deep inside nested unions is searched once and not twice per
/// level.
pub fn read_union<T>(
    members: impl Fn(&mut Attempts) -> Option<T>,
    expected: impl FnOnce() -> DecodeError,
) -> Result<T, DecodeError> {
    if let Some(value) = decode_error::without_texts(|| members(&mut Attempts::default())) {
        return Ok(value);
    }
    if decode_error::is_without_texts() {
        return Err(DecodeError::silent());
    }
    let mut attempts = Attempts::default();
    match members(&mut attempts) {
        Some(value) => Ok(value),
        None => Err(attempts.best.unwrap_or_else(expected)),
    }
}

/// Why none of a union's members could be read. The error of the attempt that got furthest into the
/// term says most.
#[derive(Debug, Default)]
pub struct Attempts {
    best: Option<DecodeError>,
}

impl Attempts {
    /// Adds an attempt. Returns its value if it succeeded.
    #[inline]
    pub fn add<T>(&mut self, attempt: Result<T, DecodeError>) -> Option<T> {
        attempt.map_err(|error| self.failed(error)).ok()
    }

    #[cold]
    fn failed(&mut self, error: DecodeError) {
        let best = self.best.as_ref().map_or(0, |best| best.path().len());
        if error.path().len() > best {
            self.best = Some(error);
        }
    }
}
