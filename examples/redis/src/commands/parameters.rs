//! CONFIG: the parameters of the server.

use std::sync::atomic::{AtomicI64, Ordering};

use super::KeysOf::None as NoKeys;
use super::{Call, Command, Refusal, command};
use crate::output_limits;
use crate::pattern::matches;
use crate::server::{POLICIES, Server};
use crate::store::{DATABASES, Sync};

pub(super) const COMMANDS: &[Command] = &[command("config", -2, NoKeys, config).with_subcommands()];

/// Parameters that only decide the names of encodings, and those of the log of slow commands.
#[derive(Debug)]
pub struct Limits {
    /// Maximum number of fields, and maximum length of a value, of a hash that is a listpack.
    pub hash: [AtomicI64; 2],
    /// Maximum number of members of a set of integers.
    pub set: AtomicI64,
    /// Maximum number of members, and maximum length of a member, of a sorted set that is a
    /// listpack.
    pub sorted_set: [AtomicI64; 2],
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            hash: [AtomicI64::new(512), AtomicI64::new(64)],
            set: AtomicI64::new(512),
            sorted_set: [AtomicI64::new(128), AtomicI64::new(64)],
        }
    }
}

/// Returns a parameter that is a number, and its minimum.
fn number_of<'s>(server: &'s Server, name: &str) -> Option<(&'s AtomicI64, i64)> {
    let limits = &server.limits;
    Some(match name {
        "hash-max-listpack-entries" | "hash-max-ziplist-entries" => (&limits.hash[0], 0),
        "hash-max-listpack-value" | "hash-max-ziplist-value" => (&limits.hash[1], 0),
        "set-max-intset-entries" => (&limits.set, 0),
        "zset-max-listpack-entries" | "zset-max-ziplist-entries" => (&limits.sorted_set[0], 0),
        "zset-max-listpack-value" | "zset-max-ziplist-value" => (&limits.sorted_set[1], 0),
        "cluster-node-timeout" => (&server.cluster.timeout, 0),
        "repl-backlog-size" => (&server.store.backlog.size, 1),
        "timeout" => (&server.timeout, 0),
        "lua-time-limit" | "busy-reply-threshold" => (&server.scripts.gate.limit, 0),
        "slowlog-log-slower-than" => (&server.slow.slower_than, -1),
        _ => return None,
    })
}

/// Limits of the output that waits for slow clients.
const OUTPUT: &str = "client-output-buffer-limit";

/// Parameters that cannot be changed at run time, and whether that holds in redis-server as well.
const FIXED: [(&str, &str, bool); 13] = [
    ("appenddirname", "appendonlydir", true),
    ("appendfilename", "appendonly.aof", true),
    ("bind", "127.0.0.1", false),
    ("dbfilename", "dump.rdb", false),
    ("latency-monitor-threshold", "0", false),
    ("lfu-decay-time", "1", false),
    ("lfu-log-factor", "10", false),
    ("maxmemory-samples", "5", false),
    ("notify-keyspace-events", "", false),
    ("proto-max-bulk-len", "536870912", false),
    ("replica-read-only", "yes", false),
    ("replica-serve-stale-data", "yes", false),
    ("save", "", false),
];

/// Parameters that are numbers.
const NUMBERS: [&str; 15] = [
    "busy-reply-threshold",
    "cluster-node-timeout",
    "hash-max-listpack-entries",
    "hash-max-listpack-value",
    "hash-max-ziplist-entries",
    "hash-max-ziplist-value",
    "lua-time-limit",
    "repl-backlog-size",
    "set-max-intset-entries",
    "slowlog-log-slower-than",
    "timeout",
    "zset-max-listpack-entries",
    "zset-max-listpack-value",
    "zset-max-ziplist-entries",
    "zset-max-ziplist-value",
];

