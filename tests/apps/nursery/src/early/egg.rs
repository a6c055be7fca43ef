//! A state machine.
use otp_bridge::atom;
use otp_bridge::atoms::{info, internal, ok};
use otp_bridge::gen_server::Server;
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use super::{Begin, Poke, Report};

/// Starts eggs.
pub struct Eggs;

#[supervisor]
impl Supervisor for Eggs {
    type Args = ();
    type Child = Egg;

    fn init(_: ()) -> impl supervisor::InitReturn {
        let egg = ChildSpec::template::<Egg>();
        (ok, (SupFlags::simple_one_for_one(), vec![egg]))
    }
}

/// The state: `whole`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Shell {
    /// Not broken.
    Whole,
}

/// Reports its actions to its observer.
#[derive(Debug)]
pub struct Egg {
    observer: Pid,
}

#[gen_statem]
impl GenStatem for Egg {
    type Args = Pid;
    type State = Shell;

    fn init(observer: Pid, cx: &Cx<'_>) -> impl InitReturn<Shell, Self> {
        cx.send(&cx.pid(), Poke);
        let data = Egg {
            observer: observer.clone(),
        };
        (
            ok,
            Shell::Whole,
            data,
            next_event(internal, Begin(observer)),
        )
    }

    async fn handle_event(
        &mut self,
        _: internal,
        Begin(to): Begin,
        _: Shell,
        cx: &Cx<'_>,
    ) -> Result<HandleEvent<Shell>> {
        let eggs = cx.count_children(&Server::<Eggs>::registered()).await?;
        cx.send(&to, Report::Begun(atom!("egg"), eggs.active));
        keep_state()
    }

    fn handle_event(&mut self, _: info, _: Poke, _: Shell, cx: &Cx<'_>) -> HandleEvent<Shell> {
        cx.send(&self.observer, Report::Poked(atom!("egg")));
        keep_state()
    }
}
