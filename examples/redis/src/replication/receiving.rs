//! Applying the copy and the changes that a master sends.

use std::time::Duration;

use crate::client::Client;
use crate::rdb::{self, Entry};
use crate::resp::{Parsed, Replies, parse};
use crate::scripting::Turn;
use crate::server::Server;
use crate::store::REPEATED;

/// Reason why changes were not applied.
#[derive(Debug, PartialEq, Eq)]
pub enum Failed {
    /// The replica follows another master now, or none.
    IsOver,
    /// The changes cannot be applied: the replica differs from its master.
    Broken(String),
}

/// Starts a turn when no script is running.
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

/// Applies commands, which have to be whole transactions. Waits for scripts to end.
///
/// # Errors
/// The reason why they were not applied.
pub fn repeat(
    server: &Server,
    client: &mut Client,
    asked: u64,
    bytes: &[u8],
) -> Result<(), Failed> {
    // While the turn lasts, this server can neither become a master nor get another one.
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

/// Replaces all keys and libraries of functions by those of a copy.
fn fill(server: &Server, copy: &[u8]) -> Result<(), String> {
    let mut locked = server.store.everything(0, REPEATED);
    locked.clear(true);
    locked.record(&[b"FLUSHALL"]);
    server.scripts.forget_libraries(&server.store);
    locked.record(&[b"FUNCTION", b"FLUSH"]);
    rdb::read(copy, |entry| {
        let (db, key, value, expires) = match entry {
            Entry::Key(db, key, value, expires) => (db, key, value, expires),
            Entry::Library(code) => {
                locked.record(&[b"FUNCTION", b"LOAD", &code]);
                return server.load_library(&code);
            }
        };
        locked.keys_in(db, key).set(key, value, expires);
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
        Ok(())
    })
}

/// Replaces all keys by a copy, made at this offset of the history with this name. Commands wait in
/// the meantime.
///
/// # Errors
/// The reason why it was not applied.
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
    fill(server, copy).map_err(Failed::Broken)?;
    server.store.backlog.restart(offset);
    let mut known = server.replication.known();
    id.clone_into(&mut known.id);
    known.before = None;
    known.is_whole = true;
    // Their offsets belong to another history.
    known.replicas.clear();
    drop(known);
    drop(closed);
    Ok(())
}
