//! Measures how much work a term is, before it is built.

use std::cell::Cell;

use super::{AnyResource, Heap, Saved, StaticAtom};
use crate::term::types::{Atom, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// The number of bytes that can be copied in the time of building a part of a term.
const BYTES: usize = 64;

/// Returns whether a term that is written has more than `limit` parts. It examines only a few more.
#[inline]
pub(crate) fn is_longer_than(limit: usize, write: impl FnOnce(Scale<'_>)) -> bool {
    let left = Cell::new(Some(limit));
    write(Scale(&left));
    left.get().is_none()
}

/// A heap that builds no terms and only counts their parts. `None` if there are too many.
#[derive(Clone, Copy)]
pub(crate) struct Scale<'s>(&'s Cell<Option<usize>>);

impl Scale<'_> {
    #[inline]
    fn add(self, parts: usize) {
        self.0
            .set(self.0.get().and_then(|left| left.checked_sub(parts)));
    }

    /// Counts elements until there are too many.
    #[inline]
    fn all(self, mut elements: impl Iterator) {
        while self.0.get().is_some() && elements.next().is_some() {
            self.add(1);
        }
    }
}

impl Heap for Scale<'_> {
    type Term = ();

    #[inline]
    fn atom(self, _: &'static StaticAtom) {}

    #[inline]
    fn dynamic_atom(self, _: &Atom) {}

    #[inline]
    fn integer(self, _: i64) {}

    #[inline]
    fn unsigned(self, _: u64) {}

    fn big_integer(self, _: &Integer) {
        self.add(1);
    }

    #[inline]
    fn float(self, _: Float) {}

    #[inline]
    fn binary(self, bytes: &[u8]) {
        self.add(bytes.len() / BYTES);
    }

    /// The bytes are not copied.
    fn shared_binary(self, _: &bytes::Bytes) {}

    fn bitstring(self, bits: &Bitstring) {
        self.add(bits.bit_count() / (8 * BYTES));
    }

    #[inline]
    fn tuple<const N: usize>(self, _: [(); N]) {
        self.add(N);
    }

    fn tuple_from(self, elements: Vec<()>) {
        self.add(elements.len());
    }

    #[inline]
    fn list<I>(self, elements: I)
    where
        I: IntoIterator<Item = (), IntoIter: DoubleEndedIterator>,
    {
        self.all(elements.into_iter());
    }

    fn list_with_tail<I>(self, elements: I, (): ())
    where
        I: IntoIterator<Item = (), IntoIter: DoubleEndedIterator>,
    {
        self.all(elements.into_iter());
    }

    #[inline]
    fn map<const N: usize>(self, entries: [Option<((), ())>; N]) {
        self.add(2 * entries.iter().flatten().count());
    }

    fn map_from<I: IntoIterator<Item = ((), ())>>(self, entries: I) {
        self.all(entries.into_iter());
    }

    fn pid(self, _: &Pid) {}

    fn port(self, _: &Port) {}

    fn reference(self, _: &Reference) {}

    fn resource(self, _: &AnyResource) {}

    fn fun(self, _: &Fun) {}

    fn saved(self, _: &Saved) {}
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::is_longer_than;
    use crate::{Term, ToTerm};

    /// A value that counts how often it is written to a heap.
    struct Counted<'c>(&'c std::cell::Cell<usize>);

    impl crate::ErlangType for Counted<'_> {
        fn erlang_type() -> String {
            "counted".to_owned()
        }
    }

    impl ToTerm for Counted<'_> {
        fn to_term<H: crate::Heap>(&self, heap: H) -> H::Term {
            self.0.set(self.0.get() + 1);
            heap.unsigned(0)
        }
    }

    fn is_longer(value: &impl ToTerm, limit: usize) -> bool {
        is_longer_than(limit, |scale| value.to_term(scale))
    }

    #[test]
    fn parts_are_elements_keys_values_and_bytes() {
        let map: BTreeMap<u8, u8> = (0..10).map(|key| (key, key)).collect();
        assert!(is_longer(&map, 9) && !is_longer(&map, 10));
        let lists = vec![vec![1_u64; 10]; 3];
        assert!(is_longer(&lists, 32) && !is_longer(&lists, 33));
        let tuple = (1, 2.0, (true, "text"));
        assert!(is_longer(&tuple, 4) && !is_longer(&tuple, 5));
        assert!(is_longer(&"x".repeat(6400), 99) && !is_longer(&"x".repeat(6400), 100));
        let dynamic = Term::of(&lists);
        assert!(is_longer(&dynamic, 32) && !is_longer(&dynamic, 33));
    }

    /// A map from which most keys are absent.
    #[derive(crate::Term)]
    struct Optional {
        key: u8,
        #[term(optional)]
        first: Option<u8>,
        #[term(optional)]
        second: Option<u8>,
    }

    #[test]
    fn absent_keys_are_not_counted() {
        let none = Optional {
            key: 1,
            first: None,
            second: None,
        };
        assert!(is_longer(&none, 1) && !is_longer(&none, 2));
    }

    #[test]
    fn not_much_more_than_the_limit_is_looked_at() {
        let counter = std::cell::Cell::new(0);
        let lists: Vec<Vec<Counted<'_>>> = (0..1000)
            .map(|_| (0..1000).map(|_| Counted(&counter)).collect())
            .collect();
        assert!(is_longer(&lists, 5000));
        assert!(counter.get() <= 5001, "{}", counter.get());
    }
}
