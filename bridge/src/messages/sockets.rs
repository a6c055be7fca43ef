//! Messages of sockets: `gen_tcp`, `gen_udp`, `ssl`.

use std::net::IpAddr;

use crate::{Atom, Binary, Port, Term};

/// A socket of `gen_tcp` or `gen_udp`: `inet:socket()`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Term)]
pub enum Socket {
    /// A port, as usual.
    #[term(untagged)]
    Port(Port),
    /// `{'$inet', Handler, Handle}`: a socket of another backend, such as
    /// `{inet_backend, socket}`.
    #[term(tag = "$inet")]
    Module(Atom, Term),
}

impl From<Port> for Socket {
    fn from(port: Port) -> Self {
        Socket::Port(port)
    }
}

impl PartialEq<Port> for Socket {
    fn eq(&self, port: &Port) -> bool {
        matches!(self, Socket::Port(own) if own == port)
    }
}

/// `{tcp, Socket, Data}`: data have arrived at an active socket. `Data` is a binary, a
/// [`ErlangString`](crate::ErlangString) in list mode, or the result of the option `packet`.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct Tcp<Data = Binary> {
    /// The socket.
    pub socket: Socket,
    /// The data.
    pub data: Data,
}

/// `{tcp_closed, Socket}`: the other side has closed the connection.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct TcpClosed {
    /// The socket.
    pub socket: Socket,
}

/// `{tcp_error, Socket, Reason}`: the connection has failed. [`TcpClosed`] follows.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct TcpError<Reason = Term> {
    /// The socket.
    pub socket: Socket,
    /// Mostly an `inet:posix()`, such as `etimedout`.
    pub reason: Reason,
}

/// `{tcp_passive, Socket}`: the number of messages in `{active, N}` have arrived.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct TcpPassive {
    /// The socket.
    pub socket: Socket,
}

/// `{udp, Socket, Address, Port, Packet}`: a packet has arrived at an active socket.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct Udp<Packet = Binary> {
    /// The socket.
    pub socket: Socket,
    /// The sender's address.
    pub address: UdpAddress,
    /// The sender's port, 0 for addresses that are not IP.
    pub port: u16,
    /// The packet.
    pub packet: Packet,
}

/// `{udp, Socket, Address, Port, AncillaryData, Packet}`: a packet has arrived at an active socket
/// with an option such as `recvtos`.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record, tag = "udp")]
pub struct UdpWithAncillary<Packet = Binary> {
    /// The socket.
    pub socket: Socket,
    /// The sender's address.
    pub address: UdpAddress,
    /// The sender's port, 0 for addresses that are not IP.
    pub port: u16,
    /// `inet:ancillary_data()`: pairs such as `{tos, Byte}`.
    pub ancillary_data: Vec<(Atom, Term)>,
    /// The packet.
    pub packet: Packet,
}

/// `{udp_error, Socket, Reason}`: the socket has failed. It may work again afterwards.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct UdpError<Reason = Term> {
    /// The socket.
    pub socket: Socket,
    /// Mostly an `inet:posix()`, such as `econnrefused`.
    pub reason: Reason,
}

/// `{udp_passive, Socket}`: the number of messages in `{active, N}` have arrived.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(record)]
pub struct UdpPassive {
    /// The socket.
    pub socket: Socket,
}

/// `{ssl, Socket, Data}`: data have arrived at an active socket of `ssl`.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct Ssl<Data = Binary> {
    /// `ssl:sslsocket()`, whose parts are internal to `ssl`.
    pub socket: Term,
    /// The data, as in [`Tcp`].
    pub data: Data,
}

/// `{ssl_closed, Socket}`: the other side has closed the connection.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct SslClosed {
    /// `ssl:sslsocket()`
    pub socket: Term,
}

/// `{ssl_error, Socket, Reason}`: the connection has failed.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct SslError<Reason = Term> {
    /// `ssl:sslsocket()`
    pub socket: Term,
    /// `ssl:reason()`
    pub reason: Reason,
}

/// `{ssl_passive, Socket}`: the number of messages in `{active, N}` have arrived.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(record)]
pub struct SslPassive {
    /// `ssl:sslsocket()`
    pub socket: Term,
}

/// The address of a packet's sender.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum UdpAddress {
    /// `inet:ip_address()`
    #[term(untagged)]
    Ip(IpAddress),
    /// `inet:returned_non_ip_address()`: `{local, Path}`, `{unspec, Bytes}`, `undefined`
    #[term(untagged)]
    Other(Term),
}

impl UdpAddress {
    /// Returns the IP address, if it is one.
    #[must_use]
    pub fn ip(&self) -> Option<IpAddr> {
        match self {
            UdpAddress::Ip(address) => Some((*address).into()),
            UdpAddress::Other(_) => None,
        }
    }
}

/// `inet:ip_address()`
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Term)]
pub enum IpAddress {
    /// `inet:ip4_address()`: `{127, 0, 0, 1}`
    #[term(tuple)]
    V4(u8, u8, u8, u8),
    /// `inet:ip6_address()`: `{0, 0, 0, 0, 0, 0, 0, 1}`
    #[term(tuple)]
    V6(u16, u16, u16, u16, u16, u16, u16, u16),
}

impl From<IpAddress> for IpAddr {
    fn from(address: IpAddress) -> Self {
        match address {
            IpAddress::V4(a, b, c, d) => IpAddr::from([a, b, c, d]),
            IpAddress::V6(a, b, c, d, e, f, g, h) => IpAddr::from([a, b, c, d, e, f, g, h]),
        }
    }
}

impl From<IpAddr> for IpAddress {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => {
                let [a, b, c, d] = address.octets();
                IpAddress::V4(a, b, c, d)
            }
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, g, h] = address.segments();
                IpAddress::V6(a, b, c, d, e, f, g, h)
            }
        }
    }
}
