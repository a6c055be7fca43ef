//! A reactor: a process that accepts connections, and serves each of them in a task of its own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::{Bind, TcpListener};
use otp_bridge::task::LocalCell;
use otp_bridge::term::Shared;

use crate::client::Client;
use crate::connection::{Buffers, serve};
use crate::server::Server;
use crate::sessions::Session;
use crate::store::{micros, now};

/// Interval for removing expired keys, if a key expires soon.
const EXPIRE: Duration = Duration::from_millis(100);
/// Interval for that otherwise, and for disconnecting idle clients.
const REST: Duration = Duration::from_secs(1);

/// Serves the connections that the operating system assigns to its listener.
#[derive(Debug)]
pub struct Reactor {
    clients: LocalCell<u64>,
}

/// `clients`: returns the number of the reactor's clients.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Clients;

#[gen_server]
impl GenServer for Reactor {
    /// The port at 127.0.0.1, and the state shared with the other reactors.
    type Args = (u16, Shared<Server>);

    fn init((port, server): (u16, Shared<Server>), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let listener = TcpListener::bind_with(cx, &Bind::new(address).reuse_port(true));
        let cannot = |error| Exit::new(format!("{address} cannot be used: {error}"));
        let listener = listener.map_err(cannot)?;
        let clients = cx.local(0);
        let counted = clients.clone();
        let of_expiry = server.clone();
        cx.spawn_task::<(), _>(async move |cx| accept(cx, listener, server, counted).await)
            .linked();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                let is_soon = of_expiry.store.expires_before(now() + 1000);
                cx.sleep(if is_soon { EXPIRE } else { REST }).await?;
                of_expiry
                    .sessions
                    .end_idle(of_expiry.timeout.load(Ordering::Relaxed));
                if !of_expiry.expires_actively.load(Ordering::Relaxed) {
                    continue;
                }
                let gate = &of_expiry.scripts.gate;
                let turn = gate.turn();
                if gate.is_closed() {
                    continue;
                }
                of_expiry.store.forget_unwatched();
                let begin = micros();
                let gone = of_expiry.store.expire(now());
                let took = micros().saturating_sub(begin);
                if of_expiry.latency.takes(took) {
                    of_expiry.latency.add("expire-cycle", took);
                }
                drop(turn);
                of_expiry.store.walks.forget_idle(now());
                of_expiry.expired.fetch_add(gone, Ordering::Relaxed);
            }
        })
        .linked();
        Ok((ok, Reactor { clients }))
    }

    fn handle_call(&self, _: Clients) -> HandleCall<u64> {
        reply(self.clients.get())
    }
}

async fn accept(
    cx: &Cx<'_>,
    listener: TcpListener,
    server: Shared<Server>,
    clients: LocalCell<u64>,
) -> Result<()> {
    /// Pause after the limit of open files was reached.
    const PATIENCE: Duration = Duration::from_millis(50);
    let buffers = cx.local(Buffers::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            cx.sleep(PATIENCE).await?;
            continue;
        };
        let Some(number) = server.welcome() else {
            // Writing must not block, because a client that is turned away may not read.
            let _ = stream.try_write(b"-ERR max number of clients reached\r\n");
            continue;
        };
        let (server, buffers, clients) = (server.clone(), buffers.clone(), clients.clone());
        cx.spawn_task(async move |cx| {
            clients.with(|count| *count += 1);
            let stream = Arc::new(stream);
            let session = Arc::new(Session::of(number, &stream, &server.output));
            server.sessions.add(&session);
            let client = Client::new(session, &server);
            let gone = Goodbye(server.clone(), number);
            // A client that disconnects is not an error of the server.
            let _gone = serve(cx, &stream, client, &server, &buffers).await;
            clients.with(|count| *count -= 1);
            drop(gone);
            Ok(())
        });
    }
}

/// Uncounts a connection when it is dropped, which also happens if the process ends.
struct Goodbye(Shared<Server>, u64);

impl Drop for Goodbye {
    fn drop(&mut self) {
        self.0.sessions.remove(self.1);
        self.0.goodbye();
    }
}
