//! A server that accepts connections with `socket` and `nowait`, so that its clauses get the
//! messages.
use std::time::Duration;

use otp_bindings::atoms::{inet, loopback, stream};
use otp_bindings::messages::{SocketAbort, SocketSelect};
use otp_bindings::{socket, timer};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::try_join;

/// The listening socket, and what has been accepted.
#[derive(Debug)]
pub struct Acceptor {
    listening: socket::Socket,
    waits_for: Option<socket::SelectInfo>,
    accepted: u64,
    aborted: Vec<Term>,
}

/// Returns the port.
#[derive(Debug, Term)]
#[reply(u16)]
pub struct ListensOn;

/// Connects to itself, and waits in a task. Returns the bytes that went through.
#[derive(Debug, Term)]
#[reply(Vec<u8>)]
pub struct Connect;

/// Closes the listening socket.
#[derive(Debug, Term)]
pub struct Close;

/// Returns how many connections were accepted, and why the waiting has ended.
#[derive(Debug, Term)]
#[reply((u64, Vec<Term>))]
pub struct Accepted;

fn here(port: u16) -> socket::SockaddrIn {
    socket::SockaddrIn {
        family: inet,
        port,
        addr: loopback.into(),
    }
}

#[gen_server]
impl GenServer for Acceptor {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let listening = socket::open_domain(cx, inet, stream).await??;
        socket::bind(cx, &listening, here(0)).await??;
        socket::listen(cx, &listening).await??;
        let mut acceptor = Acceptor {
            listening,
            waits_for: None,
            accepted: 0,
            aborted: Vec::new(),
        };
        acceptor.accept_all(cx).await?;
        Ok((ok, acceptor))
    }

    async fn handle_call(&self, _: ListensOn, cx: &Cx<'_>) -> Result<HandleCall<u16>> {
        reply(self.port(cx).await?)
    }

    async fn handle_call(&self, _: Connect, cx: &Cx<'_>) -> Result<HandleCall<Vec<u8>>> {
        let listening = socket::open_domain(cx, inet, stream).await??;
        socket::bind(cx, &listening, here(0)).await??;
        socket::listen(cx, &listening).await??;
        let port = port_of(&listening, cx).await?;
        let client = socket::open_domain(cx, inet, stream).await??;
        // The socket is accepted in another process, and given to this one.
        let (accepted, connected) = try_join!(
            socket::accept(cx, &listening),
            socket::connect_with_sock_addr(cx, &client, here(port))
        )
        .await?;
        connected?;
        let accepted = accepted?;
        socket::send(cx, &client, "beside").await?;
        let received = socket::recv_with_value(cx, &accepted, 6).await??;
        reply(received.to_vec())
    }

    fn handle_call(&self, _: Accepted) -> HandleCall<(u64, Vec<Term>)> {
        reply((self.accepted, self.aborted.clone()))
    }

    async fn handle_cast(&mut self, _: Close, cx: &Cx<'_>) -> Result<HandleCast> {
        socket::close(cx, &self.listening).await??;
        noreply()
    }

    async fn handle_info(&mut self, select: SocketSelect, cx: &Cx<'_>) -> Result<HandleInfo> {
        if self
            .waits_for
            .as_ref()
            .is_some_and(|info| select.is_of(info))
        {
            self.accept_all(cx).await?;
        }
        noreply()
    }

    fn handle_info(&mut self, abort: SocketAbort) -> HandleInfo {
        self.aborted.push(abort.info.reason);
        noreply()
    }
}

async fn port_of(listening: &socket::Socket, cx: &Cx<'_>) -> Result<u16> {
    match socket::sockname(cx, listening).await?? {
        socket::SockaddrRecv::Sockaddr(socket::Sockaddr::SockaddrIn(address)) => Ok(address.port),
        other => panic!("an address of IPv4: {other:?}"),
    }
}

impl Acceptor {
    async fn port(&self, cx: &Cx<'_>) -> Result<u16> {
        port_of(&self.listening, cx).await
    }

    /// Accepts until no client is left, and then waits for the next one. It runs concurrently with
    /// a longer function: if it ran in another process, the connections would belong to that one.
    async fn accept_all(&mut self, cx: &Cx<'_>) -> Result<()> {
        loop {
            let accepts = socket::accept_nowait(cx, &self.listening);
            let (accepted, _) =
                try_join!(accepts, timer::sleep(cx, Duration::from_millis(1))).await?;
            match accepted {
                socket::AcceptResult::Ok(client) => {
                    self.accepted += 1;
                    socket::send(cx, &client, "welcome").await?;
                    socket::close(cx, client).await??;
                }
                socket::AcceptResult::Select(info) => {
                    self.waits_for = Some(info);
                    return Ok(());
                }
                socket::AcceptResult::Error(reason) => {
                    return Err(Exit::error(format!("{reason:?}")));
                }
            }
        }
    }
}
