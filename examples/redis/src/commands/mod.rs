//! The commands: a table, and how one of them is run.

mod bitfield;
mod bits;
mod blocking;
mod command;
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
pub use parameters::{Limits, set_parameter};

use command::{KeysOf, command};

use std::sync::LazyLock;
use std::time::Duration;

use hashbrown::HashMap;

use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::{Bytes, Kind, Locked, View, WrongType};

/// Why a command was not done. It has changed nothing then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

const WRONG_TYPE: Refusal =
    Refusal("WRONGTYPE Operation against a key holding the wrong kind of value");
const NOT_AN_INTEGER: Refusal = Refusal("ERR value is not an integer or out of range");
const NOT_A_FLOAT: Refusal = Refusal("ERR value is not a valid float");
const SYNTAX: Refusal = Refusal("ERR syntax error");
const NO_SUCH_KEY: Refusal = Refusal("ERR no such key");
const OUT_OF_RANGE: Refusal = Refusal("ERR index out of range");

/// A command that runs.
struct Call<'c, 's> {
    /// The words behind its name.
    arguments: &'c [&'c [u8]],
    server: &'c Server,
    locked: &'c mut Locked<'s>,
    replies: &'c mut Replies,
    /// What the log gets instead of the command itself.
    instead: Option<Vec<Vec<Bytes>>>,
    /// Whether its client may wait.
    may_wait: bool,
    /// The arguments of a command that waits, when it runs again.
    again: Option<Vec<Bytes>>,
    /// That it waits, and how long.
    waits: Option<Option<Duration>>,
}

impl Call<'_, '_> {
    fn value(&mut self, key: &[u8]) -> Option<View<'_>> {
        self.locked.keys(key).get(key)
    }

    /// The bytes of a string.
    fn string(&mut self, key: &[u8]) -> Result<Option<&[u8]>, Refusal> {
        Ok(self.locked.keys(key).string(key)?)
    }

    /// A value has been changed.
    fn changed(&mut self, key: &[u8]) {
        self.locked.keys(key).changed(key);
    }

    /// The log gets this instead of the command, once more for each call.
    fn log(&mut self, words: &[&[u8]]) {
        if self.locked.is_recorded() {
            let words = words.iter().map(|word| Bytes::from(*word)).collect();
            self.instead.get_or_insert_default().push(words);
        }
    }

    /// What a key has, if it is of this type.
    fn get<K: Kind>(&mut self, key: &[u8]) -> Result<Option<&K>, Refusal> {
        Ok(self.locked.keys(key).value(key)?)
    }

    /// The same, to be changed.
    fn get_mut<K: Kind>(&mut self, key: &[u8]) -> Result<Option<&mut K>, Refusal> {
        Ok(self.locked.keys(key).value_mut(key)?)
    }

    /// The same, which is made if there is none.
    fn get_or_new<K: Kind>(&mut self, key: &[u8]) -> Result<&mut K, Refusal> {
        Ok(self.locked.keys(key).value_or_new(key)?)
    }

    /// Its client waits, if it may; the reply is nothing otherwise. The time is in seconds, and 0
    /// is for ever.
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

/// The commands that need nothing of their connection.
const TABLES: [&[Command]; 24] = [
    bitfield::COMMANDS,
    bits::COMMANDS,
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

/// The commands by their names.
static BY_NAME: LazyLock<HashMap<&'static [u8], &'static Command>> = LazyLock::new(|| {
    let commands = TABLES.into_iter().flatten();
    commands.map(|it| (it.name.as_bytes(), it)).collect()
});

/// The command with a name, if there is one.
#[must_use]
pub fn find(name: &[u8]) -> Option<&'static Command> {
    /// No command has a longer name.
    const LONGEST: usize = 24;
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    BY_NAME.get(&*lower).copied()
}

/// The names of all commands, and their arities.
pub fn names() -> impl Iterator<Item = (&'static str, i32)> {
    let commands = TABLES.into_iter().flatten();
    commands.map(|it| (it.name, it.arity()))
}

impl From<WrongType> for Refusal {
    fn from(_: WrongType) -> Self {
        WRONG_TYPE
    }
}

/// The elements from `first` to `last`, both counted from the end if they are negative. Empty if
/// there are none.
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
