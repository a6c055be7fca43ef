//! Accepts clients.

use std::time::Duration;

use otp_bindings::atoms::{
    active, binary, ip, line, loopback, ok, packet, reuseaddr, send_timeout, send_timeout_close,
};
use otp_bindings::gen_tcp::{self, AcceptReason, Socket};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;

use crate::user::Serve;
use crate::users::USERS;

/// How long a client may let the chat wait, in milliseconds.
const SEND_TIMEOUT: u64 = 5_000;

/// How long it waits for a client before it looks at its messages, among them those of `sys` and of
/// upgrades.
const AT_A_TIME: Duration = Duration::from_secs(1);

/// Owns the listening socket, which is closed when it ends.
#[derive(Debug, Term)]
pub struct Listener {
    socket: Socket,
}

/// `accept`: waits for the next client. It sends this to itself.
#[derive(Debug, Term)]
pub struct Accept;

#[gen_server]
impl GenServer for Listener {
    /// The port, or 0 for any that is free.
    type Args = u16;

    /// Fails if the port is taken. It accepts clients when the supervisor knows that it has
    /// started.
    async fn init(port: u16, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let options = list![
            binary,
            (packet, line),
            (active, false),
            (reuseaddr, true),
            // A client that does not read what it is sent is given up.
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

    /// The process waits for a client without holding a scheduler.
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
    let user = cx.start_child(&USERS, client.clone()).await?;
    // Only a socket's owner can give it away. If the client is gone already, the user finds that
    // out.
    let _gone = gen_tcp::controlling_process(cx, &client, user.pid()?).await?;
    cx.cast(&user, Serve);
    Ok(())
}
