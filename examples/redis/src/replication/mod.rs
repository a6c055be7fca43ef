//! Replication: a replica repeats everything that its master does.
//!
//! ```text
//! commands ── under their locks ──> Backlog ── Replicator ══ Changes, by Erlang's distribution ══> Replicator ── repeats them
//!                                                  │  <══ Acknowledged (an offset) ════
//!                                                  └─ wakes clients that wait (WAIT)
//! ```
//!
//! A replica tells its master what it has: the name of a history, and an offset in it. If the
//! master's backlog has the following changes, it sends only these; otherwise it sends a copy of
//! all keys first.

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

/// Name of a node that no other node can connect to.
const ALONE: &str = "nonode@nohost";

/// The master of a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Master {
    /// Name of its Erlang node; empty if only the port is known.
    pub node: String,
    /// Port for clients at 127.0.0.1.
    pub port: u16,
}

/// State of a replica's link to its master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The master was not asked yet, or is lost.
    Down,
    /// The master was asked at this time, in milliseconds since 1970.
    Asked(u64),
    /// The master is sending a copy of all keys.
    Copying,
    /// The master is sending changes.
    Up,
}

impl Link {
    /// Returns the word in the reply of ROLE.
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
    /// Name of its Erlang node.
    pub node: String,
    /// Port for clients at 127.0.0.1.
    pub port: u16,
    /// Number of its request.
    asked: u64,
    /// Number of the task that serves it.
    served: u64,
    /// Number of bytes of the copy that it has received.
    copied: u64,
    /// The replica has repeated everything up to this offset.
    pub offset: u64,
    /// Whether it has received the whole copy.
    pub is_online: bool,
    /// Time of its last message in milliseconds since 1970.
    pub heard: u64,
}

/// The current state of replication.
#[derive(Debug, Clone)]
pub struct Known {
    /// Name of this server's history of changes: 40 hexadecimal digits.
    pub id: String,
    /// Name of the previous history, and the end of the part that both share.
    pub before: Option<(String, u64)>,
    /// The master, if this server is a replica.
    pub master: Option<Master>,
    /// State of the link to the master.
    pub link: Link,
    /// Time of the master's last message in milliseconds since 1970.
    pub heard: u64,
    /// Whether this replica has ever had all keys of its master.
    pub is_whole: bool,
    /// The replicas of this server.
    pub replicas: Vec<Replica>,
    /// Name of this Erlang node.
    pub node: String,
    /// The Erlang node of the master that has answered.
    linked: Option<Atom>,
    /// Number of the last request to a master. Answers to earlier requests are ignored.
    asked: u64,
}

/// This server's master and replicas.
#[derive(Debug)]
pub struct Replication {
    known: Mutex<Known>,
    /// How many times a replica got a copy of all keys.
    pub copies: AtomicU64,
    /// How many times a replica got only the changes that it lacked.
    pub rests: AtomicU64,
    wakers: Mutex<Vec<Waker>>,
    /// Wakes the replicator.
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

/// Returns 40 random hexadecimal digits, which identify a history.
fn new_id() -> String {
    let digits = || format!("{:016x}", fastrand::u64(..));
    (digits() + &digits() + &digits())[..40].to_owned()
}

impl Replication {
    /// Locks the current state.
    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether other nodes can connect to this one.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        self.known().node != ALONE
    }

    /// Returns whether this server follows the node with this name.
    #[must_use]
    pub fn is_master(&self, node: &str) -> bool {
        let known = self.known();
        let linked = known.linked.as_ref().filter(|_| known.master.is_some());
        linked.is_some_and(|it| it.text() == node)
    }

    /// Gives the history another name. Replicas then need a copy of all keys.
    pub fn change_id(&self) {
        let mut known = self.known();
        known.id = new_id();
        known.before = None;
    }

    fn wake(&self) {
        let wakers = std::mem::take(&mut *self.wakers());
        wakers.into_iter().for_each(Waker::wake);
    }

    fn wakers(&self) -> MutexGuard<'_, Vec<Waker>> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of replicas that have everything before an offset.
    #[must_use]
    pub fn count(&self, offset: u64) -> usize {
        let known = self.known();
        let has = |it: &&Replica| it.is_online && it.offset >= offset;
        known.replicas.iter().filter(has).count()
    }

    /// Waits until `count` replicas have everything before an offset.
    pub async fn acknowledged(&self, count: usize, offset: u64) {
        self.until(|| (self.count(offset) >= count).then_some(()))
            .await;
    }

    /// Waits until `found` returns a value. Messages of replicas trigger new calls.
    async fn until<T>(&self, mut found: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| {
            // Register before checking: a message that arrives after the check wakes this task.
            self.wakers().push(context.waker().clone());
            found().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Gives the link to the master up. The master is then asked again.
    fn lose(&self) {
        let mut known = self.known();
        known.link = Link::Down;
        known.asked += 1;
        drop(known);
        self.news.wish();
    }
}

impl Server {
    /// Makes this server a replica. The caller must have closed the gate.
    pub fn follow(&self, master: Master) {
        self.store.set_follows(true);
        let mut known = self.replication.known();
        known.is_whole = false;
        known.master = Some(master);
        drop(known);
        // Clients that wait for keys would change them.
        self.waiting.give_up();
        self.replication.lose();
    }

    /// Makes this server a master. Its keys are the beginning of a new history. The caller must
    /// have closed the gate.
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

/// Returns the milliseconds since a time.
fn since(then: u64) -> u64 {
    now().saturating_sub(then)
}
