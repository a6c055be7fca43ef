//! Messages that OTP sends, as types for clauses of `handle_info`.
//!
//! | sent by | messages |
//! |---|---|
//! | `gen_tcp`, `gen_udp`, `ssl` | [`Tcp`], [`TcpClosed`], [`TcpError`], [`TcpPassive`], [`Udp`], [`UdpWithAncillary`], [`UdpError`], [`UdpPassive`], [`Ssl`], [`SslClosed`], [`SslError`], [`SslPassive`] |
//! | a monitor | [`Down`] |
//! | a link, if the process traps exits | [`ExitSignal`] |
//! | a manager of events, by `add_sup_handler` | [`HandlerRemoved`] |
//! | `net_kernel:monitor_nodes` | [`NodeUp`], [`NodeDown`], [`NodeUpInfo`], [`NodeDownInfo`] |
//! | a monitor of a [`Group`](crate::pg::Group) | [`GroupChange`] |
//! | the time limit that a callback of `gen_server` returns | [`Timeout`] |
//! | `erlang:start_timer/3` | [`TimerTimeout`] |
//! | a server that was sent a request | [`Response`] |
//! | an upgrade of the application | [`Upgrade`] |
//!
//! If the type of a part depends on the sender, or on an option that your program sets, it is a
//! type parameter. Its default is the type that OTP sends by default, or a
//! [`Term`](enum@crate::Term): `Tcp` has a binary, `Tcp<ErlangString>` is for a socket in list
//! mode, and `Tcp<u32>` gives an error with the position if the data are not such a number.
//!
//! ```
//! use otp_bridge::atoms::ok;
//! use otp_bridge::gen_server::prelude::*;
//! use otp_bridge::messages::{Tcp, TcpClosed};
//! # use otp_bridge_novm as _;
//!
//! /// Counts the bytes of a connection.
//! #[derive(Debug)]
//! pub struct Meter {
//!     bytes: usize,
//! }
//!
//! #[gen_server]
//! impl GenServer for Meter {
//!     type Args = ();
//!
//!     fn init(_: ()) -> impl InitReturn<Self> {
//!         (ok, Meter { bytes: 0 })
//!     }
//!
//!     fn handle_info(&mut self, Tcp { data, .. }: Tcp) -> HandleInfo {
//!         self.bytes += data.len();
//!         noreply()
//!     }
//!
//!     fn handle_info(&mut self, _: TcpClosed) -> HandleInfo {
//!         stop(otp_bridge::atoms::normal)
//!     }
//! }
//! ```

mod groups;
mod nodes;
mod responses;
mod signals;
mod sockets;
mod timers;
mod upgrades;

pub use groups::{GroupChange, Membership};
pub use nodes::{NodeDown, NodeDownInfo, NodeInfo, NodeUp, NodeUpInfo};
pub use responses::{Response, ResponseTag};
pub use signals::{Down, ExitSignal, HandlerRemoved, Linked, Monitored, MonitoredKind};
pub use sockets::{
    IpAddress, Socket, Ssl, SslClosed, SslError, SslPassive, Tcp, TcpClosed, TcpError, TcpPassive,
    Udp, UdpAddress, UdpError, UdpPassive, UdpWithAncillary,
};
pub use timers::{Timeout, TimerTimeout};
pub use upgrades::Upgrade;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErlangString, ErlangType, FromTerm, Port, PortParts, Term};

    fn socket() -> Socket {
        Socket::Port(Port::from_parts(PortParts {
            node: crate::atom!("nonode@nohost"),
            id: 6,
            creation: 0,
        }))
    }

    #[test]
    fn data_have_the_type_that_is_asked_for() {
        let sent = Term::of(&Tcp {
            socket: socket(),
            data: ErlangString::from("line"),
        });
        let read = Tcp::<ErlangString>::from_term(&sent);
        assert_eq!(read.map(|tcp| tcp.data), Ok(ErlangString::from("line")));
        let refused = Tcp::<crate::Binary>::from_term(&sent).map(|tcp| tcp.data);
        let said = refused.unwrap_err().to_string();
        assert!(said.contains("expected binary()"), "{said}");
    }

    #[test]
    fn messages_with_one_tag_are_told_apart_by_their_size() {
        assert!(Udp::<Term>::SHAPE.excludes(&UdpWithAncillary::<Term>::SHAPE));
        assert!(NodeUp::SHAPE.excludes(&NodeUpInfo::<Term>::SHAPE));
        assert!(Timeout::SHAPE.excludes(&TimerTimeout::<Term>::SHAPE));
    }

    #[test]
    fn their_types_are_those_of_otp() {
        assert_eq!(
            Down::<Term>::erlang_type(),
            "{'DOWN', reference(), process | port, pid() | {atom(), atom()} | port(), term()}"
        );
        assert_eq!(
            ExitSignal::<Term>::erlang_type(),
            "{'EXIT', pid() | port(), term()}"
        );
    }
}
