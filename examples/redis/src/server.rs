//! The state of the server, which all reactors share.

use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicU8, AtomicU16, AtomicU64, AtomicUsize, Ordering,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::acl::Users;
use crate::cluster::Cluster;
use crate::commands::{Limits, StoredParameters};
use crate::herald::Outgoing;
use crate::hub::Hub;
use crate::latency::LatencyMonitor;
use crate::observed::{Monitors, Pause, SlowLog};
use crate::output_limits::OutputLimits;
use crate::persistence::{Files, Saved, Wish};
use crate::replication::Replication;
use crate::scripting::Scripts;
use crate::sessions::Sessions;
use crate::store::{Store, Sync, now, usage};
use crate::waiting::Waiting;

/// The version of redis-server whose replies this server imitates.
pub const VERSION: &str = "7.0.15";

/// Name of the file that SAVE writes.
pub const DUMP_FILE: &str = "dump.rdb";

/// The shared state of the server.
#[derive(Debug)]
pub struct Server {
    /// The keys.
    pub store: Store,
    /// Memory limit for keys and values in bytes; 0 if there is none.
    pub max_memory: AtomicUsize,
    policy: AtomicU8,
    /// Number of keys that were removed because of the memory limit.
    pub evicted: AtomicU64,
    /// Number of keys that were removed because they had expired.
    pub expired: AtomicU64,
    /// Maximum number of clients.
    pub max_clients: AtomicUsize,
    /// Number of connected clients.
    pub clients: AtomicUsize,
    /// Number of connections since the start.
    pub connections: AtomicU64,
    /// Number of commands since the start.
    pub commands: AtomicU64,
    /// See `timeout`: seconds after which an idle client is disconnected; 0 if that never happens.
    pub timeout: AtomicI64,
    /// Number of connections since CONFIG RESETSTAT.
    pub connections_seen: AtomicU64,
    /// Number of connections that were rejected.
    pub rejected: AtomicU64,
    /// The users and their rules.
    pub users: Users,
    /// The clients that are connected.
    pub sessions: Sessions,
    /// The clients that receive all requests.
    pub monitors: Monitors,
    /// The log of slow commands.
    pub slow: SlowLog,
    /// The events that took long.
    pub latency: LatencyMonitor,
    /// See CLIENT PAUSE.
    pub pause: Pause,
    /// Channels and their subscribers.
    pub hub: Hub,
    /// Published messages for other nodes.
    pub outgoing: Outgoing,
    /// The cluster, if this server is a node of one.
    pub cluster: Cluster,
    /// This server's master and replicas.
    pub replication: Replication,
    /// The scripts, and the gate that lets one run alone.
    pub scripts: Scripts,
    /// The clients that wait for keys.
    pub waiting: Waiting,
    /// The request to rewrite the log.
    pub rewrite: Wish,
    /// The parameters that decide the names of encodings.
    pub limits: Limits,
    /// The parameters that have no effect.
    pub parameters: StoredParameters,
    /// The limits of clients' output.
    pub output: Arc<OutputLimits>,
    /// Whether DEBUG is allowed.
    pub may_debug: AtomicBool,
    /// Whether scripts may call commands that are not meant for them (DEBUG
    /// SET-DISABLE-DENY-SCRIPTS).
    pub may_call_all: AtomicBool,
    /// Whether expired keys are removed even if no client uses them.
    pub expires_actively: AtomicBool,
    /// The port at 127.0.0.1.
    pub port: AtomicU16,
    /// Start of the server in milliseconds since 1970.
    pub begun: u64,
    /// See `dir`.
    folder: Mutex<String>,
    /// State of saving the keys.
    pub saved: Saved,
    files: Mutex<Option<Files>>,
    is_loading: AtomicBool,
    /// Time of the log's last synchronisation, in milliseconds since 1970.
    synced: AtomicU64,
}

/// The policies of `maxmemory-policy`.
pub const POLICIES: [&str; 8] = [
    "noeviction",
    "allkeys-lru",
    "allkeys-lfu",
    "allkeys-random",
    "volatile-lru",
    "volatile-lfu",
    "volatile-random",
    "volatile-ttl",
];

/// The default, as in redis-server.
const MAX_CLIENTS: usize = 10_000;
/// Error for a command that may need more memory than there is.
pub const NO_MEMORY: &str = "OOM command not allowed when used memory > 'maxmemory'.";
const NO_DISK: &str = "MISCONF Errors writing to the AOF file";

impl Default for Server {
    fn default() -> Self {
        Server {
            store: Store::default(),
            max_memory: AtomicUsize::new(0),
            policy: AtomicU8::new(0),
            evicted: AtomicU64::new(0),
            expired: AtomicU64::new(0),
            max_clients: AtomicUsize::new(MAX_CLIENTS),
            clients: AtomicUsize::new(0),
            connections: AtomicU64::new(0),
            commands: AtomicU64::new(0),
            timeout: AtomicI64::new(0),
            connections_seen: AtomicU64::new(0),
            rejected: AtomicU64::new(0),
            limits: Limits::default(),
            parameters: StoredParameters::default(),
            output: Arc::default(),
            may_debug: AtomicBool::new(false),
            may_call_all: AtomicBool::new(false),
            expires_actively: AtomicBool::new(true),
            port: AtomicU16::new(0),
            begun: now(),
            folder: Mutex::new(".".to_owned()),
            users: Users::default(),
            sessions: Sessions::default(),
            monitors: Monitors::default(),
            slow: SlowLog::default(),
            latency: LatencyMonitor::default(),
            pause: Pause::default(),
            hub: Hub::default(),
            outgoing: Outgoing::default(),
            cluster: Cluster::default(),
            replication: Replication::default(),
            scripts: Scripts::default(),
            waiting: Waiting::default(),
            rewrite: Wish::default(),
            saved: Saved::default(),
            files: Mutex::default(),
            is_loading: AtomicBool::new(false),
            synced: AtomicU64::new(0),
        }
    }
}

