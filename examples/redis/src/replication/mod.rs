//! Replicas: servers that repeat what another one does.
//!
//! ```text
//! commands ── under their locks ──> Backlog ── Replicator ══ Changes, by Erlang's distribution ══> Replicator ── repeats them
//!                                                  │  <══ Acknowledged (up to which offset) ════
//!                                                  └─ wakes who waits (WAIT)
//! ```
//!
//! A replica says what it has: the name of a history, and an offset in it. Its master sends what
//! follows, if its backlog has it, and otherwise a copy of all keys and what follows that.

mod messages;
mod receiving;
mod replicator;
mod report;
mod sending;

use std::future::poll_fn;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use otp_bridge::Atom;

pub use receiving::{Failed, load, repeat};
pub use replicator::Replicator;
pub use report::report;

use crate::persistence::Wish;
use crate::server::Server;
use crate::store::now;

/// The name of a node that no other node can connect to.
const ALONE: &str = "nonode@nohost";

/// Whom a replica follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Master {
    /// The name of its Erlang node; empty if only its port is known.
    pub node: String,
    /// Where its clients connect to, at 127.0.0.1.
    pub port: u16,
}

/// How far a replica is with its master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// It has not been asked, or is lost.
    Down,
    /// It has been asked at this time, in milliseconds since 1970.
    Asked(u64),
    /// It sends a copy of all keys.
    Copying,
    /// It sends what changes.
    Up,
}

impl Link {
    /// As in ROLE.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Link::Down => "connect",
            Link::Asked(_) => "connecting",
            Link::Copying => "sync",
            Link::Up => "connected",
        }
    }
}

/// A replica of this server.
#[derive(Debug, Clone)]
pub struct Replica {
    /// The name of its Erlang node.
    pub node: String,
    /// Where its clients connect to, at 127.0.0.1.
    pub port: u16,
    /// The number of its question.
    asked: u64,
    /// Which task serves it.
    served: u64,
    /// How many bytes of a copy it has.
    copied: u64,
    /// Up to where it has repeated everything.
    pub offset: u64,
    /// Whether it has a copy.
    pub is_online: bool,
    /// When it was heard of, in milliseconds since 1970.
    pub heard: u64,
}

/// What is known of it now.
#[derive(Debug, Clone)]
pub struct Known {
    /// The name of the history of its changes, 40 hexadecimal digits.
    pub id: String,
    /// The name of the history before, and up to where both are the same.
    pub before: Option<(String, u64)>,
    /// Whom it follows, if it is a replica.
    pub master: Option<Master>,
    /// How far it is with that.
    pub link: Link,
    /// When its master was heard of, in milliseconds since 1970.
    pub heard: u64,
    /// Whether it has ever had all keys of its master.
    pub is_whole: bool,
    /// Those that follow it.
    pub replicas: Vec<Replica>,
    /// The name of the Erlang node.
    pub node: String,
    /// That of the master which has answered.
    linked: Option<Atom>,
    /// The number of the last question to a master. What answers another one is left out.
    asked: u64,
}

/// Whom this server follows, and who follows it.
#[derive(Debug)]
pub struct Replication {
    known: Mutex<Known>,
    /// How many copies of all keys were sent, and how often a replica got only what it lacked.
    pub copies: AtomicU64,
    /// The same.
    pub rests: AtomicU64,
    wakers: Mutex<Vec<Waker>>,
    /// That its process looks what there is to do.
    pub news: Wish,
}

impl Default for Replication {
    fn default() -> Self {
        let known = Known {
            id: new_id(),
            before: None,
            master: None,
            link: Link::Down,
            heard: 0,
            is_whole: false,
            replicas: Vec::new(),
            node: ALONE.to_owned(),
            linked: None,
            asked: 0,
        };
        Replication {
            known: Mutex::new(known),
            copies: AtomicU64::new(0),
            rests: AtomicU64::new(0),
            wakers: Mutex::default(),
            news: Wish::default(),
        }
    }
}

/// 40 hexadecimal digits that nobody else has.
fn new_id() -> String {
    let digits = || format!("{:016x}", fastrand::u64(..));
    (digits() + &digits() + &digits())[..40].to_owned()
}

impl Replication {
    /// What is known now.
    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether other nodes can connect to this one.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.known().node != ALONE
    }

    /// Whether it follows the node with this name.
    #[must_use]
    pub fn is_master(&self, node: &str) -> bool {
        let known = self.known();
        let linked = known.linked.as_ref().filter(|_| known.master.is_some());
        linked.is_some_and(|it| it.text() == node)
    }

    fn wake(&self) {
        let wakers = std::mem::take(&mut *self.wakers());
        wakers.into_iter().for_each(Waker::wake);
    }

    fn wakers(&self) -> MutexGuard<'_, Vec<Waker>> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many replicas have everything before an offset.
    #[must_use]
    pub fn count(&self, offset: u64) -> usize {
        let known = self.known();
        let has = |it: &&Replica| it.is_online && it.offset >= offset;
        known.replicas.iter().filter(has).count()
    }

    /// Waits until so many have it.
    pub async fn acknowledged(&self, count: usize, offset: u64) {
        self.until(|| (self.count(offset) >= count).then_some(()))
            .await;
    }

    /// Waits until something is so that changes with what replicas say.
    async fn until<T>(&self, mut found: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| {
            // Who says something wakes those that are there after he has said it.
            self.wakers().push(context.waker().clone());
            found().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// The link to the master is lost: it is asked again.
    fn lose(&self) {
        let mut known = self.known();
        known.link = Link::Down;
        known.asked += 1;
        drop(known);
        self.news.wish();
    }
}

impl Server {
    /// It follows another server from now on. Only who has closed the gate calls this.
    pub fn follow(&self, master: Master) {
        self.store.set_follows(true);
        let mut known = self.replication.known();
        known.is_whole = false;
        known.master = Some(master);
        drop(known);
        // They would change keys.
        self.waiting.give_up();
        self.replication.lose();
    }

    /// It does not follow any more. What it has is the beginning of a history of its own. Only who
    /// has closed the gate calls this.
    pub fn lead(&self) {
        let mut known = self.replication.known();
        if known.master.take().is_none() {
            return;
        }
        let before = std::mem::replace(&mut known.id, new_id());
        known.before = Some((before, self.store.backlog.end()));
        drop(known);
        self.store.backlog.reselect();
        self.store.set_follows(false);
        self.replication.lose();
    }
}

/// Milliseconds since then.
fn since(then: u64) -> u64 {
    now().saturating_sub(then)
}
