//! Admission: decides whether a request runs now, and on this node.

use super::requested::Requested;
use super::scripts::is_script;
use super::{Client, Next};
use crate::resp::Replies;
use crate::server::Server;

impl Client {
    /// Returns the next action of the connection if the request does not run now, or not on this
    /// node.
    pub(super) fn held_back(
        &mut self,
        server: &Server,
        requested: Requested,
        words: &[&[u8]],
        replies: &mut Replies,
    ) -> Option<Next> {
        if !self.may(server, requested, words, replies) {
            return Some(Next::Stays);
        }
        if server.pause.is_on() && self.is_paused(server) {
            return Some(Next::Pauses);
        }
        if !self.is_alone
            && let Some(next) = self.alone(server, requested, replies)
        {
            return Some(next);
        }
        if server.cluster.is_enabled()
            && let Some(why) = self.redirected(server, requested, &words[1..])
        {
            self.refuse(&why, replies);
            return Some(Next::Stays);
        }
        if let Some(why) = self.unfit(server) {
            self.refuse(why, replies);
            return Some(Next::Stays);
        }
        None
    }

    /// Checks that there is memory and space on the disk for a request. This may evict keys.
    pub(super) fn has_resources(
        &mut self,
        server: &Server,
        requested: Requested,
        arguments: &[&[u8]],
    ) -> Result<(), &'static str> {
        let queued = self.queued.as_ref().filter(|_| self.command == "exec");
        let queued = queued.map_or(&[][..], |it| &it.commands);
        let queues = |grows: fn(Requested, &[u8]) -> bool| {
            let mut all = queued.iter();
            all.any(|(it, words)| grows(*it, words.get(1).map_or(&[], |it| it)))
        };
        let first = arguments.first().copied().unwrap_or_default();
        let is_growing = grows(requested, first) || queues(grows);
        if is_growing {
            server.has_disk()?;
        }
        // Queueing needs memory, too.
        if is_growing || self.queued.is_some() && !requested.is_never_queued() {
            server.has_room()?;
        }
        let runs_script = |it: Requested, _: &[u8]| is_script(it.name());
        if runs_script(requested, first) || queues(runs_script) {
            self.is_short_of_memory = server.has_room().is_err();
        }
        Ok(())
    }

    pub(super) fn refuse(&mut self, why: &str, replies: &mut Replies) {
        if self.command == "exec" {
            self.queued = None;
            let why = why.strip_prefix('-').unwrap_or(why);
            replies.error(format_args!(
                "EXECABORT Transaction discarded because of: {why}"
            ));
            return;
        }
        if let Some(queued) = &mut self.queued {
            queued.is_broken = true;
        }
        replies.error(why);
    }
}

/// Returns whether a command may need more memory, by its first argument.
fn grows(requested: Requested, first: &[u8]) -> bool {
    let is = |word: &[u8]| first.eq_ignore_ascii_case(word);
    match requested {
        Requested::OfStore(command) => command.may_grow(),
        Requested::OfConnection(command) => {
            command.name == "function" && (is(b"load") || is(b"restore"))
        }
    }
}
