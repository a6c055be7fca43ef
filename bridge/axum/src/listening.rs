//! The listening socket.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use otp_bindings::atoms::{active, backlog, binary, inet6, ip, ipv6_v6only, reuseaddr};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bridge::term::{ErlangString, Port};
use otp_bridge::{Cx, Exit, Result, list};

use crate::listen::Listen;

/// Servers of this build that listen at any free port, with the port that they got.
static PORTS: Mutex<Vec<(Listen, u16)>> = Mutex::new(Vec::new());

/// The length of the operating system's queue of waiting connections, which fills during an
/// upgrade, for example.
const QUEUE: u64 = 1_024;

/// The number of attempts to bind a port that may still belong to a process that was killed, and
/// the pause between them.
const TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Remembers the port for the next server with these options.
pub(crate) fn remember(listen: &Listen, port: u16) {
    let mut ports = PORTS.lock().unwrap_or_else(PoisonError::into_inner);
    if listen.port == 0 && !ports.iter().any(|(known, _)| known == listen) {
        ports.push((listen.clone(), port));
    }
}

fn port_of(listen: &Listen) -> u16 {
    let ports = PORTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = ports.iter().find(|(known, _)| known == listen);
    known.map_or(listen.port, |(_, port)| *port)
}

/// Opens the listening socket.
pub(crate) async fn listen(cx: &Cx<'_>, listen: &Listen) -> Result<Port> {
    let Some(address) = listen.ip() else {
        let why = format!("`{}` is not an address", listen.address);
        return Err(Exit::new(why));
    };
    let port = port_of(listen);
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
