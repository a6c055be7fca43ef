//! OBJECT and TYPE: how values are stored; and commands that use keys of other databases.

use std::sync::atomic::{AtomicI64, Ordering};

use super::KeysOf::{Databases, Second};
use super::{Call, Command, Limits, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::resp::number;
use crate::store::{Bytes, DATABASES, Value, View, usage};

pub(super) const COMMANDS: &[Command] = &[
    command("object", -2, Second, object).with_subcommands(),
    command("copy", -3, Databases, copy).grows(),
    command("move", 3, Databases, move_to),
    command("swapdb", 3, Databases, swapdb),
];

/// Returns the encoding that redis-server would choose with its default configuration and these
/// limits.
pub(super) fn encoding(view: View<'_>, limits: &Limits) -> &'static str {
    let limit = |it: &AtomicI64| usize::try_from(it.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
    let (hash_most, hash_long) = (limit(&limits.hash[0]), limit(&limits.hash[1]));
    let (sorted_most, sorted_long) = (limit(&limits.sorted_set[0]), limit(&limits.sorted_set[1]));
    let short = |it: &Bytes| it.len() <= hash_long;
    match view {
        View::String(text) if number(text).is_some() => "int",
        View::String(text) if text.len() <= 44 => "embstr",
        View::String(_) | View::Value(Value::String(_)) => "raw",
        // redis-server 7.0 has only one encoding for lists.
        View::Value(Value::List(_)) => "quicklist",
        View::Value(Value::Set(set)) => {
            let is_of_numbers =
                set.len() <= limit(&limits.set) && set.iter().all(|it| number(it).is_some());
            if is_of_numbers { "intset" } else { "hashtable" }
        }
        View::Value(Value::Hash(hash)) => {
            let is_short = hash.len() <= hash_most
                && hash
                    .iter()
                    .all(|(field, value)| short(field) && short(value));
            if is_short { "listpack" } else { "hashtable" }
        }
        View::Value(Value::SortedSet(set)) => {
            let is_short =
                set.len() <= sorted_most && set.iter().all(|(it, _)| it.len() <= sorted_long);
            if is_short { "listpack" } else { "skiplist" }
        }
        View::Value(Value::Stream(_)) => "stream",
    }
}

fn object(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let [what, key] = call.arguments else {
        super::help("object", call.replies);
        return Ok(());
    };
    let stamp = usage::stamp(call.locked.now, call.server.policy().ends_with("lfu"));
    let counts = stamp >> 31 == 1;
    let limits = &call.server.limits;
    let keys = call.locked.keys(key);
    let what = what.to_ascii_lowercase();
    let Some(view) = keys.peek(key) else {
        call.replies.nil();
        return Ok(());
    };
    let used = keys.used(key);
    match what.as_slice() {
        b"encoding" => {
            let name = encoding(view, limits);
            call.replies.bulk(name.as_bytes());
        }
        b"refcount" => call.replies.integer(1),
        b"idletime" if counts => {
            let why = "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching \
                       between policies at runtime LRU and LFU data will take some time to adjust.";
            return Err(Refusal(why));
        }
        b"idletime" => call.replies.integer(i64::from(usage::idle(used, stamp))),
        b"freq" if counts => call.replies.integer(i64::from(usage::decayed(used, stamp))),
        b"freq" => {
            let why = "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when \
                       switching between policies at runtime LRU and LFU data will take some time to adjust.";
            return Err(Refusal(why));
        }
        _ => {}
    }
    Ok(())
}

fn database(text: &[u8], why: Refusal) -> Result<usize, Refusal> {
    let number = number(text).ok_or(why)?;
    let db = usize::try_from(number).ok().filter(|db| *db < DATABASES);
    db.ok_or(Refusal("ERR DB index is out of range"))
}

fn copy(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (from, to) = (call.arguments[0], call.arguments[1]);
    let (mut db, mut replaces) = (call.locked.db, false);
    let mut words = call.arguments[2..].iter();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_slice() {
            b"replace" => replaces = true,
            b"db" => db = database(words.next().ok_or(SYNTAX)?, NOT_AN_INTEGER)?,
            _ => return Err(SYNTAX),
        }
    }
    if from == to && db == call.locked.db {
        return Err(Refusal("ERR source and destination objects are the same"));
    }
    let keys = call.locked.keys(from);
    let expires = keys.expiry(from);
    let value = keys.peek(from).map(View::to_value);
    let goes = value.is_some() && (replaces || !call.locked.keys_in(db, to).contains(to));
    if let Some(value) = value.filter(|_| goes) {
        call.locked.keys_in(db, to).set(to, value, expires);
    }
    call.replies.integer(i64::from(goes));
    Ok(())
}

fn move_to(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let db = database(call.arguments[1], NOT_AN_INTEGER)?;
    if db == call.locked.db {
        return Err(Refusal("ERR source and destination objects are the same"));
    }
    let is_taken = call.locked.keys_in(db, key).contains(key);
    let taken = if is_taken {
        None
    } else {
        call.locked.keys(key).remove(key)
    };
    let goes = taken.is_some();
    if let Some((value, expires)) = taken {
        call.locked.keys_in(db, key).set(key, value, expires);
    }
    call.replies.integer(i64::from(goes));
    Ok(())
}

fn swapdb(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let one = database(call.arguments[0], Refusal("ERR invalid first DB index"))?;
    let other = database(call.arguments[1], Refusal("ERR invalid second DB index"))?;
    if one != other {
        call.locked.swap(one, other);
    }
    call.replies.ok();
    Ok(())
}
