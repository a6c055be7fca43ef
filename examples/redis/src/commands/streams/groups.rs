//! Groups of consumers: XGROUP, XACK, XPENDING.

use super::{bound, id, say_id};
use crate::commands::{Call, NOT_AN_INTEGER, Refusal, SYNTAX};
use crate::resp::number;
use crate::store::{Bytes, Group, Id, Stream};

/// Replies that the group does not exist.
pub(super) fn no_group(call: &mut Call<'_, '_>, key: &[u8], group: &[u8]) {
    let (key, group) = (String::from_utf8_lossy(key), String::from_utf8_lossy(group));
    let why = format!("NOGROUP No such key '{key}' or consumer group '{group}'");
    call.replies.error(why);
}

/// Returns the command for the log that records how far a group has read.
pub(super) fn logged(key: &[u8], name: &[u8], group: &Group) -> Vec<Bytes> {
    let (last, read) = (group.last.to_string(), read_text(group));
    let words = [
        b"XGROUP".as_slice(),
        b"SETID",
        key,
        name,
        last.as_bytes(),
        b"ENTRIESREAD",
        read.as_bytes(),
    ];
    words.map(Bytes::from).to_vec()
}

fn read_text(group: &Group) -> String {
    group
        .read
        .map_or_else(|| "-1".to_owned(), |it| it.to_string())
}

pub(super) fn xgroup(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let what = call.arguments[0].to_ascii_lowercase();
    let (Some(key), Some(name)) = (call.arguments.get(1), call.arguments.get(2)) else {
        crate::commands::help("xgroup", call.replies);
        return Ok(());
    };
    match what.as_slice() {
        b"create" | b"setid" => return create_or_set(call, key, name, what == b"create"),
        _ => {}
    }
    let now = call.locked.clock();
    let consumer = call.arguments.get(3).copied().unwrap_or_default();
    let stream = call.get_mut::<Stream>(key)?.ok_or(NO_STREAM)?;
    if what == b"destroy" {
        let was = stream.groups.remove(*name).is_some();
        if was {
            call.changed(key);
        }
        call.replies.integer(i64::from(was));
        return Ok(());
    }
    let Some(group) = stream.groups.get_mut(*name) else {
        unknown(call, key, name);
        return Ok(());
    };
    let count = match what.as_slice() {
        b"createconsumer" => {
            let is_new = !group.consumers.contains_key(consumer);
            if is_new {
                group.consumer(consumer, now);
            }
            usize::from(is_new)
        }
        _ => group.remove_consumer(consumer),
    };
    call.changed(key);
    call.replies.count(count);
    Ok(())
}

const NO_STREAM: Refusal = Refusal(
    "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create \
     an empty stream automatically.",
);

fn unknown(call: &mut Call<'_, '_>, key: &[u8], name: &[u8]) {
    let (key, name) = (String::from_utf8_lossy(key), String::from_utf8_lossy(name));
    let why = format!("NOGROUP No such consumer group '{name}' for key name '{key}'");
    call.replies.error(why);
}

/// Parses whether to create the stream, and how many entries the group has read.
fn options(words: &[&[u8]], creates: bool) -> Result<(bool, Option<u64>), Refusal> {
    let (mut makes, mut read) = (false, None);
    let mut rest = words;
    while let Some((word, more)) = rest.split_first() {
        match (word.to_ascii_lowercase().as_slice(), more) {
            (b"mkstream", _) if creates => {
                makes = true;
                rest = more;
            }
            (b"entriesread", [text, more @ ..]) => {
                let count = number(text).ok_or(NOT_AN_INTEGER)?;
                if count < -1 {
                    return Err(Refusal("ERR value for ENTRIESREAD must be positive or -1"));
                }
                read = u64::try_from(count).ok();
                rest = more;
            }
            _ => return Err(SYNTAX),
        }
    }
    Ok((makes, read))
}

