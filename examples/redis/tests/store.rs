//! Behaviour that cannot be compared with redis-server word by word: passes over changing data, and
//! the choice of keys to evict.

mod common;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use common::ours::Ours;
use otp_bridge_novm as _;

/// Returns the reply to a command whose words contain no spaces.
fn reply(ours: &mut Ours, command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let mut request = format!("*{}\r\n", words.len());
    for word in words {
        request += &format!("${}\r\n{word}\r\n", word.len());
    }
    String::from_utf8(ours.reply(request.as_bytes())).expect("the tests' words are text")
}

/// Returns everything that a pass finds, and its number of steps. Elements are added and deleted
/// between the steps.
fn pass(ours: &mut Ours, command: &str, adds: &str, deletes: &str) -> (BTreeSet<String>, usize) {
    let (mut found, mut cursor, mut steps) = (BTreeSet::new(), "0".to_owned(), 0);
    loop {
        let said = reply(ours, &command.replace("CURSOR", &cursor));
        // The reply has two elements: the cursor after its length, and an array whose elements each
        // follow their length.
        let mut lines = said.split("\r\n").skip(2);
        lines.next().expect("a cursor").clone_into(&mut cursor);
        found.extend(lines.skip(2).step_by(2).map(str::to_owned));
        steps += 1;
        if cursor == "0" {
            return (found, steps);
        }
        assert!(steps < 10_000, "{command} does not end");
        for number in 0..50 {
            reply(ours, &adds.replace("NEW", &format!("new{steps}_{number}")));
        }
        reply(ours, &deletes.replace("OLD", &format!("gone{steps}")));
    }
}

/// A pass finds everything that exists from its start to its end, while tables grow to several
/// times their size.
#[test]
fn a_pass_finds_all_that_stays() {
    for (fill, command, adds, deletes) in [
        ("set NAME 1", "scan CURSOR", "set NEW 1", "del OLD"),
        (
            "hset hash NAME 1",
            "hscan hash CURSOR",
            "hset hash NEW 1",
            "hdel hash OLD",
        ),
        (
            "sadd set NAME",
            "sscan set CURSOR",
            "sadd set NEW",
            "srem set OLD",
        ),
        (
            "zadd zset 1 NAME",
            "zscan zset CURSOR",
            "zadd zset 1 NEW",
            "zrem zset OLD",
        ),
    ] {
        let mut ours = Ours::default();
        for number in 0..3_000 {
            reply(&mut ours, &fill.replace("NAME", &format!("stays{number}")));
        }
        for number in 0..300 {
            reply(&mut ours, &fill.replace("NAME", &format!("gone{number}")));
        }
        let (found, steps) = pass(&mut ours, command, adds, deletes);
        let missed = (0..3_000).filter(|number| !found.contains(&format!("stays{number}")));
        assert_eq!(missed.collect::<Vec<_>>(), Vec::<i32>::new(), "{command}");
        assert!(steps > 5, "{command} is one of several steps: {steps}");
        let (matching, _) = pass(
            &mut ours,
            &format!("{command} match stays1??"),
            adds,
            deletes,
        );
        let matching = matching.iter().filter(|it| it.starts_with("stays")).count();
        assert_eq!(matching, 100, "{command}");
    }
}

/// Ten times as many elements take about ten times as long, not a hundred times. Other programs may
/// use the processor, so one pass of three has to show it.
#[test]
fn a_pass_over_a_large_value_is_linear() {
    let is_linear = (0..3).any(|_| {
        let [small, large] = passes_over_large_values();
        large < 40 * small
    });
    assert!(is_linear);
}

/// Returns how long passes over 20,000 and over 200,000 elements take.
fn passes_over_large_values() -> [Duration; 2] {
    [20_000, 200_000].map(|count| {
        let mut ours = Ours::default();
        for number in 0..count {
            reply(&mut ours, &format!("hset hash field{number} {number}"));
        }
        let begun = Instant::now();
        let (mut cursor, mut found) = ("0".to_owned(), BTreeSet::new());
        loop {
            let said = reply(&mut ours, &format!("hscan hash {cursor} count 100"));
            let mut lines = said.split("\r\n").skip(2);
            lines.next().expect("a cursor").clone_into(&mut cursor);
            found.extend(lines.skip(2).step_by(4).map(str::to_owned));
            if cursor == "0" {
                break;
            }
        }
        let time = begun.elapsed();
        assert_eq!(found.len(), count);
        time
    })
}

