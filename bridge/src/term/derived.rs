//! What the code of `derive(Term)` calls

use super::{DecodeError, FromTerm, StaticAtom, View};

/// The element of a tuple, at the position counted from 0.
#[inline]
pub fn read_element<'a, T: FromTerm, V: View<'a>>(
    element: V,
    position: usize,
) -> Result<T, DecodeError> {
    T::from_term(element).map_err(|error| error.at_element(position))
}

/// The value of a key that a map must have.
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

/// The value of a key that a map may have.
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

/// Why none of a union's members could be read: of the attempts, the one that got furthest into the term tells most.
#[derive(Debug, Default)]
pub struct Attempts {
    best: Option<DecodeError>,
}

impl Attempts {
    /// One more attempt that failed.
    #[cold]
    pub fn failed(&mut self, error: DecodeError) {
        let depth = error.path().len();
        let best = self.best.as_ref().map_or(0, |best| best.path().len());
        if depth > best {
            self.best = Some(error);
        }
    }

    /// The error of the whole: `expected`'s, unless an attempt got into the term.
    #[cold]
    pub fn error(self, expected: impl FnOnce() -> DecodeError) -> DecodeError {
        self.best.unwrap_or_else(expected)
    }
}
