//! Descriptions of commands, and running them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Call, Refusal};
use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::{Bytes, Locked, Needs, Value, View};
use crate::waiting::Waiter;

/// A command.
pub struct Command {
    /// Name in lower case.
    pub name: &'static str,
    /// Number of words with the name. If negative, its absolute value is the minimum.
    arity: i32,
    pub(super) keys: KeysOf,
    /// Whether the command may need more memory.
    grows: bool,
    has_subcommands: bool,
    run: fn(&mut Call<'_, '_>) -> Result<(), Refusal>,
}

/// Which arguments are keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeysOf {
    /// No arguments.
    None,
    /// The first argument.
    First,
    /// The first two arguments.
    FirstTwo,
    /// The second argument.
    Second,
    /// All arguments.
    All,
    /// All arguments but the first one, or all but the last one.
    AllButFirst,
    AllButLast,
    /// Every second argument: keys and values alternate.
    Pairs,
    /// The first argument, and those after the argument at this index, which is their number.
    StoredNumbered,
    /// The arguments after the argument at this index, which is their number.
    Numbered(usize),
    /// The first argument, and those after the words STORE and STOREDIST.
    FirstAndStored,
    /// The arguments after the word STREAMS; ids follow them.
    Streams,
    /// The keys of SORT. Its patterns may name any other key of the database.
    Sorted,
    /// Every key of the database.
    Everything,
    /// Every key of all databases.
    Databases,
}

/// A client that waits for one of its keys, and the time limit.
#[derive(Debug)]
pub struct Waits {
    /// The waiting client.
    pub waiter: Arc<Waiter>,
    /// The time limit; `None` means for ever.
    pub time: Option<Duration>,
}

impl Drop for Waits {
    /// Unregisters a client that has gone, so that no element is popped for it.
    fn drop(&mut self) {
        self.waiter.give_up();
    }
}

const NO_STREAM: &str = "UNBLOCKED the stream key no longer exists";

/// Result of running a command.
struct Ran {
    waits: Option<Option<Duration>>,
    again: Option<Vec<Bytes>>,
    has_changed: bool,
}

impl Command {
    /// Returns whether the command accepts this number of arguments.
    #[must_use]
    pub fn takes(&self, arguments: usize) -> bool {
        takes(self.arity, arguments)
    }

    pub(super) const fn grows(mut self) -> Self {
        self.grows = true;
        self
    }

    pub(super) const fn with_subcommands(mut self) -> Self {
        self.has_subcommands = true;
        self
    }

    /// Returns whether the first argument is a subcommand.
    #[must_use]
    pub fn has_subcommands(&self) -> bool {
        self.has_subcommands
    }

    /// Returns the number of words with the name. If negative, its absolute value is the minimum.
    #[must_use]
    pub fn arity(&self) -> i32 {
        self.arity
    }

    /// Returns whether the command is refused when the memory limit is reached.
    #[must_use]
    pub fn may_grow(&self) -> bool {
        self.grows
    }

