//! Tables of `ets` whose keys and values have types.

mod counter;
mod id;
mod options;
mod ordered;
mod owner;
mod pattern;
mod replace;
mod result;
mod row;
mod rows;

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;

use otp_contract::modules::TABLE;

pub use counter::{Column, TableColumn, TableCounter};
pub use options::TableOptions;
pub use owner::TableTransfer;
pub use pattern::{Any, TablePattern, ValuePattern};
pub use row::{Columns, TableValue};
pub use rows::Rows;

use crate::process::AtOnce;
use crate::process::functions::{AnyResult, Anything, Function};
use crate::runtime::{Await, Cx};
use crate::{Atom, FromTerm, ToTerm, atom};
use id::TableId;
use result::OneRow;
use row::Row;

/// A table of `ets` with keys of type `K` and values of type `V`: data that processes of this node
/// read and write without asking another process.
///
/// A table is a static, which has its name. Your supervisor starts a process that owns it
/// ([`Table::child`]), or a process of yours creates it ([`Table::create`]):
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::supervisor::prelude::*;
/// use otp_bridge::table::OrderedSet;
/// use otp_bridge::{Table, atom};
///
/// #[derive(Debug, Clone, Term)]
/// pub struct Price {
///     cents: u64,
///     currency: String,
/// }
///
/// /// The price of each article.
/// pub static PRICES: Table<u64, Price> = Table::new(atom!("prices"));
/// /// How often each article was asked for.
/// pub static ASKED: Table<u64, u64> = Table::new(atom!("asked"));
/// /// What was sold, by the second.
/// pub static SOLD: Table<(u64, u64), u64, OrderedSet> = Table::new(atom!("sold"));
///
/// pub struct Stroot;
///
/// #[supervisor]
/// impl Supervisor for Stroot {
///     type Args = Vec<String>;
///
///     fn init(_: Vec<String>) -> impl InitReturn {
///         let children = vec![PRICES.child(), ASKED.child(), SOLD.child()];
///         (ok, (SupFlags::one_for_one(), children))
///     }
/// }
///
/// async fn price(article: u64, cx: &Cx<'_>) -> Result<Option<Price>> {
///     ASKED.add(cx, &article, 1).await?;
///     PRICES.get(cx, &article).await
/// }
///
/// async fn sold_between(from: u64, to: u64, cx: &Cx<'_>) -> Result<u64> {
///     let rows = SOLD.range(cx, (from, 0)..(to, 0));
///     rows.fold(0, |sum, _, count| sum + count).await
/// }
/// ```
///
/// A row is `{Key, Value}`, or `{Key, Column, …}` if the value is a [`Columns`]. A row that does
/// not fit these types, which Erlang code or an older build has inserted, is the error `{bad_term,
/// #{path, expected, got}}` of the call that reads it.
///
/// # What a call costs
///
/// Native code cannot use `ets`, so the process returns to Erlang and back in each call: about two
/// microseconds, and the time for the copy of the row. [`Rows`] and [`Table::insert_all`] need one
/// call for many rows.
///
/// # Errors
///
/// | reason | |
/// |---|---|
/// | `{noproc, _}` | no such table: its owner does not run (the kind `NoProcess`) |
/// | `{no_access, Table}` | the table's owner does not let other processes do that |
/// | `{already_exists, Table}` | there is another table of this name |
/// | `{bad_term, #{…}}` | a row does not fit the types |
///
/// # Owners
///
/// A table ends with its owner, or goes to its [heir](Table::set_heir). In an upgrade, the table
/// and its rows stay as they are, and so does its owner. If the new build has another `V`, it finds
/// rows of the old one: docs/services.md shows how to convert them.
pub struct Table<K, V, Kind = Set> {
    id: TableId,
    types: PhantomData<fn(K, Kind) -> V>,
}

/// A table that finds rows by their keys alone: `set` of `ets`. It tells the keys `1` and `1.0`
/// apart.
#[derive(Debug)]
pub enum Set {}

/// A table whose rows are in the order of their keys: `ordered_set` of `ets`. The order is Erlang's
/// order of terms: that of Rust for numbers, strings, and tuples of such. The keys `1` and `1.0`
/// are one key.
#[derive(Debug)]
pub enum OrderedSet {}

/// How a table finds its rows: [`Set`] or [`OrderedSet`].
pub trait TableKind {
    /// The name of this kind in `ets`.
    #[doc(hidden)]
    fn name() -> Atom;
}

