//! The process that owns a table.

use otp_contract::modules::TABLE;

use super::id::TableId;
use super::{Table, TableCall, TableKind, TableOptions, in_table};
use crate::behaviour::supervisor::ChildSpec;
use crate::process::functions::{Anything, Function};
use crate::process::{AtOnce, Destination, SentTo, Target};
use crate::runtime::{Await, Cx};
use crate::{Pid, Term, ToTerm, atom, atoms};

/// `{'ETS-TRANSFER', Table, From, Data}`: this process now owns a table, because another process
/// [gave it away](Table::give_away), or ended and had this process as [heir](Table::set_heir).
///
/// ```
/// # use otp_bridge_novm as _;
/// # use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::table::TableTransfer;
/// use otp_bridge::{Table, atom};
///
/// static PRICES: Table<u64, u64> = Table::new(atom!("prices"));
///
/// /// `loaded`: the table has all prices.
/// #[derive(Debug, Term)]
/// pub struct Loaded;
///
/// #[derive(Debug)]
/// pub struct Shop;
///
/// #[gen_server]
/// impl GenServer for Shop {
///     type Args = ();
///
///     fn init(_: ()) -> impl InitReturn<Self> {
///         (ok, Shop)
///     }
///
///     async fn handle_info(
///         &mut self,
///         given: TableTransfer<Table<u64, u64>, Loaded>,
///         cx: &Cx<'_>,
///     ) -> Result<HandleInfo> {
///         given.table.insert(cx, &7, &250).await?;             // as its owner
///         noreply()
///     }
/// }
///
/// async fn load(shop: &Server<Shop>, cx: &Cx<'_>) -> Result<()> {
///     PRICES.create(cx, TableOptions::new()).await?;
///     PRICES.insert_all(cx, &[(1, 100), (2, 200)]).await?;
///     PRICES.give_away(cx, shop, Loaded).await
/// }
/// # use otp_bridge::table::TableOptions;
/// ```
///
/// The message does not have the table's type. If a process gets several tables, use a `Data` of
/// its own for each.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "ETS-TRANSFER")]
pub struct TableTransfer<T, Data = Term> {
    /// The table.
    pub table: T,
    /// The previous owner.
    pub from: Pid,
    /// The data that the previous owner sent with the table.
    pub data: Data,
}

impl<K, V, Kind> Table<K, V, Kind> {
    /// The child spec of a process that owns the table. All processes can read and write the table.
    /// The id is the table's name. Place the child before those that use the table.
    ///
    /// If the process is killed, its supervisor starts another one with an empty table.
    #[must_use]
    pub fn child(&self) -> ChildSpec
    where
        Kind: TableKind,
    {
        let options = TableOptions::new().public();
        self.child_with(&options.read_concurrency().write_concurrency())
    }

    /// As [`Table::child`], with other options. Make the table
    /// [`public`](TableOptions::public): its owner does not write.
    #[must_use]
    pub fn child_with(&self, options: &TableOptions) -> ChildSpec
    where
        Kind: TableKind,
    {
        let arguments = (&self.id, options.to_list::<Kind>());
        let spec = ChildSpec::erlang(atom!("otp_rs_table"), atoms::start_link, arguments);
        match &self.id {
            TableId::Name(name) => spec.id(name.clone()),
            TableId::Reference(_) => spec,
        }
    }

    /// Creates the table. This process owns it, and the table ends with the process, unless it has
    /// an [heir](Table::set_heir).
    ///
    /// # Errors
    /// `{already_exists, Table}`
    #[track_caller]
    pub fn create<'a>(
        &'a self,
        cx: &'a Cx<'a>,
        options: TableOptions,
    ) -> TableCall<'a, (), (&'a TableId, Vec<Term>), Anything>
    where
        Kind: TableKind,
    {
        in_table!(cx, "create", (&self.id, options.to_list::<Kind>()))
    }

    /// Creates a table without a name, which this process owns. The `Table` is a term: you can send
    /// it to other processes, and keep it in a state.
    ///
    /// # Errors
    /// `system_limit`
    #[track_caller]
    pub fn unnamed<'a>(cx: &'a Cx<'a>, options: TableOptions) -> TableCall<'a, Self, (Vec<Term>,)>
    where
        Kind: TableKind,
    {
        in_table!(cx, "create", (options.to_list::<Kind>(),))
    }

    /// Deletes the table.
    ///
    /// # Errors
    /// [Those of tables](Table#errors).
    #[track_caller]
    pub fn drop_table<'a>(&'a self, cx: &'a Cx<'a>) -> TableCall<'a, (), (&'a TableId,), Anything> {
        in_table!(cx, "drop", (&self.id,))
    }

    /// Makes another process the owner, which receives a [`TableTransfer`] with the data. A
    /// `Server` or `Machine` needs a clause for that message.
    ///
    /// # Errors
    /// `{noproc, Process}` if the process does not run; `{already_owner, Table}` if it owns the
    /// table; `{no_access, Table}` if this process does not own it.
    #[track_caller]
    pub fn give_away<'a, P, Data>(
        &'a self,
        cx: &'a Cx<'a>,
        to: &'a P,
        data: Data,
    ) -> TableCall<'a, (), (&'a TableId, Target<'a>, Data), Anything>
    where
        P: Destination + ?Sized,
        Data: ToTerm,
        TableTransfer<Self, Data>: SentTo<P::Process>,
    {
        in_table!(cx, "give_away", (&self.id, to.target(), data))
    }

    /// Sets the heir: when this process ends, the heir becomes the owner, and receives a
    /// [`TableTransfer`] with the data. If the heir has ended before, the table is deleted.
    ///
    /// # Errors
    /// `{noproc, Process}` if the process does not run; `{no_access, Table}` if this process does
    /// not own the table.
    #[track_caller]
    pub fn set_heir<'a, P, Data>(
        &'a self,
        cx: &'a Cx<'a>,
        heir: &'a P,
        data: Data,
    ) -> TableCall<'a, (), (&'a TableId, Target<'a>, Data), Anything>
    where
        P: Destination + ?Sized,
        Data: ToTerm,
        TableTransfer<Self, Data>: SentTo<P::Process>,
    {
        in_table!(cx, "heir", (&self.id, heir.target(), data))
    }
}
