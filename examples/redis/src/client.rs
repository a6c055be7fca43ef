//! What is known of a client, and how its requests are answered.

mod subscriptions;
mod transactions;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::commands::{self, Command, Waits};
use crate::hub::Outbox;
use crate::resp::{Parsed, Replies, number, parse};
use crate::server::Server;
use crate::store::DATABASES;

/// The most bytes of a request that is not complete.
const MAX_REQUEST: usize = 1 << 30;

/// A client.
#[derive(Debug, Default)]
pub struct Client {
    id: u64,
    name: Vec<u8>,
    is_resp3: bool,
    db: usize,
    /// Commands since MULTI.
    queued: Option<Queued>,
    /// Set when a key of WATCH has changed.
    has_changed: Arc<AtomicBool>,
    /// What it waits for.
    pub waits: Option<Waits>,
    /// Messages, once it has subscribed to something.
    pub outbox: Option<Arc<Outbox>>,
    channels: Vec<Box<[u8]>>,
    patterns: Vec<Box<[u8]>>,
    /// The keys of WATCH, with their databases.
    watched: Vec<(usize, Box<[u8]>)>,
}

#[derive(Debug, Default)]
struct Queued {
    commands: Vec<(Requested, Vec<Box<[u8]>>)>,
    /// Whether one of them was refused already.
    is_broken: bool,
}

/// A command that a client has asked for.
#[derive(Debug, Clone, Copy)]
enum Requested {
    /// One about keys or the server.
    OfStore(&'static Command),
    /// One about the connection.
    OfConnection(&'static ConnectionCommand),
}

/// A command about the connection.
#[derive(Debug)]
struct ConnectionCommand {
    name: &'static str,
    /// As in the table of commands.
    arity: i32,
    is_never_queued: bool,
}

const fn of_connection(name: &'static str, arity: i32, is_never_queued: bool) -> ConnectionCommand {
    ConnectionCommand {
        name,
        arity,
        is_never_queued,
    }
}

static OF_CONNECTION: [ConnectionCommand; 17] = [
    of_connection("subscribe", -2, false),
    of_connection("psubscribe", -2, false),
    of_connection("unsubscribe", -1, false),
    of_connection("punsubscribe", -1, false),
    of_connection("publish", 3, false),
    of_connection("pubsub", -2, false),
    of_connection("select", 2, false),
    of_connection("watch", -2, true),
    of_connection("unwatch", 1, false),
    of_connection("ping", -1, false),
    of_connection("hello", -1, false),
    of_connection("client", -2, false),
    of_connection("multi", 1, true),
    of_connection("exec", 1, true),
    of_connection("discard", 1, true),
    of_connection("reset", 1, true),
    of_connection("quit", -1, true),
];

impl Requested {
    fn find(name: &[u8]) -> Option<Self> {
        if let Some(command) = commands::find(name) {
            return Some(Requested::OfStore(command));
        }
        let mut all = OF_CONNECTION.iter();
        let command = all.find(|it| name.eq_ignore_ascii_case(it.name.as_bytes()))?;
        Some(Requested::OfConnection(command))
    }

    fn name(self) -> &'static str {
        match self {
            Requested::OfStore(command) => command.name,
            Requested::OfConnection(command) => command.name,
        }
    }

    fn takes(self, arguments: usize) -> bool {
        match self {
            Requested::OfStore(command) => command.takes(arguments),
            Requested::OfConnection(command) => commands::takes(command.arity, arguments),
        }
    }
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It goes on.
    Stays,
    /// It waits for a key: [`Client::waits`] has the rest.
    Waits,
    /// It is closed when everything has been sent.
    Leaves,
}

/// So many words of a request cost no allocation.
const FEW: usize = 8;

impl Client {
    /// A client with a number.
    #[must_use]
    pub fn new(id: u64) -> Self {
        Client {
            id,
            ..Client::default()
        }
    }

    /// The reply to a command that has waited for nothing.
    #[must_use]
    pub fn nothing(&self) -> Vec<u8> {
        let mut replies = Replies {
            is_resp3: self.is_resp3,
            ..Replies::default()
        };
        replies.nil_array();
        replies.bytes
    }

    /// Whether MULTI waits for EXEC.
    #[must_use]
    pub fn is_in_transaction(&self) -> bool {
        self.queued.is_some()
    }

