//! Visibility of a client for others (CLIENT LIST, MONITOR), and CLIENT PAUSE.

use std::sync::Arc;

use super::Client;
use super::redacted::redacted;
use super::scripts::is_script;
use crate::commands::{Fact, facts};
use crate::resp::Replies;
use crate::server::Server;
use crate::sessions::State;

impl Client {
    /// Updates the state that other clients see.
    pub fn show(&self, is_blocked: bool) {
        let mut shown = self.session.shown();
        shown.state = State {
            db: self.db,
            command: self.command,
            used: self.clock / 1000,
            channels: self.channels.len(),
            patterns: self.patterns.len(),
            shards: self.shards(),
            queued: self.queued.as_ref().map(|it| it.commands.len()),
            is_resp3: self.is_resp3,
            is_monitor: self.is_monitor,
            is_blocked,
            stays: self.stays,
        };
        if let Some(waits) = self.waits.as_ref().filter(|_| is_blocked) {
            shown.waiter = Arc::downgrade(&waits.waiter);
        }
    }

    /// Shows the request to the clients that monitor the server.
    pub(super) fn monitored(&self, server: &Server, words: &[&[u8]]) {
        if server.monitors.count() == 0 {
            return;
        }
        let fact = facts().of_request(words).map(|(_, fact)| fact);
        // Scripts are shown, although they have the flag: their commands follow.
        let is_skipped = |it: &Fact| it.has("skip_monitor") && !is_script(it.name);
        let is_hidden = fact.is_some_and(|it| it.has("admin") || is_skipped(it));
        if !is_hidden && self.session.id != 0 {
            let words = redacted(words);
            server.monitors.show(self.db, &self.session.peer(), &words);
        }
    }

    /// Shows a command of a script to the clients that monitor the server.
    pub(super) fn monitored_in_script(&self, server: &Server, fact: &Fact, words: &[&[u8]]) {
        let is_hidden = fact.has("admin") || fact.has("skip_monitor");
        if server.monitors.count() > 0 && !is_hidden && self.session.id != 0 {
            server.monitors.show(self.db, "lua", words);
        }
    }

    /// Adds a command to the log of slow commands, and to the monitor of latency, if necessary. The
    /// times are in microseconds since 1970.
    pub(super) fn log_slow(&self, server: &Server, begin: u64, end: u64, words: &[&[u8]]) {
        let took = end.saturating_sub(begin);
        if server.latency.takes(took) {
            let fact = facts().of_request(words);
            let is_fast = fact.is_some_and(|it| it.1.has("fast"));
            let name = if is_fast { "fast-command" } else { "command" };
            server.latency.add(name, took);
        }
        if server.slow.takes(took) && !words.is_empty() {
            let (name, peer) = (self.session.shown().name.clone(), self.session.peer());
            server.slow.add(begin, took, &redacted(words), peer, name);
        }
    }

    /// Returns whether CLIENT PAUSE holds the command back.
    pub(super) fn is_paused(&self, server: &Server) -> bool {
        let writes = || self.writes() || matches!(self.command, "publish" | "pfcount");
        server.pause.holds(self.clock / 1000, writes)
    }

    pub(super) fn monitor(&mut self, server: &Server, replies: &mut Replies) {
        if !self.is_monitor {
            self.is_monitor = true;
            server.monitors.add(self.outbox());
        }
        replies.ok();
    }
}

/// Runs SAVE. It locks all keys, so it is not in the table of the store's commands.
pub(super) fn save(server: &Server, replies: &mut Replies) {
    if server.saved.is_saving() {
        replies.error("ERR Background save already in progress");
        return;
    }
    match crate::rdb::save(server) {
        Ok(()) => replies.ok(),
        Err(error) => replies.error(format_args!("ERR {error}")),
    }
}
