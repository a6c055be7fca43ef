//! `nil | T`

use std::ops::{Deref, DerefMut};

use super::Binary;
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, StaticAtom, ToTerm, View,
    Watcher,
};

static NIL: StaticAtom = StaticAtom::new("nil");

/// An `Option` whose `None` is the atom `nil`, as Elixir has it: `String.t() | nil`.
///
/// It derefs to the `Option` in it. So if the content itself may be `nil`, it is read as `None`.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::{Binary, OrNil};
/// use otp_bridge::Term;
///
/// let host: OrNil<Binary> = "example.org".into();
/// assert!(host.is_some());
/// assert_eq!(Term::of(&OrNil::<Binary>(None)).to_string(), "nil");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrNil<T>(
    /// The content.
    pub Option<T>,
);

impl<T> Default for OrNil<T> {
    fn default() -> Self {
        OrNil(None)
    }
}

impl<T> Deref for OrNil<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T> DerefMut for OrNil<T> {
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.0
    }
}

impl<T> From<T> for OrNil<T> {
    fn from(content: T) -> Self {
        OrNil(Some(content))
    }
}

impl<T> From<Option<T>> for OrNil<T> {
    fn from(content: Option<T>) -> Self {
        OrNil(content)
    }
}

impl<T> From<OrNil<T>> for Option<T> {
    fn from(content: OrNil<T>) -> Self {
        content.0
    }
}

impl From<&str> for OrNil<Binary> {
    fn from(text: &str) -> Self {
        OrNil(Some(text.into()))
    }
}

impl From<String> for OrNil<Binary> {
    fn from(text: String) -> Self {
        OrNil(Some(text.into()))
    }
}

impl<T: PartialEq> PartialEq<Option<T>> for OrNil<T> {
    fn eq(&self, other: &Option<T>) -> bool {
        self.0 == *other
    }
}

impl<T: ErlangType> ErlangType for OrNil<T> {
    fn erlang_type() -> String {
        format!("nil | {}", T::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for OrNil<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match &self.0 {
            Some(content) => content.to_term(heap),
            None => heap.atom(&NIL),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm> FromTerm for OrNil<T> {
    const KIND: Shape = Shape::Union(&[Shape::Atom("nil"), T::KIND]);
    const SHAPE: Shape = Shape::Union(&[Shape::Atom("nil"), T::SHAPE]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        if view.is_atom(&NIL) {
            return Ok(OrNil(None));
        }
        let content = T::__read(view, reader).map(|content| OrNil(Some(content)));
        content.map_err(|error| error.or_expected::<Self, V>(view))
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        if view.is_atom(&NIL) {
            Ok(())
        } else {
            T::__check(view, reader)
        }
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        self.0.__watch(watcher);
    }
}
