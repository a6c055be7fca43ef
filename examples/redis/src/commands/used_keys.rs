//! Finds the keys that a request may use, and what it does with them.
//!
//! Access control and COMMAND GETKEYS both use [`Fact::used_keys`]. It must never miss a key that
//! the command uses. So if the number or the position of keys depends on options, it parses the
//! options as the command does.

use super::facts::Fact;
use super::{find, sort};

/// A key of a request, and what the request does with it.
#[derive(Debug)]
pub struct UsedKey<'a> {
    /// The key.
    pub key: &'a [u8],
    /// `RO`, `access`, …
    pub flags: &'static [&'static str],
}

const READ: &[&str] = &["RO", "access"];
const OVERWRITTEN: &[&str] = &["OW", "update"];
const CHANGED: &[&str] = &["RW", "access", "update"];
const MOVED: &[&str] = &["RW", "access", "delete"];

impl UsedKey<'_> {
    /// Returns whether the request reads the key's value.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.flags.contains(&"access")
    }

    /// Returns whether the request changes the key.
    #[must_use]
    pub fn is_written(&self) -> bool {
        let changes = |flag: &&str| matches!(*flag, "insert" | "delete" | "update");
        self.flags.iter().any(changes)
    }
}

impl Fact {
    /// Returns the keys of a request.
    #[must_use]
    pub fn used_keys<'a>(&'static self, words: &[&'a [u8]]) -> Vec<UsedKey<'a>> {
        let with = |flags| move |key| UsedKey { key, flags };
        let mut used: Vec<UsedKey<'a>> = match self.name {
            "sort" | "sort_ro" => sort::keys(&words[1..], self.name == "sort")
                .into_iter()
                .zip([READ, OVERWRITTEN])
                .map(|(key, flags)| UsedKey { key, flags })
                .collect(),
            "migrate" => moved(&words[1..])
                .iter()
                .copied()
                .map(with(MOVED))
                .collect(),
            _ => {
                let instead = self.flags_of(words);
                let places = self.places.iter();
                places
                    .flat_map(|it| {
                        let keys = it.indexes(words).into_iter();
                        keys.filter_map(|at| words.get(at)).map(|key| UsedKey {
                            key,
                            flags: instead.unwrap_or(&it.flags),
                        })
                    })
                    .collect()
            }
        };
        // If the facts do not describe a position, the command's own list of keys still has the
        // key.
        let of_command = find(words[0]).map(|it| it.keys(&words[1..]));
        for key in of_command.into_iter().flatten() {
            if !used.iter().any(|it| it.key == key) {
                used.push(with(CHANGED)(key));
            }
        }
        used
    }

    /// Returns the option of a request that reads keys which no word names.
    #[must_use]
    pub fn reads_others(&self, words: &[&[u8]]) -> Option<&'static str> {
        matches!(self.name, "sort" | "sort_ro").then(|| sort::reads_others(&words[1..]))?
    }

    /// Returns what a command does with its key, if that depends on its options.
    fn flags_of(&self, words: &[&[u8]]) -> Option<&'static [&'static str]> {
        let has = |word: &str, from: usize| {
            let mut rest = words.iter().skip(from);
            rest.any(|it| it.eq_ignore_ascii_case(word.as_bytes()))
        };
        match self.name {
            "set" if !has("get", 3) => Some(OVERWRITTEN),
            "set" => Some(CHANGED),
            "bitfield" if only_reads_bits(&words[2..]) => Some(READ),
            "bitfield" => Some(CHANGED),
            _ => None,
        }
    }
}

/// Returns whether a BITFIELD has only complete GETs and OVERFLOWs.
fn only_reads_bits(mut words: &[&[u8]]) -> bool {
    while let Some((word, rest)) = words.split_first() {
        let count = match word.to_ascii_lowercase().as_slice() {
            b"get" => 2,
            b"overflow" => 1,
            _ => return false,
        };
        match rest.get(count..) {
            Some(rest) => words = rest,
            None => return false,
        }
    }
    true
}

/// Returns the keys of MIGRATE: its third argument, or those after KEYS if that one is empty.
fn moved<'w, 'a>(arguments: &'w [&'a [u8]]) -> &'w [&'a [u8]] {
    let mut at = 5;
    while let Some(word) = arguments.get(at) {
        match word.to_ascii_lowercase().as_slice() {
            b"keys" if arguments[2].is_empty() && at + 1 < arguments.len() => {
                return &arguments[at + 1..];
            }
            b"auth" => at += 2,
            b"auth2" => at += 3,
            _ => at += 1,
        }
    }
    &arguments[2..3]
}
