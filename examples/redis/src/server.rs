//! What all reactors share.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use crate::commands::Command;
use crate::store::{Store, now, usage};

/// What all reactors share.
#[derive(Debug, Default)]
pub struct Server {
    /// The keys.
    pub store: Store,
    /// The most bytes of keys and values; 0 if there is no limit.
    pub max_memory: AtomicUsize,
    policy: AtomicU8,
    /// How many keys were removed because of the limit, and because of their time.
    pub evicted: AtomicU64,
    /// The same.
    pub expired: AtomicU64,
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

const NO_MEMORY: &str = "OOM command not allowed when used memory > 'maxmemory'.";
const NO_DISK: &str = "MISCONF Errors writing to the AOF file";

impl Server {
    /// See `maxmemory-policy`.
    #[must_use]
    pub fn policy(&self) -> &'static str {
        POLICIES[usize::from(self.policy.load(Ordering::Relaxed)) % POLICIES.len()]
    }

    /// See `maxmemory-policy`. Whether it is one.
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

    /// Whether a command may run now: keys are removed if it needs memory.
    ///
    /// # Errors
    /// Why it may not.
    pub fn allows(&self, command: &Command) -> Result<(), &'static str> {
        if !command.may_grow() {
            return Ok(());
        }
        if self.store.log.has_failed() {
            return Err(NO_DISK);
        }
        let most = self.max_memory.load(Ordering::Relaxed);
        if most == 0 || self.store.memory() <= most {
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
        while policy != "noeviction" && self.store.memory() > most {
            if !self.store.evict(now, volatile, rank) {
                return false;
            }
            self.evicted.fetch_add(1, Ordering::Relaxed);
        }
        self.store.memory() <= most
    }
}
