//! A process that serves connections, each in a task of its own.

use std::io;
use std::net::SocketAddr;
use std::ops::Range;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::{Bind, TcpListener, TcpStream};
use otp_bridge::task::LocalCell;
use otp_bridge::term::Shared;

use crate::client::{Client, Next};
use crate::resp::Replies;
use crate::store::Store;

/// So much is read at once, into memory that all connections of a reactor share.
const READ: usize = 64 << 10;
/// How often a reactor removes what has expired and is not asked for.
const EXPIRE: Duration = Duration::from_millis(100);

/// Serves the connections that the operating system gives to its listener.
#[derive(Debug)]
pub struct Reactor {
    clients: LocalCell<u64>,
}

/// `clients`: how many it has.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Clients;

/// What the connections of a reactor use in turn.
struct Buffers {
    input: Vec<u8>,
    replies: Replies,
    ranges: Vec<Range<usize>>,
}

/// What a turn of a connection has left.
struct Left {
    /// The beginning of a request.
    input: Vec<u8>,
    /// What the client has not taken yet.
    output: Vec<u8>,
    next: Next,
    /// Whether there may be more to read.
    is_full: bool,
}

#[gen_server]
impl GenServer for Reactor {
    /// The port at 127.0.0.1, and the keys.
    type Args = (u16, Shared<Store>);

    fn init((port, store): (u16, Shared<Store>), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let listener = TcpListener::bind_with(cx, &Bind::new(address).reuse_port(true))?;
        let clients = cx.local(0);
        let counted = clients.clone();
        let of_expiry = store.clone();
        cx.spawn_task::<(), _>(async move |cx| accept(cx, listener, store, counted).await)
            .linked();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                cx.sleep(EXPIRE).await?;
                of_expiry.expire();
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
    store: Shared<Store>,
    clients: LocalCell<u64>,
) -> Result<()> {
    /// How long it waits when no more files can be open.
    const PATIENCE: Duration = Duration::from_millis(50);
    let buffers = cx.local(Buffers {
        input: vec![0; READ],
        replies: Replies::default(),
        ranges: Vec::new(),
    });
    let mut number = 0;
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            cx.sleep(PATIENCE).await?;
            continue;
        };
        number += 1;
        let client = Client::new(number);
        let (store, buffers, clients) = (store.clone(), buffers.clone(), clients.clone());
        cx.spawn_task(async move |cx| {
            clients.with(|count| *count += 1);
            // A client that has gone is not an error of the server's.
            let _gone = serve(cx, &stream, client, &store, &buffers).await;
            clients.with(|count| *count -= 1);
            Ok(())
        });
    }
}

async fn serve(
    cx: &Cx<'_>,
    stream: &TcpStream,
    mut client: Client,
    store: &Store,
    buffers: &LocalCell<Buffers>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = Vec::new();
    loop {
        stream.readable().await?;
        let turn = buffers.with(|buffers| turn(stream, &mut client, store, input, buffers));
        let Some(left) = turn? else { return Ok(()) };
        // A client that does not take its replies sends no more requests.
        stream.write_all(&left.output).await?;
        if left.next == Next::Leaves {
            return Ok(());
        }
        input = left.input;
        if left.is_full {
            cx.checkpoint().await;
        }
    }
}

/// Reads once and answers what is complete. `None` if the client has closed.
fn turn(
    stream: &TcpStream,
    client: &mut Client,
    store: &Store,
    mut before: Vec<u8>,
    buffers: &mut Buffers,
) -> io::Result<Option<Left>> {
    let count = match stream.try_read(&mut buffers.input) {
        Ok(0) => return Ok(None),
        Ok(count) => count,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
        Err(error) => return Err(error),
    };
    let Buffers {
        input,
        replies,
        ranges,
    } = buffers;
    replies.bytes.clear();
    let read = &input[..count];
    let (done, next) = match before.is_empty() {
        true => client.answer(store, read, ranges, replies),
        false => {
            before.extend_from_slice(read);
            client.answer(store, &before, ranges, replies)
        }
    };
    let input = match before.is_empty() {
        true => read[done..].to_vec(),
        false => {
            before.drain(..done);
            before
        }
    };
    let sent = match replies.bytes.is_empty() {
        true => 0,
        false => match stream.try_write(&replies.bytes) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
            Err(error) => return Err(error),
        },
    };
    Ok(Some(Left {
        input,
        output: replies.bytes[sent..].to_vec(),
        next,
        is_full: count == READ,
    }))
}
