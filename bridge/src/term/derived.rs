//! Functions and types for the code of `derive(Term)`.

use super::depth::on_any_stack;
use super::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, PathSegment, Reader, StaticAtom, ToTerm, View,
    Watcher, describe,
};
use crate::term::types::{Map, check_entry, read_entry};

pub use super::part::{NotAPart, Part};
pub use super::union::{Members, check_union, read_union};

/// The parts that distinguish tagged tuples: the number of a term's elements, and the first
/// element. They are read from the VM once for all of a type's forms.
#[derive(Clone, Copy)]
pub struct Outer<V>(Option<(usize, V)>);

impl<'a, V: View<'a>> Outer<V> {
    #[inline]
    pub fn of(term: V) -> Self {
        Outer(term.tuple_elements().and_then(|mut elements| {
            let arity = elements.len();
            Some((arity, elements.next()?))
        }))
    }

    /// Returns whether the term is a tuple of this size with this tag.
    #[inline]
    pub fn is(self, size: usize, tag: &'static StaticAtom) -> bool {
        let Outer(outer) = self;
        outer.is_some_and(|(arity, first)| arity == size && first.is_atom(tag))
    }
}

/// Reads the value of a required key of a map. `missing` builds the error if the key is missing.
#[inline]
pub fn read_key<'a, 'r, T, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
    reader: Reader<'r>,
    read: impl FnOnce(V, Reader<'r>) -> Result<T, DecodeError>,
    missing: impl FnOnce(&'static str, V) -> DecodeError,
) -> Result<T, DecodeError> {
    match map.map_get(key) {
        Some(value) => read(value, reader).map_err(|error| error.at_field(key.text())),
        None => Err(missing(key.text(), map)),
    }
}

/// Reads the value of an optional key of a map.
#[inline]
pub fn read_optional_key<'a, 'r, T, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
    reader: Reader<'r>,
    read: impl FnOnce(V, Reader<'r>) -> Result<T, DecodeError>,
) -> Result<Option<T>, DecodeError> {
    let value = map.map_get(key).map(|value| read(value, reader));
    value
        .transpose()
        .map_err(|error| error.at_field(key.text()))
}

/// Checks the value of a key of a map.
#[inline]
pub fn check_key<'a, 'r, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
    is_optional: bool,
    reader: Reader<'r>,
    check: impl FnOnce(V, Reader<'r>) -> Result<(), Misfit>,
) -> Result<(), Misfit> {
    match map.map_get(key) {
        Some(value) => check(value, reader).map_err(Misfit::within),
        None if is_optional => Ok(()),
        None => Err(Misfit::HERE.within()),
    }
}

fn is_known<'a>(key: impl View<'a>, known: &[&'static StaticAtom]) -> bool {
    known.iter().any(|atom| key.is_atom(atom))
}

/// Rejects a map that has keys other than the `known` ones. The error names both.
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
            if let Some(error) = DecodeError::without_text() {
                return Err(error);
            }
            let step = PathSegment::Field(describe(key, 60).into());
            let known: Vec<&str> = known.iter().map(|key| key.text()).collect();
            let expected = format!("no such key (known: {})", known.join(", "));
            Err(DecodeError::expected_text(expected, value).at(step))
        }
        None => Ok(()),
    }
}

