//! What a replica does with what it is sent.

use std::time::Duration;

use crate::client::Client;
use crate::rdb;
use crate::resp::{Parsed, Replies, parse};
use crate::scripting::Turn;
use crate::server::Server;
use crate::store::REPEATED;

/// Why something is not repeated.
#[derive(Debug, PartialEq, Eq)]
pub enum Failed {
    /// It follows another one meanwhile, or none.
    IsOver,
    /// It cannot be done: the replica is not alike any more.
    Broken(String),
}

/// A turn that begins when no script runs.
fn turn(server: &Server) -> Turn<'_> {
    const PATIENCE: Duration = Duration::from_millis(1);
    let gate = &server.scripts.gate;
    loop {
        let turn = gate.turn();
        if !gate.is_closed() {
            return turn;
        }
        drop(turn);
        std::thread::sleep(PATIENCE);
    }
}

/// Repeats commands, which are whole transactions. It may wait for a script.
///
/// # Errors
/// Why it does not.
pub fn repeat(
    server: &Server,
    client: &mut Client,
    asked: u64,
    bytes: &[u8],
) -> Result<(), Failed> {
    // Who makes it a master, or gives it another one, waits until the turn is over.
    let _turn = turn(server);
    if server.replication.known().asked != asked {
        return Err(Failed::IsOver);
    }
    let (mut ranges, mut replies, mut done) = (Vec::new(), Replies::default(), 0);
    while done < bytes.len() {
        let rest = &bytes[done..];
        let length = match parse(rest, &mut ranges) {
            Ok(Parsed::Request(length)) => length,
            other => return Err(Failed::Broken(format!("not a command: {other:?}"))),
        };
        replies.bytes.clear();
        client.answer_alone(server, &rest[..length], &mut ranges, &mut replies);
        if replies.bytes.starts_with(b"-") {
            let why = String::from_utf8_lossy(&replies.bytes).into_owned();
            return Err(Failed::Broken(why));
        }
        done += length;
    }
    if client.is_in_transaction() {
        return Err(Failed::Broken("half a transaction".to_owned()));
    }
    server.store.backlog.received(bytes);
    Ok(())
}

/// Takes a copy of all keys, as they are at an offset of the history with this name. Commands wait
/// meanwhile.
///
/// # Errors
/// Why it does not.
pub fn load(
    server: &Server,
    asked: u64,
    copy: &[u8],
    (id, offset): (&str, u64),
) -> Result<(), Failed> {
    let closed = server.scripts.gate.close();
    if server.replication.known().asked != asked {
        return Err(Failed::IsOver);
    }
    let mut locked = server.store.everything(0, REPEATED);
    locked.clear(true);
    locked.record(&[b"FLUSHALL"]);
    let read = rdb::read(copy, |db, key, value, expires| {
        let keys = locked.keys_in(db, key);
        keys.set(key, value, expires);
        if locked.is_recorded() {
            let payload = locked.keys_in(db, key).peek(key).map(rdb::dump);
            let time = expires.to_string();
            locked.db = db;
            locked.record(&[
                b"RESTORE",
                key,
                time.as_bytes(),
                &payload.unwrap_or_default(),
                b"ABSTTL",
                b"REPLACE",
            ]);
        }
    });
    drop(locked);
    read.map_err(|why| Failed::Broken(why.to_owned()))?;
    server.store.backlog.restart(offset);
    let mut known = server.replication.known();
    id.clone_into(&mut known.id);
    known.before = None;
    known.is_whole = true;
    // Their offsets are of another history.
    known.replicas.clear();
    drop(known);
    drop(closed);
    Ok(())
}
