//! `one_for_all`: the fault is a panic of the keeper. The door read the keeper's seal when it
//! started, so an old door would not match a new keeper. The supervisor therefore restarts both.

use std::sync::atomic::{AtomicU64, Ordering};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

static KEEPER: Server<Keeper> = Server::registered();

/// Starts the keeper and then the door, and restarts both after each fault.
pub struct OneForAll;

#[supervisor]
impl Supervisor for OneForAll {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let keeper = ChildSpec::of::<Keeper>(()).registered(&KEEPER);
        let door = ChildSpec::of::<Door>(()).registered(SERVICE);
        let flags = SupFlags::one_for_all().intensity(restarts).period(1);
        (ok, (flags, vec![keeper, door]))
    }
}

/// Has a new seal after each start.
#[derive(Debug, Term)]
pub struct Keeper {
    seal: u64,
}

/// `get_seal`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct GetSeal;

/// `break`
#[derive(Debug, Term)]
pub struct Break;

#[gen_server]
impl GenServer for Keeper {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        static STARTS: AtomicU64 = AtomicU64::new(0);
        let seal = STARTS.fetch_add(1, Ordering::Relaxed);
        (ok, Keeper { seal })
    }

    fn handle_call(&mut self, _: GetSeal) -> HandleCall<u64> {
        reply(self.seal)
    }

    fn handle_cast(&mut self, _: Break) -> HandleCast {
        panic!("a fault")
    }
}

/// Answers rightly as long as its seal is the keeper's.
#[derive(Debug, Term)]
pub struct Door {
    seal: u64,
}

#[gen_server]
impl GenServer for Door {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let seal = cx.call(&KEEPER, GetSeal).await?;
        Ok((ok, Door { seal }))
    }

    async fn handle_call(&mut self, ask: Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let fits = cx.call(&KEEPER, GetSeal).await? == self.seal;
        if ask.fault {
            cx.cast(&KEEPER, Break);
        }
        reply(if fits { ask.answer() } else { 0 })
    }
}
