//! Creates the error of a term that is not of a type, and converts the error into a term.

use super::display::describe;
use super::{DecodeError, ErlangType, Heap, StaticAtom, ToTerm, View};

/// The largest number of characters of the offending term that are shown.
const GOT_LIMIT: usize = 200;

/// A bound that a Rust type has and its Erlang type does not.
pub(crate) struct Bound {
    /// The terms that the Rust type holds: `of at most 64 bits`.
    pub(crate) holds: &'static str,
    /// The Rust type that holds the other terms.
    pub(crate) instead: &'static str,
}

impl Bound {
    pub(crate) const BITS_64: Bound = Bound::new("of at most 64 bits", "Integer");
    pub(crate) const BITS_128: Bound = Bound::new("of at most 128 bits", "Integer");
    pub(crate) const UTF_8: Bound = Bound::new("of UTF-8", "Binary");
    pub(crate) const UNICODE: Bound = Bound::new("without surrogates", "Vec<Char>");
    pub(crate) const RUST_CHAR: Bound = Bound::new("that is not a surrogate", "Char");
    pub(crate) const SINGLE: Bound = Bound::new("in the range of `f32`", "f64");

    const fn new(holds: &'static str, instead: &'static str) -> Self {
        Bound { holds, instead }
    }

    /// Returns the expected type, with the remedy.
    pub(crate) fn text<T: ErlangType + ?Sized>(&self) -> String {
        let Bound { holds, instead } = self;
        let erlang = T::erlang_type();
        format!("{erlang} {holds} (use `{instead}` for others)")
    }
}

impl DecodeError {
    /// Replaces an error about the whole term by one that says that `got` is not of type `T`,
    /// because the term is not one of those that `T` allows.
    pub(super) fn or_expected<'a, T: ErlangType + ?Sized, V: View<'a>>(self, got: V) -> Self {
        if self.is_of_the_whole() {
            Self::expected::<T, V>(got)
        } else {
            self
        }
    }

    /// Returns the error for a term `got` that is not of type `T`.
    #[cold]
    pub fn expected<'a, T: ErlangType + ?Sized, V: View<'a>>(got: V) -> Self {
        if let Some(error) = Self::without_text() {
            return error;
        }
        Self::expected_text(T::erlang_type(), got)
    }

    /// Returns the error for a term `got` that is not of the type with the Erlang text `expected`.
    #[cold]
    pub fn expected_text<'a, V: View<'a>>(expected: impl Into<String>, got: V) -> Self {
        if let Some(error) = Self::without_text() {
            return error;
        }
        Self::new(expected, describe(got, GOT_LIMIT))
    }

    /// Returns the error for a term `got` that may be of type `T`, although the Rust type holds
    /// only the terms that `bound` describes.
    #[cold]
    pub(crate) fn beyond_bound<'a, T: ErlangType + ?Sized, V: View<'a>>(
        bound: &Bound,
        got: V,
    ) -> Self {
        if let Some(error) = Self::without_text() {
            return error;
        }
        Self::expected_text(bound.text::<T>(), got).at_bound()
    }

    /// Returns the error for a map `got` without the key of a value of type `T`.
    #[cold]
    pub fn missing_key<'a, T: ErlangType, V: View<'a>>(key: &'static str, got: V) -> Self {
        if let Some(error) = Self::without_text() {
            return error;
        }
        let got = format!("no such key in {}", describe(got, GOT_LIMIT));
        Self::new(T::erlang_type(), got).at_field(key)
    }
}

impl ErlangType for DecodeError {
    fn erlang_type() -> String {
        "#{path := binary(), expected := binary(), got := binary(), builds => binary()}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for DecodeError {
    const __IS_BAD_TERM: bool = true;

    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        static PATH: StaticAtom = StaticAtom::new("path");
        static EXPECTED: StaticAtom = StaticAtom::new("expected");
        static GOT: StaticAtom = StaticAtom::new("got");
        static BUILDS: StaticAtom = StaticAtom::new("builds");
        heap.map([
            Some((heap.atom(&PATH), heap.binary(self.path_text().as_bytes()))),
            Some((
                heap.atom(&EXPECTED),
                heap.binary(self.expected_type().as_bytes()),
            )),
            Some((heap.atom(&GOT), heap.binary(self.got().as_bytes()))),
            self.builds()
                .map(|builds| (heap.atom(&BUILDS), heap.binary(builds.as_bytes()))),
        ])
    }
}
