//! Sharing a listening socket of the VM with a server that has threads of its own.
#![allow(unsafe_code)]

use std::io;
use std::mem::size_of_val;
use std::net::TcpListener;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use crate::runtime::Cx;
use crate::term::{Port, Term};
use crate::{Exit, Result, atom};

impl Cx<'_> {
    /// Returns a listening socket of `gen_tcp` for a Rust server that has threads of its own, for
    /// example Tokio's. Both handles refer to one socket: a connection belongs to the side that
    /// accepts it first, and the port is open until the `gen_tcp` socket is closed and the returned
    /// listener is dropped. The listener does not block.
    ///
    /// The `gen_tcp` socket belongs to its process and survives an upgrade. So no connection is
    /// refused between the end of the old build's server and the start of the new one's: see
    /// [`Upgrade`](crate::messages::Upgrade).
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::term::Port;
    /// use otp_bridge::{Cx, Result};
    ///
    /// async fn address(cx: &Cx<'_>, socket: &Port) -> Result<std::net::SocketAddr> {
    ///     Ok(cx.tcp_listener(socket).await?.local_addr()?)
    /// }
    /// ```
    ///
    /// # Errors
    /// `einval` if the socket is closed, or is not a listening one; the operating system's error if
    /// no more files can be opened.
    pub async fn tcp_listener(&self, socket: &Port) -> Result<TcpListener> {
        let number = self.file_descriptor(socket).await?;
        let copied = duplicate(number)?;
        // The port had this number before and after the copy was made, so the copy is one of its
        // socket.
        if self.file_descriptor(socket).await? != number || !is_listening(&copied)? {
            return Err(Exit::new(atom!("einval")));
        }
        Ok(TcpListener::from(copied))
    }

    async fn file_descriptor(&self, socket: &Port) -> Result<i32> {
        let asked = self.apply("inet", "getfd", (socket.clone(),));
        let answer: std::result::Result<i32, Term> = asked.await?;
        answer.map_err(Exit::new)
    }
}

/// Duplicates the descriptor of an open file. The copy is closed on `exec`.
fn duplicate(number: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call gets only numbers and accesses no memory. For a number that is not open it
    // returns an error.
    let copied = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) };
    if copied < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call above opened this number for its caller, and no other code knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(copied) })
}

fn is_listening(socket: &OwnedFd) -> io::Result<bool> {
    let mut value: libc::c_int = 0;
    let mut size = size_of_val(&value) as libc::socklen_t;
    // SAFETY: the file stays open while it is borrowed. The call writes to `value`, which has
    // `size` bytes, and to `size`.
    let asked = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_ACCEPTCONN,
            (&raw mut value).cast(),
            &raw mut size,
        )
    };
    match asked {
        0 => Ok(value != 0),
        _ => Err(io::Error::last_os_error()),
    }
}
