//! `{A, B, …}`, up to [`TUPLE_ELEMENTS`] elements; `()` is the empty tuple `{}`.

use otp_contract::limits::TUPLE_ELEMENTS;

use crate::term::{
    DecodeError, ErlangType, FromTerm, Heap, Misfit, Reader, Shape, ToTerm, View, Watcher,
};

impl ErlangType for () {
    const __IS_UNIT: bool = true;

    fn erlang_type() -> String {
        "{}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for () {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.tuple([])
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for () {
    const KIND: Shape = Shape::Tuples(0);

    #[inline]
    fn __of_ok() -> Option<Self> {
        Some(())
    }

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.tuple::<0>() {
            Some([]) => Ok(()),
            None => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}

macro_rules! tuples {
    ($(($($element:ident $index:tt),+) of $size:literal;)*) => {$(
        impl<$($element: ErlangType),+> ErlangType for ($($element,)+) {
            fn erlang_type() -> String {
                format!("{{{}}}", [$($element::erlang_type()),+].join(", "))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($element: ToTerm),+> ToTerm for ($($element,)+) {
            #[inline]
            fn to_term<H: Heap>(&self, heap: H) -> H::Term {
                heap.tuple([$(self.$index.to_term(heap)),+])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($element: FromTerm),+> FromTerm for ($($element,)+) {
            const KIND: Shape = Shape::Some(&Shape::Tuples($size));
            const SHAPE: Shape = Shape::Elements(&[$($element::KIND),+]);

            fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
                Reader::start(|reader| Self::__read(view, reader))
            }

            fn __read<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<Self, DecodeError> {
                let Some(elements) = view.tuple::<$size>() else {
                    return Err(DecodeError::expected::<Self, V>(view));
                };
                let reader = reader.inner()?;
                Ok(($(
                    $element::__read(elements[$index], reader)
                        .map_err(|error: DecodeError| error.at_element($index))?,
                )+))
            }

            fn __check<'a, V: View<'a>>(view: V, reader: Reader<'_>) -> Result<(), Misfit> {
                let elements = view.tuple::<$size>().ok_or(Misfit::HERE)?;
                if let Some(reader) = reader.parts() {
                    $($element::__check(elements[$index], reader).map_err(Misfit::within)?;)+
                }
                Ok(())
            }

            #[inline]
            fn __watch(&mut self, watcher: Watcher<'_>) {
                $(self.$index.__watch(watcher);)+
            }
        }
    )*
        const _: () = {
            let sizes = [$($size),*];
            assert!(sizes[sizes.len() - 1] == TUPLE_ELEMENTS, "as many as otp-codegen relies on");
        };
    };
}

tuples! {
    (A 0) of 1;
    (A 0, B 1) of 2;
    (A 0, B 1, C 2) of 3;
    (A 0, B 1, C 2, D 3) of 4;
    (A 0, B 1, C 2, D 3, E 4) of 5;
    (A 0, B 1, C 2, D 3, E 4, F 5) of 6;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6) of 7;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, I 7) of 8;
}
