//! Tables of `ets`, and processes that own them and work in pools.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::table::{Columns, OrderedSet, TableOptions, TableTransfer};
use otp_bridge::task::{PoolMembership, TaskPool};
use otp_bridge::{Table, atom};

/// A price.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Price {
    /// In cents.
    pub cents: u64,
    /// Its currency.
    pub currency: String,
}

/// The prices, by articles.
pub static PRICES: Table<String, Price> = Table::new(atom!("prices"));

/// Small numbers, which reach their limits.
pub static SMALL: Table<u64, u8> = Table::new(atom!("small"));

/// What was sold by a shop at a time.
pub static SOLD: Table<(u64, u64), i64, OrderedSet> = Table::new(atom!("sold"));

/// How often a page was seen and missed, and its name.
pub static SEEN: Table<u64, Columns<(u32, i8, String)>> = Table::new(atom!("seen"));

/// Anything, by anything.
pub static TERMS: Table<Term, (Term, u64), OrderedSet> = Table::new(atom!("terms"));

/// `loaded`: the table of small numbers is ready.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Loaded;

/// `{left, Why}`: an owner of the table of small numbers has ended.
#[derive(Debug, Clone, PartialEq, Term)]
pub struct Left(pub String);

/// `heard`: what tables the process has got.
#[derive(Debug, Term)]
#[reply(Vec<String>)]
pub struct Heard;

/// `{add, By}`: adds to the number 1 of the table of small numbers, as its owner.
#[derive(Debug, Term)]
#[reply(u8)]
pub struct Add(pub i64);

/// A process that gets tables.
#[derive(Debug)]
pub struct Keeper {
    heard: Vec<String>,
}

#[gen_server]
impl GenServer for Keeper {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Keeper { heard: Vec::new() })
    }

    fn handle_call(&mut self, _: Heard) -> HandleCall<Vec<String>> {
        reply(self.heard.clone())
    }

    async fn handle_call(&mut self, Add(by): Add, cx: &Cx<'_>) -> Result<HandleCall<u8>> {
        reply(SMALL.add(cx, &1, by).await?)
    }

    fn handle_info(&mut self, given: TableTransfer<Table<u64, u8>, Loaded>) -> HandleInfo {
        self.heard.push(format!("{:?} loaded", given.table));
        noreply()
    }

    fn handle_info(&mut self, given: TableTransfer<Table<u64, u8>, Left>) -> HandleInfo {
        let Left(why) = given.data;
        self.heard.push(format!("{:?} left: {why}", given.table));
        noreply()
    }
}

/// A process that creates the table of small numbers, and leaves it to the keeper.
#[derive(Debug)]
pub struct Loader;

#[gen_server]
impl GenServer for Loader {
    type Args = Option<Server<Keeper>>;

    async fn init(heir: Option<Server<Keeper>>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        SMALL.create(cx, TableOptions::new()).await?;
        SMALL.insert(cx, &1, &250).await?;
        if let Some(heir) = heir {
            SMALL.set_heir(cx, &heir, Left("killed".to_owned())).await?;
        }
        Ok((ok, Loader))
    }
}

otp_bridge::task_pool! {
    /// At most three tasks at once.
    pub static SMALL_POOL = TaskPool::bounded(3);
}

/// A worker of the small pool.
#[derive(Debug, Term)]
pub struct PoolWorker {
    _member: PoolMembership,
}

#[gen_server]
impl GenServer for PoolWorker {
    type Args = u16;

    fn init(number: u16, cx: &Cx<'_>) -> impl InitReturn<Self> {
        let _member = SMALL_POOL.join(number, cx);
        (ok, PoolWorker { _member })
    }
}
