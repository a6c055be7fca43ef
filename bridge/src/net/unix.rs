//! Sockets of the file system.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use super::slots::Direction;
use super::socket::MioSocket;
use super::stream::{self, stream};
use crate::runtime::Cx;

/// A Unix socket that accepts connections. Its file remains when the listener is dropped.
#[derive(Debug)]
#[must_use = "it closes when it is dropped: keep it"]
pub struct UnixListener(MioSocket<mio::net::UnixListener>);

impl UnixListener {
    /// Listens at a path. There must not be a file at the path yet.
    ///
    /// # Errors
    /// The errors of the operating system; `Unsupported` without a VM.
    pub fn bind(cx: &Cx<'_>, path: impl AsRef<Path>) -> io::Result<Self> {
        MioSocket::of(cx, mio::net::UnixListener::bind(path)?).map(UnixListener)
    }

    /// Waits for the next connection. It belongs to the same process.
    ///
    /// # Errors
    /// The errors of the operating system.
    pub async fn accept(&self) -> io::Result<UnixStream> {
        let (stream, _) = self.0.done(Direction::Read, |it| it.accept()).await?;
        Ok(UnixStream(self.0.beside(stream)?))
    }
}

/// A connection through a Unix socket. It belongs to the process that created it, and is closed
/// when it is dropped.
#[derive(Debug)]
#[must_use = "it closes when it is dropped: keep it"]
pub struct UnixStream(MioSocket<mio::net::UnixStream>);

stream!(UnixStream);

impl UnixStream {
    /// Connects to a path.
    ///
    /// # Errors
    /// The errors of the operating system; `Unsupported` without a VM.
    pub async fn connect(cx: &Cx<'_>, path: impl AsRef<Path>) -> io::Result<Self> {
        let stream = mio::net::UnixStream::connect(path)?;
        let socket = MioSocket::of(cx, stream)?;
        socket.drained(Direction::Write);
        UnixStream(socket).connected().await
    }
}
