//! Limits on the output that waits for slow clients: `client-output-buffer-limit`.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::commands::bytes;

/// Bytes of the buffer that each client has in redis-server.
const OWN_BUFFER: u64 = 16 << 10;

/// The limits of a class of clients. 0 means that there is no limit.
#[derive(Debug)]
pub struct Limit {
    hard: AtomicU64,
    soft: AtomicU64,
    seconds: AtomicU64,
}

/// A client above the hard limit is disconnected at once, and one that stays above the soft limit
/// after this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values {
    /// Bytes.
    pub hard: u64,
    /// Bytes.
    pub soft: u64,
    /// The time for the soft limit.
    pub seconds: u64,
}

impl Limit {
    const fn new(hard: u64, soft: u64, seconds: u64) -> Self {
        Limit {
            hard: AtomicU64::new(hard),
            soft: AtomicU64::new(soft),
            seconds: AtomicU64::new(seconds),
        }
    }

    /// Returns the default limit for the changes that wait for a replica.
    #[must_use]
    pub const fn of_replicas() -> Self {
        Limit::new(256 << 20, 64 << 20, 60)
    }

    /// Returns the values. The largest number stands for the lack of a limit.
    #[must_use]
    pub fn values(&self) -> Values {
        let limit = |bytes: &AtomicU64| match bytes.load(Ordering::Relaxed) {
            0 => u64::MAX,
            bytes => bytes,
        };
        Values {
            hard: limit(&self.hard),
            soft: limit(&self.soft),
            seconds: self.seconds.load(Ordering::Relaxed),
        }
    }

    /// Returns the values for a client that is not a replica. redis-server does not count the bytes
    /// in the client's own buffer, so that a small reply never exceeds a limit.
    #[must_use]
    pub fn of_client(&self) -> Values {
        let values = self.values();
        Values {
            hard: values.hard.saturating_add(OWN_BUFFER),
            soft: values.soft.saturating_add(OWN_BUFFER),
            ..values
        }
    }

    fn set(&self, [hard, soft, seconds]: [u64; 3]) {
        self.hard.store(hard, Ordering::Relaxed);
        self.soft.store(soft, Ordering::Relaxed);
        self.seconds.store(seconds, Ordering::Relaxed);
    }
}

impl Values {
    /// Returns the time for the soft limit.
    #[must_use]
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// Returns whether this many bytes are too many. `since` is the time in milliseconds at which
    /// they exceeded the soft limit.
    pub fn is_over(&self, bytes: u64, since: &mut Option<u64>, now: u64) -> bool {
        if bytes <= self.soft {
            *since = None;
        }
        let is_long = bytes > self.soft && {
            let begin = *since.get_or_insert(now);
            now.saturating_sub(begin) > self.seconds.saturating_mul(1000)
        };
        bytes > self.hard || is_long
    }
}

/// The limits of clients. Those of replicas are in the backlog.
#[derive(Debug)]
pub struct OutputLimits {
    /// The replies of one turn of a client.
    pub normal: Limit,
    /// Messages of channels and of MONITOR.
    pub messages: Limit,
}

impl Default for OutputLimits {
    fn default() -> Self {
        OutputLimits {
            normal: Limit::new(0, 0, 0),
            messages: Limit::new(32 << 20, 8 << 20, 60),
        }
    }
}

/// Returns the value of the parameter.
#[must_use]
pub fn text(limits: &OutputLimits, replica: &Limit) -> String {
    let classes = [
        ("normal", &limits.normal),
        ("slave", replica),
        ("pubsub", &limits.messages),
    ];
    let mut text = String::new();
    for (class, limit) in classes {
        let blank = if text.is_empty() { "" } else { " " };
        let number = |it: &AtomicU64| it.load(Ordering::Relaxed);
        let (hard, soft, seconds) = (&limit.hard, &limit.soft, &limit.seconds);
        let (hard, soft, seconds) = (number(hard), number(soft), number(seconds));
        // Writing to a string cannot fail.
        let _ = write!(text, "{blank}{class} {hard} {soft} {seconds}");
    }
    text
}

/// Sets the limits of the classes in the text, all of them or none.
///
/// # Errors
/// The mistake, in redis-server's words.
pub fn set(limits: &OutputLimits, replica: &Limit, text: &str) -> Result<(), &'static str> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let (groups, rest) = words.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("Wrong number of arguments in buffer limit configuration.");
    }
    let mut all = Vec::new();
    for [class, hard, soft, seconds] in groups {
        let limit = match class.to_ascii_lowercase().as_str() {
            "normal" => &limits.normal,
            "slave" | "replica" => replica,
            "pubsub" => &limits.messages,
            _ => return Err("Invalid client class specified in buffer limit configuration."),
        };
        let size = |text| bytes(text).and_then(|it| u64::try_from(it).ok());
        let seconds = seconds.parse::<i32>().ok();
        let seconds = seconds.and_then(|it| u64::try_from(it).ok());
        let (Some(hard), Some(soft), Some(seconds)) = (size(hard), size(soft), seconds) else {
            return Err(
                "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
            );
        };
        all.push((limit, [hard, soft, seconds]));
    }
    all.iter().for_each(|(limit, values)| limit.set(*values));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_set_together_or_not_at_all() {
        let (limits, replica) = (OutputLimits::default(), Limit::of_replicas());
        let is = "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60";
        assert_eq!(text(&limits, &replica), is);
        let wrong = [
            "normal 1 2",
            "normal 1 2 3 pubsub",
            "master 1 2 3",
            "normal 1 2 3 pubsub 1 2 -3",
            "normal 1 2 3 pubsub x 2 3",
            "normal -1 2 3",
        ];
        for words in wrong {
            assert!(set(&limits, &replica, words).is_err(), "{words}");
            assert_eq!(text(&limits, &replica), is);
        }
        let new = "Replica 1mb 1k 5 normal 7 0 0";
        assert_eq!(set(&limits, &replica, new), Ok(()));
        let is = "normal 7 0 0 slave 1048576 1000 5 pubsub 33554432 8388608 60";
        assert_eq!(text(&limits, &replica), is);
        assert_eq!(set(&limits, &replica, ""), Ok(()));
        assert_eq!(text(&limits, &replica), is);
    }

    #[test]
    fn the_soft_limit_counts_from_when_it_was_exceeded() {
        let limit = Limit::new(100, 10, 2).values();
        let mut since = None;
        assert!(!limit.is_over(11, &mut since, 1_000));
        assert!(!limit.is_over(99, &mut since, 3_000));
        assert!(limit.is_over(11, &mut since, 3_001));
        assert!(!limit.is_over(10, &mut since, 4_000));
        assert!(!limit.is_over(11, &mut since, 5_000));
        assert!(limit.is_over(101, &mut since, 5_000));
        let client = Limit::new(1, 0, 0).of_client();
        assert!(!client.is_over(OWN_BUFFER + 1, &mut None, 0));
        assert!(client.is_over(OWN_BUFFER + 2, &mut None, 0));
        let none = Limit::new(0, 0, 0).of_client();
        assert!(!none.is_over(u64::MAX, &mut None, 0));
    }
}
