//! Casts a ball back and forth; `erlang/bouncer_erlang.erl` and `erlang/bouncer_c.erl` do the same.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The other server, and the process to notify at the end.
#[derive(Debug)]
pub struct Bouncer {
    peer: Option<Server<Bouncer>>,
    observer: Pid,
}

/// `{join, Peer}`: sets the peer.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Join(pub Pid);

/// `{ball, Left}`: the ball, and how many casts remain.
#[derive(Debug, Term)]
pub struct Ball(pub u64);

#[gen_server]
impl GenServer for Bouncer {
    type Args = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        let peer = None;
        (ok, Bouncer { peer, observer })
    }

    fn handle_call(&mut self, Join(peer): Join) -> HandleCall<Atom> {
        self.peer = Some(peer.into());
        reply(ok.into())
    }

    fn handle_cast(&mut self, Ball(left): Ball, cx: &Cx<'_>) -> HandleCast {
        match &self.peer {
            Some(peer) if left > 0 => cx.cast(peer, Ball(left - 1)),
            _ => cx.send(&self.observer, atom!("done")),
        }
        noreply()
    }
}
