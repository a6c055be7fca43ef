//! This server as a node of a cluster: the map, the clock and the file.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::member::Failover;
use super::{Cookie, Map, Peer, Seen, file};
use crate::persistence::Wish;

/// The state of the cluster. It is used if this server is a node of one.
#[derive(Debug)]
pub struct Cluster {
    is_enabled: AtomicBool,
    map: Mutex<Option<Map>>,
    begun: Instant,
    /// Random offset of this node's stamps, so that stamps of different servers, and of one server
    /// before and after a restart, can be told apart.
    first: u64,
    failover: Mutex<Option<Failover>>,
    /// See `cluster-node-timeout`: after this many milliseconds of silence, a node has failed.
    pub timeout: AtomicI64,
    /// Until when, by this node's clock, its slots are certainly its own.
    serves_until: AtomicU64,
    /// Requests that the other nodes are told news soon.
    pub(crate) news: Wish,
    /// The cookie that other nodes have to know.
    cookie: Mutex<Cookie>,
    file: Mutex<Saved>,
}

/// Path of the file, and the version of the map that it contains.
#[derive(Debug, Default)]
struct Saved {
    /// `None` if this server has no name that other nodes could use.
    path: Option<PathBuf>,
    changes: u64,
}

impl Default for Cluster {
    fn default() -> Self {
        Cluster {
            is_enabled: AtomicBool::new(false),
            map: Mutex::default(),
            begun: Instant::now(),
            first: fastrand::u64(..1 << 60),
            failover: Mutex::default(),
            timeout: AtomicI64::new(5000),
            serves_until: AtomicU64::new(u64::MAX),
            news: Wish::default(),
            cookie: Mutex::default(),
            file: Mutex::default(),
        }
    }
}

/// The locked map of the cluster.
pub struct MapGuard<'c>(MutexGuard<'c, Option<Map>>);

impl std::ops::Deref for MapGuard<'_> {
    type Target = Option<Map>;

    fn deref(&self) -> &Option<Map> {
        &self.0
    }
}

impl std::ops::DerefMut for MapGuard<'_> {
    fn deref_mut(&mut self) -> &mut Option<Map> {
        &mut self.0
    }
}

impl Cluster {
    /// Returns whether this server is a node of a cluster.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Relaxed)
    }

    /// Returns this node's clock: milliseconds since the start.
    #[must_use]
    pub fn clock(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the clock in the form that is sent to other nodes.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        self.first + self.clock()
    }

    /// Returns this node's clock when it made a stamp, or 0 if the stamp is of another clock.
    pub(super) fn of_stamp(&self, stamp: u64) -> u64 {
        let time = stamp.checked_sub(self.first);
        time.filter(|it| *it <= self.clock()).unwrap_or(0)
    }

    /// Returns the failover that an administrator has requested.
    pub fn failover(&self) -> MutexGuard<'_, Option<Failover>> {
        self.failover.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with the map, if there is one.
    pub fn with<T>(&self, work: impl FnOnce(&mut Map) -> T) -> Option<T> {
        self.map().as_mut().map(work)
    }

    /// Returns `cluster-node-timeout` in milliseconds.
    #[must_use]
    pub fn patience(&self) -> u64 {
        u64::try_from(self.timeout.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Returns whether it is certain that no other node has taken this node's slots.
    #[must_use]
    pub fn serves(&self) -> bool {
        let until = self.serves_until.load(Ordering::Relaxed);
        until == u64::MAX || self.clock() < until
    }

    /// Recomputes until when the slots are this node's own, after a message has arrived.
    pub fn renew(&self, map: &Map) {
        let until = map.served_until(self.patience());
        self.serves_until.store(until, Ordering::Relaxed);
    }

    /// Returns the mode that HELLO and INFO show.
    #[must_use]
    pub fn mode(&self) -> &'static str {
        if self.is_enabled() {
            "cluster"
        } else {
            "standalone"
        }
    }

    /// Makes this server a node of a cluster. `known` is its saved knowledge. Without that, the
    /// node starts with these slots, and wants to meet those nodes.
    pub fn enable(
        &self,
        (node, port): (&str, u16),
        known: Option<Map>,
        slots: &[(usize, usize)],
        meets: &[String],
    ) {
        let mut map = self.map();
        // If the calling process was restarted, the map already exists.
        if map.is_none() {
            *map = Some(known.unwrap_or_else(|| {
                let mut new = Map::new(Peer {
                    id: crate::scripting::name_of(node.as_bytes()),
                    node: String::new(),
                    port,
                    epoch: 0,
                    is_connected: true,
                    master: None,
                    seen: Seen::default(),
                });
                if !slots.is_empty() {
                    new.take(slots.iter().flat_map(|(first, last)| *first..=*last));
                }
                meets.iter().for_each(|it| new.meet(it));
                new
            }));
        }
        if let Some(map) = map.as_mut() {
            let me = &mut map.peers[0];
            node.clone_into(&mut me.node);
            (me.port, me.is_connected) = (port, true);
            map.changes += 1;
            self.renew(map);
        }
        self.is_enabled.store(true, Ordering::Relaxed);
    }

    /// Returns the cookie that other nodes have to know.
    pub fn cookie(&self) -> MutexGuard<'_, Cookie> {
        self.cookie.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self) -> MutexGuard<'_, Saved> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the path of the file.
    pub(super) fn save_to(&self, path: PathBuf) {
        self.file().path = Some(path);
    }

    /// Saves the map, if it has changed.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn save(&self) -> io::Result<()> {
        let mut saved = self.file();
        let now = self.with(|map| (map.changes, map.text()));
        let (Some(path), Some((changes, text))) = (&saved.path, now) else {
            return Ok(());
        };
        if saved.changes != changes {
            file::write(path, &text)?;
            saved.changes = changes;
        }
        Ok(())
    }

    /// Returns the names of the Erlang nodes to connect to.
    pub(super) fn lost_nodes(&self) -> Vec<String> {
        let map = self.map();
        let Some(map) = map.as_ref().filter(|it| it.is_met) else {
            return Vec::new();
        };
        let lost = map.peers[1..].iter().filter(|it| !it.is_connected);
        let lost = lost.map(|it| &it.node).chain(&map.meets);
        lost.cloned().collect()
    }

    /// Returns whether another node, or none, has a slot's keys and channels.
    pub fn is_elsewhere(&self, slot: usize) -> bool {
        self.with(|map| !map.is_here(slot)).unwrap_or(false)
    }

    /// Returns the map's number of changes.
    pub fn changes(&self) -> u64 {
        self.with(|map| map.changes).unwrap_or(0)
    }

    /// Locks the map. It is `None` until this server becomes a node.
    pub fn map(&self) -> MapGuard<'_> {
        MapGuard(self.map.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
