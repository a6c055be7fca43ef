//! The connection of a client, which may become a WebSocket.
//!
//! When the server stops, a WebSocket whose handler has no [`Shutdown`](crate::Shutdown) is closed
//! here, because its handler does not know of the stop. The handler reads a close frame as if the
//! client had sent it, and its library answers with the same code. If the handler ends without that
//! answer, the client gets a close frame when the connection is dropped.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::frames::{Frames, close_frame};
use crate::phase::{Phase, stops};
use crate::places::Place;

/// How long the server reads what a client still sends after the close frame.
const GOODBYE: Duration = Duration::from_millis(500);
/// Maximum number of bytes of one read while the server stops.
const PIECE: usize = 4096;

/// The data that the connection and its requests share.
#[derive(Debug, Default)]
pub(crate) struct Socket(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Http,
    /// The handler has a `Shutdown` and closes the WebSocket itself.
    OfHandler,
    /// The reply turns the connection into a WebSocket. The second value makes the server wait for
    /// it.
    Begins(watch::Receiver<Phase>, Arc<()>),
    Begun,
}

impl Socket {
    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Records that the connection has another request, whose handler may be another one.
    pub(crate) fn is_requested(&self) {
        self.set(|state| {
            if matches!(state, State::OfHandler) {
                *state = State::Http;
            }
        });
    }

    /// Records that the handler has a `Shutdown`.
    pub(crate) fn is_of_handler(&self) {
        self.set(|state| *state = State::OfHandler);
    }

    /// Records that the reply turns the connection into a WebSocket.
    pub(crate) fn begins(&self, phases: watch::Receiver<Phase>, under_way: Arc<()>) {
        self.set(|state| {
            if matches!(state, State::Http) {
                *state = State::Begins(phases, under_way);
            }
        });
    }

    fn take(&self) -> Option<WebSocket> {
        let mut begun = None;
        self.set(|state| match std::mem::take(state) {
            State::Begins(phases, under_way) => {
                *state = State::Begun;
                begun = Some(WebSocket::new(phases, under_way));
            }
            other => *state = other,
        });
        begun
    }
}

/// A WebSocket that is closed here when the server stops.
struct WebSocket {
    stops: Pin<Box<dyn Future<Output = Phase> + Send>>,
    read: Frames,
    written: Frames,
    /// The close frame, as soon as the server stops, and the number of its bytes that were read.
    close: Option<(Phase, usize)>,
    under_way: Arc<()>,
}

impl WebSocket {
    fn new(mut phases: watch::Receiver<Phase>, under_way: Arc<()>) -> Self {
        WebSocket {
            stops: Box::pin(async move { stops(&mut phases).await }),
            read: Frames::default(),
            written: Frames::default(),
            close: None,
            under_way,
        }
    }

    /// Lets the handler read the close frame, if the server stops and the client's last frame is
    /// complete. Returns the number of bytes that may be read from the client before that.
    fn close(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Option<usize> {
        if self.close.is_none() {
            let Poll::Ready(phase) = self.stops.as_mut().poll(context) else {
                return Some(usize::MAX);
            };
            self.close = Some((phase, 0));
        }
        let (phase, sent) = self.close.as_mut()?;
        let left = self.read.left();
        if left > 0 {
            return Some(left.min(PIECE));
        }
        let frame = close_frame(*phase, true);
        let rest = &frame[*sent..];
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..count]);
        *sent += count;
        None
    }
}

/// The connection of a client.
pub(crate) struct Connection {
    /// `None` only while it is dropped.
    stream: Option<TcpStream>,
    shared: Arc<Socket>,
    socket: Option<WebSocket>,
    /// A WebSocket has left the task of its connection, but still has its place.
    _place: Arc<Place>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, place: Arc<Place>, shared: Arc<Socket>) -> Self {
        Connection {
            stream: Some(stream),
            _place: place,
            shared,
            socket: None,
        }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        let stream = self.stream.as_mut();
        stream
            .map(Pin::new)
            .ok_or(io::ErrorKind::NotConnected.into())
    }

    fn socket(&mut self) -> Option<&mut WebSocket> {
        if self.socket.is_none() {
            self.socket = self.shared.take();
        }
        self.socket.as_mut()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let Some(socket) = this.socket() else {
            return this.stream()?.poll_read(context, buffer);
        };
        match socket.close(context, buffer) {
            None => return Poll::Ready(Ok(())),
            Some(usize::MAX) => {
                let before = buffer.filled().len();
                ready!(this.stream()?.poll_read(context, buffer))?;
                if let Some(socket) = &mut this.socket {
                    socket.read.add(&buffer.filled()[before..]);
                }
            }
            Some(limit) => {
                let mut piece = [0; PIECE];
                let mut read = ReadBuf::new(&mut piece[..limit.min(buffer.remaining())]);
                ready!(this.stream()?.poll_read(context, &mut read))?;
                buffer.put_slice(read.filled());
                if let Some(socket) = &mut this.socket {
                    socket.read.add(read.filled());
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(self.stream()?.poll_write(context, bytes))?;
        if let Some(socket) = &mut self.socket {
            socket.written.add(&bytes[..count]);
        }
        Poll::Ready(Ok(count))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(self.stream()?.poll_write_vectored(context, parts))?;
        if let Some(socket) = &mut self.socket {
            let mut left = count;
            for part in parts {
                let (written, _) = part.split_at(left.min(part.len()));
                socket.written.add(written);
                left -= written.len();
            }
        }
        Poll::Ready(Ok(count))
    }

    fn is_write_vectored(&self) -> bool {
        let stream = self.stream.as_ref();
        stream.is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let stream = self.stream.take();
        let (Some(stream), Some(socket)) = (stream, self.socket.take()) else {
            return;
        };
        let Some((phase, _)) = socket.close else {
            return;
        };
        if socket.written.left() == 0 && !socket.written.is_closed() {
            // A client that does not read gets none.
            let _sent = stream.try_write(&close_frame(phase, false));
        }
        if let Ok(run_time) = tokio::runtime::Handle::try_current() {
            run_time.spawn(goodbye(stream, socket.under_way));
        }
    }
}

/// Reads until the client closes the connection. Otherwise, data that was not read would reset the
/// connection, and the client could lose the close frame.
async fn goodbye(stream: TcpStream, under_way: Arc<()>) {
    let _half = socket2::SockRef::from(&stream).shutdown(std::net::Shutdown::Write);
    let mut piece = [0; PIECE];
    let rest = async {
        while stream.readable().await.is_ok() {
            match stream.try_read(&mut piece) {
                Ok(0) => return,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return,
                _ => {}
            }
        }
    };
    let _late = timeout(GOODBYE, rest).await;
    drop(under_way);
}
