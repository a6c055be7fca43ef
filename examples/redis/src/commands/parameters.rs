//! CONFIG: the parameters of the server.

mod table;

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

pub use table::StoredParameters;
use table::{Form, Parameter, find, table};

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

/// Returns a number that has an effect, by the name of its parameter.
fn number_of<'s>(server: &'s Server, name: &str) -> Option<&'s AtomicI64> {
    let limits = &server.limits;
    Some(match name {
        "hash-max-listpack-entries" => &limits.hash[0],
        "hash-max-listpack-value" => &limits.hash[1],
        "set-max-intset-entries" => &limits.set,
        "zset-max-listpack-entries" => &limits.sorted_set[0],
        "zset-max-listpack-value" => &limits.sorted_set[1],
        "cluster-node-timeout" => &server.cluster.timeout,
        "repl-backlog-size" => &server.store.backlog.size,
        "latency-monitor-threshold" => &server.latency.threshold,
        "timeout" => &server.timeout,
        "busy-reply-threshold" => &server.scripts.gate.limit,
        "slowlog-log-slower-than" => &server.slow.slower_than,
        _ => return None,
    })
}

/// Limits of the output that waits for slow clients.
const OUTPUT: &str = "client-output-buffer-limit";

/// Returns the value of a parameter that has a form of its own.
fn own(server: &Server, name: &str) -> String {
    let log = &server.store.log;
    let count = |it: &AtomicUsize| it.load(Ordering::Relaxed).to_string();
    let on = |is_on: bool| if is_on { "yes" } else { "no" }.to_owned();
    match name {
        "appendfsync" => log.sync().word().to_owned(),
        "appendonly" => on(log.is_on()),
        "bind" => "127.0.0.1".to_owned(),
        OUTPUT => output_limits::text(&server.output, &server.store.backlog.limit),
        "cluster-enabled" => on(server.cluster.is_enabled()),
        "databases" => DATABASES.to_string(),
        "dir" => server.folder(),
        "enable-debug-command" => on(server.may_debug.load(Ordering::Relaxed)),
        "maxclients" => count(&server.max_clients),
        "maxmemory" => count(&server.max_memory),
        "maxmemory-policy" => server.policy().to_owned(),
        "port" => server.port.load(Ordering::Relaxed).to_string(),
        "replicaof" => match &server.replication.known().master {
            Some(master) => format!("127.0.0.1 {}", master.port),
            None => String::new(),
        },
        "requirepass" => server.users.password(),
        "slowlog-max-len" => count(&server.slow.most),
        _ => String::new(),
    }
}

/// Returns the value of a parameter.
fn value(server: &Server, parameter: &Parameter) -> String {
    match number_of(server, parameter.name) {
        Some(number) => number.load(Ordering::Relaxed).to_string(),
        None if parameter.kind == Form::Own => own(server, parameter.name),
        None => server.parameters.get(parameter),
    }
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

/// Parses a number in a range.
fn between(name: &str, value: &str, least: i64, most: i64) -> Result<usize, String> {
    let number: i64 = value.parse().map_err(|_| wrong(name, NOT_A_NUMBER))?;
    let number = Some(number).filter(|it| (least..=most).contains(it));
    let number = number.and_then(|it| usize::try_from(it).ok());
    let why = || format!("argument must be between {least} and {most} inclusive");
    number.ok_or_else(|| wrong(name, &why()))
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
            let most = between(name, value, 1, u32::MAX.into())?;
            server.max_clients.store(most, Ordering::Relaxed);
        }
        "slowlog-max-len" => {
            let most = between(name, value, 0, i64::MAX)?;
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

/// Sets a parameter without a form of its own, or accepts the present value of one that cannot be
/// changed.
fn set_other(server: &Server, name: &str, text: &str) -> Result<(), String> {
    let Some(parameter) = find(name) else {
        return Err(format!(
            "ERR Unknown option or number of arguments for CONFIG SET - '{name}'"
        ));
    };
    let new = parameter.checked(text).map_err(|why| wrong(name, &why))?;
    if parameter.kind == Form::Own {
        let is = value(server, parameter);
        return match is == text {
            true => Ok(()),
            false => Err(wrong(name, &format!("here it is always '{is}'"))),
        };
    }
    match number_of(server, parameter.name).zip(new.parse().ok()) {
        Some((number, new)) => number.store(new, Ordering::Relaxed),
        None => server.parameters.set(parameter, new),
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

fn config(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let what = call.arguments[0].to_ascii_lowercase();
    let words = &call.arguments[1..];
    match what.as_slice() {
        b"get" => {
            let is_asked = |it: &&Parameter| {
                let name = it.name.as_bytes();
                let mut patterns = words.iter();
                patterns.any(|pattern| match it.is_hidden {
                    true => pattern.eq_ignore_ascii_case(name),
                    false => matches(&pattern.to_ascii_lowercase(), name),
                })
            };
            let found = table().iter().filter(is_asked);
            let found: Vec<&Parameter> = found.collect();
            call.replies.map(found.len());
            for parameter in found {
                let value = value(call.server, parameter.resolved());
                call.replies.bulk(parameter.name.as_bytes());
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
    for (name, new) in &pairs {
        let was = find(name).map(|it| value(server, it));
        if let Err(why) = set_parameter(server, name, new) {
            for (name, was) in &before {
                // This is the old value, so it is valid.
                let _ = set_parameter(server, name, was);
            }
            return Err(why);
        }
        before.extend(was.map(|was| (name.as_str(), was)));
    }
    Ok(())
}
