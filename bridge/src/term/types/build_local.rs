//! `undefined`, as the term of values that stay with their build.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::UNDEFINED;
use crate::term::{DecodeError, ErlangType, FromTerm, Heap, Shape, ToTerm, View};

/// A Rust value that is not part of a term: a field of a state for values that another build of the
/// application cannot take over, such as threads or cached results. Its term is `undefined`, and
/// reading a term gives an empty value.
///
/// So an upgrade drops the value. If the value has threads, end them before:
/// [`Upgrade`](crate::messages::Upgrade).
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Term;
/// use otp_bridge::term::BuildLocal;
///
/// /// A sum that is kept until the next upgrade.
/// #[derive(Debug, Term)]
/// struct Numbers {
///     all: Vec<u64>,
///     sum: BuildLocal<u64>,
/// }
///
/// let numbers = Numbers { all: vec![1, 2], sum: BuildLocal::new(3) };
/// assert_eq!(*numbers.sum, Some(3));
/// let term = Term::of(&numbers);
/// assert_eq!(term.to_string(), "#{all => [1,2],sum => undefined}");
/// assert_eq!(*term.decode::<Numbers>().unwrap().sum, None);
/// ```
pub struct BuildLocal<T>(Option<T>);

impl<T> BuildLocal<T> {
    /// Creates a field with a value.
    #[must_use]
    pub const fn new(value: T) -> Self {
        BuildLocal(Some(value))
    }

    /// Creates a field without a value.
    #[must_use]
    pub const fn empty() -> Self {
        BuildLocal(None)
    }
}

impl<T> Default for BuildLocal<T> {
    fn default() -> Self {
        BuildLocal::empty()
    }
}

impl<T> Deref for BuildLocal<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T> DerefMut for BuildLocal<T> {
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for BuildLocal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> ErlangType for BuildLocal<T> {
    fn erlang_type() -> String {
        "undefined".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T> ToTerm for BuildLocal<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.atom(&UNDEFINED)
    }
}

#[diagnostic::do_not_recommend]
impl<T> FromTerm for BuildLocal<T> {
    const KIND: Shape = Shape::Atom("undefined");

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        if view.is_atom(&UNDEFINED) {
            Ok(BuildLocal::empty())
        } else {
            Err(DecodeError::expected::<Self, V>(view))
        }
    }
}
