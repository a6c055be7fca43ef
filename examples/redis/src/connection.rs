//! A connection: reads requests, and writes their replies.

use std::io;
use std::ops::Range;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::net::TcpStream;
use otp_bridge::task::LocalCell;

use crate::client::{Client, Next};
use crate::resp::Replies;
use crate::server::Server;

/// So much is read at once, into memory that all connections of a reactor share.
const READ: usize = 64 << 10;
/// The buffers keep so much between two turns.
const KEPT: usize = 1 << 20;

/// What the connections of a reactor use in turn.
#[derive(Debug)]
pub struct Buffers {
    input: Vec<u8>,
    replies: Replies,
    ranges: Vec<Range<usize>>,
}

impl Default for Buffers {
    fn default() -> Self {
        Buffers {
            input: vec![0; READ],
            replies: Replies::default(),
            ranges: Vec::new(),
        }
    }
}

/// What a turn of a connection has left.
struct Left {
    /// The beginning of a request.
    input: Vec<u8>,
    /// What the client has not taken yet.
    output: Vec<u8>,
    /// The place in the log that must be done before the client may have its replies.
    waits_for: Option<u64>,
    next: Next,
    /// Whether there may be more to read.
    is_full: bool,
}

/// Serves a connection until one of the two closes it.
///
/// # Errors
/// What the operating system says.
pub async fn serve(
    cx: &Cx<'_>,
    stream: &TcpStream,
    mut client: Client,
    server: &Server,
    buffers: &LocalCell<Buffers>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = Vec::new();
    loop {
        stream.readable().await?;
        let turn = buffers.with(|buffers| turn(stream, &mut client, server, input, buffers));
        let Some(left) = turn? else { return Ok(()) };
        if let Some(end) = left.waits_for {
            server.store.log.done(end).await;
        }
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
    server: &Server,
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
    replies.bytes.shrink_to(KEPT);
    let read = &input[..count];
    let (done, next) = match before.is_empty() {
        true => client.answer(server, read, ranges, replies),
        false => {
            before.extend_from_slice(read);
            client.answer(server, &before, ranges, replies)
        }
    };
    let input = match before.is_empty() {
        true => read[done..].to_vec(),
        false => {
            before.drain(..done);
            before
        }
    };
    // Nobody sees what could still be lost.
    let waits_for = server.store.log.to_wait_for();
    let sent = match replies.bytes.is_empty() || waits_for.is_some() {
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
        waits_for,
        next,
        is_full: count == READ,
    }))
}
