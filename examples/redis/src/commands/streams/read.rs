//! Reading streams: XREAD and XREADGROUP.

use std::time::Duration;

use super::{id, say_entry, say_id};
use crate::commands::{Call, NOT_AN_INTEGER, Refusal, SYNTAX};
use crate::resp::{Replies, number};
use crate::store::{Bytes, Group, Id, Stream};

/// Returns the index of the first key of XREAD or XREADGROUP, and the number of keys.
pub(in crate::commands) fn places(words: &[&[u8]]) -> (usize, usize) {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.to_ascii_lowercase().as_slice() {
            b"block" | b"count" => at += 2,
            b"group" => at += 3,
            b"noack" => at += 1,
            b"streams" => return (at + 1, (words.len() - at - 1) / 2),
            _ => break,
        }
    }
    (words.len(), 0)
}

/// The options.
#[derive(Default)]
struct Options<'a> {
    count: Option<usize>,
    time: Option<Duration>,
    group: Option<(&'a [u8], &'a [u8])>,
    has_no_acks: bool,
}

/// Where to start reading a stream.
#[derive(Clone, Copy)]
enum From {
    /// After an id.
    After(Id),
    /// At the entries that the group has not delivered yet.
    New,
    /// At the entries that the consumer has not acknowledged, after an id.
    History(Id),
}

fn options<'a>(call: &Call<'a, '_>, is_group: bool) -> Result<(Options<'a>, usize), Refusal> {
    let words = call.arguments;
    let mut options = Options::default();
    let mut at = 0;
    loop {
        let (word, rest) = words[at..].split_first().ok_or(SYNTAX)?;
        match (word.to_ascii_lowercase().as_slice(), rest) {
            (b"block", [text, _, ..]) => {
                let why = Refusal("ERR timeout is not an integer or out of range");
                let time = number(text).ok_or(why)?;
                let why = Refusal("ERR timeout is negative");
                options.time = Some(Duration::from_millis(u64::try_from(time).map_err(|_| why)?));
                at += 2;
            }
            (b"count", [text, _, ..]) => {
                let count = number(text).ok_or(NOT_AN_INTEGER)?;
                let count = usize::try_from(count).ok();
                options.count = count.filter(|it| *it > 0);
                at += 2;
            }
            (b"group", [_, _, _, ..]) if !is_group => {
                return Err(Refusal(
                    "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.",
                ));
            }
            (b"group", [group, consumer, _, ..]) => {
                options.group = Some((group, consumer));
                at += 3;
            }
            (b"noack", _) if !is_group => {
                return Err(Refusal(
                    "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.",
                ));
            }
            (b"noack", _) => {
                options.has_no_acks = true;
                at += 1;
            }
            (b"streams", [_, ..]) => return Ok((options, at + 1)),
            _ => return Err(SYNTAX),
        }
    }
}

pub(super) fn xread(call: &mut Call<'_, '_>, is_group: bool) -> Result<(), Refusal> {
    let (options, begin) = options(call, is_group)?;
    let rest = &call.arguments[begin..];
    if !rest.len().is_multiple_of(2) {
        return Err(Refusal(
            "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.",
        ));
    }
    if is_group && options.group.is_none() {
        return Err(Refusal("ERR Missing GROUP option for XREADGROUP"));
    }
    let (keys, ids) = rest.split_at(rest.len() / 2);
    let mut wanted = Vec::with_capacity(keys.len());
    for (key, text) in keys.iter().zip(ids) {
        match from(call, &options, key, text)? {
            Some(from) => wanted.push(from),
            // The error was already sent.
            None => return Ok(()),
        }
    }
    let begun = call.replies.bytes.len();
    let mut found = Vec::new();
    for (key, from) in keys.iter().zip(&wanted) {
        let said = match options.group {
            None => entries(call, key, *from, options.count)?,
            Some((group, consumer)) => of_group(call, key, *from, (group, consumer), &options)?,
        };
        if said {
            let bytes = call.replies.bytes.split_off(begun);
            found.push((*key, bytes));
        }
    }
    if found.is_empty() {
        let waits = options.time.is_some_and(|time| call.wait(time));
        match waits {
            true => call.again = Some(again(call.arguments, begin, &wanted)),
            false => call.replies.nil_array(),
        }
        return Ok(());
    }
    say_found(call, &found);
    Ok(())
}

fn say_found(call: &mut Call<'_, '_>, found: &[(&[u8], Vec<u8>)]) {
    match call.replies.is_resp3 {
        true => call.replies.map(found.len()),
        false => call.replies.array(found.len()),
    }
    for (key, bytes) in found {
        if !call.replies.is_resp3 {
            call.replies.array(2);
        }
        call.replies.bulk(key);
        call.replies.bytes.extend_from_slice(bytes);
    }
}

/// Returns the words with which a waiting command runs again: `$` becomes the present id.
fn again(words: &[&[u8]], begin: usize, wanted: &[From]) -> Vec<Bytes> {
    let keys = begin + wanted.len();
    let head = words[..keys].iter().map(|it| Bytes::from(*it));
    let ids = wanted.iter().map(|from| match from {
        From::After(id) | From::History(id) => id.to_string().into_bytes().into(),
        From::New => Bytes::from(b">".as_slice()),
    });
    head.chain(ids).collect()
}

