//! Reads rows of a table.

use std::marker::PhantomData;

use super::row::TableValue;
use crate::process::functions::FunctionResult;
use crate::term::Reader;
use crate::{DecodeError, FromTerm, Term, View};

/// `[]`, or a row whose key is known.
#[derive(Debug)]
pub struct OneRow<T>(PhantomData<fn() -> T>);

impl<T: TableValue> FunctionResult for OneRow<T> {
    type Output = Option<T>;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Option<T>, DecodeError> {
        let not = || DecodeError::expected_text(format!("[{}]", T::row_type("term()")), value);
        let mut rows = value.list().ok_or_else(not)?;
        match (rows.next(), rows.next()) {
            (None, _) => Ok(None),
            (Some(row), None) => Ok(Some(T::read(row, reader.inner()?)?.1)),
            (Some(_), Some(_)) => Err(not()),
        }
    }
}

/// `{Rows, Left}`, where `Left` is what to read after them.
#[derive(Debug)]
pub(super) struct PageOf<K, T>(PhantomData<fn() -> (K, T)>);

/// A row, or why it does not fit.
pub(super) type ReadRow<K, T> = Result<(K, T), DecodeError>;

impl<K: FromTerm, T: TableValue> FunctionResult for PageOf<K, T> {
    type Output = (Vec<ReadRow<K, T>>, Option<Term>);

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, DecodeError> {
        let not = || DecodeError::expected_text("{[tuple()], term()}".to_owned(), value);
        let [rows, left] = value.tuple::<2>().ok_or_else(not)?;
        let mut page = Vec::new();
        for row in rows.list().ok_or_else(not)? {
            match keyed(row, reader.inner()?) {
                Err(error) if error.gives_way() => return Err(error),
                read => page.push(read),
            }
        }
        let left = left.to_owned()?;
        let is_last = matches!(&left, Term::Atom(word) if word.text() == "none");
        Ok((page, (!is_last).then_some(left)))
    }
}

fn keyed<'a, K: FromTerm, T: TableValue, V: View<'a>>(row: V, reader: Reader<'_>) -> ReadRow<K, T> {
    let (key, value) = T::read(row, reader)?;
    let key = K::__read(key, reader.inner()?).map_err(|error| error.at_element(0))?;
    Ok((key, value))
}
