//! `#{K => V}`

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use crate::term::depth::{check_on_any_stack, deeper, on_any_stack};
use crate::term::reader::values;
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, PathSegment, Reader, Shape, TermKind, ToTerm,
    View, Watcher, describe,
};

/// A map whose keys need only `PartialEq`, as the keys of generated types have.
///
/// Looking up a key takes time in proportion to the number of entries. For large maps with ordered
/// keys use `BTreeMap` or `HashMap`, which have the same Erlang map.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::Map;
/// use otp_bridge::Term;
///
/// let ages: Map<String, u8> = [("Ada".to_owned(), 36)].into_iter().collect();
/// assert_eq!(ages.get(&"Ada".to_owned()), Some(&36));
/// assert_eq!(Term::of(&ages).to_string(), "#{<<\"Ada\">> => 36}");
/// ```
#[derive(Clone, Debug)]
pub struct Map<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Map<K, V> {
    /// Returns the empty map.
    pub fn new() -> Self {
        Map {
            entries: Vec::new(),
        }
    }

    /// Returns a map of these entries, whose keys are distinct.
    pub(crate) fn from_distinct(entries: Vec<(K, V)>) -> Self {
        Map { entries }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries, in no particular order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

impl<K: PartialEq, V> Map<K, V> {
    /// Returns the value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries
            .iter()
            .find(|(existing, _)| existing == key)
            .map(|(_, value)| value)
    }

    /// Sets the value of a key and returns the previous one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self
            .entries
            .iter_mut()
            .find(|(existing, _)| *existing == key)
        {
            Some((_, own)) => Some(std::mem::replace(own, value)),
            None => {
                self.entries.push((key, value));
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let index = self
            .entries
            .iter()
            .position(|(existing, _)| existing == key)?;
        Some(self.entries.swap_remove(index).1)
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    /// The order of the entries does not matter.
    fn eq(&self, other: &Self) -> bool {
        let found = |(key, value): &(K, V)| other.get(key) == Some(value);
        self.len() == other.len() && self.entries.iter().all(found)
    }
}

impl<K: Eq, V: Eq> Eq for Map<K, V> {}

impl<K: PartialEq, V> FromIterator<(K, V)> for Map<K, V> {
    /// If two entries have the same key, the later one counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Map::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K, V> From<BTreeMap<K, V>> for Map<K, V> {
    fn from(map: BTreeMap<K, V>) -> Self {
        Map {
            entries: map.into_iter().collect(),
        }
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<K: ErlangType, V: ErlangType> ErlangType for Map<K, V> {
    fn erlang_type() -> String {
        format!("#{{{} => {}}}", K::erlang_type(), V::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<K: ToTerm, V: ToTerm> ToTerm for Map<K, V> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        entries_to_term(self.iter(), heap)
    }
}

#[diagnostic::do_not_recommend]
impl<K: FromTerm, V: FromTerm> FromTerm for Map<K, V> {
    const KIND: Shape = Shape::Union(&[Shape::EmptyMap, Shape::Some(&Shape::Maps)]);
    const SHAPE: Shape = Shape::MapsOf(&K::KIND, &V::KIND);

    fn from_term<'a, W: View<'a>>(view: W) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __check<'a, W: View<'a>>(view: W, reader: Reader<'_>) -> Result<(), Misfit> {
        check_entries::<K, V, W>(view, reader)
    }

    fn __read<'a, W: View<'a>>(view: W, reader: Reader<'_>) -> Result<Self, DecodeError> {
        // Distinct terms may be read as equal keys (two floats that round to the same `f32`). They
        // stay two entries.
        entries_from_term::<Self, K, V, W>(view, reader).map(|entries| Map { entries })
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        for (key, value) in &mut self.entries {
            key.__watch(watcher);
            value.__watch(watcher);
        }
    }
}

macro_rules! maps {
    ($($map:ident<K, V $(, $state:ident)?> where $($key:ident)*;)*) => {$(
        impl<K: ErlangType, V: ErlangType $(, $state)?> ErlangType for $map<K, V $(, $state)?> {
            fn erlang_type() -> String {
                Map::<K, V>::erlang_type()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<K: ToTerm, V: ToTerm $(, $state)?> ToTerm for $map<K, V $(, $state)?> {
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                entries_to_term(self.iter(), heap)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<K, V $(, $state)?> FromTerm for $map<K, V $(, $state)?>
        where
            K: FromTerm $(+ $key)*,
            V: FromTerm,
            $($state: BuildHasher + Default,)?
        {
            const KIND: Shape = Map::<K, V>::KIND;
            const SHAPE: Shape = Map::<K, V>::SHAPE;

            fn from_term<'a, W: View<'a>>(view: W) -> Result<Self, DecodeError> {
                Reader::start(|reader| Self::__read(view, reader))
            }

            fn __check<'a, W: View<'a>>(view: W, reader: Reader<'_>) -> Result<(), Misfit> {
                check_entries::<K, V, W>(view, reader)
            }

            fn __read<'a, W: View<'a>>(view: W, reader: Reader<'_>) -> Result<Self, DecodeError> {
                entries_from_term::<Self, K, V, W>(view, reader).map(Self::from_iter)
            }

            /// Only the values are shown: a key cannot be changed, and a caller is neither [`Ord`]
            /// nor [`Hash`].
            #[inline]
            fn __watch(&mut self, watcher: Watcher<'_>) {
                self.values_mut().for_each(|value| value.__watch(watcher));
            }
        }
    )*};
}

maps! {
    BTreeMap<K, V> where Ord;
    HashMap<K, V, S> where Eq Hash;
}

fn entries_to_term<'m, K: ToTerm + 'm, V: ToTerm + 'm, H: Heap>(
    entries: impl Iterator<Item = (&'m K, &'m V)>,
    heap: H,
) -> H::Term {
    let build = |(key, value): (&K, &V)| (key.to_term(heap), value.to_term(heap));
    deeper(|| heap.map_from(entries.map(build)))
}

fn entries_from_term<'a, T: ErlangType, K: FromTerm, V: FromTerm, W: View<'a>>(
    view: W,
    reader: Reader<'_>,
) -> Result<Vec<(K, V)>, DecodeError> {
    let Some(entries) = view.map_entries() else {
        return Err(DecodeError::expected::<T, W>(view));
    };
    let size = view.map_size().unwrap_or(0);
    reader.take_values::<(K, V)>(size)?;
    let reader = reader.inner()?;
    on_any_stack(|| values(size, entries.map(|entry| read_entry(entry, reader))))
}

fn check_entries<'a, K: FromTerm, V: FromTerm, W: View<'a>>(
    view: W,
    reader: Reader<'_>,
) -> Result<(), Misfit> {
    let Some(reader) = reader.all_parts() else {
        return Misfit::unless(view.kind() == TermKind::Map);
    };
    let mut entries = view.map_entries().ok_or(Misfit::HERE)?;
    check_on_any_stack(|| entries.try_for_each(|entry| check_entry::<K, V, W>(entry, reader)))
}

/// Reads one entry. An error includes the key.
pub(crate) fn read_entry<'a, K: FromTerm, V: FromTerm, W: View<'a>>(
    (key, value): (W, W),
    reader: Reader<'_>,
) -> Result<(K, V), DecodeError> {
    let segment = || PathSegment::Field(describe(key, 60).into());
    Ok((
        K::__read(key, reader).map_err(|error| error.at(segment()))?,
        V::__read(value, reader).map_err(|error| error.at(segment()))?,
    ))
}

pub(crate) fn check_entry<'a, K: FromTerm, V: FromTerm, W: View<'a>>(
    (key, value): (W, W),
    reader: Reader<'_>,
) -> Result<(), Misfit> {
    K::__check(key, reader).map_err(Misfit::within)?;
    V::__check(value, reader).map_err(Misfit::within)
}
