//! `maybe_improper_list(T, Tail)` and `nonempty_improper_list(T, Tail)`.

use crate::term::depth::{check_on_any_stack, deeper, on_any_stack};
use crate::term::types::NonemptyList;
use crate::term::types::list::check_all;
use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, TermKind, ToTerm, View, Watcher,
};

/// A list that ends in `[]` or in a `Tail`: `[a, b]`, `[a, b | tail]`.
///
/// `Tail` is not a list, because a list there would only continue the elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaybeImproperList<T, Tail> {
    elements: Vec<T>,
    /// `None` if there are no elements, because without elements there is no tail.
    tail: Option<Box<Tail>>,
}

/// A list that ends in a `Tail`: `[a, b | tail]`.
///
/// `Tail` is not a list, because a list there would only continue the elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonemptyImproperList<T, Tail> {
    elements: NonemptyList<T>,
    tail: Box<Tail>,
}

impl<T, Tail> MaybeImproperList<T, Tail> {
    /// Returns a list that ends in `[]`.
    pub fn proper(elements: Vec<T>) -> Self {
        MaybeImproperList {
            elements,
            tail: None,
        }
    }

    /// Returns a list that ends in `tail`.
    pub fn improper(elements: NonemptyList<T>, tail: Tail) -> Self {
        NonemptyImproperList::new(elements, tail).into()
    }

    /// Returns the elements.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    /// Returns the term after the last element. `None` if that is `[]`.
    pub fn tail(&self) -> Option<&Tail> {
        self.tail.as_deref()
    }
}

impl<T, Tail> NonemptyImproperList<T, Tail> {
    /// Returns a list that ends in `tail`.
    pub fn new(elements: NonemptyList<T>, tail: Tail) -> Self {
        NonemptyImproperList {
            elements,
            tail: Box::new(tail),
        }
    }

    /// Returns the elements.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    /// Returns the term after the last element.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }
}

impl<T, Tail> From<Vec<T>> for MaybeImproperList<T, Tail> {
    fn from(elements: Vec<T>) -> Self {
        MaybeImproperList::proper(elements)
    }
}

impl<T, Tail> From<NonemptyImproperList<T, Tail>> for MaybeImproperList<T, Tail> {
    fn from(list: NonemptyImproperList<T, Tail>) -> Self {
        MaybeImproperList {
            elements: list.elements.into_vec(),
            tail: Some(list.tail),
        }
    }
}

fn text<T: ErlangType, Tail: ErlangType>(name: &str) -> String {
    format!("{name}({}, {})", T::erlang_type(), Tail::erlang_type())
}

/// The elements and the tail, if `view` is a list.
type Parts<T, Tail> = Option<(Vec<T>, Option<Box<Tail>>)>;

fn parts<'a, T: FromTerm, Tail: FromTerm, V: View<'a>>(
    view: V,
    reader: Reader<'_>,
) -> Result<Parts<T, Tail>, DecodeError> {
    let Some((elements, tail)) = view.list_with_tail() else {
        return Ok(None);
    };
    let reader = reader.inner()?;
    on_any_stack(|| {
        let read = |(index, element)| {
            reader.take_values::<T>(1)?;
            T::__read(element, reader).map_err(|error: DecodeError| error.at_index(index))
        };
        let elements: Vec<T> = elements.enumerate().map(read).collect::<Result<_, _>>()?;
        let index = elements.len();
        let tail = tail.map(|tail| {
            let tail = Tail::__read(tail, reader).map(Box::new);
            tail.map_err(|error| error.at_index(index))
        });
        Ok(Some((elements, tail.transpose()?)))
    })
}

/// Checks the elements and the tail. Returns whether there is a tail.
fn check_parts<'a, T: FromTerm, Tail: FromTerm, V: View<'a>>(
    view: V,
    reader: Reader<'_>,
) -> Result<bool, Misfit> {
    let (elements, tail) = view.list_with_tail().ok_or(Misfit::HERE)?;
    check_on_any_stack(|| {
        check_all::<T, V>(elements, reader)?;
        match tail {
            Some(tail) => Tail::__check(tail, reader).map_err(Misfit::within),
            None => Ok(()),
        }
    })?;
    Ok(tail.is_some())
}

impl<T: ErlangType, Tail: ErlangType> ErlangType for MaybeImproperList<T, Tail> {
    fn erlang_type() -> String {
        text::<T, Tail>("maybe_improper_list")
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm, Tail: ToTerm> ToTerm for MaybeImproperList<T, Tail> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match &self.tail {
            None => self.elements.to_term(heap),
            Some(tail) => {
                let elements = self.elements.iter().map(|element| element.to_term(heap));
                deeper(|| heap.list_with_tail(elements, tail.to_term(heap)))
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm, Tail: FromTerm> FromTerm for MaybeImproperList<T, Tail> {
    const KIND: Shape = Shape::Union(&[Shape::EmptyList, Shape::Some(&Shape::NonemptyLists)]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        match parts(view, reader)? {
            Some((elements, tail)) => Ok(MaybeImproperList { elements, tail }),
            None => Err(DecodeError::expected::<Self, V>(view)),
        }
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        // A list of any terms, such as an opaque one, is recognized without examining its elements.
        let parts = match (T::KIND, Tail::KIND) {
            (Shape::Any, Shape::Any) => None,
            _ => reader.all_parts(),
        };
        match parts {
            Some(reader) => check_parts::<T, Tail, V>(view, reader).map(|_| ()),
            None => Misfit::unless(view.kind() == TermKind::List),
        }
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        self.elements.__watch(watcher);
        self.tail.iter_mut().for_each(|tail| tail.__watch(watcher));
    }
}

impl<T: ErlangType, Tail: ErlangType> ErlangType for NonemptyImproperList<T, Tail> {
    fn erlang_type() -> String {
        text::<T, Tail>("nonempty_improper_list")
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm, Tail: ToTerm> ToTerm for NonemptyImproperList<T, Tail> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let elements = self.elements.iter().map(|element| element.to_term(heap));
        deeper(|| heap.list_with_tail(elements, self.tail.to_term(heap)))
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm, Tail: FromTerm> FromTerm for NonemptyImproperList<T, Tail> {
    const KIND: Shape = Shape::Some(&Shape::NonemptyLists);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        if let Some((elements, Some(tail))) = parts(view, reader)?
            && let Ok(elements) = elements.try_into()
        {
            return Ok(NonemptyImproperList { elements, tail });
        }
        Err(DecodeError::expected::<Self, V>(view))
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        match reader.all_parts() {
            Some(reader) => Misfit::unless(check_parts::<T, Tail, V>(view, reader)?),
            None => Misfit::unless(view.kind() == TermKind::List && !view.is_empty_list()),
        }
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        self.elements.__watch(watcher);
        self.tail.__watch(watcher);
    }
}