    /// Returns the keys among the arguments.
    pub fn keys<'a>(&self, arguments: &[&'a [u8]]) -> Vec<&'a [u8]> {
        let numbered = |at: usize| {
            let count = arguments.get(at).and_then(|text| number(text));
            let count = usize::try_from(count.unwrap_or(0)).unwrap_or(0);
            arguments.iter().skip(at + 1).take(count)
        };
        match self.keys {
            KeysOf::None | KeysOf::Everything | KeysOf::Databases => Vec::new(),
            KeysOf::First => arguments.iter().take(1).copied().collect(),
            KeysOf::FirstTwo => arguments.iter().take(2).copied().collect(),
            KeysOf::Second => arguments.iter().skip(1).take(1).copied().collect(),
            KeysOf::All => arguments.to_vec(),
            KeysOf::AllButFirst => arguments.iter().skip(1).copied().collect(),
            KeysOf::AllButLast => arguments[..arguments.len().saturating_sub(1)].to_vec(),
            KeysOf::Pairs => arguments.iter().step_by(2).copied().collect(),
            KeysOf::StoredNumbered => arguments
                .iter()
                .take(1)
                .chain(numbered(1))
                .copied()
                .collect(),
            KeysOf::Numbered(at) => numbered(at).copied().collect(),
            KeysOf::Sorted => super::sort::keys(arguments, self.grows),
            KeysOf::FirstAndStored => {
                let stores = |it: &[u8]| {
                    it.eq_ignore_ascii_case(b"store") || it.eq_ignore_ascii_case(b"storedist")
                };
                // Options come after all mandatory arguments.
                let first = self.arity.unsigned_abs() as usize - 1;
                let options = arguments.get(first..).unwrap_or_default();
                let pairs = options.iter().zip(options.iter().skip(1));
                let stored = pairs.filter(|(word, _)| stores(word)).map(|(_, key)| key);
                arguments.iter().take(1).chain(stored).copied().collect()
            }
            KeysOf::Streams => {
                let (first, count) = super::streams::places(arguments);
                arguments[first..first + count].to_vec()
            }
        }
    }

    /// Returns the stripes that the command needs.
    pub fn needs<'a>(&self, arguments: &[&'a [u8]]) -> Needs<'a> {
        match self.keys {
            KeysOf::Everything | KeysOf::Sorted => Needs::Database,
            KeysOf::Databases => Needs::Databases,
            _ => Needs::Keys(self.keys(arguments)),
        }
    }

    /// Runs the command at a time in milliseconds since 1970: locks the stripes, and replies. The
    /// client may have to wait.
    pub fn run(
        &'static self,
        server: &Server,
        db: usize,
        arguments: &[&[u8]],
        replies: &mut Replies,
        now: u64,
    ) -> Option<Waits> {
        let store = &server.store;
        let mut locked = match self.keys {
            KeysOf::First => store.one(db, arguments[0], now),
            KeysOf::Everything | KeysOf::Sorted => store.all(db, now),
            KeysOf::Databases => store.everything(db, now),
            _ => store.several(db, self.keys(arguments).into_iter(), now),
        };
        let ran = self.run_as(server, &mut locked, arguments, replies, true);
        if let Some(time) = ran.waits {
            let mut keys = self.keys(arguments);
            if self.waits_for_one() {
                keys.truncate(1);
            }
            let waiting = &server.waiting;
            let again: Option<Vec<&[u8]>> = ran
                .again
                .as_ref()
                .map(|it| it.iter().map(|it| &**it).collect());
            let arguments = again.as_deref().unwrap_or(arguments);
            let waiter = waiting.add(db, &keys, self, arguments, replies.is_resp3);
            return Some(Waits { waiter, time });
        }
        if ran.has_changed && server.waiting.count() > 0 {
            match self.keys {
                KeysOf::Databases => server.waiting.serve_all(server, locked),
                _ => serve(server, locked, &self.keys(arguments)),
            }
        }
        None
    }

    /// Runs the command with locked stripes, without waiting. Returns whether it has changed keys
    /// that clients wait for.
    pub fn run_locked(
        &self,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> bool {
        let ran = self.run_as(server, locked, arguments, replies, false);
        ran.has_changed
    }

    /// Runs the command for a client that waits for a key. Returns whether the client has its
    /// reply.
    pub fn run_for_waiter(
        &self,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> bool {
        let ran = self.run_as(server, locked, arguments, replies, true);
        if self.keys == KeysOf::Streams && replies.bytes.starts_with(b"-NOGROUP") {
            let keys = self.keys(arguments);
            let is_there = keys
                .first()
                .is_some_and(|key| locked.keys(key).contains(key));
            replies.bytes.clear();
            replies.error(match is_there {
                true => "NOGROUP the consumer group this client was blocked on no longer exists",
                false => NO_STREAM,
            });
        }
        if self.name == "xreadgroup" && replies.bytes.starts_with(b"-WRONGTYPE") {
            // The groups are gone with the stream that was replaced.
            replies.bytes.clear();
            replies.error(NO_STREAM);
        }
        // If the key has a value of the wrong type, the client continues to wait. The client gets
        // the error if the destination of an element has one.
        let is_wrong = replies.bytes.starts_with(b"-WRONGTYPE");
        ran.waits.is_none() && (!is_wrong || self.has_list_to_move(locked, arguments))
    }

    fn has_list_to_move(&self, locked: &mut Locked<'_>, arguments: &[&[u8]]) -> bool {
        let key = arguments.first().filter(|_| self.waits_for_one());
        key.is_some_and(|key| {
            let view = locked.keys(key).peek(key);
            matches!(view, Some(View::Value(Value::List(_))))
        })
    }

    fn run_as(
        &self,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
        may_wait: bool,
    ) -> Ran {
        let mut call = Call {
            arguments,
            server,
            locked,
            replies,
            instead: None,
            may_wait,
            again: None,
            waits: None,
        };
        let is_recorded = call.locked.is_recorded();
        let is_watched = is_recorded || server.waiting.count() > 0;
        let before = if is_watched { call.locked.changes() } else { 0 };
        let done = (self.run)(&mut call);
        let (instead, waits, again) = (call.instead, call.waits, call.again);
        if let Err(Refusal(why)) = done {
            replies.error(why);
        }
        let has_changed = is_watched && locked.changes() != before;
        if is_recorded && has_changed {
            self.record(locked, arguments, instead);
        }
        Ran {
            waits,
            again,
            has_changed,
        }
    }

    fn record(
        &self,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        instead: Option<Vec<Vec<Bytes>>>,
    ) {
        match instead {
            None => locked.record(&[&[self.name.as_bytes()], arguments].concat()),
            Some(commands) => {
                for words in commands {
                    let words: Vec<&[u8]> = words.iter().map(|word| &**word).collect();
                    locked.record(&words);
                }
            }
        }
    }

    /// Returns the arguments to run a waiting command with, after one of its keys has changed.
    #[must_use]
    pub fn for_key<'a>(&self, arguments: &[&'a [u8]], key: &'a [u8]) -> Vec<&'a [u8]> {
        match self.keys {
            KeysOf::AllButLast => vec![key, b"0"],
            KeysOf::Numbered(at) => {
                let count = self.keys(arguments).len();
                let head = [b"0".as_slice(), b"1", key].into_iter();
                let rest = arguments[at + 1 + count..].iter().copied();
                head.chain(rest).collect()
            }
            KeysOf::Streams => {
                let (first, count) = super::streams::places(arguments);
                let mut keys = arguments[first..first + count].iter();
                let at = keys.position(|it| *it == key).unwrap_or(0);
                let id = arguments.get(first + count + at).copied();
                let head = arguments[..first].iter().copied();
                head.chain([key]).chain(id).collect()
            }
            _ => arguments.to_vec(),
        }
    }

    /// Returns whether the command waits only for its first key, but also uses the second one.
    #[must_use]
    pub fn waits_for_one(&self) -> bool {
        self.keys == KeysOf::FirstTwo
    }
}

