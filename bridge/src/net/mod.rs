//! Sockets that tasks and callbacks await (feature `net`).
//!
//! ```text
//! the process's tasks ── socket ── reactor: slots ── poll (epoll, kqueue) ── the sockets
//!          ▲                          │                   │ no task can continue
//!          └── its mailbox ◀── one message ◀── the VM watches the poll
//! ```
//!
//! A socket belongs to the process that created it. Only code of that process can use it: its
//! callbacks, and its tasks, which also run between callbacks. A process with one task for each
//! connection serves thousands of connections. Several such processes, each with a listener at the
//! same port ([`Bind::reuse_port`]), use all cores. If several sockets become ready together, the
//! process wakes up once. Sockets are closed when they are dropped, and so at the latest with their
//! process.
//!
//! The streams implement `AsyncRead` and `AsyncWrite` of the `futures` crates, so that codecs and
//! TLS can build on them. Addresses are numeric; use OTP's `inet` to look up names.
//!
//! This module depends on `process` and everything below it; no other module depends on it.

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
