//! The table of commands, and the context in which a command runs.

mod bitfield;
mod bits;
mod blocking;
mod command;
mod debug;
mod dump;
mod facts;
mod geo;
mod hashes;
mod info;
mod introspection;
mod keys;
mod lcs;
mod lists;
mod loglog;
mod moved;
mod numbers;
mod object;
mod parameters;
mod scan;
mod scores;
mod server;
mod sets;
mod sort;
mod sorted_sets;
mod streams;
mod strings;
mod used_keys;
mod zstore;

pub use command::{Command, Waits, serve, takes};
pub use facts::{Fact, Facts, facts};
pub use introspection::help;
pub use parameters::{Limits, StoredParameters, bytes, set_parameter};

use command::{KeysOf, command};

use std::sync::LazyLock;
use std::time::Duration;

use hashbrown::HashMap;

use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::{Bytes, Kind, Locked, View, WrongType};

/// Reason why a command was refused. It has changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

const WRONG_TYPE: Refusal =
    Refusal("WRONGTYPE Operation against a key holding the wrong kind of value");
const NOT_AN_INTEGER: Refusal = Refusal("ERR value is not an integer or out of range");
const NOT_A_FLOAT: Refusal = Refusal("ERR value is not a valid float");
const SYNTAX: Refusal = Refusal("ERR syntax error");
const NO_SUCH_KEY: Refusal = Refusal("ERR no such key");
const OUT_OF_RANGE: Refusal = Refusal("ERR index out of range");

/// Parses the count of SRANDMEMBER and its variants, whose absolute value must be a number as well.
fn random_count(text: &[u8]) -> Result<i64, Refusal> {
    const WHY: &str = "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";
    let count = number(text).ok_or(NOT_AN_INTEGER)?;
    match count {
        i64::MIN => Err(Refusal(WHY)),
        count => Ok(count),
    }
}

/// A running command.
struct Call<'c, 's> {
    /// The words after the command's name.
    arguments: &'c [&'c [u8]],
    server: &'c Server,
    locked: &'c mut Locked<'s>,
    replies: &'c mut Replies,
    /// Commands for the log that replace the command itself.
    instead: Option<Vec<Vec<Bytes>>>,
    /// Whether the client may wait.
    may_wait: bool,
    /// Arguments with which a waiting command runs again, if they differ.
    again: Option<Vec<Bytes>>,
    /// Set if the client has to wait: the time limit, if there is one.
    waits: Option<Option<Duration>>,
}

impl Call<'_, '_> {
    fn value(&mut self, key: &[u8]) -> Option<View<'_>> {
        self.locked.keys(key).get(key)
    }

    /// Returns the content of a string.
    fn string(&mut self, key: &[u8]) -> Result<Option<&[u8]>, Refusal> {
        Ok(self.locked.keys(key).string(key)?)
    }

    /// Records that a value has changed.
    fn changed(&mut self, key: &[u8]) {
        self.locked.keys(key).changed(key);
    }

    /// Adds a command to the log. The log gets these commands instead of the running one.
    fn log(&mut self, words: &[&[u8]]) {
        if self.locked.is_recorded() {
            let words = words.iter().map(|word| Bytes::from(*word)).collect();
            self.instead.get_or_insert_default().push(words);
        }
    }

    /// Returns a key's value, if it has this type.
    fn get<K: Kind>(&mut self, key: &[u8]) -> Result<Option<&K>, Refusal> {
        Ok(self.locked.keys(key).value(key)?)
    }

    /// Returns a key's value for modification.
    fn get_mut<K: Kind>(&mut self, key: &[u8]) -> Result<Option<&mut K>, Refusal> {
        Ok(self.locked.keys(key).value_mut(key)?)
    }

    /// Returns a key's value for modification. Creates an empty one if there is none.
    fn get_or_new<K: Kind>(&mut self, key: &[u8]) -> Result<&mut K, Refusal> {
        Ok(self.locked.keys(key).value_or_new(key)?)
    }

    /// Makes the client wait, if it may; otherwise the reply is nil. A time of 0 means for ever.
    fn wait(&mut self, time: Duration) -> bool {
        if self.may_wait {
            self.waits = Some((!time.is_zero()).then_some(time));
        }
        self.may_wait
    }

    fn integer(&self, at: usize) -> Result<i64, Refusal> {
        number(self.arguments[at]).ok_or(NOT_AN_INTEGER)
    }
}

/// The commands that do not use the state of their connection.
const TABLES: [&[Command]; 25] = [
    bitfield::COMMANDS,
    bits::COMMANDS,
    debug::COMMANDS,
    dump::COMMANDS,
    geo::COMMANDS,
    lcs::COMMANDS,
    loglog::COMMANDS,
    introspection::COMMANDS,
    parameters::COMMANDS,
    blocking::COMMANDS,
    moved::COMMANDS,
    scan::COMMANDS,
    scores::COMMANDS,
    zstore::COMMANDS,
    numbers::COMMANDS,
    object::COMMANDS,
    sort::COMMANDS,
    streams::COMMANDS,
    strings::COMMANDS,
    keys::COMMANDS,
    lists::COMMANDS,
    hashes::COMMANDS,
    sets::COMMANDS,
    sorted_sets::COMMANDS,
    server::COMMANDS,
];

/// The commands by name.
static BY_NAME: LazyLock<HashMap<&'static [u8], &'static Command>> = LazyLock::new(|| {
    let commands = TABLES.into_iter().flatten();
    commands.map(|it| (it.name.as_bytes(), it)).collect()
});

/// Returns the command with a name, if there is one.
#[must_use]
pub fn find(name: &[u8]) -> Option<&'static Command> {
    /// Length of the longest name.
    const LONGEST: usize = 24;
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    BY_NAME.get(&*lower).copied()
}

/// Iterates over the names of all commands and their arities.
pub fn names() -> impl Iterator<Item = (&'static str, i32)> {
    let commands = TABLES.into_iter().flatten();
    commands.map(|it| (it.name, it.arity()))
}

impl From<WrongType> for Refusal {
    fn from(_: WrongType) -> Self {
        WRONG_TYPE
    }
}

/// Returns the range from `first` to `last`, in which negative numbers count from the end. The
/// range may be empty.
fn range(first: i64, last: i64, len: usize) -> std::ops::Range<usize> {
    let signed = i64::try_from(len).unwrap_or(i64::MAX);
    let from_start = |at: i64| if at < 0 { (signed + at).max(0) } else { at };
    let first = from_start(first);
    let last = if last < 0 {
        signed + last
    } else {
        last.min(signed - 1)
    };
    if first > last {
        return 0..0;
    }
    let index = |at: i64| usize::try_from(at).unwrap_or_default();
    index(first)..index(last + 1)
}
