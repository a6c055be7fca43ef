//! A significant child: the fault ends the leader with the reason `normal`. The other members of
//! the team depend on their leader, so the end of the leader ends the team's supervisor together
//! with all members. The supervisor above starts a new team.

use std::sync::atomic::{AtomicU64, Ordering};

use otp_bridge::atoms::{any_significant, normal, ok, transient};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

static LEADER: Server<Leader> = Server::registered();

/// Starts the team, and restarts it after each fault.
pub struct Significant;

#[supervisor]
impl Supervisor for Significant {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![ChildSpec::of::<Team>(())]))
    }
}

/// Starts the leader and the member. It ends when the leader ends.
pub struct Team;

#[supervisor]
impl Supervisor for Team {
    type Args = ();

    fn init(_: ()) -> impl supervisor::InitReturn {
        let leader = ChildSpec::of::<Leader>(()).registered(&LEADER);
        let leader = leader.restart(transient).significant(true);
        let member = ChildSpec::of::<Member>(()).registered(SERVICE);
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        (ok, (flags, vec![leader, member]))
    }
}

/// Has a new number after each start.
#[derive(Debug, Term)]
pub struct Leader {
    number: u64,
}

/// `get_number`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct GetNumber;

/// `retire`
#[derive(Debug, Term)]
pub struct Retire;

#[gen_server]
impl GenServer for Leader {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        static STARTS: AtomicU64 = AtomicU64::new(0);
        let number = STARTS.fetch_add(1, Ordering::Relaxed);
        (ok, Leader { number })
    }

    fn handle_call(&mut self, _: GetNumber) -> HandleCall<u64> {
        reply(self.number)
    }

    fn handle_cast(&mut self, _: Retire) -> HandleCast {
        stop(normal)
    }
}

/// Answers rightly as long as its leader is the one that it started with.
#[derive(Debug, Term)]
pub struct Member {
    leader: u64,
}

#[gen_server]
impl GenServer for Member {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let leader = cx.call(&LEADER, GetNumber).await?;
        Ok((ok, Member { leader }))
    }

    async fn handle_call(&mut self, ask: Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let fits = cx.call(&LEADER, GetNumber).await? == self.leader;
        if ask.fault {
            cx.cast(&LEADER, Retire);
        }
        reply(if fits { ask.answer() } else { 0 })
    }
}
