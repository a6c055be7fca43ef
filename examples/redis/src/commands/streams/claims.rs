//! Transferring pending entries to another consumer: XCLAIM, XAUTOCLAIM.

use super::groups::no_group;
use super::{bound, id, say_entry, say_id};
use crate::commands::{Call, Refusal, SYNTAX};
use crate::resp::{Replies, number};
use crate::store::{Bytes, Fields, Group, Id, Pending, REPEATED, Stream};

/// Returns the command for the log that records the owner of an entry.
pub(super) fn logged(key: &[u8], name: &[u8], id: Id, group: &Group) -> Vec<Bytes> {
    let pending = group.pending.get(&id).cloned().unwrap_or_default();
    let (id, time, count, last) = (
        id.to_string(),
        pending.time.to_string(),
        pending.count.to_string(),
        group.last.to_string(),
    );
    let words = [
        b"XCLAIM".as_slice(),
        key,
        name,
        &pending.consumer,
        b"0",
        id.as_bytes(),
        b"TIME",
        time.as_bytes(),
        b"RETRYCOUNT",
        count.as_bytes(),
        b"FORCE",
        b"JUSTID",
        b"LASTID",
        last.as_bytes(),
    ];
    words.map(Bytes::from).to_vec()
}

/// The options of XCLAIM.
struct Options {
    ids: Vec<Id>,
    time: u64,
    count: Option<u64>,
    forces: bool,
    only_ids: bool,
    last: Id,
}

fn options(words: &[&[u8]], now: u64) -> Result<Result<Options, String>, Refusal> {
    let ids: Vec<Id> = words.iter().map_while(|it| id(it).ok()).collect();
    let mut rest = &words[ids.len()..];
    let mut options = Options {
        ids,
        time: now,
        count: None,
        forces: false,
        only_ids: false,
        last: Id::default(),
    };
    while let Some((word, more)) = rest.split_first() {
        rest = more;
        let lower = word.to_ascii_lowercase();
        let mut value = |why| -> Result<i64, Refusal> {
            let (text, more) = more.split_first().ok_or(SYNTAX)?;
            rest = more;
            number(text).ok_or(Refusal(why))
        };
        match lower.as_slice() {
            b"force" => options.forces = true,
            b"justid" => options.only_ids = true,
            b"idle" if !more.is_empty() => {
                let idle = value("ERR Invalid IDLE option argument for XCLAIM")?;
                options.time = now.saturating_sub(u64::try_from(idle).unwrap_or(0));
            }
            b"time" if !more.is_empty() => {
                let time = value("ERR Invalid TIME option argument for XCLAIM")?;
                options.time = u64::try_from(time).unwrap_or(now);
            }
            b"retrycount" if !more.is_empty() => {
                let count = value("ERR Invalid RETRYCOUNT option argument for XCLAIM")?;
                options.count = u64::try_from(count).ok();
            }
            b"lastid" if !more.is_empty() => {
                options.last = id(more[0])?;
                rest = &more[1..];
            }
            _ => {
                let word = String::from_utf8_lossy(word);
                return Ok(Err(format!("ERR Unrecognized XCLAIM option '{word}'")));
            }
        }
    }
    // A delivery time in the future is only possible in commands from a log.
    if now > REPEATED && options.time > now {
        options.time = now;
    }
    Ok(Ok(options))
}

/// Takes a group out of its stream, so that both can be modified.
fn take(call: &mut Call<'_, '_>, key: &[u8], name: &[u8]) -> Result<Option<Group>, Refusal> {
    let stream = call.get_mut::<Stream>(key)?;
    let group = stream.and_then(|it| it.groups.remove(name));
    if group.is_none() {
        no_group(call, key, name);
    }
    Ok(group)
}

fn put(
    call: &mut Call<'_, '_>,
    key: &[u8],
    name: &[u8],
    group: Group,
    logged: &[Vec<Bytes>],
) -> Result<(), Refusal> {
    if let Some(stream) = call.get_mut::<Stream>(key)? {
        stream.groups.insert(name.into(), group);
    }
    if !logged.is_empty() {
        call.changed(key);
    }
    for words in logged {
        let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
        call.log(&words);
    }
    Ok(())
}

fn gone(key: &[u8], name: &[u8], id: Id) -> Vec<Bytes> {
    let id = id.to_string();
    [b"XACK".as_slice(), key, name, id.as_bytes()]
        .map(Bytes::from)
        .to_vec()
}

/// Returns how often an entry was delivered, if it may be claimed.
fn times(known: Option<&Pending>, forces: bool, now: u64, idle: u64) -> Option<u64> {
    match known {
        None => forces.then_some(1),
        Some(known) if idle > 0 && now.saturating_sub(known.time) < idle => None,
        Some(known) => Some(known.count),
    }
}

