//! A server.
use otp_bridge::atom;
use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use super::{Begin, Poke, Report};

/// Starts chicks.
pub struct Chicks;

#[supervisor]
impl Supervisor for Chicks {
    type Args = ();
    type Child = Chick;

    fn init(_: ()) -> impl supervisor::InitReturn {
        let chick = ChildSpec::template::<Chick>();
        (ok, (SupFlags::simple_one_for_one(), vec![chick]))
    }
}

/// Reports its actions to its observer.
#[derive(Debug)]
pub struct Chick {
    observer: Pid,
}

#[gen_server]
impl GenServer for Chick {
    type Args = Pid;

    fn init(observer: Pid, cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.send(&cx.pid(), Poke);
        let state = Chick {
            observer: observer.clone(),
        };
        (ok, state, (continue_, Begin(observer)))
    }

    async fn handle_continue(&mut self, Begin(to): Begin, cx: &Cx<'_>) -> Result<HandleContinue> {
        let chicks = cx.count_children(&Server::<Chicks>::registered()).await?;
        cx.send(&to, Report::Begun(atom!("chick"), chicks.active));
        noreply()
    }

    fn handle_info(&mut self, _: Poke, cx: &Cx<'_>) -> HandleInfo {
        cx.send(&self.observer, Report::Poked(atom!("chick")));
        noreply()
    }
}
