//! Admission: decides whether a request runs now, and on this node.

use super::requested::Requested;
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
