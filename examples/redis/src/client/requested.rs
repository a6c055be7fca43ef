//! Looking up the command of a request.

use crate::commands::{self, Command, facts};

/// The command of a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Requested {
    /// A command about keys or the server.
    OfStore(&'static Command),
    /// A command about the connection.
    OfConnection(&'static ConnectionCommand),
}

/// A command about the connection.
#[derive(Debug)]
pub(super) struct ConnectionCommand {
    pub name: &'static str,
    /// Number of words, as in the table of commands.
    arity: i32,
    pub is_never_queued: bool,
    has_subcommands: bool,
}

const fn of_connection(name: &'static str, arity: i32) -> ConnectionCommand {
    ConnectionCommand {
        name,
        arity,
        is_never_queued: false,
        has_subcommands: false,
    }
}

impl ConnectionCommand {
    const fn never_queued(mut self) -> Self {
        self.is_never_queued = true;
        self
    }

    const fn with_subcommands(mut self) -> Self {
        self.has_subcommands = true;
        self
    }
}

static OF_CONNECTION: [ConnectionCommand; 40] = [
    of_connection("subscribe", -2),
    of_connection("psubscribe", -2),
    of_connection("unsubscribe", -1),
    of_connection("punsubscribe", -1),
    of_connection("ssubscribe", -2),
    of_connection("sunsubscribe", -1),
    of_connection("publish", 3),
    of_connection("spublish", 3),
    of_connection("pubsub", -2).with_subcommands(),
    of_connection("select", 2),
    of_connection("eval", -3),
    of_connection("asking", 1),
    of_connection("readonly", 1),
    of_connection("readwrite", 1),
    of_connection("wait", 3),
    of_connection("replicaof", 3),
    of_connection("slaveof", 3),
    of_connection("migrate", -6),
    of_connection("cluster", -2).with_subcommands(),
    of_connection("eval_ro", -3),
    of_connection("evalsha", -3),
    of_connection("evalsha_ro", -3),
    of_connection("script", -2).with_subcommands(),
    of_connection("fcall", -3),
    of_connection("fcall_ro", -3),
    of_connection("function", -2).with_subcommands(),
    of_connection("watch", -2).never_queued(),
    of_connection("unwatch", 1),
    of_connection("ping", -1),
    of_connection("auth", -2),
    of_connection("hello", -1),
    of_connection("client", -2).with_subcommands(),
    of_connection("acl", -2).with_subcommands(),
    of_connection("monitor", 1),
    of_connection("save", 1),
    of_connection("multi", 1).never_queued(),
    of_connection("exec", 1).never_queued(),
    of_connection("discard", 1).never_queued(),
    of_connection("reset", 1).never_queued(),
    of_connection("quit", -1).never_queued(),
];

impl Requested {
    pub fn find(name: &[u8]) -> Option<Self> {
        if let Some(command) = commands::find(name) {
            return Some(Requested::OfStore(command));
        }
        let mut all = OF_CONNECTION.iter().map(Requested::OfConnection);
        all.find(|it| it.has_name(name))
    }

    pub fn name(self) -> &'static str {
        match self {
            Requested::OfStore(command) => command.name,
            Requested::OfConnection(command) => command.name,
        }
    }

    pub fn has_name(self, name: &[u8]) -> bool {
        name.eq_ignore_ascii_case(self.name().as_bytes())
    }

    /// Returns whether the command runs at once between MULTI and EXEC.
    pub fn is_never_queued(self) -> bool {
        match self {
            Requested::OfStore(_) => false,
            Requested::OfConnection(command) => command.is_never_queued,
        }
    }

    pub fn takes(self, arguments: usize) -> bool {
        match self {
            Requested::OfStore(command) => command.takes(arguments),
            Requested::OfConnection(command) => commands::takes(command.arity, arguments),
        }
    }

    /// Returns the name, with the subcommand if there is one.
    ///
    /// # Errors
    /// The error for an unknown subcommand or a wrong number of words.
    pub fn full_name(self, arguments: &[&[u8]]) -> Result<&'static str, String> {
        let has_subcommands = match self {
            Requested::OfStore(command) => command.has_subcommands(),
            Requested::OfConnection(command) => command.has_subcommands,
        };
        let name = self.name();
        let Some(word) = arguments.first().filter(|_| has_subcommands) else {
            return Ok(name);
        };
        let Some((_, fact)) = facts().of_request(&[name.as_bytes(), word]) else {
            let short = String::from_utf8_lossy(&word[..word.len().min(128)]).into_owned();
            let upper = name.to_ascii_uppercase();
            return Err(format!(
                "ERR unknown subcommand '{short}'. Try {upper} HELP."
            ));
        };
        match commands::takes(fact.arity, arguments.len()) {
            true => Ok(fact.name),
            false => Err(wrong_number(fact.name)),
        }
    }
}

/// Returns all names, to compare them with the facts about commands.
pub fn names() -> impl Iterator<Item = (&'static str, i32)> {
    let of_connection = OF_CONNECTION.iter().map(|it| (it.name, it.arity));
    of_connection.chain(commands::names())
}

pub(super) fn wrong_number(name: &str) -> String {
    format!("ERR wrong number of arguments for '{name}' command")
}

/// Returns redis-server's error for an unknown command: the name, and the first bytes of the
/// arguments.
pub(super) fn unknown(name: &[u8], arguments: &[&[u8]]) -> String {
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