impl Server {
    /// Returns a number for a new client, or `None` if there are too many clients.
    pub fn welcome(&self) -> Option<u64> {
        let most = self.max_clients.load(Ordering::Relaxed);
        if self.clients.fetch_add(1, Ordering::Relaxed) >= most {
            self.goodbye();
            self.rejected.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        self.connections_seen.fetch_add(1, Ordering::Relaxed);
        Some(self.connections.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Uncounts a client that has gone.
    pub fn goodbye(&self) {
        self.clients.fetch_sub(1, Ordering::Relaxed);
    }

    /// Locks the files of the log, if there is one. Only the processes that write block on this
    /// lock.
    pub fn files(&self) -> MutexGuard<'_, Option<Files>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the folder of `dir`.
    pub fn folder(&self) -> String {
        let folder = self.folder.lock();
        folder.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the folder of `dir`.
    pub fn set_folder(&self, path: &str) {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        path.clone_into(&mut folder);
    }

    /// Returns whether a copy of the keys is being written.
    #[must_use]
    pub fn is_rewriting(&self) -> bool {
        self.files().as_ref().is_some_and(Files::is_copying)
    }

    /// Records whether a log is being read.
    pub fn set_loading(&self, is_loading: bool) {
        self.is_loading.store(is_loading, Ordering::Relaxed);
    }

    /// Returns the time for a command in milliseconds since 1970. It is 0 while a log is read, so
    /// that nothing expires.
    #[must_use]
    pub fn now(&self) -> u64 {
        match self.is_loading.load(Ordering::Relaxed) {
            true => 0,
            false => now(),
        }
    }

    /// Like `now`, but uses a time in microseconds that was just read from the clock.
    #[must_use]
    pub fn time(&self, micros: u64) -> u64 {
        match self.is_loading.load(Ordering::Relaxed) {
            true => 0,
            false => micros / 1000,
        }
    }

    /// Returns whether a second has passed since the log was synchronised, and starts the next
    /// second.
    pub fn is_sync_due(&self) -> bool {
        let now = now();
        let is_due = self.store.log.sync() == Sync::EverySecond
            && now >= self.synced.load(Ordering::Relaxed) + 1000;
        if is_due {
            self.synced.store(now, Ordering::Relaxed);
        }
        is_due
    }

    /// Returns the policy of `maxmemory-policy`.
    #[must_use]
    pub fn policy(&self) -> &'static str {
        POLICIES[usize::from(self.policy.load(Ordering::Relaxed)) % POLICIES.len()]
    }

    /// Sets the policy of `maxmemory-policy`. Returns whether the name is valid.
    pub fn set_policy(&self, name: &str) -> bool {
        let Some(number) = POLICIES.iter().position(|it| *it == name) else {
            return false;
        };
        self.policy
            .store(u8::try_from(number).unwrap_or(0), Ordering::Relaxed);
        let counts = name.ends_with("lfu");
        self.store.counts_uses.store(counts, Ordering::Relaxed);
        true
    }

    /// Returns the approximate size of all keys and of the server's own state in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Server>() + self.store.memory()
    }

    /// Checks that commands may write, as far as the append-only file is concerned.
    ///
    /// # Errors
    /// The error for the client.
    pub fn has_disk(&self) -> Result<(), &'static str> {
        match self.store.log.has_failed() {
            true => Err(NO_DISK),
            false => Ok(()),
        }
    }

    /// Checks that a command may need more memory. This may evict keys, so the caller must not have
    /// locked any.
    ///
    /// # Errors
    /// The error for the client.
    pub fn has_room(&self) -> Result<(), &'static str> {
        let most = self.max_memory.load(Ordering::Relaxed);
        // The master decides which keys a replica has.
        if most == 0 || self.store.follows() || self.memory() <= most {
            return Ok(());
        }
        match self.make_room(most) {
            true => Ok(()),
            false => Err(NO_MEMORY),
        }
    }

    fn make_room(&self, most: usize) -> bool {
        let (policy, now) = (self.policy(), now());
        let volatile = policy.starts_with("volatile");
        let stamp = usage::stamp(now, policy.ends_with("lfu"));
        let rank = |used: u32, expires: u64| match policy {
            "allkeys-lru" | "volatile-lru" => u64::from(u32::MAX - usage::idle(used, stamp)),
            "allkeys-lfu" | "volatile-lfu" => u64::from(usage::decayed(used, stamp)),
            "volatile-ttl" => expires,
            _ => 0,
        };
        while policy != "noeviction" && self.memory() > most {
            if !self.store.evict(now, volatile, rank) {
                return false;
            }
            self.evicted.fetch_add(1, Ordering::Relaxed);
        }
        self.memory() <= most
    }
}
