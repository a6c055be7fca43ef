//! The data: keys with a text or a list, and the times at which they expire.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use otp_bridge::Term;

use crate::command::Command;
use crate::resp::Reply;

const WRONG_TYPE: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";

/// All keys.
#[derive(Debug, Clone, Default, PartialEq, Term)]
pub struct Data {
    entries: BTreeMap<Bytes, Entry>,
}

#[derive(Debug, Clone, PartialEq, Term)]
struct Entry {
    value: Value,
    /// The time in milliseconds since 1970 at which the key is gone.
    expires: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Term)]
enum Value {
    Text(Bytes),
    List(VecDeque<Bytes>),
}

/// Result of a command: the reply, and the change to repeat elsewhere, if there is one.
pub type Done = (Reply, Option<Command>);

impl Data {
    /// Runs a command at a time in milliseconds since 1970.
    pub fn run(&mut self, command: &Command, now: i64) -> Done {
        let done = match command {
            Command::Get(key) => self.get(key, now).map(|reply| (reply, false)),
            Command::Set(key, value) => {
                let value = Value::Text(value.clone());
                self.entries.insert(
                    key.clone(),
                    Entry {
                        value,
                        expires: None,
                    },
                );
                Ok((Reply::ok(), true))
            }
            Command::Del(keys) => {
                let keys = keys.iter().filter(|key| {
                    let is_there = self.live(key, now).is_some();
                    self.entries.remove(*key);
                    is_there
                });
                let count = keys.count();
                Ok((length(count), count > 0))
            }
            Command::Incr(key) => return self.incr(key, now),
            Command::ExpireAt(key, time) => {
                let entry = self.live(key, now);
                let found = entry.map(|entry| entry.expires = Some(*time));
                Ok((Reply::Integer(found.is_some().into()), found.is_some()))
            }
            Command::Ttl(key) => Ok((Reply::Integer(self.ttl(key, now)), false)),
            Command::Push(key, values) => self.list(key, now).map(|list| {
                values
                    .iter()
                    .for_each(|value| list.push_front(value.clone()));
                (length(list.len()), true)
            }),
            Command::Pop(key) => self.pop(key, now).map(|popped| {
                let is_popped = popped.is_some();
                (popped.map_or(Reply::Nil, Reply::Bulk), is_popped)
            }),
            Command::Range(key, first, last) => {
                let range = self.range(key, (*first, *last), now);
                range.map(|reply| (reply, false))
            }
        };
        match done {
            Ok((reply, is_changed)) => (reply, is_changed.then(|| command.clone())),
            Err(text) => (Reply::Error(text.to_owned()), None),
        }
    }

    /// Removes and returns the first element of a list.
    ///
    /// # Errors
    /// The value is not a list.
    pub fn pop(&mut self, key: &Bytes, now: i64) -> Result<Option<Bytes>, &'static str> {
        let Some(entry) = self.live(key, now) else {
            return Ok(None);
        };
        let Value::List(list) = &mut entry.value else {
            return Err(WRONG_TYPE);
        };
        let first = list.pop_front();
        if list.is_empty() {
            self.entries.remove(key);
        }
        Ok(first)
    }

    /// Returns commands that make the data.
    pub fn commands(&self) -> impl Iterator<Item = Command> {
        self.entries.iter().flat_map(|(key, entry)| {
            let made = match &entry.value {
                Value::Text(text) => Command::Set(key.clone(), text.clone()),
                Value::List(list) => {
                    Command::Push(key.clone(), list.iter().rev().cloned().collect())
                }
            };
            let expires = entry
                .expires
                .map(|time| Command::ExpireAt(key.clone(), time));
            [Some(made), expires].into_iter().flatten()
        })
    }

    /// Returns the entry of a key, unless it has expired.
    fn live(&mut self, key: &Bytes, now: i64) -> Option<&mut Entry> {
        let is_over = |entry: &Entry| entry.expires.is_some_and(|time| time <= now);
        if self.entries.get(key).is_some_and(is_over) {
            self.entries.remove(key);
        }
        self.entries.get_mut(key)
    }

    fn get(&mut self, key: &Bytes, now: i64) -> Result<Reply, &'static str> {
        match self.live(key, now).map(|entry| &entry.value) {
            None => Ok(Reply::Nil),
            Some(Value::Text(text)) => Ok(Reply::Bulk(text.clone())),
            Some(Value::List(_)) => Err(WRONG_TYPE),
        }
    }

    /// Adds 1. Other nodes and the journal get the new value.
    fn incr(&mut self, key: &Bytes, now: i64) -> Done {
        let value = match self.get(key, now) {
            Ok(Reply::Bulk(text)) => std::str::from_utf8(&text)
                .ok()
                .and_then(|it| it.parse().ok()),
            Ok(_) => Some(0_i64),
            Err(text) => return (Reply::Error(text.to_owned()), None),
        };
        let Some(next) = value.and_then(|value| value.checked_add(1)) else {
            return (
                Reply::error("value is not an integer or out of range"),
                None,
            );
        };
        let value = Value::Text(Bytes::from(next.to_string()));
        let expires = self.live(key, now).and_then(|entry| entry.expires);
        self.entries.insert(key.clone(), Entry { value, expires });
        (Reply::Integer(next), Some(Command::Incr(key.clone())))
    }

    /// Returns the seconds until the key expires, -1 if it never does, and -2 if there is no key.
    fn ttl(&mut self, key: &Bytes, now: i64) -> i64 {
        match self.live(key, now).map(|entry| entry.expires) {
            None => -2,
            Some(None) => -1,
            Some(Some(time)) => time.saturating_sub(now).saturating_add(500) / 1000,
        }
    }

    /// Returns a list, which is created if there is no such key.
    fn list(&mut self, key: &Bytes, now: i64) -> Result<&mut VecDeque<Bytes>, &'static str> {
        self.live(key, now);
        let entry = self.entries.entry(key.clone()).or_insert_with(|| Entry {
            value: Value::List(VecDeque::new()),
            expires: None,
        });
        match &mut entry.value {
            Value::List(list) => Ok(list),
            Value::Text(_) => Err(WRONG_TYPE),
        }
    }

    fn range(
        &mut self,
        key: &Bytes,
        (first, last): (i64, i64),
        now: i64,
    ) -> Result<Reply, &'static str> {
        let list = match self.live(key, now).map(|entry| &entry.value) {
            None => return Ok(Reply::Array(Vec::new())),
            Some(Value::List(list)) => list,
            Some(Value::Text(_)) => return Err(WRONG_TYPE),
        };
        // A negative index counts from the end.
        let index = |at: i64| match at {
            0.. => at,
            _ => at.saturating_add_unsigned(list.len() as u64),
        };
        let (first, last) = (index(first).max(0), index(last).saturating_add(1).max(0));
        let (first, last) = (first as usize, last as usize);
        let elements = list.iter().take(last).skip(first);
        Ok(Reply::Array(elements.cloned().map(Reply::Bulk).collect()))
    }
}

fn length(count: usize) -> Reply {
    Reply::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}
