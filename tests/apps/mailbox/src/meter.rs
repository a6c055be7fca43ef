//! A server that receives the messages of sockets.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{
    Tcp, TcpClosed, TcpError, TcpPassive, Udp, UdpError, UdpPassive, UdpWithAncillary,
};
use otp_bridge::term::{Binary, ErlangString};

/// The received messages.
#[derive(Debug)]
pub struct Meter {
    seen: Vec<Term>,
}

/// `seen`: returns them.
#[derive(Debug, Term)]
#[reply(Vec<Term>)]
pub struct Seen;

#[gen_server]
impl GenServer for Meter {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Meter { seen: Vec::new() })
    }

    fn handle_call(&mut self, _: Seen) -> HandleCall<Vec<Term>> {
        reply(self.seen.clone())
    }

    fn handle_info(&mut self, tcp: Tcp<Binary>) -> HandleInfo {
        self.saw(("binary", tcp.data))
    }

    fn handle_info(&mut self, tcp: Tcp<ErlangString>) -> HandleInfo {
        self.saw(("list", tcp.data))
    }

    fn handle_info(&mut self, _: TcpPassive) -> HandleInfo {
        self.saw("passive")
    }

    fn handle_info(&mut self, _: TcpClosed) -> HandleInfo {
        self.saw("closed")
    }

    fn handle_info(&mut self, error: TcpError<Atom>) -> HandleInfo {
        self.saw(("error", error.reason))
    }

    fn handle_info(&mut self, udp: Udp) -> HandleInfo {
        let from = udp.address.ip().map(|address| address.to_string());
        self.saw(("packet", from, udp.packet))
    }

    fn handle_info(&mut self, udp: UdpWithAncillary) -> HandleInfo {
        self.saw(("with_ancillary", udp.ancillary_data, udp.packet))
    }

    fn handle_info(&mut self, _: UdpPassive) -> HandleInfo {
        self.saw("udp_passive")
    }

    fn handle_info(&mut self, error: UdpError<Atom>) -> HandleInfo {
        self.saw(("udp_error", error.reason))
    }
}

impl Meter {
    fn saw(&mut self, what: impl otp_bridge::ToTerm) -> HandleInfo {
        self.seen.push(Term::of(&what));
        noreply()
    }
}
