//! Sending keys and changes to replicas. Each replica is served by a task.

use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::{Nodes, race};
use otp_bridge::term::Shared;

use super::messages::{Changes, Continues, Copied, Follow, Lost};
use super::{Replica, Replication};
use crate::rdb;
use crate::server::Server as Redis;
use crate::store::now;

/// Approximate size of a message in bytes.
const PIECE: usize = 256 << 10;
/// Maximum number of bytes that were sent and are not confirmed yet.
const ON_THE_WAY: u64 = 4 << 20;
/// Interval at which a replica gets a message even if there are no changes.
const PING: Duration = Duration::from_secs(5);

/// Keeps the part of the backlog that a replica still has to read. Dropping the pin releases it.
struct Pin {
    server: Shared<Redis>,
    number: u64,
}

impl Drop for Pin {
    fn drop(&mut self) {
        self.server.store.backlog.unpin(self.number);
    }
}

impl Replication {
    /// Registers a replica, served by the task with this number. Returns `false` if this request is
    /// already being served.
    pub(super) fn add(&self, follow: &Follow, served: u64) -> bool {
        let mut known = self.known();
        let is_same = |it: &Replica| it.node == follow.node && it.asked == follow.asked;
        if known.replicas.iter().any(is_same) {
            return false;
        }
        known.replicas.retain(|it| it.node != follow.node);
        known.replicas.push(Replica {
            node: follow.node.clone(),
            port: follow.port,
            asked: follow.asked,
            served,
            copied: 0,
            offset: 0,
            is_online: false,
            heard: now(),
        });
        drop(known);
        self.wake();
        true
    }

    /// Records a replica's progress. Returns `false` if the replica is unknown.
    pub(super) fn hear(&self, node: &str, asked: u64, copied: u64, offset: Option<u64>) -> bool {
        let mut known = self.known();
        let mut replicas = known.replicas.iter_mut();
        let Some(replica) = replicas.find(|it| it.node == node && it.asked == asked) else {
            return false;
        };
        replica.heard = now();
        replica.copied = copied;
        if let Some(offset) = offset {
            replica.is_online = true;
            replica.offset = offset;
        }
        drop(known);
        self.wake();
        true
    }

    /// Removes a replica that has stopped following.
    pub(super) fn leave(&self, node: &str, asked: u64) {
        let mut known = self.known();
        known
            .replicas
            .retain(|it| it.node != node || it.asked != asked);
        drop(known);
        self.wake();
    }

    /// Removes the replica on a lost node.
    pub(super) fn forget(&self, node: &str) {
        self.known().replicas.retain(|it| it.node != node);
        self.wake();
    }

    /// Waits until a replica has received this much of the copy, and has reached this offset.
    /// Returns `false` if the task should stop serving it.
    async fn reached(&self, served: u64, copied: u64, offset: u64) -> bool {
        self.until(|| {
            let known = self.known();
            let mut replicas = known.replicas.iter();
            match replicas.find(|it| it.served == served) {
                None => Some(false),
                Some(it) => (it.copied >= copied && it.offset >= offset).then_some(true),
            }
        })
        .await
    }
}

/// Makes a copy. Returns its bytes and its offset.
fn copy(server: &Redis, number: u64) -> (Vec<u8>, u64) {
    let backlog = &server.store.backlog;
    let mut locked = server.store.everything(0, 0);
    if !backlog.is_on() {
        backlog.turn_on();
    }
    backlog.reselect();
    let offset = backlog.end();
    backlog.pin(number, offset);
    (rdb::written(&mut locked), offset)
}

/// Returns whether the backlog has everything after the offset of a history.
fn has(server: &Redis, id: &str, offset: u64) -> bool {
    let known = server.replication.known();
    let is_same = known.id == id;
    let is_before = || {
        let before = known.before.as_ref();
        before.is_some_and(|(before, end)| before == id && offset <= *end)
    };
    (is_same || is_before()) && server.store.backlog.read(offset, 0).is_some()
}

/// Sends a replica what it lacks, and then all changes, until the replica is lost or asks again.
pub(super) async fn send(
    cx: &Cx<'_>,
    server: Shared<Redis>,
    follow: Follow,
    number: u64,
) -> Result<()> {
    let pin = Pin { server, number };
    let server = &pin.server;
    server.store.backlog.pin(number, follow.offset);
    let (copy, offset) = match has(server, &follow.id, follow.offset) {
        true => {
            server.replication.rests.fetch_add(1, Ordering::Relaxed);
            (Bytes::new(), follow.offset)
        }
        false => {
            server.replication.copies.fetch_add(1, Ordering::Relaxed);
            let (copy, offset) = cx.blocking(|| copy(server, number)).await;
            (Bytes::from(copy), offset)
        }
    };
    let (asked, to) = (follow.asked, &follow.from);
    let node = cx.node().await?;
    let id = server.replication.known().id.clone();
    cx.cast(
        to,
        Continues {
            asked,
            from: Server::from(cx.pid()),
            node,
            id,
            offset,
            copy: count(copy.len()),
        },
    );
    let copied = count(copy.len());
    if send_copy(cx, &pin, &follow, copy).await
        && server.replication.reached(number, copied, offset).await
    {
        send_changes(cx, &pin, &follow, copied, offset).await;
    }
    Ok(())
}

/// Sends a copy. Returns `false` if the task should stop serving the replica.
async fn send_copy(cx: &Cx<'_>, pin: &Pin, follow: &Follow, copy: Bytes) -> bool {
    let replication = &pin.server.replication;
    for begin in (0..copy.len()).step_by(PIECE) {
        let least = count(begin).saturating_sub(ON_THE_WAY);
        if !replication.reached(pin.number, least, 0).await {
            return false;
        }
        let bytes = copy.slice(begin..(begin + PIECE).min(copy.len()));
        let asked = follow.asked;
        cx.cast(&follow.from, Copied { asked, bytes });
    }
    true
}

/// Sends the changes after an offset, and all later ones, until the task should stop serving the
/// replica.
async fn send_changes(cx: &Cx<'_>, pin: &Pin, follow: &Follow, copied: u64, mut offset: u64) {
    let (server, asked) = (&pin.server, follow.asked);
    loop {
        server.store.backlog.pin(pin.number, offset);
        let late = async { drop(cx.sleep(PING).await) };
        race(server.store.backlog.grown(offset), late).await;
        let least = offset.saturating_sub(ON_THE_WAY);
        if !server.replication.reached(pin.number, copied, least).await {
            return;
        }
        let Some(bytes) = server.store.backlog.read(offset, PIECE) else {
            // The replica is too far behind, or this server has another history now.
            server.replication.forget(&follow.node);
            cx.cast(&follow.from, Lost { asked });
            return;
        };
        let bytes = Bytes::from(bytes);
        let end = offset + count(bytes.len());
        cx.cast(
            &follow.from,
            Changes {
                asked,
                offset,
                bytes,
            },
        );
        offset = end;
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