    /// Answers the complete requests at the beginning. Returns how many bytes they were.
    pub fn answer(
        &mut self,
        server: &Server,
        bytes: &[u8],
        ranges: &mut Vec<Range<usize>>,
        replies: &mut Replies,
    ) -> (usize, Next) {
        let mut done = 0;
        replies.is_resp3 = self.is_resp3;
        loop {
            let rest = &bytes[done..];
            match parse(rest, ranges) {
                Ok(Parsed::Request(length)) => {
                    done += length;
                    let next = self.words(server, rest, ranges, replies);
                    if next != Next::Stays {
                        return (done, next);
                    }
                }
                Ok(Parsed::Incomplete(least)) if least > MAX_REQUEST => {
                    replies.error("ERR Protocol error: the request is too long");
                    return (done, Next::Leaves);
                }
                Ok(Parsed::Incomplete(_)) => return (done, Next::Stays),
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
            return self.request(server, &words, replies);
        }
        let mut words: [&[u8]; FEW] = [&[]; FEW];
        for (word, range) in words.iter_mut().zip(ranges) {
            *word = &bytes[range.clone()];
        }
        self.request(server, &words[..ranges.len()], replies)
    }

    fn request(&mut self, server: &Server, words: &[&[u8]], replies: &mut Replies) -> Next {
        let Some((name, arguments)) = words.split_first() else {
            return Next::Stays;
        };
        let Some(requested) = Requested::find(name) else {
            self.refuse(&unknown(name, arguments), replies);
            return Next::Stays;
        };
        if !requested.takes(arguments.len()) {
            self.refuse(&wrong_number(requested.name()), replies);
            return Next::Stays;
        }
        if self.is_subscriber() && !self.is_resp3 && !is_for_subscribers(requested.name()) {
            replies.error(format_args!(
                "ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context",
                requested.name()
            ));
            return Next::Stays;
        }
        if let Requested::OfStore(command) = requested
            && let Err(why) = server.allows(command)
        {
            self.refuse(why, replies);
            return Next::Stays;
        }
        match (requested, &mut self.queued) {
            (Requested::OfConnection(command), Some(_)) if command.is_never_queued => {
                self.run(command.name, server, arguments, replies)
            }
            (requested, Some(queued)) => {
                let owned = arguments.iter().map(|it| (*it).into()).collect();
                queued.commands.push((requested, owned));
                replies.simple("QUEUED");
                Next::Stays
            }
            (Requested::OfConnection(command), None) => {
                self.run(command.name, server, arguments, replies)
            }
            (Requested::OfStore(command), None) => {
                self.waits = command.run(server, self.db, arguments, replies);
                match self.waits {
                    None => Next::Stays,
                    Some(_) => Next::Waits,
                }
            }
        }
    }

    fn refuse(&mut self, why: &str, replies: &mut Replies) {
        if let Some(queued) = &mut self.queued {
            queued.is_broken = true;
        }
        replies.error(why);
    }

    /// A command about the connection.
    fn run(
        &mut self,
        name: &str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Next {
        match name {
            "ping" if self.is_subscriber() && !self.is_resp3 && arguments.len() < 2 => {
                replies.array(2);
                replies.bulk(b"pong");
                replies.bulk(arguments.first().unwrap_or(&b"".as_slice()));
            }
            "subscribe" | "psubscribe" | "unsubscribe" | "punsubscribe" | "publish" | "pubsub" => {
                self.subscription(name, server, arguments, replies);
            }
            "ping" => match arguments {
                [] => replies.simple("PONG"),
                [text] => replies.bulk(text),
                _ => replies.error(wrong_number(name)),
            },
            "multi" | "exec" | "discard" | "watch" | "unwatch" => {
                self.transaction(name, server, arguments, replies);
            }
            "select" => match select(arguments[0]) {
                Ok(db) => {
                    self.db = db;
                    replies.ok();
                }
                Err(why) => replies.error(why),
            },
            "reset" => {
                *self = Client::new(self.id);
                replies.is_resp3 = false;
                replies.simple("RESET");
            }
            "hello" => self.hello(arguments, replies),
            "client" => self.client(arguments[0], &arguments[1..], replies),
            _ => {
                replies.ok();
                return Next::Leaves;
            }
        }
        Next::Stays
    }

    fn hello(&mut self, arguments: &[&[u8]], replies: &mut Replies) {
        match arguments {
            [] => {}
            [b"2"] => self.is_resp3 = false,
            [b"3"] => self.is_resp3 = true,
            [_] => {
                replies.error("NOPROTO unsupported protocol version");
                return;
            }
            _ => {
                replies.error("ERR Syntax error in HELLO option");
                return;
            }
        }
        replies.is_resp3 = self.is_resp3;
        let texts = [("server", "redis"), ("version", "7.0.0")];
        replies.map(7);
        for (key, value) in texts {
            replies.bulk(key.as_bytes());
            replies.bulk(value.as_bytes());
        }
        replies.bulk(b"proto");
        replies.integer(if self.is_resp3 { 3 } else { 2 });
        replies.bulk(b"id");
        replies.integer(i64::try_from(self.id).unwrap_or(i64::MAX));
        for (key, value) in [("mode", "standalone"), ("role", "master")] {
            replies.bulk(key.as_bytes());
            replies.bulk(value.as_bytes());
        }
        replies.bulk(b"modules");
        replies.array(0);
    }

    fn client(&mut self, what: &[u8], rest: &[&[u8]], replies: &mut Replies) {
        match (what.to_ascii_lowercase().as_slice(), rest) {
            (b"id", []) => replies.integer(i64::try_from(self.id).unwrap_or(i64::MAX)),
            (b"getname", []) if self.name.is_empty() => replies.nil(),
            (b"getname", []) => replies.bulk(&self.name),
            (b"setname", [name]) if name.iter().all(|byte| (b'!'..=b'~').contains(byte)) => {
                self.name = name.to_vec();
                replies.ok();
            }
            (b"setname", [_]) => replies
                .error("ERR Client names cannot contain spaces, newlines or special characters."),
            _ => replies.error(format_args!(
                "ERR unknown subcommand '{}'. Try CLIENT HELP.",
                String::from_utf8_lossy(what)
            )),
        }
    }
}

fn select(text: &[u8]) -> Result<usize, &'static str> {
    let number = number(text).ok_or("ERR invalid DB index")?;
    let db = usize::try_from(number).ok().filter(|db| *db < DATABASES);
    db.ok_or("ERR DB index is out of range")
}

fn is_for_subscribers(name: &str) -> bool {
    name.ends_with("subscribe") || matches!(name, "ping" | "quit" | "reset")
}

fn wrong_number(name: &str) -> String {
    format!("ERR wrong number of arguments for '{name}' command")
}

/// As redis-server says it: the name and the beginnings of the arguments.
fn unknown(name: &[u8], arguments: &[&[u8]]) -> String {
    let short = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(128)]).into_owned();
    let mut shown = String::new();
    for argument in arguments {
        if shown.len() >= 128 {
            break;
        }
        shown += &format!("'{}' ", short(argument));
    }
    format!(
        "ERR unknown command '{}', with args beginning with: {shown}",
        short(name)
    )
}
