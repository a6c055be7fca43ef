//! Exceeded restart intensity: the fault corrupts the store, and the reader panics whenever it
//! reads from it. Restarting the reader does not help, so its supervisor gives up after two
//! restarts. The next supervisor above restarts everything, with a new store.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

static STORE: Server<Store> = Server::registered();

/// Starts the archive, and restarts it after each fault.
pub struct Intensity;

#[supervisor]
impl Supervisor for Intensity {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![ChildSpec::of::<Archive>(())]))
    }
}

/// Starts the store and the reader.
pub struct Archive;

#[supervisor]
impl Supervisor for Archive {
    type Args = ();

    fn init(_: ()) -> impl supervisor::InitReturn {
        let store = ChildSpec::of::<Store>(()).registered(&STORE);
        let reader = ChildSpec::of::<Reader>(()).registered(SERVICE);
        let flags = SupFlags::one_for_one().intensity(2).period(5);
        (ok, (flags, vec![store, reader]))
    }
}

/// Becomes corrupt on request.
#[derive(Debug, Term)]
pub struct Store {
    spoilt: bool,
}

/// `{read, Spoil}`: returns whether the store is corrupt. If `Spoil` is true, the store is corrupt
/// afterwards.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Read(pub bool);

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Store { spoilt: false })
    }

    fn handle_call(&mut self, Read(spoil): Read) -> HandleCall<bool> {
        self.spoilt |= spoil;
        reply(self.spoilt)
    }
}

/// Answers, unless the store is corrupt.
#[derive(Debug, Term)]
pub struct Reader;

#[gen_server]
impl GenServer for Reader {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Reader)
    }

    async fn handle_call(&mut self, ask: Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let spoilt = cx.call(&STORE, Read(ask.fault)).await?;
        assert!(!spoilt, "the store is spoilt");
        reply(ask.answer())
    }
}
