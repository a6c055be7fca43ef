//! Tables whose rows are in the order of their keys.

use std::borrow::Borrow;
use std::ops::{Bound, RangeBounds};

use super::{OrderedSet, Rows, Table, TableValue};
use crate::runtime::{Cx, Result};
use crate::{Atom, FromTerm, Term, ToTerm, atom};

impl<K, V> Table<K, V, OrderedSet> {
    /// The rows whose keys are in a range, the lowest first: `range(cx, 10..20)`, `range(cx,
    /// 10..)`, `range(cx, ..)`. `ets` does not scan the others.
    ///
    /// The error is `{not_ordered, Table}` if the table was created as another kind.
    #[track_caller]
    pub fn range<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        range: impl RangeBounds<Q>,
    ) -> Rows<'a, K, V>
    where
        K: Borrow<Q>,
    {
        let (from, to) = (bound(range.start_bound()), bound(range.end_bound()));
        self.walk(cx, atom!("next"), from, to)
    }

    /// As [`Table::range`](Table#method.range), the highest first.
    #[track_caller]
    pub fn range_back<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        range: impl RangeBounds<Q>,
    ) -> Rows<'a, K, V>
    where
        K: Borrow<Q>,
    {
        let (from, to) = (bound(range.end_bound()), bound(range.start_bound()));
        self.walk(cx, atom!("prev"), from, to)
    }

    #[track_caller]
    fn walk<'a>(&'a self, cx: &'a Cx<'a>, step: Atom, from: Term, to: Term) -> Rows<'a, K, V> {
        Rows::new(cx, &self.id, Term::of(&(step, from, to)), false)
    }

    /// The row with the lowest key.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    pub async fn first(&self, cx: &Cx<'_>) -> Result<Option<(K, V)>>
    where
        K: FromTerm,
        V: TableValue,
    {
        let all = || Term::of(&atom!("unbounded"));
        self.walk(cx, atom!("next"), all(), all()).only().await
    }

    /// The row with the highest key.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    pub async fn last(&self, cx: &Cx<'_>) -> Result<Option<(K, V)>>
    where
        K: FromTerm,
        V: TableValue,
    {
        let all = || Term::of(&atom!("unbounded"));
        self.walk(cx, atom!("prev"), all(), all()).only().await
    }
}

fn bound<Q: ToTerm + ?Sized>(bound: Bound<&Q>) -> Term {
    match bound {
        Bound::Included(key) => Term::of(&(atom!("included"), key)),
        Bound::Excluded(key) => Term::of(&(atom!("excluded"), key)),
        Bound::Unbounded => Term::of(&atom!("unbounded")),
    }
}
