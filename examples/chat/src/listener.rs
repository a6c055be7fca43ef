//! Accepts clients.

use otp_bindings::atoms::{
    active, binary, continue_, ip, line, loopback, ok, packet, reuseaddr, send_timeout,
    send_timeout_close,
};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;

use crate::user::Serve;
use crate::users::USERS;

/// How long a client may let the chat wait, in milliseconds.
const SEND_TIMEOUT: u64 = 5_000;

/// Owns the listening socket, which is closed when it ends.
#[derive(Debug)]
pub struct Listener {
    socket: Socket,
}

/// `accept`: waits for the next client.
#[derive(Debug, Term)]
pub struct Accept;

#[gen_server]
impl GenServer for Listener {
    /// The port, or 0 for any that is free.
    type Args = u16;

    /// Fails if the port is taken. What takes longer is left to `handle_continue`, which runs when the supervisor
    /// knows that the listener has started.
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
        let socket = gen_tcp::listen(cx, port, options).await??;
        println!("listening on 127.0.0.1:{}", inet::port(cx, &socket).await??);
        Ok((ok, Listener { socket }, (continue_, Accept)))
    }

    /// The process waits for a client without holding a scheduler.
    async fn handle_continue(&mut self, _: Accept, cx: &Cx<'_>) -> Result<HandleContinue> {
        let client = gen_tcp::accept(cx, &self.socket).await??;
        let user = cx.start_child(&USERS, client.clone()).await?;
        // Only a socket's owner can give it away. If the client is gone already, the user finds that out.
        let _gone = gen_tcp::controlling_process(cx, &client, user.pid()?).await?;
        cx.cast(&user, Serve);
        noreply_with((continue_, Accept))
    }
}
