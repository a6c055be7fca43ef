//! Rows of a table, as terms.

use crate::term::Reader;
use crate::{DecodeError, ErlangType, FromTerm, Heap, ToTerm, View};

/// A value whose parts are columns of the table: the row of a `Columns<(u64, String)>` is `{Key,
/// Number, Text}`. A number among them can be [counted](super::Table::add_to).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Columns<T>(pub T);

/// The type of a table's values: any term, or [`Columns`].
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be the value of a table",
    label = "add `#[derive(Term)]` to the type, if it is yours",
    note = "a value is any term, or `Columns<(…)>` of two to six terms"
)]
pub trait TableValue: Sized {
    /// The number of columns beside the key.
    #[doc(hidden)]
    const COLUMNS: usize;

    /// The Erlang type of a row.
    #[doc(hidden)]
    fn row_type(key: &str) -> String;

    /// Builds the row.
    #[doc(hidden)]
    fn row<H: Heap>(&self, key: H::Term, heap: H) -> H::Term;

    /// Reads the value of a row. Returns the unread key and the value.
    ///
    /// # Errors
    /// The row is another term.
    #[doc(hidden)]
    fn read<'a, V: View<'a>>(row: V, reader: Reader<'_>) -> Result<(V, Self), DecodeError>;
}

#[diagnostic::do_not_recommend]
impl<T: ToTerm + FromTerm> TableValue for T {
    const COLUMNS: usize = 1;

    fn row_type(key: &str) -> String {
        format!("{{{key}, {}}}", T::erlang_type())
    }

    fn row<H: Heap>(&self, key: H::Term, heap: H) -> H::Term {
        heap.tuple([key, self.to_term(heap)])
    }

    fn read<'a, V: View<'a>>(row: V, reader: Reader<'_>) -> Result<(V, Self), DecodeError> {
        let Some([key, value]) = row.tuple::<2>() else {
            return Err(DecodeError::expected_text(Self::row_type("term()"), row));
        };
        Ok((key, column(1, value, reader)?))
    }
}

fn column<'a, T: FromTerm, V: View<'a>>(
    index: usize,
    value: V,
    reader: Reader<'_>,
) -> Result<T, DecodeError> {
    let read = T::__read(value, reader.inner()?);
    read.map_err(|error| error.at_element(index))
}

macro_rules! columns {
    ($($count:literal $size:literal: $($name:ident $variable:ident $index:literal)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($name: ToTerm + FromTerm),+> TableValue for Columns<($($name,)+)> {
            const COLUMNS: usize = $count;

            fn row_type(key: &str) -> String {
                let columns = [$($name::erlang_type()),+].join(", ");
                format!("{{{key}, {columns}}}")
            }

            fn row<H: Heap>(&self, key: H::Term, heap: H) -> H::Term {
                let Columns(($($variable,)+)) = self;
                heap.tuple([key, $($variable.to_term(heap)),+])
            }

            fn read<'a, V: View<'a>>(row: V, reader: Reader<'_>) -> Result<(V, Self), DecodeError> {
                let Some([key, $($variable),+]) = row.tuple::<$size>() else {
                    return Err(DecodeError::expected_text(Self::row_type("term()"), row));
                };
                Ok((key, Columns(($(column($index, $variable, reader)?,)+))))
            }
        }
    )+};
}

columns! {
    2 3: A a 1 B b 2;
    3 4: A a 1 B b 2 C c 3;
    4 5: A a 1 B b 2 C c 3 D d 4;
    5 6: A a 1 B b 2 C c 3 D d 4 E e 5;
    6 7: A a 1 B b 2 C c 3 D d 4 E e 5 F f 6;
}

/// A row that is inserted.
#[derive(Debug)]
pub struct Row<'a, Q: ?Sized, T>(pub(super) &'a Q, pub(super) &'a T);

impl<Q: ErlangType + ?Sized, T: TableValue> ErlangType for Row<'_, Q, T> {
    fn erlang_type() -> String {
        T::row_type(&Q::erlang_type())
    }
}

#[diagnostic::do_not_recommend]
impl<Q: ToTerm + ?Sized, T: TableValue> ToTerm for Row<'_, Q, T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.1.row(self.0.to_term(heap), heap)
    }
}
