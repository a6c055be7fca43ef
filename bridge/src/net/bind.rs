//! Options of bound sockets.

use std::io;
use std::net::SocketAddr;

use socket2::{Domain, Protocol, Socket, Type};

/// The default number of connections that may wait to be accepted.
const BACKLOG: i32 = 1024;

/// The address of a socket, and its options.
///
/// ```
/// use otp_bridge::net::Bind;
/// # use otp_bridge_novm as _;
///
/// let shared = Bind::new(([127, 0, 0, 1], 7000)).reuse_port(true);
/// ```
#[derive(Debug, Clone)]
pub struct Bind {
    address: SocketAddr,
    reuses_port: bool,
    reuses_address: bool,
    backlog: i32,
    only_v6: bool,
}

impl Bind {
    /// Binds to an address; port 0 means any free port.
    #[must_use]
    pub fn new(address: impl Into<SocketAddr>) -> Self {
        Bind {
            address: address.into(),
            reuses_port: false,
            reuses_address: false,
            backlog: BACKLOG,
            only_v6: false,
        }
    }

    /// Sets whether several sockets, possibly of several processes, share the port
    /// (`SO_REUSEPORT`). The operating system gives each connection to one of them.
    #[must_use]
    pub fn reuse_port(self, on: bool) -> Self {
        Bind {
            reuses_port: on,
            ..self
        }
    }

    /// Sets whether a UDP socket shares its address with others that have this option
    /// (`SO_REUSEADDR`). Datagrams for a group reach each of them, datagrams for the address itself
    /// only the one that was bound last. TCP listeners always have this option.
    #[must_use]
    pub fn reuse_address(self, on: bool) -> Self {
        Bind {
            reuses_address: on,
            ..self
        }
    }

    /// Sets how many connections may wait to be accepted; the default is 1,024.
    #[must_use]
    pub fn backlog(self, backlog: u16) -> Self {
        Bind {
            backlog: i32::from(backlog),
            ..self
        }
    }

    /// Sets whether a socket of IPv6 accepts only IPv6.
    #[must_use]
    pub fn only_v6(self, on: bool) -> Self {
        Bind {
            only_v6: on,
            ..self
        }
    }

    fn bound(&self, kind: Type, protocol: Protocol) -> io::Result<Socket> {
        let domain = Domain::for_address(self.address);
        let socket = Socket::new(domain, kind, Some(protocol))?;
        if domain == Domain::IPV6 {
            socket.set_only_v6(self.only_v6)?;
        }
        // For UDP it would allow another program to use the same port.
        if kind == Type::STREAM || self.reuses_address {
            socket.set_reuse_address(true)?;
        }
        if self.reuses_port {
            socket.set_reuse_port(true)?;
        }
        socket.bind(&self.address.into())?;
        Ok(socket)
    }

    pub(super) fn tcp(&self) -> io::Result<std::net::TcpListener> {
        let socket = self.bound(Type::STREAM, Protocol::TCP)?;
        socket.listen(self.backlog)?;
        Ok(socket.into())
    }

    pub(super) fn udp(&self) -> io::Result<std::net::UdpSocket> {
        self.bound(Type::DGRAM, Protocol::UDP).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_udp_address_is_shared_by_those_who_say_so() {
        let free = Bind::new(([127, 0, 0, 1], 0)).reuse_address(true);
        let first = free.udp().expect("a free port");
        let address = first.local_addr().expect("its address");
        let second = Bind::new(address).reuse_address(true).udp();
        assert_eq!(
            second.expect("it is shared").local_addr().ok(),
            Some(address)
        );
        let stranger = Bind::new(address)
            .udp()
            .expect_err("a stranger has not said so");
        assert_eq!(stranger.kind(), io::ErrorKind::AddrInUse);
    }
}
