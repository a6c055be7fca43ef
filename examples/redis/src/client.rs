//! The state of a client's connection, and the processing of its requests.

mod acl;
mod admission;
mod auth;
mod called;
mod clients;
mod cluster;
mod dispatch;
mod functions;
mod meeting;
mod migrate;
mod observed;
mod parts;
mod redacted;
mod replication;
mod requested;
mod scripts;
mod slots;
mod subscriptions;
mod transactions;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::acl::User;
use crate::commands::Waits;
use crate::hub::Outbox;
use crate::resp::{Parsed, Replies, parse};
use crate::server::Server;
use crate::sessions::Session;
use crate::store::{REPEATED, micros};

pub use replication::AwaitedReplicas;
pub use requested::names;
use requested::{Requested, unknown, wrong_number};

/// Maximum size of an incomplete request in bytes.
const MAX_REQUEST: usize = 1 << 30;

/// Replies above this size are sent before further requests are answered, to limit their memory.
const MAX_REPLIES: usize = 1 << 20;

/// The state of a client.
#[derive(Debug, Default)]
pub struct Client {
    /// The part of the state that other clients can see.
    pub session: Arc<Session>,
    is_resp3: bool,
    db: usize,
    /// End of the last command, in microseconds since 1970. The time of the next one starts here.
    clock: u64,
    /// The last command.
    command: &'static str,
    /// The last command, looked up. Most requests repeat the previous command.
    last: Option<Requested>,
    user: Option<Arc<User>>,
    /// Version of the users at which `user` was looked up.
    rules: u64,
    /// Whether the client has to log in first.
    is_locked_out: bool,
    /// Whether the user may do everything, which saves checking the rules.
    may_all: bool,
    muted: Muted,
    /// Length of the replies up to the end of the last message. Messages are sent even if replies
    /// are suppressed.
    pushed: usize,
    /// See CLIENT NO-EVICT.
    stays: bool,
    /// Whether the client receives all requests (MONITOR).
    is_monitor: bool,
    /// Whether the gate is closed for this client: no other client runs a command.
    is_alone: bool,
    /// Whether there are requests left that wait until the replies were sent.
    pub has_more: bool,
    /// See ASKING.
    is_asking: bool,
    /// The challenge that a node has to answer if it asks for this node's name.
    challenge: Option<String>,
    /// See READONLY.
    reads_replicas: bool,
    /// Whether this client repeats the commands of a master.
    is_repeating: bool,
    /// Whether there was no memory for a script when the script was about to run.
    is_short_of_memory: bool,
    /// Whether EXEC is running.
    is_executing: bool,
    /// The commands since MULTI.
    queued: Option<Queued>,
    /// Set when a key of WATCH has changed.
    has_changed: Arc<AtomicBool>,
    /// Minimum number of bytes that the incomplete request still lacks.
    pub missing: usize,
    /// The keys that the client waits for.
    pub waits: Option<Waits>,
    /// The replicas that it waits for.
    pub replicas: Option<AwaitedReplicas>,
    /// Queue of messages, after the first subscription.
    pub outbox: Option<Arc<Outbox>>,
    channels: Vec<Box<[u8]>>,
    patterns: Vec<Box<[u8]>>,
    /// The keys of WATCH, with their databases.
    watched: Vec<(usize, Box<[u8]>)>,
}

#[derive(Debug, Default)]
struct Queued {
    /// The queued commands with all their words.
    commands: Vec<(Requested, Vec<Box<[u8]>>)>,
    /// Whether one of the commands was already refused.
    is_broken: bool,
}

/// Replies that are suppressed (CLIENT REPLY).
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Muted {
    #[default]
    None,
    /// Only the next one.
    Next,
    All,
}

/// Next action of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Continue.
    Stays,
    /// Wait for a key, as [`Client::waits`] describes.
    Waits,
    /// Send the replies before answering further requests.
    Sends,
    /// Wait until CLIENT PAUSE or a script is over, and then repeat the request.
    Pauses,
    /// Run the request while no other client runs one: [`Client::answer_alone`].
    Alone,
    /// Send all replies, and close the connection.
    Leaves,
    /// Close the connection, because the replies exceed the limit.
    Overflows,
}

/// Maximum number of words of a request that needs no allocation.
const FEW: usize = 8;

impl Client {
    /// Creates the state of a new client.
    #[must_use]
    pub fn new(session: Arc<Session>, server: &Server) -> Self {
        Client {
            session,
            is_locked_out: !server.users.is_open(),
            ..Client::default()
        }
    }

    /// Returns the reply to a command that has waited in vain.
    #[must_use]
    pub fn nothing(&self) -> Vec<u8> {
        let mut replies = Replies::of(self.is_resp3);
        replies.nil_array();
        replies.bytes
    }

    /// Returns whether the client is between MULTI and EXEC.
    #[must_use]
    pub fn is_in_transaction(&self) -> bool {
        self.queued.is_some()
    }

