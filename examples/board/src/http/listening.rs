//! The listening socket.

use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use otp_bindings::atoms::{active, backlog, binary, ip, loopback, reuseaddr};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bridge::term::Port;
use otp_bridge::{Cx, Exit, Result, list};

use crate::limits;

/// The port that a server of this build has, or 0.
static PORT: AtomicU16 = AtomicU16::new(0);

/// How often a port is tried that may still be that of a process which was killed, and the time
/// between.
const TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// The next server that wants any free port has this one.
pub(super) fn remember(port: u16) {
    PORT.store(port, Ordering::Relaxed);
}

/// Listens at 127.0.0.1.
pub(super) async fn listen(cx: &Cx<'_>, port: u16) -> Result<Port> {
    let port = match port {
        0 => PORT.load(Ordering::Relaxed),
        port => port,
    };
    let mut tries = 1;
    loop {
        let options = list![
            binary,
            (ip, loopback),
            (active, false),
            (reuseaddr, true),
            (backlog, limits::QUEUE),
        ];
        match gen_tcp::listen(cx, port, options).await? {
            Ok(Socket::Port(socket)) => return Ok(socket),
            Ok(Socket::ModuleSocket(_)) => return Err(Exit::new("not a socket of `inet`")),
            Err(_) if tries < TRIES => {
                tries += 1;
                cx.sleep(BETWEEN_TRIES).await?;
            }
            Err(reason) => {
                let text = cx.apply::<String, _>("inet", "format_error", (reason,));
                let why = text.await?;
                return Err(Exit::new(format!("127.0.0.1:{port}: {why}")));
            }
        }
    }
}
