//! The section on replication in the reply of INFO.

use std::sync::atomic::Ordering;

use super::{Known, Link, since};
use crate::server::Server;

type Lines = Vec<(String, String)>;

fn line(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

/// Returns the lines of INFO replication.
#[must_use]
pub fn report(server: &Server) -> Lines {
    let known = server.replication.known().clone();
    let end = server.store.backlog.end();
    let mut lines = of_master(&known, end);
    lines.push(line("connected_slaves", known.replicas.len()));
    for (at, replica) in known.replicas.iter().enumerate() {
        let state = if replica.is_online {
            "online"
        } else {
            "send_bulk"
        };
        let value = format!(
            "ip=127.0.0.1,port={},state={state},offset={},lag={}",
            replica.port,
            replica.offset,
            since(replica.heard) / 1000
        );
        lines.push((format!("slave{at}"), value));
    }
    lines.extend(of_history(server, &known, end));
    lines
}

fn of_master(known: &Known, end: u64) -> Lines {
    let Some(master) = &known.master else {
        return vec![line("role", "master")];
    };
    let is_up = known.link == Link::Up;
    let last = match is_up {
        true => (since(known.heard) / 1000).to_string(),
        false => "-1".to_owned(),
    };
    vec![
        line("role", "slave"),
        line("master_host", "127.0.0.1"),
        line("master_port", master.port),
        line("master_link_status", if is_up { "up" } else { "down" }),
        line("master_last_io_seconds_ago", last),
        line(
            "master_sync_in_progress",
            u8::from(known.link == Link::Copying),
        ),
        line("slave_read_repl_offset", end),
        line("slave_repl_offset", end),
        line("slave_priority", 100),
        line("slave_read_only", 1),
    ]
}

fn of_history(server: &Server, known: &Known, end: u64) -> Lines {
    let backlog = &server.store.backlog;
    let begin = backlog.begin();
    let (before, until) = match &known.before {
        Some((id, until)) => (id.clone(), until.to_string()),
        None => ("0".repeat(40), "-1".to_owned()),
    };
    vec![
        line("master_failover_state", "no-failover"),
        line("master_replid", &known.id),
        line("master_replid2", before),
        line("master_repl_offset", end),
        line("second_repl_offset", until),
        line("repl_backlog_active", u8::from(backlog.is_on())),
        line("repl_backlog_size", backlog.size.load(Ordering::Relaxed)),
        line("repl_backlog_first_byte_offset", begin),
        line("repl_backlog_histlen", end.saturating_sub(begin)),
    ]
}
