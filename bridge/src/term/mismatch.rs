//! The error of a term that is not of a type: what it says of both, and the error as a term

use super::display::describe;
use super::{DecodeError, ErlangType, Heap, StaticAtom, ToTerm, View};

/// The most characters that are shown of the offending term.
const GOT_LIMIT: usize = 200;

impl DecodeError {
    /// The same, or, if it is about the whole term, that `got` is not of type `T`: the term is not
    /// one of those that it allows.
    pub(super) fn or_expected<'a, T: ErlangType + ?Sized, V: View<'a>>(self, got: V) -> Self {
        if self.is_of_the_whole() {
            Self::expected::<T, V>(got)
        } else {
            self
        }
    }

    /// The term `got` is not of type `T`.
    #[cold]
    pub fn expected<'a, T: ErlangType + ?Sized, V: View<'a>>(got: V) -> Self {
        if let Some(error) = Self::without_text() {
            return error;
        }
        Self::expected_text(T::erlang_type(), got)
    }

    /// The term `got` is not of the type whose Erlang text is `expected`.
    #[cold]
    pub fn expected_text<'a, V: View<'a>>(expected: impl Into<String>, got: V) -> Self {
        if let Some(error) = Self::without_text() {
            return error;
        }
        Self::new(expected, describe(got, GOT_LIMIT))
    }

    /// The map `got` does not have the key of a value of type `T`.
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
