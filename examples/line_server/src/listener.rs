//! The process that accepts clients.

use std::time::Duration;

use otp_bindings::atoms::{active, binary, ip, line, loopback, ok, packet, reuseaddr};
use otp_bindings::gen_tcp::{self, AcceptReason, Socket};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;

use crate::connection::Serve;
use crate::connections::CONNECTIONS;

/// How long `accept` waits before the process handles its other messages, such as those of `sys`
/// and of upgrades.
const AT_A_TIME: Duration = Duration::from_secs(1);

/// Owns the listening socket. The socket is closed when the process ends.
#[derive(Debug, Term)]
pub struct Listener {
    socket: Socket,
}

/// `accept`: waits for the next client. The listener sends this message to itself.
#[derive(Debug, Term)]
pub struct Accept;

#[gen_server]
impl GenServer for Listener {
    /// The port, or 0 for any free port.
    type Args = u16;

    /// Opens the socket. Fails if the port is taken. Accepting starts after the supervisor has been
    /// told that the start succeeded.
    async fn init(port: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let options = list![
            binary,
            (packet, line),
            (active, false),
            (reuseaddr, true),
            (ip, loopback),
        ];
        let listening = gen_tcp::listen(cx, port, options).await?;
        let cannot = |why| Exit::new((format!("127.0.0.1:{port} cannot be used"), why));
        let socket = listening.map_err(cannot)?;
        println!("listening on 127.0.0.1:{}", inet::port(cx, &socket).await??);
        cx.send(&cx.pid(), Accept);
        Ok((ok, Listener { socket }))
    }

    /// Waits for a client without occupying a scheduler.
    async fn handle_info(&mut self, _: Accept, cx: &Cx<'_>) -> Result<HandleInfo> {
        match gen_tcp::accept_with_timeout(cx, &self.socket, AT_A_TIME).await? {
            Ok(client) => serve(client, cx).await?,
            Err(AcceptReason::Timeout) => {}
            Err(reason) => return Err(Exit::new(reason)),
        }
        cx.send(&cx.pid(), Accept);
        noreply()
    }
}

async fn serve(client: Socket, cx: &Cx<'_>) -> Result<()> {
    let connection = cx.start_child(&CONNECTIONS, client.clone()).await?;
    // Only the owner of a socket can give it away. If the client is already gone, the connection
    // will notice.
    let _gone = gen_tcp::controlling_process(cx, &client, connection.pid()?).await?;
    cx.cast(&connection, Serve);
    Ok(())
}
