//! This server as a node of a cluster.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::member::Failover;
use super::{Cookie, Map, Peer, Seen, file};
use crate::persistence::Wish;

/// The cluster, if this server is a node of one.
#[derive(Debug)]
pub struct Cluster {
    is_enabled: AtomicBool,
    map: Mutex<Option<Map>>,
    begun: Instant,
    /// What its clock said at the beginning: those of two servers are not alike, nor those of one
    /// that is started again.
    first: u64,
    failover: Mutex<Option<Failover>>,
    /// See `cluster-node-timeout`: a node that was not heard of for so many milliseconds has
    /// failed.
    pub timeout: AtomicI64,
    /// Until when its slots are its own, by its clock.
    serves_until: AtomicU64,
    /// That the others are told.
    pub(crate) news: Wish,
    /// What other nodes have to know.
    cookie: Mutex<Cookie>,
    file: Mutex<Saved>,
}

/// Where the map is saved, and which one is.
#[derive(Debug, Default)]
struct Saved {
    /// `None` if this server has no name by which others could know it.
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

/// The map of a cluster, while it is locked.
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
    /// Whether it is a node of a cluster.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Relaxed)
    }

    /// Milliseconds since it was started.
    #[must_use]
    pub fn clock(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The same as it is told to others.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        self.first + self.clock()
    }

    /// What its clock said when a stamp was made; 0 if another clock has made it.
    pub(super) fn of_stamp(&self, stamp: u64) -> u64 {
        let time = stamp.checked_sub(self.first);
        time.filter(|it| *it <= self.clock()).unwrap_or(0)
    }

    /// What an administrator has asked for.
    pub fn failover(&self) -> MutexGuard<'_, Option<Failover>> {
        self.failover.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the map, if there is one.
    pub fn with<T>(&self, work: impl FnOnce(&mut Map) -> T) -> Option<T> {
        self.map().as_mut().map(work)
    }

    /// See `cluster-node-timeout`.
    #[must_use]
    pub fn patience(&self) -> u64 {
        u64::try_from(self.timeout.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Whether nobody else can have taken its slots.
    #[must_use]
    pub fn serves(&self) -> bool {
        let until = self.serves_until.load(Ordering::Relaxed);
        until == u64::MAX || self.clock() < until
    }

    /// Something has been heard that says how long its slots are its own.
    pub fn renew(&self, map: &Map) {
        let until = map.served_until(self.patience());
        self.serves_until.store(until, Ordering::Relaxed);
    }

    /// The word of HELLO and INFO.
    #[must_use]
    pub fn mode(&self) -> &'static str {
        if self.is_enabled() {
            "cluster"
        } else {
            "standalone"
        }
    }

    /// It is one. `known`: what it knew before, if it was one already. Otherwise it has these
    /// slots, and wants to meet those nodes.
    pub fn enable(
        &self,
        (node, port): (&str, u16),
        known: Option<Map>,
        slots: &[(usize, usize)],
        meets: &[String],
    ) {
        let mut map = self.map();
        // After a failure of the process that calls this, the map is there.
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

    /// What other nodes have to know.
    pub fn cookie(&self) -> MutexGuard<'_, Cookie> {
        self.cookie.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self) -> MutexGuard<'_, Saved> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It is saved there from now on.
    pub(super) fn save_to(&self, path: PathBuf) {
        self.file().path = Some(path);
    }

    /// Saves the map, if it has changed.
    ///
    /// # Errors
    /// What the operating system says.
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

    /// The names of Erlang nodes that are to be connected.
    pub(super) fn lost_nodes(&self) -> Vec<String> {
        let map = self.map();
        let Some(map) = map.as_ref().filter(|it| it.is_met) else {
            return Vec::new();
        };
        let lost = map.peers[1..].iter().filter(|it| !it.is_connected);
        let lost = lost.map(|it| &it.node).chain(&map.meets);
        lost.cloned().collect()
    }

    /// Whether a slot's keys and channels are at another node, or nowhere.
    pub fn is_elsewhere(&self, slot: usize) -> bool {
        self.with(|map| !map.is_here(slot)).unwrap_or(false)
    }

    /// How often the map was changed.
    pub fn changes(&self) -> u64 {
        self.with(|map| map.changes).unwrap_or(0)
    }

    /// Who has what. `None` until it is a node.
    pub fn map(&self) -> MapGuard<'_> {
        MapGuard(self.map.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
