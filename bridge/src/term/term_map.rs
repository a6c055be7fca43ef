//! Maps of owned terms

use super::depth::deeper;
use super::owned::drop_parts;
use super::{Term, order};

/// The entries of an owned map. They have the order in which Erlang stores the keys of a small map:
/// integers before floats, otherwise the order of terms.
#[derive(Default)]
pub struct TermMap {
    /// Sorted by [`order::exact`], without equal keys.
    entries: Vec<(Term, Term)>,
}

impl TermMap {
    /// Returns the empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &Term) -> Option<&Term> {
        self.find(|probe| order::exact(probe, key))
            .ok()
            .map(|index| &self.entries[index].1)
    }

    /// Sets the value of a key and returns the previous one.
    pub fn insert(&mut self, key: Term, value: Term) -> Option<Term> {
        match self.find(|probe| order::exact(probe, &key)) {
            Ok(index) => Some(std::mem::replace(&mut self.entries[index].1, value)),
            Err(index) => {
                self.entries.insert(index, (key, value));
                None
            }
        }
    }

    /// Returns the entries in the order of their keys.
    pub fn iter(&self) -> std::slice::Iter<'_, (Term, Term)> {
        self.entries.iter()
    }

    /// Searches the entries. `compare` compares a key with the one that is searched.
    pub(crate) fn find(
        &self,
        compare: impl Fn(&Term) -> std::cmp::Ordering,
    ) -> Result<usize, usize> {
        self.entries.binary_search_by(|(key, _)| compare(key))
    }

    /// Returns the entry at an index that [`TermMap::find`] returned.
    pub(crate) fn entry(&self, index: usize) -> &(Term, Term) {
        &self.entries[index]
    }
}

impl FromIterator<(Term, Term)> for TermMap {
    /// If two entries have the same key, the later one counts.
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(entries: I) -> Self {
        let mut entries: Vec<(Term, Term)> = entries.into_iter().collect();
        // After reversing and a stable sort, the later of two equal keys comes first, and `dedup`
        // keeps the first.
        entries.reverse();
        entries.sort_by(|left, right| order::exact(&left.0, &right.0));
        entries.dedup_by(|left, right| order::exact(&left.0, &right.0).is_eq());
        TermMap { entries }
    }
}

impl IntoIterator for TermMap {
    type Item = (Term, Term);
    type IntoIter = std::vec::IntoIter<(Term, Term)>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut self.entries).into_iter()
    }
}

impl Clone for TermMap {
    fn clone(&self) -> Self {
        deeper(|| TermMap {
            entries: self.entries.clone(),
        })
    }
}

impl Drop for TermMap {
    fn drop(&mut self) {
        let entries = std::mem::take(&mut self.entries).into_iter();
        drop_parts(entries.flat_map(|(key, value)| [key, value]).collect());
    }
}

impl<'a> IntoIterator for &'a TermMap {
    type Item = &'a (Term, Term);
    type IntoIter = std::slice::Iter<'a, (Term, Term)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