/// Returns the parameters that clients ask for, with their values here.
fn all(server: &Server) -> Vec<(&'static str, String)> {
    let log = &server.store.log;
    let count = |it: &std::sync::atomic::AtomicUsize| it.load(Ordering::Relaxed).to_string();
    let on = |is_on: bool| if is_on { "yes" } else { "no" }.to_owned();
    let mut all = vec![
        ("appendfsync", log.sync().word().to_owned()),
        ("appendonly", on(log.is_on())),
        (
            OUTPUT,
            output_limits::text(&server.output, &server.store.backlog.limit),
        ),
        ("databases", DATABASES.to_string()),
        ("dir", server.folder()),
        (
            "enable-debug-command",
            on(server.may_debug.load(Ordering::Relaxed)),
        ),
        ("maxclients", count(&server.max_clients)),
        ("maxmemory", count(&server.max_memory)),
        ("maxmemory-policy", server.policy().to_owned()),
        ("requirepass", server.users.password()),
        ("slowlog-max-len", count(&server.slow.most)),
    ];
    all.extend(
        FIXED
            .iter()
            .map(|(name, value, _)| (*name, (*value).to_owned())),
    );
    let number = |name: &'static str| {
        let (number, _) = number_of(server, name)?;
        Some((name, number.load(Ordering::Relaxed).to_string()))
    };
    all.extend(NUMBERS.into_iter().filter_map(number));
    all.sort_unstable();
    all
}

