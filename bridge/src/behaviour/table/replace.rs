//! Values that are replaced while other processes write.

use std::borrow::Borrow;
use std::marker::PhantomData;

use otp_contract::modules::TABLE;

use super::id::TableId;
use super::row::Row;
use super::{Any, Table, TableCall, TableValue, ValuePattern, in_table};
use crate::process::AtOnce;
use crate::process::functions::Function;
use crate::runtime::{Await, Cx, Result};
use crate::{FromTerm, ToTerm};

/// The arguments of a replacement: table, the row that was read, and another one.
type Replacing<'a, Q, Old, New> = (&'a TableId, Row<'a, Q, Old>, Row<'a, Q, New>);

impl<K, V, Kind> Table<K, V, Kind> {
    /// Replaces the value of a key if it still is `old`, and returns whether it was. So no change
    /// of another process is lost: if this returns `false`, read the value again and retry.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn replace<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
        old: &'a V,
        new: &'a V,
    ) -> TableCall<'a, bool, Replacing<'a, Q, V, V>>
    where
        K: Borrow<Q>,
        V: TableValue,
    {
        in_table!(cx, "replace", (&self.id, Row(key, old), Row(key, new)))
    }

    /// Converts the rows whose values are of an older type, and returns their number. Other rows,
    /// such as those of the new type, stay as they are. If another process changes a row at the
    /// same time, the other process wins.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::{Cx, Result, Table, Term, atom};
    /// /// In cents, and its currency. It was a number of cents in the last version.
    /// #[derive(Debug, Term)]
    /// struct Price(u64, String);
    ///
    /// static PRICES: Table<u64, Price> = Table::new(atom!("prices"));
    ///
    /// async fn convert(cx: &Cx<'_>) -> Result<u64> {
    ///     PRICES.convert(cx, |cents: &u64| Price(*cents, "EUR".to_owned())).await
    /// }
    /// ```
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    pub async fn convert<Old>(&self, cx: &Cx<'_>, mut convert: impl FnMut(&Old) -> V) -> Result<u64>
    where
        K: ToTerm + FromTerm,
        V: TableValue,
        Old: TableValue,
        Any: ValuePattern<Old>,
    {
        let older: Table<K, Old, Kind> = Table {
            id: self.id.clone(),
            types: PhantomData,
        };
        let mut rows = older.rows(cx);
        let mut converted = 0;
        while let Some(row) = rows.next_read().await? {
            let Ok((key, old)) = row else {
                continue;
            };
            let new = convert(&old);
            let arguments = (&self.id, Row(&key, &old), Row(&key, &new));
            let replaced: TableCall<'_, bool, _> = in_table!(cx, "replace", arguments);
            converted += u64::from(replaced.await?);
        }
        Ok(converted)
    }
}
