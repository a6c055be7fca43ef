//! UDP.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use super::bind::Bind;
use super::slots::Direction;
use super::socket::MioSocket;
use crate::runtime::Cx;

/// A UDP socket. It belongs to the process that has made it, and is closed when it is dropped.
#[derive(Debug)]
pub struct UdpSocket(MioSocket<mio::net::UdpSocket>);

impl UdpSocket {
    /// A socket at an address. The address of port 0 is a free port, which
    /// [`local_addr`](Self::local_addr) tells.
    ///
    /// # Errors
    /// Those of the operating system; `Unsupported` without a VM.
    pub fn bind(cx: &Cx<'_>, address: impl Into<SocketAddr>) -> io::Result<Self> {
        Self::bind_with(cx, &Bind::new(address))
    }

    /// The same with options: several sockets may share a port ([`Bind::reuse_port`]).
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn bind_with(cx: &Cx<'_>, bind: &Bind) -> io::Result<Self> {
        Self::from_std(cx, bind.udp()?)
    }

    /// A socket of the standard library's, which any crate may have made.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn from_std(cx: &Cx<'_>, socket: std::net::UdpSocket) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        let socket = mio::net::UdpSocket::from_std(socket);
        MioSocket::of(cx, socket).map(UdpSocket)
    }

    /// The next datagram. Returns how many bytes of it are in the buffer, and where it came from.
    /// What does not fit is lost.
    ///
    /// # Errors
    /// Those of the operating system; if this is not a call of the process that the socket belongs
    /// to.
    pub async fn recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        let receive = |it: &mio::net::UdpSocket| it.recv_from(buffer);
        self.0.done(Direction::Read, receive).await
    }

    /// The same, if one is there.
    ///
    /// # Errors
    /// `WouldBlock` if none is; those of the operating system.
    pub fn try_recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.0.try_do(Direction::Read, |it| it.recv_from(buffer))
    }

    /// Sends a datagram. Returns how many bytes that were.
    ///
    /// # Errors
    /// As [`recv_from`](Self::recv_from).
    pub async fn send_to(&self, bytes: &[u8], to: impl Into<SocketAddr>) -> io::Result<usize> {
        let to = to.into();
        self.0
            .done(Direction::Write, |it| it.send_to(bytes, to))
            .await
    }

    /// Receives from this address only, and sends to it by [`send`](Self::send).
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn connect(&self, to: impl Into<SocketAddr>) -> io::Result<()> {
        self.0.get().connect(to.into())
    }

    /// Sends a datagram to the address of [`connect`](Self::connect).
    ///
    /// # Errors
    /// As [`recv_from`](Self::recv_from).
    pub async fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.done(Direction::Write, |it| it.send(bytes)).await
    }

    /// The next datagram from the address of [`connect`](Self::connect).
    ///
    /// # Errors
    /// As [`recv_from`](Self::recv_from).
    pub async fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.done(Direction::Read, |it| it.recv(buffer)).await
    }

    /// Receives what is sent to a group, by the network interface with this address.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn join_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.0.get().join_multicast_v4(&group, &interface)
    }

    /// The opposite of [`join_multicast_v4`](Self::join_multicast_v4).
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn leave_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.0.get().leave_multicast_v4(&group, &interface)
    }

    /// Receives what is sent to a group, by the network interface with this number (0: any).
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn join_multicast_v6(&self, group: Ipv6Addr, interface: u32) -> io::Result<()> {
        self.0.get().join_multicast_v6(&group, interface)
    }

    /// By which interface datagrams for groups leave.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn set_multicast_if_v4(&self, interface: Ipv4Addr) -> io::Result<()> {
        socket2::SockRef::from(self.0.get()).set_multicast_if_v4(&interface)
    }

    /// Whether this machine gets what it sends to groups that it has joined.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn set_multicast_loop_v4(&self, on: bool) -> io::Result<()> {
        self.0.get().set_multicast_loop_v4(on)
    }

    /// The address of the socket.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }
}