/// Parses a number of bytes in the form of a configuration: `100mb`.
#[must_use]
pub fn bytes(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    let end = lower
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(lower.len());
    let (digits, unit) = lower.split_at(end);
    let unit = match unit {
        "" | "b" => 1,
        "k" => 1000,
        "kb" => 1 << 10,
        "m" => 1_000_000,
        "mb" => 1 << 20,
        "g" => 1_000_000_000,
        "gb" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

const NOT_A_NUMBER: &str = "argument couldn't be parsed into an integer";

/// Returns the error for a parameter that cannot be set.
fn wrong(name: &str, why: &str) -> String {
    format!("ERR CONFIG SET failed (possibly related to argument '{name}') - {why}")
}

/// Sets a parameter, as CONFIG SET does.
///
/// # Errors
/// A message about the mistake.
pub fn set_parameter(server: &Server, name: &str, value: &str) -> Result<(), String> {
    let lower = value.to_ascii_lowercase();
    match name {
        "maxmemory" => {
            let most =
                bytes(value).ok_or_else(|| wrong(name, "argument must be a memory value"))?;
            server.max_memory.store(most, Ordering::Relaxed);
        }
        "maxmemory-policy" if server.set_policy(&lower) => {}
        "maxmemory-policy" => {
            let names = [&POLICIES[4..], &POLICIES[1..4], &POLICIES[..1]].concat();
            let names = sorted_policies(names).join(", ");
            return Err(wrong(
                name,
                &format!("argument(s) must be one of the following: {names}"),
            ));
        }
        "maxclients" => {
            let most: usize = value.parse().map_err(|_| wrong(name, NOT_A_NUMBER))?;
            if most == 0 {
                let why = "argument must be between 1 and 4294967295 inclusive";
                return Err(wrong(name, why));
            }
            server.max_clients.store(most, Ordering::Relaxed);
        }
        "slowlog-max-len" => {
            let most = value.parse().map_err(|_| wrong(name, NOT_A_NUMBER))?;
            server.slow.most.store(most, Ordering::Relaxed);
            server.slow.entries().truncate(most);
        }
        "appendfsync" => {
            let why = "argument(s) must be one of the following: everysec, always, no";
            let sync = Sync::read(&lower).ok_or_else(|| wrong(name, why))?;
            server.store.log.set_sync(sync);
        }
        OUTPUT => output_limits::set(&server.output, &server.store.backlog.limit, value)
            .map_err(|why| wrong(name, why))?,
        "requirepass" => server.users.set_password(value),
        _ => return set_other(server, name, value),
    }
    Ok(())
}

/// Sets a number, or accepts the present value of a parameter that cannot be changed.
fn set_other(server: &Server, name: &str, value: &str) -> Result<(), String> {
    match (number_of(server, name), known(server, name)) {
        (Some((number, least)), _) => {
            let value: i64 = value.parse().map_err(|_| wrong(name, NOT_A_NUMBER))?;
            if value < least {
                let why = format!(
                    "argument must be between {least} and {} inclusive",
                    i64::MAX
                );
                return Err(wrong(name, &why));
            }
            number.store(value, Ordering::Relaxed);
        }
        (None, Some((_, true))) => return Err(wrong(name, "can't set immutable config")),
        (None, Some((is, false))) if is == value => {}
        (None, Some((is, false))) => {
            return Err(wrong(name, &format!("here it is always '{is}'")));
        }
        (None, None) => {
            return Err(format!(
                "ERR Unknown option or number of arguments for CONFIG SET - '{name}'"
            ));
        }
    }
    Ok(())
}

/// Sorts the names in redis-server's order.
fn sorted_policies(mut names: Vec<&'static str>) -> Vec<&'static str> {
    let place = |name: &str| {
        let order = ["lru", "lfu", "random", "ttl"];
        order
            .iter()
            .position(|it| name.ends_with(it))
            .unwrap_or(order.len())
    };
    let group = |name: &str| match name {
        "noeviction" => 2,
        _ => usize::from(name.starts_with("allkeys")),
    };
    names.sort_by_key(|name| (group(name), place(name)));
    names
}

/// Returns the value of a parameter, and whether it cannot be changed.
fn known(server: &Server, name: &str) -> Option<(String, bool)> {
    let is_fixed = matches!(name, "databases" | "enable-debug-command")
        || FIXED
            .iter()
            .any(|(it, _, is_fixed)| *it == name && *is_fixed);
    let mut all = all(server).into_iter();
    let found = all.find(|(it, _)| *it == name);
    found.map(|(_, value)| (value, is_fixed))
}

fn config(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let what = call.arguments[0].to_ascii_lowercase();
    let words = &call.arguments[1..];
    match what.as_slice() {
        b"get" => {
            let is_asked = |name: &str| {
                let mut patterns = words.iter();
                patterns.any(|it| matches(&it.to_ascii_lowercase(), name.as_bytes()))
            };
            let mut found = all(call.server);
            found.retain(|(name, _)| is_asked(name));
            call.replies.map(found.len());
            for (name, value) in found {
                call.replies.bulk(name.as_bytes());
                call.replies.bulk(value.as_bytes());
            }
        }
        b"set" => match set(call.server, words) {
            Ok(()) => call.replies.ok(),
            Err(why) => call.replies.error(why),
        },
        b"resetstat" => {
            let server = call.server;
            for count in [
                &server.expired,
                &server.evicted,
                &server.connections_seen,
                &server.commands,
                &server.rejected,
            ] {
                count.store(0, Ordering::Relaxed);
            }
            call.replies.ok();
        }
        b"rewrite" => {
            return Err(Refusal("ERR The server is running without a config file"));
        }
        _ => super::help("config", call.replies),
    }
    Ok(())
}

/// Sets several parameters, all of them or none.
fn set(server: &Server, words: &[&[u8]]) -> Result<(), String> {
    let pairs = words.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err("ERR syntax error".to_owned());
    }
    let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    let pairs: Vec<(String, String)> = pairs
        .map(|pair| (text(pair[0]).to_ascii_lowercase(), text(pair[1])))
        .collect();
    for (at, (name, _)) in pairs.iter().enumerate() {
        if pairs[..at].iter().any(|(other, _)| other == name) {
            return Err(wrong(name, "duplicate parameter"));
        }
    }
    let mut before: Vec<(&str, String)> = Vec::new();
    for (name, value) in &pairs {
        let was = known(server, name);
        if let Err(why) = set_parameter(server, name, value) {
            for (name, was) in &before {
                // This is the old value, so it is valid.
                let _ = set_parameter(server, name, was);
            }
            return Err(why);
        }
        before.extend(was.map(|(was, _)| (name.as_str(), was)));
    }
    Ok(())
}
