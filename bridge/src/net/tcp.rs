//! TCP.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net::{Shutdown, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_io::{AsyncRead, AsyncWrite};
use socket2::{SockRef, TcpKeepalive};

use super::bind::Bind;
use super::slots::Direction;
use super::socket::MioSocket;
use super::stream::{self, stream};
use crate::runtime::Cx;

/// A TCP socket that takes connections. It belongs to the process that has made it, and is closed
/// when it is dropped.
#[derive(Debug)]
pub struct TcpListener(MioSocket<mio::net::TcpListener>);

impl TcpListener {
    /// Listens at an address. The address of port 0 is a free port, which
    /// [`local_addr`](Self::local_addr) tells. The port may be one whose connections of before are
    /// still ending (`SO_REUSEADDR`).
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::net::TcpListener;
    /// use otp_bridge::task::Tasks;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn echo(cx: &Cx<'_>) -> Result<()> {
    ///     let listener = TcpListener::bind(cx, ([127, 0, 0, 1], 7000))?;
    ///     loop {
    ///         let (stream, _) = listener.accept().await?;
    ///         cx.spawn_task(async move |_| {
    ///             let mut buffer = [0; 1024];
    ///             while let count @ 1.. = stream.read(&mut buffer).await? {
    ///                 stream.write_all(&buffer[..count]).await?;
    ///             }
    ///             Ok(())
    ///         });
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of the operating system; `Unsupported` without a VM.
    pub fn bind(cx: &Cx<'_>, address: impl Into<SocketAddr>) -> io::Result<Self> {
        Self::bind_with(cx, &Bind::new(address))
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn bind_with(cx: &Cx<'_>, bind: &Bind) -> io::Result<Self> {
        Self::from_std(cx, bind.tcp()?)
    }

    /// A listener of the standard library's, which any crate may have made.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn from_std(cx: &Cx<'_>, listener: std::net::TcpListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let listener = mio::net::TcpListener::from_std(listener);
        MioSocket::of(cx, listener).map(TcpListener)
    }

    /// The next connection. It belongs to the same process.
    ///
    /// # Errors
    /// Those of the operating system. Some are of one connection only, which was closed meanwhile;
    /// others say that there are too many files open.
    pub async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        let (stream, address) = self.0.done(Direction::Read, |it| it.accept()).await?;
        Ok((TcpStream(self.0.beside(stream)?), address))
    }

    /// The address at which it listens.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }
}

/// A TCP connection. It belongs to the process that has made it, and is closed when it is dropped.
#[derive(Debug)]
pub struct TcpStream(MioSocket<mio::net::TcpStream>);

stream!(TcpStream);

impl TcpStream {
    /// Connects.
    ///
    /// # Errors
    /// Those of the operating system; `Unsupported` without a VM.
    pub async fn connect(cx: &Cx<'_>, address: impl Into<SocketAddr>) -> io::Result<Self> {
        let stream = mio::net::TcpStream::connect(address.into())?;
        // It is ready when the connection has been made, and not before.
        let socket = MioSocket::of(cx, stream)?;
        socket.drained(Direction::Write);
        TcpStream(socket).connected().await
    }

    /// A stream of the standard library's, which belongs to this process from now on. What another
    /// process has given away by [`into_std`](Self::into_std) comes here.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub fn from_std(cx: &Cx<'_>, stream: std::net::TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let stream = mio::net::TcpStream::from_std(stream);
        MioSocket::of(cx, stream).map(TcpStream)
    }

    /// The stream for another process, or for a thread: it does not belong to this process any
    /// more.
    ///
    /// # Errors
    /// If this is not a call of the process that the stream belongs to: then it is closed.
    pub fn into_std(self) -> io::Result<std::net::TcpStream> {
        self.0.leave().map(std::net::TcpStream::from)
    }

    /// Whose connection it is.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().peer_addr()
    }

    /// The address of this side.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }

    /// Whether small packets are sent at once (`TCP_NODELAY`).
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn set_nodelay(&self, at_once: bool) -> io::Result<()> {
        self.0.get().set_nodelay(at_once)
    }

    /// Asks the other side whether it is still there, when nothing was heard for so long
    /// (`SO_KEEPALIVE`). `None` asks never.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn set_keepalive(&self, idle: Option<Duration>) -> io::Result<()> {
        let socket = SockRef::from(self.0.get());
        match idle {
            Some(idle) => socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(idle)),
            None => socket.set_keepalive(false),
        }
    }
}
