//! `undefined | T`

use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, StaticAtom, ToTerm, View,
    Watcher,
};

pub(in crate::term) static UNDEFINED: StaticAtom = StaticAtom::new("undefined");

/// `None` is the atom `undefined`, as in OTP's own types. `Some` is its content.
///
/// So if the content itself may be `undefined` (`Option<Option<T>>`, `Option<Atom>`), it is read as
/// `None`. In a field with `#[term(optional)]` the derive leaves out the key instead.
impl<T: ErlangType> ErlangType for Option<T> {
    fn erlang_type() -> String {
        format!("undefined | {}", T::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm> ToTerm for Option<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Some(content) => content.to_term(heap),
            None => heap.atom(&UNDEFINED),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm> FromTerm for Option<T> {
    const KIND: Shape = Shape::Union(&[Shape::Atom("undefined"), T::KIND]);
    const SHAPE: Shape = Shape::Union(&[Shape::Atom("undefined"), T::SHAPE]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        if view.is_atom(&UNDEFINED) {
            return Ok(None);
        }
        let content = T::__read(view, reader).map(Some);
        content.map_err(|error| error.or_expected::<Self, V>(view))
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        if view.is_atom(&UNDEFINED) {
            Ok(())
        } else {
            T::__check(view, reader)
        }
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        if let Some(content) = self {
            content.__watch(watcher);
        }
    }
}
