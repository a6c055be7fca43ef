//! The commands: a table, and how one of them is run.

mod hashes;
mod keys;
mod lists;
mod server;
mod sets;
mod sorted_sets;
mod strings;

pub use server::set_parameter;

use std::fmt;
use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::{Bytes, Kind, Locked, View, WrongType};

/// A command.
pub struct Command {
    /// In lower case.
    pub name: &'static str,
    /// How many words it has with its name; a negative number is the least.
    arity: i32,
    keys: KeysOf,
    /// Whether it may need memory.
    grows: bool,
    run: fn(&mut Call<'_, '_>) -> Result<(), Refusal>,
}

/// Which arguments are keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeysOf {
    /// None of them.
    None,
    /// The first one.
    First,
    /// The first two.
    FirstTwo,
    /// All of them.
    All,
    /// Each second one: keys and values.
    Pairs,
    /// Every key of the database.
    Everything,
    /// Every key of all databases.
    Databases,
}

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

    fn integer(&self, at: usize) -> Result<i64, Refusal> {
        number(self.arguments[at]).ok_or(NOT_AN_INTEGER)
    }
}

/// The commands that need nothing of their connection.
const TABLES: [&[Command]; 7] = [
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
    const LONGEST: usize = 16;
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    BY_NAME.get(&*lower).copied()
}

/// How many commands there are.
#[must_use]
pub fn count() -> usize {
    TABLES.iter().map(|table| table.len()).sum()
}

impl Command {
    /// Whether it can have so many arguments.
    #[must_use]
    pub fn takes(&self, arguments: usize) -> bool {
        takes(self.arity, arguments)
    }

    /// The keys among its arguments.
    fn keys<'a>(&self, arguments: &'a [&'a [u8]]) -> Vec<&'a [u8]> {
        match self.keys {
            KeysOf::None | KeysOf::Everything | KeysOf::Databases => Vec::new(),
            KeysOf::First => arguments.iter().take(1).copied().collect(),
            KeysOf::FirstTwo => arguments.iter().take(2).copied().collect(),
            KeysOf::All => arguments.to_vec(),
            KeysOf::Pairs => arguments.iter().step_by(2).copied().collect(),
        }
    }

    /// Runs it: locks what it needs, and replies.
    pub fn run(&self, server: &Server, db: usize, arguments: &[&[u8]], replies: &mut Replies) {
        let (store, now) = (&server.store, server.now());
        let mut locked = match self.keys {
            KeysOf::First => store.one(db, arguments[0], now),
            KeysOf::Everything => store.all(db, now),
            KeysOf::Databases => store.everything(db, now),
            _ => store.several(db, self.keys(arguments).into_iter(), now),
        };
        self.run_locked(server, &mut locked, arguments, replies);
    }

    /// What the command needs of the stripes, together with others.
    pub fn needs<'a>(&self, arguments: &'a [&'a [u8]]) -> Needs<'a> {
        match self.keys {
            KeysOf::Everything => Needs::Database,
            KeysOf::Databases => Needs::Databases,
            _ => Needs::Keys(self.keys(arguments)),
        }
    }

    /// Runs it with what is locked.
    pub fn run_locked(
        &self,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        let mut call = Call {
            arguments,
            server,
            locked,
            replies,
            instead: None,
        };
        let is_recorded = call.locked.is_recorded();
        let before = if is_recorded {
            call.locked.changes()
        } else {
            0
        };
        let done = (self.run)(&mut call);
        let instead = call.instead;
        if let Err(Refusal(why)) = done {
            replies.error(why);
        }
        if is_recorded && locked.changes() != before {
            self.record(locked, arguments, instead);
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
}

/// Whether a command of this arity can have so many arguments.
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

const fn command(
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
        run,
    }
}

impl Command {
    const fn grows(mut self) -> Self {
        self.grows = true;
        self
    }

    /// Whether it is refused when there is no memory.
    #[must_use]
    pub fn may_grow(&self) -> bool {
        self.grows
    }
}

/// The stripes that commands need.
#[derive(Debug)]
pub enum Needs<'a> {
    /// Those of keys.
    Keys(Vec<&'a [u8]>),
    /// Those of the database.
    Database,
    /// All.
    Databases,
}

impl From<WrongType> for Refusal {
    fn from(_: WrongType) -> Self {
        WRONG_TYPE
    }
}

/// The elements from `first` to `last`, both counted from the end if they are negative. Empty if there are none.
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
