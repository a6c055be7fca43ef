//! Sockets that tasks and callbacks await (feature `net`).
//!
//! ```text
//! the process's tasks ── socket ── reactor: slots ── poll (epoll, kqueue) ── the sockets
//!          ▲                          │                   │ none of the tasks can go on
//!          └── its mailbox ◀── one message ◀── the VM watches the poll
//! ```
//!
//! A socket belongs to the process that has made it, and is used in calls of that process: by its
//! tasks, between callbacks as well, and by its callbacks. A process with one task for each
//! connection serves thousands of connections; several such processes, each with a listener at the
//! same port ([`Bind::reuse_port`]), use all cores. What becomes ready together wakes the process
//! once. Sockets are closed when they are dropped, and so with their process.
//!
//! The streams are `AsyncRead` and `AsyncWrite` of the `futures` crates, on which codecs and TLS
//! build. Addresses are numbers; names are looked up by OTP's `inet`.
//!
//! It depends on `process` and everything below it; nothing depends on it.

mod bind;
mod reactor;
mod slots;
mod socket;
mod stream;
mod tcp;
mod udp;
mod unix;

pub use bind::Bind;
pub use tcp::{TcpListener, TcpStream};
pub use udp::UdpSocket;
pub use unix::{UnixListener, UnixStream};
