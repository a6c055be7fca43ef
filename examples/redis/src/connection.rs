//! A connection to a client: reads requests, and writes replies.

mod reading;

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::TcpStream;
use otp_bridge::process::race;
use otp_bridge::task::LocalCell;

use crate::client::{AwaitedReplicas, Client, Next};
use crate::commands::Waits;
use crate::resp::Replies;
use crate::server::Server;
use crate::sessions::Session;

use reading::{if_ready, keep, read};

/// Maximum number of bytes of one read. They are read into memory that all connections of a reactor
/// share.
const READ: usize = 64 << 10;
/// Maximum memory that a buffer keeps between two turns.
const KEPT: usize = 1 << 20;
/// If a request lacks at least this much, the next read goes directly to the rest of the request.
const LARGE: usize = READ / 2;

/// How often a client checks whether CLIENT PAUSE is over.
const PAUSE: Duration = Duration::from_millis(5);

/// Buffers that the connections of a reactor share.
#[derive(Debug)]
pub struct Buffers {
    input: Vec<u8>,
    replies: Replies,
    ranges: Vec<Range<usize>>,
    /// Memory for the next large request.
    spare: Vec<u8>,
}

impl Default for Buffers {
    fn default() -> Self {
        Buffers {
            input: vec![0; READ],
            replies: Replies::default(),
            ranges: Vec::new(),
            spare: Vec::new(),
        }
    }
}

/// Result of a turn of a connection.
struct Left {
    /// The beginning of an incomplete request.
    input: Vec<u8>,
    /// Replies that are not sent yet.
    output: Vec<u8>,
    /// Position in the log that has to be written before the replies may be sent.
    waits_for: Option<u64>,
    next: Next,
    /// Whether there may be more to read.
    is_full: bool,
}

