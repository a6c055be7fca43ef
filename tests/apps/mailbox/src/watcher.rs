//! A server that monitors processes and nodes.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::ServerRef;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{Down, ExitSignal, NodeDown, NodeDownInfo, NodeUp, NodeUpInfo};
use otp_bridge::process::{Alias, Monitor, ProcessFlag, ProcessPriority};

/// The received messages.
#[derive(Debug)]
pub struct Watcher {
    monitors: Vec<Monitor>,
    aliases: Vec<Alias>,
    seen: Vec<Term>,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Do {
    /// `seen`: returns them.
    Seen,
    /// `{monitor, Server}`: returns the index of the monitor.
    Monitor(ServerRef),
    /// `{demonitor, Index}`: returns whether there was a monitor.
    Demonitor(usize),
    /// `{wait, Index}`: returns the reason that the monitor reports.
    Wait(usize),
    /// `{trap_exit, On}`: returns the previous value.
    TrapExit(bool),
    /// `{link, Pid}`
    Link(Pid),
    /// `{unlink, Pid}`
    Unlink(Pid),
    /// `{exit, Pid, Reason}`: sends an exit signal, with a plain call.
    Exit(Pid, Term),
    /// `alias`: creates an alias.
    Alias,
    /// `{unalias, Index}`: removes an alias, with a plain call.
    Unalias(usize),
    /// `{send, Alias, Message}`
    Send(Alias, Term),
    /// `flags`: sets some process flags.
    Flags,
    /// `bad_flag`: sets a flag to an invalid value.
    BadFlag,
    /// `{nodes, On, WithInfo}`
    Nodes(bool, bool),
}

#[gen_server]
impl GenServer for Watcher {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let watcher = Watcher {
            monitors: Vec::new(),
            aliases: Vec::new(),
            seen: Vec::new(),
        };
        (ok, watcher)
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        reply(match request {
            Do::Seen => Term::of(&std::mem::take(&mut self.seen)),
            Do::Monitor(process) => {
                self.monitors.push(cx.monitor(&process).await?);
                Term::of(&(self.monitors.len() - 1))
            }
            Do::Demonitor(index) => Term::of(&cx.demonitor(&self.monitors[index]).await?),
            Do::Wait(index) => self.monitors[index].down(cx).await?.reason,
            Do::TrapExit(on) => Term::of(&cx.trap_exit(on).await?),
            Do::Link(pid) => match cx.link(&pid).await {
                Ok(()) => Term::of(&ok),
                Err(exit) => exit.into_reason(),
            },
            Do::Unlink(pid) => {
                cx.unlink(&pid);
                Term::of(&ok)
            }
            Do::Exit(pid, reason) => {
                cx.exit(&pid, reason);
                Term::of(&ok)
            }
            Do::Alias => {
                self.aliases.push(cx.alias().await?);
                Term::of(self.aliases.last().expect("there is one"))
            }
            Do::Unalias(index) => {
                cx.unalias(&self.aliases[index]);
                Term::of(&ok)
            }
            Do::Send(alias, message) => {
                cx.send(&alias, message);
                Term::of(&ok)
            }
            Do::Flags => {
                cx.process_flag(ProcessFlag::Priority(ProcessPriority::High));
                cx.process_flag(ProcessFlag::MinHeapSize(4_000));
                Term::of(&ok)
            }
            Do::BadFlag => match cx.process_flag(ProcessFlag::MinHeapSize(u64::MAX)).await {
                Ok(()) => Term::of(&ok),
                Err(exit) => exit.into_reason(),
            },
            Do::Nodes(on, with_info) => {
                match with_info {
                    true => cx.monitor_nodes_with_info(on).await?,
                    false => cx.monitor_nodes(on).await?,
                }
                Term::of(&ok)
            }
        })
    }

    fn handle_info(&mut self, down: Down) -> HandleInfo {
        let index = self.monitors.iter().position(|monitor| monitor.is(&down));
        let index = index.expect("it is one of its own");
        self.saw(("down", index, down.object, down.reason))
    }

    fn handle_info(&mut self, exit: ExitSignal) -> HandleInfo {
        self.saw(("exit", exit.from, exit.reason))
    }

    fn handle_info(&mut self, up: NodeUp) -> HandleInfo {
        self.saw(("up", up.node))
    }

    fn handle_info(&mut self, down: NodeDown) -> HandleInfo {
        self.saw(("down", down.node))
    }

    fn handle_info(&mut self, up: NodeUpInfo) -> HandleInfo {
        self.saw(("up", up.node, up.info.node_type))
    }

    fn handle_info(&mut self, down: NodeDownInfo) -> HandleInfo {
        self.saw(("down", down.node, down.info.nodedown_reason))
    }

    fn handle_info(&mut self, other: Term) -> HandleInfo {
        self.saw(("other", other))
    }
}

impl Watcher {
    fn saw(&mut self, what: impl otp_bridge::ToTerm) -> HandleInfo {
        self.seen.push(Term::of(&what));
        noreply()
    }
}