/// Checks that a map has no keys other than the `known` ones.
pub fn check_other_keys<'a, V: View<'a>>(
    map: V,
    known: &[&'static StaticAtom],
) -> Result<(), Misfit> {
    let present = known.iter().filter(|key| map.map_get(key).is_some());
    if map.map_size() == Some(present.count()) {
        Ok(())
    } else {
        Err(Misfit::HERE.within())
    }
}

/// Reads the entries of a map except those of the `known` keys.
pub fn read_rest<'a, K: FromTerm, W: FromTerm, V: View<'a>>(
    map: V,
    known: &[&'static StaticAtom],
    reader: Reader<'_>,
) -> Result<Map<K, W>, DecodeError> {
    let entries = map.map_entries().into_iter().flatten();
    let others = entries.filter(|(key, _)| !is_known(*key, known));
    let entries = on_any_stack(|| others.map(|entry| read_entry(entry, reader)).collect());
    entries.map(Map::from_distinct)
}

/// Checks the entries of a map except those of the `known` keys. The types are those of the map.
pub fn check_rest<'a, K: FromTerm, W: FromTerm, V: View<'a>>(
    map: V,
    known: &[&'static StaticAtom],
    reader: Reader<'_>,
    _: fn() -> Map<K, W>,
) -> Result<(), Misfit> {
    if !reader.looks_at_all() {
        return Ok(());
    }
    let mut entries = map.map_entries().into_iter().flatten();
    entries.try_for_each(|(key, value)| {
        if is_known(key, known) {
            Ok(())
        } else {
            check_entry::<K, W, V>((key, value), reader)
        }
    })
}

/// Builds a map of `entries`, and of the entries of `rest` with other keys.
pub fn map_with_rest<H: Heap, K: ToTerm, W: ToTerm, const N: usize>(
    heap: H,
    entries: [Option<(H::Term, H::Term)>; N],
    rest: &Map<K, W>,
) -> H::Term {
    let rest = rest
        .iter()
        .map(|(key, value)| (key.to_term(heap), value.to_term(heap)));
    // If two entries have the same key, the later one counts.
    heap.map_from(rest.chain(entries.into_iter().flatten()))
}

/// A field that holds all keys of a map without a field of their own. All functions of a derive
/// require this trait, so the compiler reports another type once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the other keys of a map",
    label = "a field with `#[term(rest)]` is a `Map` of terms"
)]
pub trait RestField: Sized {
    /// Returns the Erlang text of the keys.
    fn text() -> String;

    /// # Errors
    /// The errors of [`read_rest`].
    fn read<'a, V: View<'a>>(
        map: V,
        known: &[&'static StaticAtom],
        reader: Reader<'_>,
    ) -> Result<Self, DecodeError>;

    /// See [`check_rest`].
    fn check<'a, V: View<'a>>(
        map: V,
        known: &[&'static StaticAtom],
        reader: Reader<'_>,
    ) -> Result<(), Misfit>;

    /// See [`map_with_rest`].
    fn write<H: Heap, const N: usize>(
        heap: H,
        entries: [Option<(H::Term, H::Term)>; N],
        rest: &Self,
    ) -> H::Term;

    /// See [`FromTerm::__watch`].
    fn watch(&mut self, watcher: Watcher<'_>);
}

#[diagnostic::do_not_recommend]
impl<K: ToTerm + FromTerm, W: ToTerm + FromTerm> RestField for Map<K, W>
where
    Map<K, W>: ErlangType,
{
    fn text() -> String {
        associations_text::<Self>()
    }

    fn read<'a, V: View<'a>>(
        map: V,
        known: &[&'static StaticAtom],
        reader: Reader<'_>,
    ) -> Result<Self, DecodeError> {
        read_rest(map, known, reader)
    }

    fn check<'a, V: View<'a>>(
        map: V,
        known: &[&'static StaticAtom],
        reader: Reader<'_>,
    ) -> Result<(), Misfit> {
        check_rest(map, known, reader, Self::default)
    }

    fn write<H: Heap, const N: usize>(
        heap: H,
        entries: [Option<(H::Term, H::Term)>; N],
        rest: &Self,
    ) -> H::Term {
        map_with_rest(heap, entries, rest)
    }

    #[inline]
    fn watch(&mut self, watcher: Watcher<'_>) {
        self.__watch(watcher);
    }
}

/// Returns `K => V`, from a map type's text `#{K => V}`.
pub fn associations_text<M: ErlangType>() -> String {
    let text = M::erlang_type();
    let inner = text
        .strip_prefix("#{")
        .and_then(|text| text.strip_suffix('}'));
    inner.unwrap_or(&text).to_owned()
}

/// Adds the position of an element of a tuple to its error.
#[inline]
pub fn at_element(position: usize) -> impl FnOnce(DecodeError) -> DecodeError {
    move |error| error.at_element(position)
}