impl Left {
    /// Sends the replies. Disconnects a client whose replies exceed its limit.
    async fn send(
        &self,
        cx: &Cx<'_>,
        stream: &TcpStream,
        session: &Session,
        server: &Server,
    ) -> io::Result<()> {
        if self.next == Next::Overflows {
            session.overflow();
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        send(cx, stream, session, &self.output, (server, self.waits_for)).await
    }
}

/// Serves a connection until either side closes it.
///
/// # Errors
/// An error of the operating system.
pub async fn serve(
    cx: &Cx<'_>,
    stream: &TcpStream,
    mut client: Client,
    server: &Server,
    buffers: &LocalCell<Buffers>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = Vec::new();
    let mut has_waited = false;
    loop {
        // After a command that waited, further requests may have been read already.
        if !has_waited && !ready(stream, &client).await? {
            return Ok(());
        }
        let turn = buffers.with(|buffers| turn(stream, &mut client, server, input, buffers));
        let Some(mut left) = turn? else { return Ok(()) };
        let session = Arc::clone(&client.session);
        left.send(cx, stream, &session, server).await?;
        if left.next == Next::Alone {
            let Some(done) = server.scripts.alone(client, left.input).await else {
                return Ok(());
            };
            client = done.client;
            left = Left {
                input: done.input,
                output: done.output,
                waits_for: server.store.log.to_wait_for(),
                next: done.next,
                is_full: true,
            };
            left.send(cx, stream, &session, server).await?;
        }
        if left.next == Next::Leaves {
            return Ok(());
        }
        input = left.input;
        has_waited = matches!(left.next, Next::Waits | Next::Pauses | Next::Sends);
        if left.next == Next::Pauses {
            server.scripts.gate.opened(cx).await?;
            let _paused = server.pause.is_on().then(|| server.pause.enter());
            while server.pause.is_on() && !server.pause.is_over() {
                cx.sleep(PAUSE).await.map_err(io::Error::other)?;
            }
        }
        if left.next == Next::Waits && !wait(cx, stream, &mut client, server, &mut input).await? {
            return Ok(());
        }
        if left.is_full {
            cx.checkpoint().await;
        }
    }
}

/// Waits for a request, and sends messages in the meantime. Returns `false` if the client does not
/// read them.
async fn ready(stream: &TcpStream, client: &Client) -> io::Result<bool> {
    let Some(outbox) = &client.outbox else {
        stream.readable().await?;
        return Ok(true);
    };
    loop {
        let Some(messages) = outbox.take() else {
            return Ok(false);
        };
        if !messages.is_empty() {
            stream.write_all(&messages).await?;
            outbox.sent();
        }
        let filled = async {
            outbox.filled().await;
            Ok(false)
        };
        if race(async { stream.readable().await.map(|()| true) }, filled).await? {
            return Ok(true);
        }
    }
}

/// Sends replies. Disconnects a client that is above its soft limit for too long.
async fn send(
    cx: &Cx<'_>,
    stream: &TcpStream,
    session: &Session,
    bytes: &[u8],
    (server, waits_for): (&Server, Option<u64>),
) -> io::Result<()> {
    if let Some(end) = waits_for {
        server.store.log.done(end).await;
    }
    if bytes.is_empty() {
        return Ok(());
    }
    session.replies.store(bytes.len(), Ordering::Relaxed);
    let limit = session.limits.normal.of_client();
    let soft = usize::try_from(limit.soft).unwrap_or(usize::MAX);
    let (above, rest) = bytes.split_at(bytes.len().saturating_sub(soft));
    if !above.is_empty() {
        let sent = async { stream.write_all(above).await.map(|()| true) };
        let late = async {
            drop(cx.sleep(limit.time()).await);
            Ok(false)
        };
        if !race(sent, late).await? {
            session.overflow();
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    session.replies.store(rest.len(), Ordering::Relaxed);
    // A client that does not read its replies sends no further requests.
    stream.write_all(rest).await?;
    session.replies.store(0, Ordering::Relaxed);
    Ok(())
}

/// The event that a client waits for.
enum Awaited {
    Key(Waits),
    Replicas(AwaitedReplicas),
}

impl Awaited {
    fn of(client: &mut Client) -> Option<Self> {
        let replicas = client.replicas.take().map(Awaited::Replicas);
        client.waits.take().map(Awaited::Key).or(replicas)
    }

    fn time(&self) -> Option<Duration> {
        match self {
            Awaited::Key(waits) => waits.time,
            Awaited::Replicas(awaited) => awaited.time,
        }
    }

    /// Waits for the reply.
    async fn answered(&self, server: &Server) -> Option<Vec<u8>> {
        match self {
            Awaited::Key(waits) => waits.waiter.answered().await,
            Awaited::Replicas(it) => {
                server.replication.acknowledged(it.count, it.offset).await;
                self.give_up(server)
            }
        }
    }

    /// Stops waiting. Returns the reply for the client.
    fn give_up(&self, server: &Server) -> Option<Vec<u8>> {
        match self {
            Awaited::Key(waits) => waits.waiter.give_up(),
            Awaited::Replicas(it) => {
                let mut replies = Replies::default();
                replies.count(server.replication.count(it.offset));
                Some(replies.bytes)
            }
        }
    }
}

/// The event that ended the waiting.
enum End {
    Answered(Option<Vec<u8>>),
    Late,
    Readable(io::Result<()>),
}

/// Waits for a key, or for replicas. Returns `false` if the client has gone.
async fn wait(
    cx: &Cx<'_>,
    stream: &TcpStream,
    client: &mut Client,
    server: &Server,
    input: &mut Vec<u8>,
) -> io::Result<bool> {
    let Some(awaited) = Awaited::of(client) else {
        return Ok(true);
    };
    let late = async {
        match awaited.time() {
            // If the timer fails, the time limit is over early.
            Some(time) => drop(cx.sleep(time).await),
            None => std::future::pending().await,
        }
        End::Late
    };
    let mut late = std::pin::pin!(late);
    loop {
        let readable = async { End::Readable(stream.readable().await) };
        let answered = async { End::Answered(awaited.answered(server).await) };
        let reply = match race(race(answered, readable), late.as_mut()).await {
            End::Answered(reply) => reply,
            End::Late => awaited.give_up(server),
            End::Readable(result) => {
                if result.is_ok() && read_more(stream, input)? {
                    continue;
                }
                awaited.give_up(server);
                return Ok(false);
            }
        };
        let reply = reply.unwrap_or_else(|| client.nothing());
        let waits_for = server.store.log.to_wait_for();
        send(cx, stream, &client.session, &reply, (server, waits_for)).await?;
        return Ok(true);
    }
}

/// Reads what arrives while a client waits. Returns `false` if the client has closed the
/// connection, or sends more than is reasonable.
fn read_more(stream: &TcpStream, input: &mut Vec<u8>) -> io::Result<bool> {
    let mut piece = [0; 4096];
    match stream.try_read(&mut piece) {
        Ok(0) => Ok(false),
        Ok(count) => {
            input.extend_from_slice(&piece[..count]);
            Ok(input.len() <= KEPT)
        }
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(true),
        Err(error) => Err(error),
    }
}

/// Reads once, and answers the complete requests. Returns `None` if the client has closed the
/// connection.
fn turn(
    stream: &TcpStream,
    client: &mut Client,
    server: &Server,
    mut before: Vec<u8>,
    buffers: &mut Buffers,
) -> io::Result<Option<Left>> {
    let Buffers {
        input,
        replies,
        ranges,
        spare,
    } = buffers;
    // Requests that were read already are answered before more is read.
    let read = match client.has_more && !before.is_empty() {
        true => Some(0),
        false => read(stream, &mut before, client.missing, input)?,
    };
    let Some(count) = read else { return Ok(None) };
    replies.bytes.clear();
    replies.bytes.shrink_to(KEPT);
    let (done, next) = match before.is_empty() {
        true => client.answer(server, &input[..count], ranges, replies),
        false => client.answer(server, &before, ranges, replies),
    };
    client.show(next == Next::Waits);
    client.has_more = next == Next::Sends;
    let mut rest = before;
    if rest.is_empty() {
        if client.missing >= LARGE {
            rest = std::mem::take(spare);
        }
        rest.extend_from_slice(&input[done..count]);
    } else {
        rest.drain(..done);
    }
    if rest.is_empty() {
        keep(spare, std::mem::take(&mut rest));
    }
    // A reply must not reveal changes that a crash could still undo.
    let waits_for = server.store.log.to_wait_for();
    let is_kept = waits_for.is_some() || next == Next::Overflows;
    let sent = match replies.bytes.is_empty() || is_kept {
        true => 0,
        false => if_ready(stream.try_write(&replies.bytes))?.unwrap_or(0),
    };
    Ok(Some(Left {
        input: rest,
        output: match next {
            Next::Overflows => Vec::new(),
            _ => replies.bytes[sent..].to_vec(),
        },
        waits_for,
        next,
        is_full: count >= READ,
    }))
}
