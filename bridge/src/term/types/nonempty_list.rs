//! `[T, ...]`

use std::ops::Deref;

use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, ToTerm, View, Watcher,
};

/// A list of at least one element.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::term::NonemptyList;
///
/// let list = NonemptyList::from([1, 2]);
/// assert_eq!(list.len(), 2);
/// assert!(NonemptyList::<u8>::try_from(vec![]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonemptyList<T>(Vec<T>);

/// A list that must have an element is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoElements;

impl std::fmt::Display for NoElements {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the list has no elements, it must have at least one")
    }
}

impl std::error::Error for NoElements {}

impl<T> NonemptyList<T> {
    /// Returns a list of one element. [`NonemptyList::push`] adds others.
    pub fn new(first: T) -> Self {
        NonemptyList(vec![first])
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        self.0.push(element);
    }

    /// Returns the elements.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> Deref for NonemptyList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> TryFrom<Vec<T>> for NonemptyList<T> {
    type Error = NoElements;

    fn try_from(elements: Vec<T>) -> Result<Self, NoElements> {
        if elements.is_empty() {
            Err(NoElements)
        } else {
            Ok(NonemptyList(elements))
        }
    }
}

impl<T> From<NonemptyList<T>> for Vec<T> {
    fn from(list: NonemptyList<T>) -> Self {
        list.0
    }
}

impl<T, const N: usize> From<[T; N]> for NonemptyList<T> {
    /// An empty array does not compile.
    fn from(elements: [T; N]) -> Self {
        const { assert!(N > 0, "the list must have at least one element") };
        NonemptyList(elements.into())
    }
}

impl<T> IntoIterator for NonemptyList<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T: ErlangType> ErlangType for NonemptyList<T> {
    fn erlang_type() -> String {
        format!("[{}, ...]", T::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for NonemptyList<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.0.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm> FromTerm for NonemptyList<T> {
    const KIND: Shape = Shape::Some(&Shape::NonemptyLists);
    const SHAPE: Shape = Shape::Some(&Shape::ListsOf(&T::KIND));

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        if view.is_empty_list() || view.list().is_none() {
            return Err(DecodeError::expected::<Self, V>(view));
        }
        Vec::__read(view, reader).map(NonemptyList)
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        Misfit::unless(!view.is_empty_list())?;
        Vec::<T>::__check(view, reader)
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        self.0.__watch(watcher);
    }
}