/// A store with keys of 1 kB and a limit of 256 kB.
struct Full {
    ours: Ours,
    refused: usize,
}

impl Full {
    fn new(policy: &str) -> Self {
        let mut ours = Ours::default();
        let said = reply(&mut ours, &format!("config set maxmemory-policy {policy}"));
        assert_eq!(said, "+OK\r\n", "{policy}");
        reply(&mut ours, "config set maxmemory 262144");
        Full { ours, refused: 0 }
    }

    fn set(&mut self, keys: std::ops::Range<usize>, options: &str) {
        let value = "x".repeat(1_000);
        for number in keys {
            let said = reply(&mut self.ours, &format!("set key{number} {value}{options}"));
            let was_refused = said.starts_with("-OOM");
            assert!(was_refused || said == "+OK\r\n", "{said}");
            self.refused += usize::from(was_refused);
        }
    }

    /// Returns how many of the keys still exist.
    fn left(&mut self, keys: std::ops::Range<usize>) -> usize {
        let is_there =
            |number: &usize| reply(&mut self.ours, &format!("exists key{number}")) == ":1\r\n";
        keys.filter(is_there).count()
    }
}

#[test]
fn without_eviction_commands_that_need_memory_are_refused() {
    let mut full = Full::new("noeviction");
    full.set(0..1_000, "");
    let left = full.left(0..1_000);
    assert!((150..260).contains(&left), "{left}");
    assert_eq!(full.left(0..left), left, "none is taken away");
    assert_eq!(left + full.refused, 1_000);
}

#[test]
fn keys_make_room_for_others() {
    for policy in ["allkeys-lru", "allkeys-lfu", "allkeys-random"] {
        let mut full = Full::new(policy);
        full.set(0..1_000, "");
        assert_eq!(full.refused, 0, "{policy}");
        let left = full.left(0..1_000);
        assert!((150..260).contains(&left), "{policy}: {left}");
    }
}

/// Both policies estimate from a few keys, so one of ten may be evicted by bad luck.
#[test]
fn what_is_used_stays() {
    for policy in ["allkeys-lru", "allkeys-lfu"] {
        let mut full = Full::new(policy);
        full.set(0..200, "");
        // The time of a use is stored in seconds.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        for _ in 0..20 {
            (0..10).for_each(|number| drop(reply(&mut full.ours, &format!("get key{number}"))));
        }
        full.set(200..300, "");
        let (used, unused) = (full.left(0..10), full.left(10..200));
        assert!(used >= 9, "{policy}: {used} of 10 are left");
        assert!(
            (50..175).contains(&unused),
            "{policy}: {unused} of 190 are left"
        );
    }
}

#[test]
fn volatile_policies_take_only_keys_with_a_time_to_live() {
    for policy in [
        "volatile-lru",
        "volatile-lfu",
        "volatile-random",
        "volatile-ttl",
    ] {
        let mut full = Full::new(policy);
        full.set(0..10, " ex 1000");
        full.set(10..1_000, "");
        assert_eq!(full.left(0..10), 0, "{policy}");
        let left = full.left(10..1_000);
        assert!((150..260).contains(&left), "{policy}: {left}");
        assert_eq!(left + full.refused, 990, "{policy}: no other key is taken");
    }
}

/// The keys with the shortest time to live are evicted first, as far as samples can tell: about 90
/// and 40 remain. Without an order, 70 of each would.
#[test]
fn the_shortest_time_to_live_goes_first() {
    let mut full = Full::new("volatile-ttl");
    full.set(0..100, " ex 100000");
    full.set(100..200, " ex 100");
    full.set(200..300, " ex 100000");
    let (long, short) = (full.left(0..100), full.left(100..200));
    assert_eq!(full.refused, 0);
    assert!(
        long >= 82 && short < 58,
        "{long} of the long ones, {short} of the short ones"
    );
}
