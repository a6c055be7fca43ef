//! UDP.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use super::bind::Bind;
use super::slots::Direction;
use super::socket::MioSocket;
use crate::runtime::Cx;

/// A UDP socket. It belongs to the process that created it, and is closed when it is dropped.
#[derive(Debug)]
#[must_use = "it closes when it is dropped: keep it"]
pub struct UdpSocket(MioSocket<mio::net::UdpSocket>);

impl UdpSocket {
    /// Binds a socket to an address. Port 0 means any free port, which
    /// [`local_addr`](Self::local_addr) returns.
    ///
    /// # Errors
    /// The errors of the operating system; `Unsupported` without a VM.
    pub fn bind(cx: &Cx<'_>, address: impl Into<SocketAddr>) -> io::Result<Self> {
        Self::bind_with(cx, &Bind::new(address))
    }

    /// Like [`bind`](Self::bind), with options: several sockets may share a port
    /// ([`Bind::reuse_port`]).
    ///
    /// # Errors
    /// Like [`bind`](Self::bind).
    pub fn bind_with(cx: &Cx<'_>, bind: &Bind) -> io::Result<Self> {
        Self::from_std(cx, bind.udp()?)
    }

    /// Converts a socket of the standard library, which any crate may have created.
    ///
    /// # Errors
    /// Like [`bind`](Self::bind).
    pub fn from_std(cx: &Cx<'_>, socket: std::net::UdpSocket) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        let socket = mio::net::UdpSocket::from_std(socket);
        MioSocket::of(cx, socket).map(UdpSocket)
    }

    /// Waits for the next datagram. Returns how many bytes of it are in the buffer, and its sender.
    /// Bytes that do not fit are lost.
    ///
    /// # Errors
    /// The errors of the operating system; an error if this is not a call of the process that the
    /// socket belongs to.
    pub async fn recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        let receive = |it: &mio::net::UdpSocket| it.recv_from(buffer);
        self.0.done(Direction::Read, receive).await
    }

    /// Like [`recv_from`](Self::recv_from), without waiting.
    ///
    /// # Errors
    /// `WouldBlock` if there is no datagram; the errors of the operating system.
    pub fn try_recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.0.try_do(Direction::Read, |it| it.recv_from(buffer))
    }

    /// Sends a datagram. Returns the number of its bytes.
    ///
    /// # Errors
    /// Like [`recv_from`](Self::recv_from).
    pub async fn send_to(&self, bytes: &[u8], to: impl Into<SocketAddr>) -> io::Result<usize> {
        let to = to.into();
        self.0
            .done(Direction::Write, |it| it.send_to(bytes, to))
            .await
    }

    /// Receives from this address only, and makes it the destination of [`send`](Self::send).
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn connect(&self, to: impl Into<SocketAddr>) -> io::Result<()> {
        self.0.get().connect(to.into())
    }

    /// Sends a datagram to the address of [`connect`](Self::connect).
    ///
    /// # Errors
    /// Like [`recv_from`](Self::recv_from).
    pub async fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.done(Direction::Write, |it| it.send(bytes)).await
    }

    /// Waits for the next datagram from the address of [`connect`](Self::connect).
    ///
    /// # Errors
    /// Like [`recv_from`](Self::recv_from).
    pub async fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.done(Direction::Read, |it| it.recv(buffer)).await
    }

    /// Joins a group, to receive the datagrams for it, on the network interface with this address.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn join_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.0.get().join_multicast_v4(&group, &interface)
    }

    /// Leaves a group that was joined by [`join_multicast_v4`](Self::join_multicast_v4).
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn leave_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.0.get().leave_multicast_v4(&group, &interface)
    }

    /// Joins a group, to receive the datagrams for it, on the network interface with this number
    /// (0: any).
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn join_multicast_v6(&self, group: Ipv6Addr, interface: u32) -> io::Result<()> {
        self.0.get().join_multicast_v6(&group, interface)
    }

    /// Sets the network interface for datagrams to groups.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn set_multicast_if_v4(&self, interface: Ipv4Addr) -> io::Result<()> {
        socket2::SockRef::from(self.0.get()).set_multicast_if_v4(&interface)
    }

    /// Sets whether this machine gets its own datagrams for groups that it has joined.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn set_multicast_loop_v4(&self, on: bool) -> io::Result<()> {
        self.0.get().set_multicast_loop_v4(on)
    }

    /// Returns the address of the socket.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }
}