/// Serves the clients that wait for changed keys, and unlocks the stripes.
pub fn serve(server: &Server, mut locked: Locked<'_>, keys: &[&[u8]]) {
    /// A waiter that is still late after these tries was overtaken by others, so there is progress.
    const TIMES: usize = 8;
    let db = locked.db;
    let mut late = server.waiting.serve(server, &mut locked, keys);
    drop(locked);
    for _ in 0..TIMES {
        if late.is_empty() {
            return;
        }
        let keys: Vec<&[u8]> = late.iter().map(|key| &**key).collect();
        let mut locked = server.store.several(db, keys.iter().copied(), server.now());
        late = server.waiting.serve(server, &mut locked, &keys);
    }
}

/// Returns whether a command of this arity accepts this number of arguments.
#[must_use]
pub fn takes(arity: i32, arguments: usize) -> bool {
    let words = i64::try_from(arguments + 1).unwrap_or(i64::MAX);
    let arity = i64::from(arity);
    words == arity || (arity < 0 && words >= -arity)
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

pub(super) const fn command(
    name: &'static str,
    arity: i32,
    keys: KeysOf,
    run: fn(&mut Call<'_, '_>) -> Result<(), Refusal>,
) -> Command {
    Command {
        name,
        arity,
        keys,
        grows: false,
        has_subcommands: false,
        run,
    }
}
