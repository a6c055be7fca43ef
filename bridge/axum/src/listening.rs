//! The listening socket.

use std::any::TypeId;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use otp_bindings::atoms::{active, backlog, binary, inet6, ip, ipv6_v6only, reuseaddr};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bridge::term::{ErlangString, Port};
use otp_bridge::{Cx, Exit, Pid, Result, list};

use crate::listen::Listen;

/// Servers of this build that listen at any free port.
static PORTS: Mutex<Vec<Remembered>> = Mutex::new(Vec::new());

/// The port that a server has got.
struct Remembered {
    /// The type from `server!`.
    server: TypeId,
    listen: Listen,
    port: u16,
    /// The last process that listened there. Only if it has ended may another process take the
    /// port: several servers of one type can have equal options.
    process: Pid,
}

/// The length of the operating system's queue of waiting connections, which fills during an
/// upgrade, for example.
const QUEUE: u64 = 1_024;

/// The number of attempts to bind a port that may still belong to a process that was killed, and
/// the pause between them.
const TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

fn remembered() -> MutexGuard<'static, Vec<Remembered>> {
    PORTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers the port for the process that replaces this one.
pub(crate) fn remember(server: TypeId, listen: &Listen, port: u16, process: Pid) {
    if listen.port != 0 {
        return;
    }
    let mut all = remembered();
    let is_known =
        |it: &&mut Remembered| it.port == port && it.server == server && it.listen == *listen;
    match all.iter_mut().find(is_known) {
        Some(known) => known.process = process,
        None => all.push(Remembered {
            server,
            listen: listen.clone(),
            port,
            process,
        }),
    }
}

/// Returns the port to listen at: that of an equal server whose process has ended, or the one in
/// the options.
async fn port_of(cx: &Cx<'_>, server: TypeId, listen: &Listen) -> Result<u16> {
    let is_equal = |it: &&Remembered| it.server == server && it.listen == *listen;
    let equal: Vec<(u16, Pid)> = {
        let all = remembered();
        let equal = all.iter().filter(is_equal);
        equal.map(|it| (it.port, it.process.clone())).collect()
    };
    for (port, before) in equal {
        let is_alive = cx.apply::<bool, _>("erlang", "is_process_alive", (&before,));
        if !is_alive.await? && succeeds(port, &before, cx.pid()) {
            return Ok(port);
        }
    }
    Ok(listen.port)
}

/// Makes a process the successor of one that has ended. Returns whether no other process is.
fn succeeds(port: u16, before: &Pid, process: Pid) -> bool {
    let mut all = remembered();
    let known = all
        .iter_mut()
        .find(|it| it.port == port && it.process == *before);
    known.map(|it| it.process = process).is_some()
}

/// Opens the listening socket.
pub(crate) async fn listen(cx: &Cx<'_>, server: TypeId, listen: &Listen) -> Result<Port> {
    let Some(address) = listen.ip() else {
        let why = format!("`{}` is not an address", listen.address);
        return Err(Exit::new(why));
    };
    let port = port_of(cx, server, listen).await?;
    let mut tries = 1;
    loop {
        let listening = match address {
            IpAddr::V4(it) => {
                let [a, b, c, d] = it.octets();
                let options = list![
                    binary,
                    (ip, (a, b, c, d)),
                    (active, false),
                    (reuseaddr, true),
                    (backlog, QUEUE),
                ];
                gen_tcp::listen(cx, port, options).await?
            }
            IpAddr::V6(it) => {
                let [a, b, c, d, e, f, g, h] = it.segments();
                let options = list![
                    binary,
                    inet6,
                    (ipv6_v6only, true),
                    (ip, (a, b, c, d, e, f, g, h)),
                    (active, false),
                    (reuseaddr, true),
                    (backlog, QUEUE),
                ];
                gen_tcp::listen(cx, port, options).await?
            }
        };
        match listening {
            Ok(Socket::Port(socket)) => return Ok(socket),
            Ok(Socket::ModuleSocket(_)) => return Err(Exit::new("not a socket of `inet`")),
            Err(_) if tries < TRIES => {
                tries += 1;
                cx.sleep(BETWEEN_TRIES).await?;
            }
            Err(reason) => {
                let text = cx.apply::<ErlangString, _>("inet", "format_error", (reason,));
                let ErlangString(why) = text.await?;
                return Err(Exit::new(format!("{address}:{port}: {why}")));
            }
        }
    }
}
