//! The common code of TCP and Unix streams.

use std::io::{self, IoSlice, Read, Write};
use std::task::{Context, Poll};

use super::slots::Direction;
use super::socket::MioSocket;

/// Reads the available bytes, at most as many as fit.
pub(super) fn read_once<S>(socket: &MioSocket<S>, buffer: &mut [u8]) -> io::Result<usize>
where
    for<'s> &'s S: Read,
{
    let wanted = buffer.len();
    let read = socket.try_do(Direction::Read, |mut stream| stream.read(buffer))?;
    // Further bytes will be reported by an event. At the end of the stream the socket stays ready.
    if read > 0 && read < wanted {
        socket.drained(Direction::Read);
    }
    Ok(read)
}

pub(super) fn poll_read<S>(
    socket: &MioSocket<S>,
    context: &Context<'_>,
    buffer: &mut [u8],
) -> Poll<io::Result<usize>>
where
    for<'s> &'s S: Read,
{
    let wanted = buffer.len();
    let read = socket.poll_do(Direction::Read, context, |mut stream| stream.read(buffer));
    if let Poll::Ready(Ok(count)) = read
        && count > 0
        && count < wanted
    {
        socket.drained(Direction::Read);
    }
    read
}

/// Writes as many bytes as the operating system accepts.
pub(super) fn write_once<S>(socket: &MioSocket<S>, buffers: &[IoSlice<'_>]) -> io::Result<usize>
where
    for<'s> &'s S: Write,
{
    socket.try_do(Direction::Write, |stream| write(stream, buffers))
}

pub(super) fn poll_write<S>(
    socket: &MioSocket<S>,
    context: &Context<'_>,
    buffers: &[IoSlice<'_>],
) -> Poll<io::Result<usize>>
where
    for<'s> &'s S: Write,
{
    socket.poll_do(Direction::Write, context, |stream| write(stream, buffers))
}

fn write(mut stream: impl Write, buffers: &[IoSlice<'_>]) -> io::Result<usize> {
    match buffers {
        [only] => stream.write(only),
        _ => stream.write_vectored(buffers),
    }
}

/// The methods and traits of a stream, whose field 0 is its socket.
macro_rules! stream {
    ($stream:ident) => {
        impl $stream {
            /// Waits until there are bytes to read, or the other side has closed the stream.
            ///
            /// # Errors
            /// If this is not a call of the process that the stream belongs to.
            pub async fn readable(&self) -> io::Result<()> {
                self.0.ready(Direction::Read).await
            }

            /// Waits until the stream is writable.
            ///
            /// # Errors
            /// Like [`readable`](Self::readable).
            pub async fn writable(&self) -> io::Result<()> {
                self.0.ready(Direction::Write).await
            }

            /// Reads the available bytes into a buffer, which many connections may share. Returns
            /// their number: 0 if the other side has closed the stream.
            ///
            /// # Errors
            /// `WouldBlock` if there are no bytes; those of the operating system.
            pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
                stream::read_once(&self.0, buffer)
            }

            /// Writes as many bytes as the operating system accepts. Returns their number.
            ///
            /// # Errors
            /// `WouldBlock` if it accepts none now; those of the operating system.
            pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
                stream::write_once(&self.0, &[IoSlice::new(bytes)])
            }

            /// Like [`try_write`](Self::try_write), for several pieces that are written one after
            /// the other.
            ///
            /// # Errors
            /// Like [`try_write`](Self::try_write).
            pub fn try_write_vectored(&self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
                stream::write_once(&self.0, pieces)
            }

            /// Waits for bytes and reads them, at most as many as fit. Returns their number: 0 if
            /// the other side has closed the stream.
            ///
            /// # Errors
            /// The errors of the operating system; an error if this is not a call of the process
            /// that the stream belongs to.
            pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
                poll_fn(|context| stream::poll_read(&self.0, context, buffer)).await
            }

            /// Writes some of the bytes. Returns their number.
            ///
            /// # Errors
            /// Like [`read`](Self::read).
            pub async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
                let pieces = [IoSlice::new(bytes)];
                poll_fn(|context| stream::poll_write(&self.0, context, &pieces)).await
            }

            /// Writes all of the bytes. If the reader is slow, this waits.
            ///
            /// # Errors
            /// Like [`read`](Self::read); `WriteZero` if the operating system accepts no more.
            pub async fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
                while !bytes.is_empty() {
                    match self.write(bytes).await? {
                        0 => return Err(io::ErrorKind::WriteZero.into()),
                        written => bytes = &bytes[written..],
                    }
                }
                Ok(())
            }

            /// Closes one direction, or both.
            ///
            /// # Errors
            /// The errors of the operating system.
            pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
                self.0.get().shutdown(how)
            }

            /// Returns and clears the pending error of the stream, if there is one.
            ///
            /// # Errors
            /// The errors of the operating system.
            pub fn take_error(&self) -> io::Result<Option<io::Error>> {
                self.0.get().take_error()
            }

            /// Waits until the connection has been established.
            async fn connected(self) -> io::Result<Self> {
                self.writable().await?;
                match self.take_error()? {
                    Some(error) => Err(error),
                    None => Ok(self),
                }
            }
        }

        impl AsyncRead for &$stream {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                stream::poll_read(&self.0, context, buffer)
            }
        }

        impl AsyncWrite for &$stream {
            fn poll_write(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                stream::poll_write(&self.0, context, &[IoSlice::new(bytes)])
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                pieces: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                stream::poll_write(&self.0, context, pieces)
            }

            /// Does nothing, because writes are not buffered.
            fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
                Poll::Ready(Ok(()))
            }

            fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
                Poll::Ready(self.shutdown(Shutdown::Write))
            }
        }

        impl AsyncRead for $stream {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut &*self).poll_read(context, buffer)
            }
        }

        impl AsyncWrite for $stream {
            fn poll_write(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut &*self).poll_write(context, bytes)
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                pieces: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut &*self).poll_write_vectored(context, pieces)
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut &*self).poll_flush(context)
            }

            fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut &*self).poll_close(context)
            }
        }
    };
}

pub(super) use stream;
