//! `{ok, T} | {error, E}`, and `ok | {error, E}` if there is no `T`.

use std::marker::PhantomData;

use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, StaticAtom, ToTerm, View,
    Watcher,
};

static OK: StaticAtom = StaticAtom::new("ok");
static ERROR: StaticAtom = StaticAtom::new("error");

/// The result of OTP's functions: `Ok(value)` is `{ok, Value}`, `Err(error)` is `{error, Error}`,
/// and `Ok(())` is `ok`.
impl<T: ErlangType, E: ErlangType> ErlangType for Result<T, E> {
    fn erlang_type() -> String {
        let error = E::erlang_type();
        if T::__IS_UNIT {
            return format!("ok | {{error, {error}}}");
        }
        format!("{{ok, {}}} | {{error, {error}}}", T::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm, E: ToTerm> ToTerm for Result<T, E> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Ok(_) if T::__IS_UNIT => heap.atom(&OK),
            Ok(value) => heap.tuple([heap.atom(&OK), value.to_term(heap)]),
            Err(error) => heap.tuple([heap.atom(&ERROR), error.to_term(heap)]),
        }
    }
}

/// The shapes of a result with a value, and of one without.
struct Shapes<T, E>(PhantomData<(T, E)>);

impl<T: FromTerm, E: FromTerm> Shapes<T, E> {
    const WITH_VALUE: Shape = Shape::Union(&[
        Shape::Elements(&[Shape::Atom("ok"), T::KIND]),
        Shape::Elements(&[Shape::Atom("error"), E::KIND]),
    ]);
    const WITHOUT: Shape = Shape::Union(&[
        Shape::Atom("ok"),
        Shape::Elements(&[Shape::Atom("error"), E::KIND]),
    ]);
    const KIND_WITHOUT: Shape = Shape::Union(&[Shape::Atom("ok"), Shape::Some(&Shape::Tuples(2))]);
}

#[diagnostic::do_not_recommend]
impl<T: FromTerm, E: FromTerm> FromTerm for Result<T, E> {
    const KIND: Shape = if T::__IS_UNIT {
        Shapes::<T, E>::KIND_WITHOUT
    } else {
        Shape::Some(&Shape::Tuples(2))
    };
    const SHAPE: Shape = if T::__IS_UNIT {
        Shapes::<T, E>::WITHOUT
    } else {
        Shapes::<T, E>::WITH_VALUE
    };

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        Reader::start(|reader| Self::__read(view, reader))
    }

    fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
        let at_content = |error: DecodeError| error.at_element(1);
        if T::__IS_UNIT
            && view.is_atom(&OK)
            && let Some(unit) = T::__of_ok()
        {
            return Ok(Ok(unit));
        }
        match view.tuple::<2>() {
            Some([tag, value]) if tag.is_atom(&OK) && !T::__IS_UNIT => {
                let value = T::__read(value, reader.inner()?);
                value.map(Ok).map_err(at_content)
            }
            Some([tag, error]) if tag.is_atom(&ERROR) => {
                let error = E::__read(error, reader.inner()?);
                error.map(Err).map_err(at_content)
            }
            _ => Err(DecodeError::expected::<Self, V>(view)),
        }
    }

    fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
        if T::__IS_UNIT && view.is_atom(&OK) {
            return Ok(());
        }
        let [tag, content] = view.tuple::<2>().ok_or(Misfit::HERE)?;
        let is_ok = tag.is_atom(&OK) && !T::__IS_UNIT;
        let is_error = tag.is_atom(&ERROR);
        Misfit::unless(is_ok || is_error)?;
        let Some(reader) = reader.parts() else {
            return Ok(());
        };
        let checked = if is_ok {
            T::__check(content, reader)
        } else {
            E::__check(content, reader)
        };
        checked.map_err(Misfit::within)
    }

    #[inline]
    fn __watch(&mut self, watcher: Watcher<'_>) {
        match self {
            Ok(value) => value.__watch(watcher),
            Err(error) => error.__watch(watcher),
        }
    }
}
