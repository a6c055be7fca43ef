//! Many rows of a table.

use std::fmt;
use std::panic::Location;
use std::vec;

use otp_contract::modules::TABLE;

use super::id::TableId;
use super::result::{PageOf, ReadRow};
use super::{Any, Table, TableCall, TablePattern, TableValue, ValuePattern, in_table};
use crate::process::functions::{Anything, Function};
use crate::process::{AtOnce, at_once};
use crate::runtime::{Await, Cx, Result};
use crate::term::OwnedHeap;
use crate::{Exit, FromTerm, Term, atom};

/// The number of rows that a call reads.
const PAGE: usize = 100;

impl<K, V, Kind> Table<K, V, Kind> {
    /// All rows: of an [`OrderedSet`](super::OrderedSet) in their order, otherwise in none.
    #[track_caller]
    pub fn rows<'a>(&'a self, cx: &'a Cx<'a>) -> Rows<'a, K, V>
    where
        K: FromTerm,
        V: TableValue,
        Any: ValuePattern<V>,
    {
        self.matching(cx, Any, Any)
    }

    /// The rows whose key and value match [patterns](TablePattern). If the key is a tuple, the
    /// table is ordered, and the pattern has values for the first elements, `ets` finds the rows
    /// without scanning the others.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::{Cx, Result, Table, atom};
    /// use otp_bridge::table::{Any, OrderedSet};
    ///
    /// /// What each customer has in the basket: how many of each article.
    /// static BASKET: Table<(u64, u64), u64, OrderedSet> = Table::new(atom!("basket"));
    ///
    /// async fn articles(customer: u64, cx: &Cx<'_>) -> Result<u64> {
    ///     let rows = BASKET.matching(cx, (&customer, Any), Any);
    ///     rows.fold(0, |sum, _, count| sum + count).await
    /// }
    /// ```
    #[track_caller]
    pub fn matching<'a>(
        &'a self,
        cx: &'a Cx<'a>,
        key: impl TablePattern<K>,
        value: impl ValuePattern<V>,
    ) -> Rows<'a, K, V> {
        let source = (atom!("matching"), patterns(&key, &value));
        Rows::new(cx, &self.id, Term::of(&source), true)
    }

    /// Removes the rows whose key and value match patterns, and returns how many there were.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn delete_matching<'a>(
        &'a self,
        cx: &'a Cx<'a>,
        key: impl TablePattern<K>,
        value: impl ValuePattern<V>,
    ) -> TableCall<'a, u64, (&'a TableId, Vec<Term>)> {
        in_table!(cx, "delete_matching", (&self.id, patterns(&key, &value)))
    }
}

fn patterns<K, V>(key: &impl TablePattern<K>, value: &impl ValuePattern<V>) -> Vec<Term> {
    let mut patterns = vec![key.pattern(OwnedHeap)];
    patterns.extend(value.columns(OwnedHeap));
    patterns
}

/// Rows of a table, which are read a hundred at a time: [`Table::rows`], [`Table::matching`],
/// [`Table::range`](Table#method.range).
///
/// ```
/// # use otp_bridge_novm as _;
/// # use otp_bridge::{Cx, Result, Table, atom};
/// static EXPIRES: Table<String, u64> = Table::new(atom!("expires"));
///
/// async fn expire(now: u64, cx: &Cx<'_>) -> Result<()> {
///     let mut rows = EXPIRES.rows(cx);
///     while let Some((session, at)) = rows.next().await? {
///         if at < now {
///             EXPIRES.delete(cx, &session).await?;
///         }
///     }
///     Ok(())
/// }
/// ```
///
/// It is not a snapshot. A row that stays in the table is read once, also if this process or others
/// insert and delete rows. A row that is inserted or deleted during the traversal may be read or
/// not.
#[must_use = "rows are read by `next`, `fold` or `for_each`"]
pub struct Rows<'a, K, V> {
    cx: &'a Cx<'a>,
    table: &'a TableId,
    /// The rows that have been read last.
    page: vec::IntoIter<ReadRow<K, V>>,
    /// The source of the rows after them.
    left: Option<Term>,
    /// Whether `ets` must keep the order of rows until this is dropped.
    needs_order: bool,
    is_fixed: bool,
    location: &'static Location<'static>,
}

impl<'a, K, V> Rows<'a, K, V> {
    #[track_caller]
    pub(super) fn new(cx: &'a Cx<'a>, table: &'a TableId, source: Term, needs_order: bool) -> Self {
        Rows {
            cx,
            table,
            page: Vec::new().into_iter(),
            left: Some(source),
            needs_order,
            is_fixed: false,
            location: Location::caller(),
        }
    }

    /// The next row. `None` after the last one.
    ///
    /// # Errors
    /// [Those of tables](Table#errors). After the error of a row that does not fit, the next call
    /// returns the row behind it.
    pub async fn next(&mut self) -> Result<Option<(K, V)>>
    where
        K: FromTerm,
        V: TableValue,
    {
        let row = self.next_read().await?.transpose();
        row.map_err(|error| Exit::bad_term(error, self.location))
    }

    /// The next row, also if it does not fit.
    pub(super) async fn next_read(&mut self) -> Result<Option<ReadRow<K, V>>>
    where
        K: FromTerm,
        V: TableValue,
    {
        loop {
            if let Some(row) = self.page.next() {
                return Ok(Some(row));
            }
            let Some(source) = self.left.take() else {
                return Ok(None);
            };
            self.read(source, PAGE).await?;
        }
    }

    /// Reads at most `limit` rows.
    async fn read(&mut self, source: Term, limit: usize) -> Result<()>
    where
        K: FromTerm,
        V: TableValue,
    {
        self.is_fixed = self.needs_order;
        let arguments = (self.table, source, limit);
        let read: TableCall<'_, _, _, PageOf<K, V>> = in_table!(self.cx, "page", arguments);
        let read = read.await.map_err(|exit| exit.begun_at(self.location));
        let (page, left) = read?;
        self.page = page.into_iter();
        self.left = left;
        Ok(())
    }

    /// The first row.
    pub(super) async fn only(mut self) -> Result<Option<(K, V)>>
    where
        K: FromTerm,
        V: TableValue,
    {
        if let Some(source) = self.left.take() {
            self.read(source, 1).await?;
            self.left = None;
        }
        self.next().await
    }

    /// Combines all rows: `rows.fold(0, |sum, key, value| sum + value)`.
    ///
    /// # Errors
    /// As [`Rows::next`].
    pub async fn fold<T>(mut self, start: T, mut combine: impl FnMut(T, K, V) -> T) -> Result<T>
    where
        K: FromTerm,
        V: TableValue,
    {
        let mut folded = start;
        while let Some((key, value)) = self.next().await? {
            folded = combine(folded, key, value);
        }
        Ok(folded)
    }

    /// Calls a closure with each row.
    ///
    /// # Errors
    /// As [`Rows::next`].
    pub async fn for_each(mut self, mut visit: impl FnMut(K, V)) -> Result<()>
    where
        K: FromTerm,
        V: TableValue,
    {
        while let Some((key, value)) = self.next().await? {
            visit(key, value);
        }
        Ok(())
    }
}

impl<K, V> Drop for Rows<'_, K, V> {
    fn drop(&mut self) {
        static UNFIX: Function = Function::new(TABLE, "unfix");
        if self.is_fixed {
            let table = self.table.clone();
            drop(at_once::<_, Anything>(self.cx, &UNFIX, (table,)));
        }
    }
}

impl<K, V> fmt::Debug for Rows<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows({})", Term::of(self.table))
    }
}
