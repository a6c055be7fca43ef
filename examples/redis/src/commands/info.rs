//! The command INFO.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{Call, Refusal};
use crate::server::{Server, VERSION};
use crate::store::now;

const SECTIONS: [&str; 8] = [
    "server",
    "clients",
    "memory",
    "persistence",
    "stats",
    "replication",
    "cluster",
    "keyspace",
];

pub(super) fn info(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let asked: Vec<Vec<u8>> = call
        .arguments
        .iter()
        .map(|it| it.to_ascii_lowercase())
        .collect();
    let all = |it: &Vec<u8>| matches!(it.as_slice(), b"all" | b"default" | b"everything");
    let is_asked = |name: &str| {
        asked.is_empty() || asked.iter().any(all) || asked.iter().any(|it| it == name.as_bytes())
    };
    let mut text = String::new();
    for section in SECTIONS.into_iter().filter(|name| is_asked(name)) {
        if !text.is_empty() {
            text += "\r\n";
        }
        let (first, rest) = section.split_at(1);
        // Writing to a string cannot fail.
        let _ = write!(text, "# {}{rest}\r\n", first.to_ascii_uppercase());
        for (name, value) in lines(call, section) {
            let _ = write!(text, "{name}:{value}\r\n");
        }
    }
    call.replies.verbatim(text.as_bytes());
    Ok(())
}

fn number(name: &str, value: u64) -> (String, String) {
    (name.to_owned(), value.to_string())
}

fn text(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

fn count(it: usize) -> u64 {
    u64::try_from(it).unwrap_or(u64::MAX)
}

fn lines(call: &mut Call<'_, '_>, section: &str) -> Vec<(String, String)> {
    let server = call.server;
    let of = |it: &AtomicUsize| count(it.load(Ordering::Relaxed));
    match section {
        "server" => of_server(server),
        "clients" => vec![
            number("connected_clients", of(&server.clients)),
            number("maxclients", of(&server.max_clients)),
            number(
                "blocked_clients",
                count(server.waiting.clients() + server.pause.waiting()),
            ),
        ],
        "memory" => of_memory(server),
        "persistence" => of_persistence(server),
        "stats" => {
            let of = |it: &AtomicU64| it.load(Ordering::Relaxed);
            vec![
                number("total_commands_processed", of(&server.commands)),
                number("total_connections_received", of(&server.connections_seen)),
                number("rejected_connections", of(&server.rejected)),
                number("expired_keys", of(&server.expired)),
                number("evicted_keys", of(&server.evicted)),
                number("sync_full", of(&server.replication.copies)),
                number("sync_partial_ok", of(&server.replication.rests)),
                number("pubsub_patterns", count(server.hub.patterns())),
            ]
        }
        "replication" => crate::replication::report(server),
        "cluster" => vec![number(
            "cluster_enabled",
            u64::from(server.cluster.is_enabled()),
        )],
        _ => {
            let counts = call.locked.counts();
            let used = counts.iter().enumerate().filter(|(_, (keys, _))| *keys > 0);
            let line = |(db, (keys, expires)): (usize, &(usize, usize))| {
                let value = format!("keys={keys},expires={expires},avg_ttl=0");
                (format!("db{db}"), value)
            };
            used.map(line).collect()
        }
    }
}

fn of_memory(server: &Server) -> Vec<(String, String)> {
    let of = |it: &AtomicUsize| count(it.load(Ordering::Relaxed));
    vec![
        number("used_memory", count(server.memory())),
        number("used_memory_dataset", count(server.store.memory())),
        number("maxmemory", of(&server.max_memory)),
        text("maxmemory_policy", server.policy()),
        number("number_of_cached_scripts", count(server.scripts.count())),
        number("number_of_functions", functions(server)),
        number(
            "number_of_libraries",
            count(server.store.libraries().iter().count()),
        ),
    ]
}

fn functions(server: &Server) -> u64 {
    let libraries = server.store.libraries();
    count(libraries.iter().map(|it| it.functions.len()).sum())
}

fn of_persistence(server: &Server) -> Vec<(String, String)> {
    let status = |has_failed: bool| if has_failed { "err" } else { "ok" };
    let (saved, log) = (&server.saved, &server.store.log);
    vec![
        number("loading", 0),
        number("rdb_bgsave_in_progress", u64::from(saved.is_saving())),
        number("rdb_last_save_time", saved.time()),
        text("rdb_last_bgsave_status", status(saved.has_failed())),
        number("aof_enabled", u64::from(log.is_on())),
        number("aof_rewrite_in_progress", u64::from(server.is_rewriting())),
        text("aof_last_bgrewrite_status", "ok"),
        text("aof_last_write_status", status(log.has_failed())),
    ]
}

fn of_server(server: &Server) -> Vec<(String, String)> {
    let up = now().saturating_sub(server.begun) / 1000;
    let pairs: [(&str, String); 11] = [
        ("redis_version", VERSION.to_owned()),
        ("redis_mode", server.cluster.mode().to_owned()),
        ("server_name", "otp-rs".to_owned()),
        ("server_version", env!("CARGO_PKG_VERSION").to_owned()),
        (
            "os",
            format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        ),
        ("arch_bits", usize::BITS.to_string()),
        ("process_id", std::process::id().to_string()),
        ("tcp_port", server.port.load(Ordering::Relaxed).to_string()),
        ("server_time_usec", crate::store::micros().to_string()),
        ("uptime_in_seconds", up.to_string()),
        ("uptime_in_days", (up / 86_400).to_string()),
    ];
    let owned = |(name, value): (&str, String)| (name.to_owned(), value);
    pairs.into_iter().map(owned).collect()
}