    /// Answers the complete requests at the beginning. Returns their length in bytes.
    pub fn answer(
        &mut self,
        server: &Server,
        bytes: &[u8],
        ranges: &mut Vec<Range<usize>>,
        replies: &mut Replies,
    ) -> (usize, Next) {
        replies.is_resp3 = self.is_resp3;
        replies.limit(server.output.normal.of_client().hard);
        self.clock = micros();
        let _turn = (!self.is_alone).then(|| server.scripts.gate.turn());
        let mut asked = 0;
        let (done, next) = self.each(server, bytes, ranges, replies, &mut asked);
        server.commands.fetch_add(asked, Ordering::Relaxed);
        let is_over = replies.is_over();
        (done, if is_over { Next::Overflows } else { next })
    }

    fn each(
        &mut self,
        server: &Server,
        bytes: &[u8],
        ranges: &mut Vec<Range<usize>>,
        replies: &mut Replies,
        asked: &mut u64,
    ) -> (usize, Next) {
        let mut done = 0;
        self.missing = 0;
        loop {
            let rest = &bytes[done..];
            match parse(rest, ranges) {
                Ok(Parsed::Request(length)) => {
                    let next = self.words(server, rest, ranges, replies);
                    if matches!(next, Next::Pauses | Next::Alone) {
                        return (done, next);
                    }
                    done += length;
                    *asked += 1;
                    if next != Next::Stays || replies.is_over() {
                        return (done, next);
                    }
                    if replies.bytes.len() > MAX_REPLIES {
                        return (done, Next::Sends);
                    }
                }
                Ok(Parsed::Incomplete(least)) if least > MAX_REQUEST => {
                    replies.error("ERR Protocol error: the request is too long");
                    return (done, Next::Leaves);
                }
                Ok(Parsed::Incomplete(least)) => {
                    self.missing = least - rest.len();
                    return (done, Next::Stays);
                }
                Err(why) => {
                    replies.error(format_args!("ERR Protocol error: {why}"));
                    return (done, Next::Leaves);
                }
            }
        }
    }

    fn words(
        &mut self,
        server: &Server,
        bytes: &[u8],
        ranges: &[Range<usize>],
        replies: &mut Replies,
    ) -> Next {
        if ranges.len() > FEW {
            let words: Vec<&[u8]> = ranges.iter().map(|it| &bytes[it.clone()]).collect();
            return self.timed(server, &words, replies);
        }
        let mut words: [&[u8]; FEW] = [&[]; FEW];
        for (word, range) in words.iter_mut().zip(ranges) {
            *word = &bytes[range.clone()];
        }
        self.timed(server, &words[..ranges.len()], replies)
    }

    /// Runs a request, and adds it to the log of slow commands if necessary.
    fn timed(&mut self, server: &Server, words: &[&[u8]], replies: &mut Replies) -> Next {
        let muted = self.muted;
        self.pushed = replies.bytes.len();
        let next = self.request(server, words, replies);
        if muted != Muted::None && self.muted != Muted::None {
            replies.bytes.truncate(self.pushed);
        }
        if muted == Muted::Next && self.muted == Muted::Next {
            self.muted = Muted::None;
        }
        let before = std::mem::replace(&mut self.clock, micros());
        // The commands of a transaction are logged one by one, when they run.
        let queues = |it: Requested| !it.is_never_queued() && self.queued.is_some();
        let is_logged = self.command != "exec" && !self.last.is_some_and(queues);
        if is_logged && !matches!(next, Next::Pauses | Next::Alone) {
            self.log_slow(server, before, self.clock, words);
        }
        next
    }

    fn request(&mut self, server: &Server, words: &[&[u8]], replies: &mut Replies) -> Next {
        let Some((name, arguments)) = words.split_first() else {
            return Next::Stays;
        };
        self.command = "";
        let last = self.last.filter(|last| last.has_name(name));
        self.last = last.or_else(|| Requested::find(name));
        let Some(requested) = self.last else {
            self.refuse(&unknown(name, arguments), replies);
            return Next::Stays;
        };
        if !requested.takes(arguments.len()) {
            self.command = requested.name();
            self.refuse(&wrong_number(requested.name()), replies);
            return Next::Stays;
        }
        match requested.full_name(arguments) {
            Ok(name) => self.command = name,
            Err(why) => {
                self.refuse(&why, replies);
                return Next::Stays;
            }
        }
        if !self.is_repeating
            && let Some(next) = self.held_back(server, requested, words, replies)
        {
            return next;
        }
        self.queue_or_run(server, requested, words, replies)
    }

    /// Returns the time of a request, in milliseconds since 1970.
    fn now(&self, server: &Server) -> u64 {
        match self.is_repeating {
            true => REPEATED,
            false => server.time(self.clock),
        }
    }
}