impl TableKind for Set {
    fn name() -> Atom {
        atom!("set")
    }
}

impl TableKind for OrderedSet {
    fn name() -> Atom {
        atom!("ordered_set")
    }
}

/// A call about a table.
pub type TableCall<'a, T, A, R = AnyResult<T>> = Await<'a, T, AtOnce<A, R>>;

/// The arguments of `insert/2`.
type NewRows<'a, K, V> = (&'a TableId, Vec<Row<'a, K, V>>);

/// Calls a function of `otp_rs_table`, which is named as that of `ets`.
macro_rules! in_table {
    ($cx:expr, $function:literal, $arguments:expr) => {{
        static FUNCTION: Function = Function::new(TABLE, $function);
        Await::new($cx, AtOnce::new(&FUNCTION, $arguments))
    }};
}
use in_table;

impl<K, V, Kind> Table<K, V, Kind> {
    /// The table with this name.
    #[must_use]
    pub const fn new(name: Atom) -> Self
    where
        K: ToTerm + FromTerm,
        V: TableValue,
    {
        Table {
            id: TableId::Name(name),
            types: PhantomData,
        }
    }

    /// The value of a key.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn get<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> TableCall<'a, Option<V>, (&'a TableId, &'a Q), OneRow<V>>
    where
        K: Borrow<Q>,
        V: TableValue,
    {
        in_table!(cx, "lookup", (&self.id, key))
    }

    /// Whether there is a row with this key.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn contains<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> TableCall<'a, bool, (&'a TableId, &'a Q)>
    where
        K: Borrow<Q>,
    {
        in_table!(cx, "member", (&self.id, key))
    }

    /// Inserts a row, in place of the one with this key.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn insert<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
        value: &'a V,
    ) -> TableCall<'a, (), (&'a TableId, Row<'a, Q, V>), Anything>
    where
        K: Borrow<Q>,
        V: TableValue,
    {
        in_table!(cx, "insert", (&self.id, Row(key, value)))
    }

    /// Inserts rows atomically: another process sees all of them, or none.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn insert_all<'a>(
        &'a self,
        cx: &'a Cx<'a>,
        rows: &'a [(K, V)],
    ) -> TableCall<'a, (), NewRows<'a, K, V>, Anything>
    where
        K: ToTerm,
        V: TableValue,
    {
        let rows: Vec<_> = rows.iter().map(|(key, value)| Row(key, value)).collect();
        in_table!(cx, "insert", (&self.id, rows))
    }

    /// Inserts a row if there is none with this key. Returns whether it has done so.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn insert_new<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
        value: &'a V,
    ) -> TableCall<'a, bool, (&'a TableId, Row<'a, Q, V>)>
    where
        K: Borrow<Q>,
        V: TableValue,
    {
        in_table!(cx, "insert_new", (&self.id, Row(key, value)))
    }

    /// Removes the row with this key, if there is one.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn delete<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> TableCall<'a, (), (&'a TableId, &'a Q), Anything>
    where
        K: Borrow<Q>,
    {
        in_table!(cx, "delete", (&self.id, key))
    }

    /// Removes the row with this key, and returns its value. If several processes take it at once,
    /// one of them gets it.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn take<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> TableCall<'a, Option<V>, (&'a TableId, &'a Q), OneRow<V>>
    where
        K: Borrow<Q>,
        V: TableValue,
    {
        in_table!(cx, "take", (&self.id, key))
    }

    /// Removes all rows.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn clear<'a>(&'a self, cx: &'a Cx<'a>) -> TableCall<'a, (), (&'a TableId,), Anything> {
        in_table!(cx, "clear", (&self.id,))
    }

    /// Returns the number of rows.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn count<'a>(&'a self, cx: &'a Cx<'a>) -> TableCall<'a, u64, (&'a TableId,)> {
        in_table!(cx, "size", (&self.id,))
    }
}

impl<K, V, Kind> Clone for Table<K, V, Kind> {
    fn clone(&self) -> Self {
        Table {
            id: self.id.clone(),
            types: PhantomData,
        }
    }
}

impl<K, V, Kind> PartialEq for Table<K, V, Kind> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<K, V, Kind> fmt::Debug for Table<K, V, Kind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", crate::Term::of(&self.id))
    }
}
