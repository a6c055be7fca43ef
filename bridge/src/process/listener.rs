//! A listening socket of the VM for a server that has threads of its own.
#![allow(unsafe_code)]

use std::io;
use std::mem::size_of_val;
use std::net::TcpListener;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use crate::runtime::Cx;
use crate::term::{Port, Term};
use crate::{Exit, Result, atom};

impl Cx<'_> {
    /// A listening socket of `gen_tcp` for a server of Rust that has threads of its own, such as
    /// one of Tokio. Both are the same socket: whoever accepts a connection has it, and the port
    /// listens until the `gen_tcp` socket is closed and this is dropped. It does not block.
    ///
    /// The `gen_tcp` socket belongs to its process, and goes over at an upgrade. So no connection
    /// is refused while the server of the old build ends and that of the new one begins:
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
    /// `einval` if it is closed, or not a listening socket; that of the operating system if no more
    /// files can be open.
    pub async fn tcp_listener(&self, socket: &Port) -> Result<TcpListener> {
        let number = self.file_descriptor(socket).await?;
        let copied = duplicate(number)?;
        // The port has had the number all the time, so the copy is one of its socket.
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

/// Another number of a file that is open. It is closed in programs that are started.
fn duplicate(number: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes numbers, and looks at no memory. One that is not open is an error.
    let copied = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) };
    if copied < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call above has opened this number for its caller, and nobody else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(copied) })
}

fn is_listening(socket: &OwnedFd) -> io::Result<bool> {
    let mut value: libc::c_int = 0;
    let mut size = size_of_val(&value) as libc::socklen_t;
    // SAFETY: the file is open as long as it is borrowed. `value` is written to, which has `size`
    // bytes, and `size`.
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
