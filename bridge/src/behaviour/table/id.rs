//! The identifier of a table.

use std::marker::PhantomData;

use super::Table;
use crate::term::Shape;
use crate::{Atom, DecodeError, ErlangType, FromTerm, Heap, Reference, Term, ToTerm, View};

/// `ets:table()`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum TableId {
    /// A named table
    #[term(untagged)]
    Name(Atom),
    /// A table without a name
    #[term(untagged)]
    Reference(Reference),
}

impl<K, V, Kind> ErlangType for Table<K, V, Kind> {
    fn erlang_type() -> String {
        "ets:table()".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<K, V, Kind> ToTerm for Table<K, V, Kind> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.id.to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<K, V, Kind> FromTerm for Table<K, V, Kind> {
    const KIND: Shape = TableId::KIND;

    fn from_term<'a, T: View<'a>>(view: T) -> Result<Self, DecodeError> {
        Ok(Table {
            id: TableId::from_term(view)?,
            types: PhantomData,
        })
    }
}