fn least_idle(text: &[u8], why: &'static str) -> Result<u64, Refusal> {
    let idle = number(text).ok_or(Refusal(why))?;
    Ok(u64::try_from(idle).unwrap_or(0))
}

pub(super) fn xclaim(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let [key, name, consumer, idle, words @ ..] = call.arguments else {
        return Err(SYNTAX);
    };
    let now = call.locked.clock();
    let stream = call.get::<Stream>(key)?;
    if stream.is_none_or(|it| !it.groups.contains_key(*name)) {
        no_group(call, key, name);
        return Ok(());
    }
    let idle = least_idle(idle, "ERR Invalid min-idle-time argument for XCLAIM")?;
    let options = match options(words, call.locked.now)? {
        Ok(options) => options,
        Err(why) => {
            call.replies.error(why);
            return Ok(());
        }
    };
    let Some(mut group) = take(call, key, name)? else {
        return Ok(());
    };
    let mut claimed = Vec::new();
    let mut logs = Vec::new();
    if options.last > group.last {
        group.last = options.last;
        logs.push(super::groups::logged(key, name, &group));
    }
    let stream = call.get::<Stream>(key)?;
    for id in options.ids {
        let known = group.pending.get(&id).cloned();
        let Some(fields) = stream.and_then(|it| it.entries.get(&id)).cloned() else {
            if group.forget(id) {
                logs.push(gone(key, name, id));
            }
            continue;
        };
        let Some(before) = times(known.as_ref(), options.forces, now, idle) else {
            continue;
        };
        let count = before + u64::from(!options.only_ids);
        group.consumer(consumer, now);
        group.deliver(id, consumer, options.time, options.count.unwrap_or(count));
        logs.push(logged(key, name, id, &group));
        claimed.push((id, fields));
    }
    put(call, key, name, group, &logs)?;
    say(call.replies, &claimed, options.only_ids);
    Ok(())
}

/// Number of entries to examine for each one that may be claimed.
const TRIES: usize = 10;

/// Parses how many entries XAUTOCLAIM may claim, and whether it replies with ids only.
fn how_many(words: &[&[u8]]) -> Result<(usize, bool), Refusal> {
    let (mut count, mut only_ids, mut rest) = (100, false, words);
    while let Some((word, more)) = rest.split_first() {
        match (word.to_ascii_lowercase().as_slice(), more) {
            (b"count", [text, more @ ..]) => {
                let most = number(text).and_then(|it| usize::try_from(it).ok());
                let most = most.filter(|it| (1..=usize::MAX / TRIES).contains(it));
                count = most.ok_or(Refusal("ERR COUNT must be > 0"))?;
                rest = more;
            }
            (b"justid", more) => {
                only_ids = true;
                rest = more;
            }
            _ => return Err(SYNTAX),
        }
    }
    Ok((count, only_ids))
}

pub(super) fn xautoclaim(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let [key, name, consumer, idle, first, words @ ..] = call.arguments else {
        return Err(SYNTAX);
    };
    let now = call.locked.now;
    let idle = least_idle(idle, "ERR Invalid min-idle-time argument for XAUTOCLAIM")?;
    let first = bound(first, false)?;
    let (count, only_ids) = how_many(words)?;
    let Some(mut group) = take(call, key, name)? else {
        return Ok(());
    };
    let stream = call.get::<Stream>(key)?;
    let (mut claimed, mut deleted, mut logs) = (Vec::new(), Vec::new(), Vec::new());
    let ids: Vec<Id> = group
        .pending
        .range(first..)
        .map(|it| *it.0)
        .take(count * TRIES + 1)
        .collect();
    let (mut left, mut next) = (count, Id::default());
    for (tried, id) in ids.iter().enumerate() {
        if left == 0 || tried == count * TRIES {
            next = *id;
            break;
        }
        let Some(fields) = stream.and_then(|it| it.entries.get(id)).cloned() else {
            group.forget(*id);
            logs.push(gone(key, name, *id));
            deleted.push(*id);
            left -= 1;
            continue;
        };
        let Some(before) = times(group.pending.get(id), false, now, idle) else {
            continue;
        };
        group.consumer(consumer, now);
        group.deliver(*id, consumer, now, before + u64::from(!only_ids));
        logs.push(logged(key, name, *id, &group));
        claimed.push((*id, fields));
        left -= 1;
    }
    put(call, key, name, group, &logs)?;
    call.replies.array(3);
    say_id(call.replies, next);
    say(call.replies, &claimed, only_ids);
    call.replies.array(deleted.len());
    deleted.iter().for_each(|id| say_id(call.replies, *id));
    Ok(())
}

fn say(replies: &mut Replies, claimed: &[(Id, Fields)], only_ids: bool) {
    replies.array(claimed.len());
    for (id, fields) in claimed {
        match only_ids {
            true => say_id(replies, *id),
            false => say_entry(replies, *id, fields),
        }
    }
}