/// Returns where to start reading a key. Returns `None` after replying that the group does not
/// exist.
fn from(
    call: &mut Call<'_, '_>,
    options: &Options<'_>,
    key: &[u8],
    text: &[u8],
) -> Result<Option<From>, Refusal> {
    let stream = call.get::<Stream>(key)?;
    let Some((group, _)) = options.group else {
        return match text {
            b"$" => Ok(Some(From::After(
                stream.map_or(Id::default(), |it| it.last),
            ))),
            b">" => Err(Refusal(
                "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.",
            )),
            _ => Ok(Some(From::After(id(text)?))),
        };
    };
    if stream.is_none_or(|it| !it.groups.contains_key(group)) {
        let why = format!(
            "NOGROUP No such key '{}' or consumer group '{}' in XREADGROUP with GROUP option",
            String::from_utf8_lossy(key),
            String::from_utf8_lossy(group)
        );
        call.replies.error(why);
        return Ok(None);
    }
    match text {
        b"$" => Err(Refusal(
            "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by \
             specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set.",
        )),
        b">" => Ok(Some(From::New)),
        _ => Ok(Some(From::History(id(text)?))),
    }
}

/// Writes the entries of a stream. Returns whether there are any.
fn entries(
    call: &mut Call<'_, '_>,
    key: &[u8],
    from: From,
    count: Option<usize>,
) -> Result<bool, Refusal> {
    let From::After(id) = from else {
        return Ok(false);
    };
    let Call {
        locked, replies, ..
    } = call;
    let (Some(stream), Some(first)) = (locked.keys(key).value::<Stream>(key)?, id.next()) else {
        return Ok(false);
    };
    let all = stream.entries.range(first..);
    let found: Vec<_> = all.take(count.unwrap_or(usize::MAX)).collect();
    if found.is_empty() {
        return Ok(false);
    }
    replies.array(found.len());
    found
        .iter()
        .for_each(|(id, fields)| say_entry(replies, **id, fields));
    Ok(true)
}

/// Writes the entries that a consumer gets. Returns whether there are any.
fn of_group(
    call: &mut Call<'_, '_>,
    key: &[u8],
    from: From,
    (group_name, consumer): (&[u8], &[u8]),
    options: &Options<'_>,
) -> Result<bool, Refusal> {
    let now = call.locked.now;
    let most = options.count.unwrap_or(usize::MAX);
    let mut logged: Vec<Vec<Bytes>> = Vec::new();
    let Call {
        locked, replies, ..
    } = call;
    let Some(stream) = locked.keys(key).value_mut::<Stream>(key)? else {
        return Ok(false);
    };
    // The group is taken out, so that both can be modified.
    let Some(mut group) = stream.groups.remove(group_name) else {
        return Ok(false);
    };
    if group.consumer(consumer, now).1 {
        logged.push(made(key, group_name, consumer));
    }
    let said = match from {
        From::History(after) => {
            history(stream, &mut group, consumer, after, most, now, replies);
            true
        }
        _ => {
            let ids = new(stream, &mut group, most, replies);
            for id in &ids {
                if !options.has_no_acks {
                    group.deliver(*id, consumer, now, 1);
                    logged.push(super::claims::logged(key, group_name, *id, &group));
                }
            }
            if !ids.is_empty() {
                logged.push(super::groups::logged(key, group_name, &group));
            }
            !ids.is_empty()
        }
    };
    stream.groups.insert(group_name.into(), group);
    if !logged.is_empty() {
        call.changed(key);
        for words in logged {
            let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
            call.log(&words);
        }
    }
    Ok(said)
}

/// Writes the entries that a consumer has not acknowledged.
fn history(
    stream: &Stream,
    group: &mut Group,
    consumer: &[u8],
    after: Id,
    most: usize,
    now: u64,
    replies: &mut Replies,
) {
    let ids: Vec<Id> = match (after.next(), group.consumers.get(consumer)) {
        (Some(first), Some(of)) => of.pending.range(first..).take(most).copied().collect(),
        _ => Vec::new(),
    };
    replies.array(ids.len());
    for id in ids {
        match stream.entries.get(&id) {
            Some(fields) => {
                say_entry(replies, id, fields);
                if let Some(pending) = group.pending.get_mut(&id) {
                    (pending.time, pending.count) = (now, pending.count + 1);
                }
            }
            None => {
                replies.array(2);
                say_id(replies, id);
                replies.nil_array();
            }
        }
    }
}

/// Writes the entries that the group has not delivered yet. Returns their ids.
fn new(stream: &Stream, group: &mut Group, most: usize, replies: &mut Replies) -> Vec<Id> {
    let first = group.last.next().into_iter();
    let all = first.flat_map(|first| stream.entries.range(first..));
    let ids: Vec<Id> = all.take(most).map(|(id, _)| *id).collect();
    if !ids.is_empty() {
        replies.array(ids.len());
    }
    for id in &ids {
        say_entry(replies, *id, &stream.entries[id]);
        group.read = match group.read.filter(|_| !stream.has_gaps(*id)) {
            Some(read) => Some(read + 1),
            None => stream.distance(*id),
        };
        group.last = *id;
    }
    ids
}

/// Returns the command for the log that creates a consumer.
fn made(key: &[u8], group: &[u8], consumer: &[u8]) -> Vec<Bytes> {
    let words = [
        b"XGROUP".as_slice(),
        b"CREATECONSUMER",
        key,
        group,
        consumer,
    ];
    words.map(Bytes::from).to_vec()
}
