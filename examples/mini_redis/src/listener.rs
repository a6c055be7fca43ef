//! The process that accepts clients.

use std::time::Duration;

use otp_bindings::atoms::{
    active, binary, ip, loopback, nodelay, ok, reuseaddr, send_timeout, send_timeout_close,
};
use otp_bindings::gen_tcp::{self, AcceptReason, Socket};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;

use crate::session::Serve;
use crate::sessions::SESSIONS;

/// Time in milliseconds that a client may block its session by not reading.
const SEND_TIMEOUT: u64 = 5_000;

/// The server, registered under the name of its module.
pub static LISTENER: Server<Listener> = Server::registered();

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

/// `port`: the port that clients connect to.
#[derive(Debug, Term)]
#[reply(u16)]
pub struct Port;

#[gen_server]
impl GenServer for Listener {
    /// The port, or 0 for any free port.
    type Args = u16;

    /// Opens the socket. Fails if the port is taken. Accepting starts after the supervisor has been
    /// told that the start succeeded.
    async fn init(port: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let options = list![
            binary,
            (nodelay, true),
            (active, false),
            (reuseaddr, true),
            // The connection to a client that does not read is closed.
            (send_timeout, SEND_TIMEOUT),
            (send_timeout_close, true),
            (ip, loopback),
        ];
        let listening = gen_tcp::listen(cx, port, options).await?;
        let cannot = |why| Exit::new((format!("127.0.0.1:{port} cannot be used"), why));
        let socket = listening.map_err(cannot)?;
        println!("listening on 127.0.0.1:{}", inet::port(cx, &socket).await??);
        cx.send(&cx.pid(), Accept);
        Ok((ok, Listener { socket }))
    }

    async fn handle_call(&self, _: Port, cx: &Cx<'_>) -> Result<HandleCall<u16>> {
        reply(inet::port(cx, &self.socket).await??)
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
    let session = cx.start_child(&SESSIONS, client.clone()).await?;
    // Only the owner of a socket can give it away. If the client is already gone, the session will
    // notice.
    let _gone = gen_tcp::controlling_process(cx, &client, session.pid()?).await?;
    cx.cast(&session, Serve);
    Ok(())
}
