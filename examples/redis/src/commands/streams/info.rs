//! The command XINFO.

use super::{say_entry, say_id};
use crate::commands::{Call, NO_SUCH_KEY, NOT_AN_INTEGER, Refusal};
use crate::resp::{Replies, number};
use crate::store::{Group, Id, Stream};

pub(super) fn xinfo(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let what = call.arguments[0].to_ascii_lowercase();
    let Some(key) = call.arguments.get(1) else {
        crate::commands::help("xinfo", call.replies);
        return Ok(());
    };
    let words = &call.arguments[2..];
    let now = call.locked.now;
    let most = match what.as_slice() {
        b"stream" => fullness(words)?,
        _ => None,
    };
    let Call {
        locked, replies, ..
    } = call;
    let stream = locked.keys(key).value::<Stream>(key)?.ok_or(NO_SUCH_KEY)?;
    match what.as_slice() {
        b"stream" => match most {
            None => short(stream, replies),
            Some(0) => full(stream, usize::MAX, replies),
            Some(most) => full(stream, most, replies),
        },
        b"groups" => {
            replies.array(stream.groups.len());
            for (name, group) in &stream.groups {
                replies.map(6);
                pair(replies, "name", |it| it.bulk(name));
                pair(replies, "consumers", |it| it.count(group.consumers.len()));
                pair(replies, "pending", |it| it.count(group.pending.len()));
                pair(replies, "last-delivered-id", |it| say_id(it, group.last));
                pair(replies, "entries-read", |it| maybe(it, group.read));
                pair(replies, "lag", |it| match stream.lag(group) {
                    Some(lag) => it.integer(lag),
                    None => it.nil(),
                });
            }
        }
        _ => {
            let name = words.first().copied().unwrap_or_default();
            let Some(group) = stream.groups.get(name) else {
                let (name, key) = (String::from_utf8_lossy(name), String::from_utf8_lossy(key));
                let why = format!("NOGROUP No such consumer group '{name}' for key name '{key}'");
                replies.error(why);
                return Ok(());
            };
            idle(group, now, replies);
        }
    }
    Ok(())
}

/// Parses how many entries XINFO STREAM shows, if any.
fn fullness(words: &[&[u8]]) -> Result<Option<usize>, Refusal> {
    match words {
        [] => Ok(None),
        [full] if full.eq_ignore_ascii_case(b"full") => Ok(Some(10)),
        [full, count, text]
            if full.eq_ignore_ascii_case(b"full") && count.eq_ignore_ascii_case(b"count") =>
        {
            let count = number(text).ok_or(NOT_AN_INTEGER)?;
            Ok(Some(usize::try_from(count).unwrap_or(10)))
        }
        _ => Err(Refusal(
            "ERR unknown subcommand or wrong number of arguments for 'stream'. Try XINFO HELP.",
        )),
    }
}

fn idle(group: &Group, now: u64, replies: &mut Replies) {
    replies.array(group.consumers.len());
    for (name, consumer) in &group.consumers {
        let idle = now.saturating_sub(consumer.seen);
        replies.map(3);
        pair(replies, "name", |it| it.bulk(name));
        pair(replies, "pending", |it| it.count(consumer.pending.len()));
        pair(replies, "idle", |it| maybe(it, Some(idle)));
    }
}

fn pair(replies: &mut Replies, name: &str, value: impl FnOnce(&mut Replies)) {
    replies.bulk(name.as_bytes());
    value(replies);
}

fn maybe(replies: &mut Replies, count: Option<u64>) {
    match count {
        Some(count) => replies.integer(i64::try_from(count).unwrap_or(i64::MAX)),
        None => replies.nil(),
    }
}

/// Writes the part that both forms share. This server has no radix tree; it reports a node for each
/// hundred entries.
fn head(stream: &Stream, replies: &mut Replies) {
    let nodes = stream.entries.len().div_ceil(100);
    pair(replies, "length", |it| it.count(stream.entries.len()));
    pair(replies, "radix-tree-keys", |it| it.count(nodes));
    pair(replies, "radix-tree-nodes", |it| it.count(nodes + 1));
    pair(replies, "last-generated-id", |it| say_id(it, stream.last));
    pair(replies, "max-deleted-entry-id", |it| {
        say_id(it, stream.deleted)
    });
    pair(replies, "entries-added", |it| maybe(it, Some(stream.added)));
    let first = stream.first().unwrap_or_default();
    pair(replies, "recorded-first-entry-id", |it| say_id(it, first));
}

fn short(stream: &Stream, replies: &mut Replies) {
    replies.map(10);
    head(stream, replies);
    pair(replies, "groups", |it| it.count(stream.groups.len()));
    let ends = [
        ("first-entry", stream.entries.iter().next()),
        ("last-entry", stream.entries.iter().next_back()),
    ];
    for (name, entry) in ends {
        pair(replies, name, |it| match entry {
            Some((id, fields)) => say_entry(it, *id, fields),
            None => it.nil(),
        });
    }
}

fn full(stream: &Stream, most: usize, replies: &mut Replies) {
    replies.map(9);
    head(stream, replies);
    replies.bulk(b"entries");
    replies.array(stream.entries.len().min(most));
    for (id, fields) in stream.entries.iter().take(most) {
        say_entry(replies, *id, fields);
    }
    replies.bulk(b"groups");
    replies.array(stream.groups.len());
    for (name, group) in &stream.groups {
        replies.map(7);
        pair(replies, "name", |it| it.bulk(name));
        pair(replies, "last-delivered-id", |it| say_id(it, group.last));
        pair(replies, "entries-read", |it| maybe(it, group.read));
        pair(replies, "lag", |it| match stream.lag(group) {
            Some(lag) => it.integer(lag),
            None => it.nil(),
        });
        pair(replies, "pel-count", |it| it.count(group.pending.len()));
        pendings(group, most, replies);
        consumers(group, most, replies);
    }
}

fn pendings(group: &Group, most: usize, replies: &mut Replies) {
    replies.bulk(b"pending");
    replies.array(group.pending.len().min(most));
    for (id, pending) in group.pending.iter().take(most) {
        replies.array(4);
        say_id(replies, *id);
        replies.bulk(&pending.consumer);
        maybe(replies, Some(pending.time));
        maybe(replies, Some(pending.count));
    }
}

fn consumers(group: &Group, most: usize, replies: &mut Replies) {
    replies.bulk(b"consumers");
    replies.array(group.consumers.len());
    for (name, consumer) in &group.consumers {
        replies.map(4);
        pair(replies, "name", |it| it.bulk(name));
        pair(replies, "seen-time", |it| maybe(it, Some(consumer.seen)));
        pair(replies, "pel-count", |it| it.count(consumer.pending.len()));
        replies.bulk(b"pending");
        let ids: Vec<Id> = consumer.pending.iter().take(most).copied().collect();
        replies.array(ids.len());
        for id in ids {
            let pending = group.pending.get(&id);
            replies.array(3);
            say_id(replies, id);
            maybe(replies, pending.map(|it| it.time));
            maybe(replies, pending.map(|it| it.count));
        }
    }
}
