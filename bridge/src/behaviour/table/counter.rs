//! Numbers in a table that are counted in place.

use std::borrow::Borrow;

use otp_contract::modules::TABLE;

use super::id::TableId;
use super::row::Row;
use super::{Columns, Table, TableCall, TableValue, in_table};
use crate::process::AtOnce;
use crate::process::functions::Function;
use crate::runtime::{Await, Cx};
use crate::{FromTerm, ToTerm};

/// A number that can be counted in a table: an integer type of up to 64 bits.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be counted",
    label = "counters are `u8` to `u64` and `i8` to `i64`"
)]
pub trait TableCounter: ToTerm + FromTerm + Copy + 'static {
    #[doc(hidden)]
    const ZERO: &'static Self;

    /// The highest or lowest number of the type.
    #[doc(hidden)]
    fn limit(falls: bool) -> Self;
}

macro_rules! counters {
    ($($integer:ty)+) => {$(
        #[diagnostic::do_not_recommend]
        impl TableCounter for $integer {
            const ZERO: &'static Self = &0;

            fn limit(falls: bool) -> Self {
                if falls { Self::MIN } else { Self::MAX }
            }
        }
    )+};
}

counters!(u8 u16 u32 u64 i8 i16 i32 i64);

/// A column of [`Columns`], by its number in the tuple: `Column::<0>`.
#[derive(Debug, Clone, Copy)]
pub struct Column<const INDEX: usize>;

/// A value with a column of this number.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no column {INDEX}",
    label = "`Column::<0>` is the first column of `Columns<(…)>`"
)]
pub trait TableColumn<const INDEX: usize>: TableValue {
    /// Its type.
    type Value;
}

macro_rules! columns {
    ($(($($all:ident)+) $name:ident $index:literal;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($all: ToTerm + FromTerm),+> TableColumn<$index> for Columns<($($all,)+)> {
            type Value = $name;
        }
    )+};
}

columns! {
    (A B) A 0; (A B) B 1;
    (A B C) A 0; (A B C) B 1; (A B C) C 2;
    (A B C D) A 0; (A B C D) B 1; (A B C D) C 2; (A B C D) D 3;
    (A B C D E) A 0; (A B C D E) B 1; (A B C D E) C 2; (A B C D E) D 3; (A B C D E) E 4;
    (A B C D E F) A 0; (A B C D E F) B 1; (A B C D E F) C 2; (A B C D E F) D 3;
    (A B C D E F) E 4; (A B C D E F) F 5;
}

/// The arguments of a count: table, key, position, by, limit, and the row where there is none.
type Adding<'a, Q, N, T> = (&'a TableId, &'a Q, usize, i64, N, Row<'a, Q, T>);

impl<K, V, Kind> Table<K, V, Kind> {
    /// Adds to the number of a key, and returns the new number. If there is no row, the number
    /// starts at 0. The operation is atomic.
    ///
    /// The number stays within its type: a `u8` at 255 stays there.
    ///
    /// # Errors
    /// [Those of tables](Table#errors); `{no_counter, {Table, Key}}` if the row has no number.
    #[track_caller]
    pub fn add<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
        by: i64,
    ) -> TableCall<'a, V, Adding<'a, Q, V, V>>
    where
        K: Borrow<Q>,
        V: TableCounter,
    {
        let arguments = (&self.id, key, 2, by, V::limit(by < 0), Row(key, V::ZERO));
        in_table!(cx, "add", arguments)
    }

    /// Adds to the number in a column, and returns the new number. If there is no row, the row
    /// starts with the value `or`. The operation is atomic.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::{Cx, Result, Table, atom};
    /// use otp_bridge::table::{Column, Columns};
    ///
    /// /// How often each page was seen, and how often it was not there.
    /// static SEEN: Table<String, Columns<(u64, u64)>> = Table::new(atom!("seen"));
    ///
    /// async fn missed(page: &str, cx: &Cx<'_>) -> Result<u64> {
    ///     SEEN.add_to(cx, page, Column::<1>, 1, &Columns((0, 0))).await
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Table::add`].
    #[track_caller]
    pub fn add_to<'a, Q: ToTerm + ?Sized, const INDEX: usize>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
        _: Column<INDEX>,
        by: i64,
        or: &'a V,
    ) -> TableCall<'a, V::Value, Adding<'a, Q, V::Value, V>>
    where
        K: Borrow<Q>,
        V: TableColumn<INDEX, Value: TableCounter>,
    {
        let limit = V::Value::limit(by < 0);
        let arguments = (&self.id, key, INDEX + 2, by, limit, Row(key, or));
        in_table!(cx, "add", arguments)
    }
}
