//! A selector: one set of rules that allows commands, keys and channels.

use crate::commands::{Fact, facts};
use crate::pattern::matches;
use crate::store::Bytes;

/// The categories of commands, in the order of ACL CAT.
pub const CATEGORIES: [&str; 21] = [
    "keyspace",
    "read",
    "write",
    "set",
    "sortedset",
    "list",
    "hash",
    "string",
    "bitmap",
    "hyperloglog",
    "geo",
    "stream",
    "pubsub",
    "admin",
    "fast",
    "slow",
    "blocking",
    "dangerous",
    "connection",
    "transaction",
    "scripting",
];

/// Reason for a refusal. The variants are ordered: a rule that fails with a later one has allowed
/// more of the request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Denied {
    /// The command.
    Command,
    /// One of its keys.
    Key(Bytes),
    /// Any key that this option of SORT may read through its pattern.
    Pattern(&'static str),
    /// One of its channels.
    Channel(Bytes),
}

/// The commands, keys and channels that are allowed.
#[derive(Debug, Clone)]
pub struct Selector {
    /// Whether each command is allowed, by its index in the table of commands.
    pub(super) commands: Vec<bool>,
    /// Whether commands of future versions are allowed as well.
    pub(super) all_commands: bool,
    pub(super) all_keys: bool,
    pub(super) keys: Vec<KeyPattern>,
    pub(super) all_channels: bool,
    pub(super) channels: Vec<Bytes>,
}

/// A pattern of keys that may be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyPattern {
    pub pattern: Bytes,
    pub reads: bool,
    pub writes: bool,
}

const UNKNOWN: &str = "Unknown command or category name in ACL";

impl Default for Selector {
    fn default() -> Self {
        Selector {
            commands: vec![false; facts().all.len()],
            all_commands: false,
            all_keys: false,
            keys: Vec::new(),
            all_channels: false,
            channels: Vec::new(),
        }
    }
}

impl Selector {
    pub(super) fn may_all(&self) -> bool {
        self.all_commands
            && self.commands.iter().all(|it| *it)
            && self.all_keys
            && self.all_channels
    }

    pub(super) fn apply(&mut self, rule: &[u8]) -> Result<(), &'static str> {
        match rule.to_ascii_lowercase().as_slice() {
            b"allkeys" | b"~*" => {
                self.all_keys = true;
                self.keys.clear();
            }
            b"resetkeys" => {
                self.all_keys = false;
                self.keys.clear();
            }
            b"allchannels" | b"&*" => {
                self.all_channels = true;
                self.channels.clear();
            }
            b"resetchannels" => {
                self.all_channels = false;
                self.channels.clear();
            }
            b"allcommands" | b"+@all" => self.allow_all(true),
            b"nocommands" | b"-@all" => self.allow_all(false),
            _ => match rule.split_first() {
                Some((b'~', pattern)) => self.add_keys(pattern, true, true)?,
                Some((b'%', rest)) => {
                    let end = rest.iter().position(|byte| *byte == b'~');
                    let (marks, pattern) = rest.split_at(end.ok_or("Syntax error")?);
                    let (mut reads, mut writes) = (false, false);
                    for mark in marks.to_ascii_uppercase() {
                        match mark {
                            b'R' if !reads => reads = true,
                            b'W' if !writes => writes = true,
                            _ => return Err("Syntax error"),
                        }
                    }
                    if !reads && !writes {
                        return Err("Syntax error");
                    }
                    self.add_keys(&pattern[1..], reads, writes)?;
                }
                Some((b'&', pattern)) => self.add_channel(pattern)?,
                Some((b'+', name)) => self.allow(name, true)?,
                Some((b'-', name)) => self.allow(name, false)?,
                _ => return Err("Syntax error"),
            },
        }
        Ok(())
    }

    pub(super) fn allow_all(&mut self, allows: bool) {
        self.all_commands = allows;
        self.commands.fill(allows);
    }

    fn add_keys(&mut self, pattern: &[u8], reads: bool, writes: bool) -> Result<(), &'static str> {
        if self.all_keys {
            return Err(
                "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any effect. \
                        Try 'resetkeys' to start with an empty list of patterns",
            );
        }
        if let Some(known) = self.keys.iter_mut().find(|it| *it.pattern == *pattern) {
            known.reads |= reads;
            known.writes |= writes;
            return Ok(());
        }
        self.keys.push(KeyPattern {
            pattern: pattern.into(),
            reads,
            writes,
        });
        Ok(())
    }

    fn add_channel(&mut self, pattern: &[u8]) -> Result<(), &'static str> {
        if self.all_channels {
            return Err(
                "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any effect. \
                        Try 'resetchannels' to start with an empty list of channels",
            );
        }
        if !self.channels.iter().any(|it| **it == *pattern) {
            self.channels.push(pattern.into());
        }
        Ok(())
    }

    /// Allows or forbids a command, a subcommand or a category.
    pub(super) fn allow(&mut self, name: &[u8], allows: bool) -> Result<(), &'static str> {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        if let Some(category) = name.strip_prefix('@') {
            if !CATEGORIES.contains(&category) {
                return Err(UNKNOWN);
            }
            for (at, fact) in facts().all.iter().enumerate() {
                if fact.categories.contains(&category) {
                    self.commands[at] = allows;
                }
            }
        } else {
            let (at, fact) = facts().find(&name).ok_or(UNKNOWN)?;
            self.commands[at] = allows;
            self.commands[fact.subcommands.clone()].fill(allows);
        }
        Ok(())
    }

    pub(super) fn may(
        &self,
        at: usize,
        fact: &'static Fact,
        words: &[&[u8]],
    ) -> Result<(), Denied> {
        if !self.commands.get(at).is_some_and(|it| *it) && !fact.has("no_auth") {
            return Err(Denied::Command);
        }
        if !self.all_keys {
            for used in fact.used_keys(words) {
                let suits = |it: &KeyPattern| {
                    (it.reads || !used.is_read())
                        && (it.writes || !used.is_written())
                        && matches(&it.pattern, used.key)
                };
                if !self.keys.iter().any(suits) {
                    return Err(Denied::Key(used.key.into()));
                }
            }
            let reads_all = |it: &KeyPattern| it.reads && &*it.pattern == b"*";
            if let Some(option) = fact.reads_others(words)
                && !self.keys.iter().any(reads_all)
            {
                return Err(Denied::Pattern(option));
            }
        }
        if self.all_channels {
            return Ok(());
        }
        let (channels, is_pattern): (&[&[u8]], bool) = match fact.name {
            "publish" | "spublish" => (&words[1..2], false),
            "subscribe" | "ssubscribe" => (&words[1..], false),
            "psubscribe" => (&words[1..], true),
            _ => (&[], false),
        };
        for channel in channels {
            let suits = |it: &Bytes| match is_pattern {
                true => **it == **channel,
                false => matches(it, channel),
            };
            if !self.channels.iter().any(suits) {
                return Err(Denied::Channel((*channel).into()));
            }
        }
        Ok(())
    }
}
