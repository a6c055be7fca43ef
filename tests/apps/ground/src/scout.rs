//! A server that observes other nodes, and the members of a process group.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{GroupChange, Membership};
use otp_bridge::pg::{Group, GroupMonitor};
use otp_bridge::{Atom, Pid, Term, atom};

use crate::porter::Porter;

/// The changes of the group `porters` that were reported.
#[derive(Debug)]
pub struct Scout {
    monitor: Option<GroupMonitor>,
    heard: Vec<(Membership, Vec<Pid>)>,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Look {
    /// `{at, Node}`: returns whether the node is connected, all nodes, and that node's own name.
    At(Atom),
    /// `begin`: monitors the group. Returns its members.
    Begin,
    /// `heard`: returns the changes since then.
    Heard,
    /// `end`: ends the monitor. Returns whether there was one.
    End,
}

fn porters() -> Group<Porter> {
    Group::in_scope(atom!("ground_groups"), "porters")
}

#[gen_server]
impl GenServer for Scout {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let (monitor, heard) = (None, Vec::new());
        (ok, Scout { monitor, heard })
    }

    async fn handle_call(&mut self, look: Look, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match look {
            Look::At(node) => {
                let connected = cx.connect(node.clone()).await?;
                let there = cx.apply_on(node, atom!("erlang"), atom!("node"), ()).await;
                let there: Term = there.unwrap_or_else(|exit: Exit| exit.reason().clone());
                Term::of(&(connected, cx.node().await?, cx.nodes().await?, there))
            }
            Look::Begin => {
                let (monitor, members) = porters().monitor(cx).await?;
                self.monitor = Some(monitor);
                Term::of(&members)
            }
            Look::Heard => Term::of(&self.heard),
            Look::End => match self.monitor.take() {
                Some(monitor) => Term::of(&porters().demonitor(cx, monitor).await?),
                None => Term::of(&false),
            },
        })
    }

    fn handle_info(&mut self, change: GroupChange<String>) -> HandleInfo {
        let is_own = self.monitor.as_ref().is_some_and(|own| own.is(&change));
        if is_own {
            self.heard.push((change.change, change.members));
        }
        noreply()
    }
}
