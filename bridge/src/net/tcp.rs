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

/// A TCP socket that accepts connections. It belongs to the process that created it, and is closed
/// when it is dropped.
#[derive(Debug)]
#[must_use = "it closes when it is dropped: keep it"]
pub struct TcpListener(MioSocket<mio::net::TcpListener>);

impl TcpListener {
    /// Listens at an address. Port 0 means any free port, which [`local_addr`](Self::local_addr)
    /// returns. The port may have earlier connections that are still closing (`SO_REUSEADDR`).
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
    /// The errors of the operating system; `Unsupported` without a VM.
    pub fn bind(cx: &Cx<'_>, address: impl Into<SocketAddr>) -> io::Result<Self> {
        Self::bind_with(cx, &Bind::new(address))
    }

    /// Like [`bind`](Self::bind), with options.
    ///
    /// # Errors
    /// Like [`bind`](Self::bind).
    pub fn bind_with(cx: &Cx<'_>, bind: &Bind) -> io::Result<Self> {
        Self::from_std(cx, bind.tcp()?)
    }

    /// Converts a listener of the standard library, which any crate may have created.
    ///
    /// # Errors
    /// Like [`bind`](Self::bind).
    pub fn from_std(cx: &Cx<'_>, listener: std::net::TcpListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let listener = mio::net::TcpListener::from_std(listener);
        MioSocket::of(cx, listener).map(TcpListener)
    }

    /// Waits for the next connection. It belongs to the same process.
    ///
    /// # Errors
    /// The errors of the operating system. Some concern only one connection, which was closed
    /// before it was accepted; others report that there are too many files open.
    pub async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        let (stream, address) = self.0.done(Direction::Read, |it| it.accept()).await?;
        Ok((TcpStream(self.0.beside(stream)?), address))
    }

    /// Returns the address at which it listens.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }
}

/// A TCP connection. It belongs to the process that created it, and is closed when it is dropped.
#[derive(Debug)]
#[must_use = "it closes when it is dropped: keep it"]
pub struct TcpStream(MioSocket<mio::net::TcpStream>);

stream!(TcpStream);

impl TcpStream {
    /// Connects to an address.
    ///
    /// # Errors
    /// The errors of the operating system; `Unsupported` without a VM.
    pub async fn connect(cx: &Cx<'_>, address: impl Into<SocketAddr>) -> io::Result<Self> {
        let stream = mio::net::TcpStream::connect(address.into())?;
        // The socket becomes ready when the connection has been established.
        let socket = MioSocket::of(cx, stream)?;
        socket.drained(Direction::Write);
        TcpStream(socket).connected().await
    }

    /// Converts a stream of the standard library, which then belongs to this process. Use it to
    /// receive a stream that another process has given away by [`into_std`](Self::into_std).
    ///
    /// # Errors
    /// Like [`connect`](Self::connect).
    pub fn from_std(cx: &Cx<'_>, stream: std::net::TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let stream = mio::net::TcpStream::from_std(stream);
        MioSocket::of(cx, stream).map(TcpStream)
    }

    /// Converts the stream into one for another process, or for a thread: it does not belong to
    /// this process any more.
    ///
    /// # Errors
    /// This is not a call of the process that the stream belongs to. Then the stream is closed.
    pub fn into_std(self) -> io::Result<std::net::TcpStream> {
        self.0.leave().map(std::net::TcpStream::from)
    }

    /// Returns the address of the other side.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().peer_addr()
    }

    /// Returns the address of this side.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }

    /// Sets whether small packets are sent at once (`TCP_NODELAY`).
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn set_nodelay(&self, at_once: bool) -> io::Result<()> {
        self.0.get().set_nodelay(at_once)
    }

    /// Sets the idle time after which the operating system checks whether the other side still
    /// exists (`SO_KEEPALIVE`). `None` disables the checks.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub fn set_keepalive(&self, idle: Option<Duration>) -> io::Result<()> {
        let socket = SockRef::from(self.0.get());
        match idle {
            Some(idle) => socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(idle)),
            None => socket.set_keepalive(false),
        }
    }
}