/// Runs CREATE and SETID.
fn create_or_set(
    call: &mut Call<'_, '_>,
    key: &[u8],
    name: &[u8],
    creates: bool,
) -> Result<(), Refusal> {
    let (makes, read) = options(&call.arguments[4..], creates)?;
    let text = call.arguments[3];
    let known = call
        .get::<Stream>(key)?
        .map(|it| (it.last, it.groups.contains_key(name)));
    if known.is_none() && !makes {
        return Err(NO_STREAM);
    }
    if !creates && !known.is_some_and(|it| it.1) {
        unknown(call, key, name);
        return Ok(());
    }
    let last = match text {
        b"$" => known.map_or(Id::default(), |it| it.0),
        _ => bound(text, false)?,
    };
    if creates && known.is_some_and(|it| it.1) {
        return Err(Refusal("BUSYGROUP Consumer Group name already exists"));
    }
    let stream = call.get_or_new::<Stream>(key)?;
    let group = stream.groups.entry(name.into()).or_default();
    (group.last, group.read) = (last, read);
    call.changed(key);
    // The log gets the id itself, because `$` would mean another id when the log is replayed.
    let (last, read) = (
        last.to_string(),
        read.map_or_else(|| "-1".to_owned(), |it| it.to_string()),
    );
    let what = if creates {
        b"CREATE".as_slice()
    } else {
        b"SETID"
    };
    let mut words = vec![b"XGROUP".as_slice(), what, key, name, last.as_bytes()];
    if creates {
        words.push(b"MKSTREAM");
    }
    words.extend([b"ENTRIESREAD".as_slice(), read.as_bytes()]);
    call.log(&words);
    call.replies.ok();
    Ok(())
}

pub(super) fn xack(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, name) = (call.arguments[0], call.arguments[1]);
    let ids = call.arguments[2..].iter().map(|text| id(text));
    let ids = ids.collect::<Result<Vec<Id>, Refusal>>();
    let stream = call.get_mut::<Stream>(key)?;
    let Some(group) = stream.and_then(|it| it.groups.get_mut(name)) else {
        call.replies.integer(0);
        return Ok(());
    };
    let count = ids?.into_iter().filter(|id| group.forget(*id)).count();
    if count > 0 {
        call.changed(key);
    }
    call.replies.count(count);
    Ok(())
}

pub(super) fn xpending(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, name, now) = (call.arguments[0], call.arguments[1], call.locked.now);
    let words = &call.arguments[2..];
    let range = match words {
        [] => None,
        _ => Some(Range::read(words)?),
    };
    let stream = call.get::<Stream>(key)?;
    let Some(group) = stream.and_then(|it| it.groups.get(name)) else {
        no_group(call, key, name);
        return Ok(());
    };
    let Some(range) = range else {
        let group = group.clone();
        summary(call, &group);
        return Ok(());
    };
    let consumer = range.consumer;
    let found = match range.low <= range.high {
        false => Vec::new(),
        true => {
            let all = group.pending.range(range.low..=range.high);
            let of = all.filter(|(_, it)| {
                consumer.is_none_or(|name| *it.consumer == *name)
                    && now.saturating_sub(it.time) >= range.idle
            });
            of.take(range.count)
                .map(|(id, it)| (*id, it.clone()))
                .collect()
        }
    };
    call.replies.array(found.len());
    for (id, pending) in found {
        call.replies.array(4);
        say_id(call.replies, id);
        call.replies.bulk(&pending.consumer);
        for number in [now.saturating_sub(pending.time), pending.count] {
            call.replies
                .integer(i64::try_from(number).unwrap_or(i64::MAX));
        }
    }
    Ok(())
}

/// A parsed request of XPENDING.
struct Range<'a> {
    idle: u64,
    low: Id,
    high: Id,
    count: usize,
    consumer: Option<&'a [u8]>,
}

impl<'a> Range<'a> {
    fn read(mut words: &[&'a [u8]]) -> Result<Self, Refusal> {
        let mut idle = 0;
        if let [word, text, rest @ ..] = words
            && word.eq_ignore_ascii_case(b"idle")
        {
            idle = number(text).ok_or(NOT_AN_INTEGER)?;
            words = rest;
        }
        let (low, high, count, consumer) = match words {
            [low, high, count] => (low, high, count, None),
            [low, high, count, consumer] => (low, high, count, Some(*consumer)),
            _ => return Err(SYNTAX),
        };
        let count = number(count).ok_or(NOT_AN_INTEGER)?;
        Ok(Range {
            idle: u64::try_from(idle).unwrap_or(0),
            low: bound(low, false)?,
            high: bound(high, true)?,
            count: usize::try_from(count).unwrap_or(0),
            consumer,
        })
    }
}

fn summary(call: &mut Call<'_, '_>, group: &Group) {
    let replies = &mut *call.replies;
    replies.array(4);
    replies.count(group.pending.len());
    let ends = group
        .pending
        .keys()
        .next()
        .zip(group.pending.keys().next_back());
    let Some((first, last)) = ends else {
        replies.nil();
        replies.nil();
        replies.nil_array();
        return;
    };
    say_id(replies, *first);
    say_id(replies, *last);
    let consumers = group
        .consumers
        .iter()
        .filter(|(_, it)| !it.pending.is_empty());
    replies.array(consumers.clone().count());
    for (name, consumer) in consumers {
        replies.array(2);
        replies.bulk(name);
        replies.bulk(consumer.pending.len().to_string().as_bytes());
    }
}
