//! Commands for streams.

mod claims;
mod groups;
mod info;
mod read;

pub(super) use read::places;

use super::KeysOf::{First, Second, Streams};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::resp::{Replies, number};
use crate::store::{Bytes, Fields, HIGHEST, Id, Kept, Stream};

pub(super) const COMMANDS: &[Command] = &[
    command("xadd", -5, First, xadd).grows(),
    command("xlen", 2, First, xlen),
    command("xrange", -4, First, |call| xrange(call, false)),
    command("xrevrange", -4, First, |call| xrange(call, true)),
    command("xdel", -3, First, xdel),
    command("xtrim", -4, First, xtrim),
    command("xsetid", -3, First, xsetid).grows(),
    command("xread", -4, Streams, |call| read::xread(call, false)),
    command("xreadgroup", -7, Streams, |call| read::xread(call, true)),
    command("xgroup", -2, Second, groups::xgroup)
        .with_subcommands()
        .grows(),
    command("xack", -4, First, groups::xack),
    command("xpending", -3, First, groups::xpending),
    command("xclaim", -6, First, claims::xclaim),
    command("xautoclaim", -6, First, claims::xautoclaim),
    command("xinfo", -2, Second, info::xinfo).with_subcommands(),
];

const NOT_AN_ID: Refusal = Refusal("ERR Invalid stream ID specified as stream command argument");

/// Parses both numbers of an id. The second one may be missing.
fn numbers(text: &[u8]) -> Option<(u64, Option<u64>)> {
    let number = |text: &str| {
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| text.parse().ok())?
    };
    let text = std::str::from_utf8(text).ok()?;
    match text.split_once('-') {
        Some((time, rest)) => Some((number(time)?, Some(number(rest)?))),
        None => Some((number(text)?, None)),
    }
}

/// Parses an id. If its second number is missing, it is 0.
fn id(text: &[u8]) -> Result<Id, Refusal> {
    let (time, number) = numbers(text).ok_or(NOT_AN_ID)?;
    Ok(Id::new(time, number.unwrap_or(0)))
}

/// Parses the beginning or the end of a range.
fn bound(text: &[u8], is_end: bool) -> Result<Id, Refusal> {
    let (rest, is_open) = match text {
        b"-" => return Ok(Id::default()),
        b"+" => return Ok(HIGHEST),
        [b'(', rest @ ..] => (rest, true),
        _ => (text, false),
    };
    let (time, number) = numbers(rest).ok_or(NOT_AN_ID)?;
    let id = Id::new(time, number.unwrap_or(if is_end { u64::MAX } else { 0 }));
    match (is_open, is_end) {
        (false, _) => Ok(id),
        (true, false) => id
            .next()
            .ok_or(Refusal("ERR invalid start ID for the interval")),
        (true, true) => id
            .before()
            .ok_or(Refusal("ERR invalid end ID for the interval")),
    }
}

fn say_id(replies: &mut Replies, id: Id) {
    replies.bulk(id.to_string().as_bytes());
}

fn say_entry(replies: &mut Replies, id: Id, fields: &Fields) {
    replies.array(2);
    say_id(replies, id);
    replies.array(fields.len());
    fields.iter().for_each(|it| replies.bulk(it));
}

/// The options of XADD and XTRIM.
#[derive(Default)]
struct Options {
    if_there: bool,
    kept: Option<Kept>,
    is_about: bool,
    most: Option<u64>,
}

impl Options {
    /// Parses the options. Returns them, and the words after them.
    fn read<'a>(words: &'a [&'a [u8]], adds: bool) -> Result<(Self, &'a [&'a [u8]]), Refusal> {
        let mut options = Options::default();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            match (word.to_ascii_lowercase().as_slice(), more) {
                (b"nomkstream", _) if adds => {
                    options.if_there = true;
                    rest = more;
                }
                (b"maxlen" | b"minid", [_, ..]) if options.kept.is_some() => {
                    return Err(Refusal(
                        "ERR syntax error, MAXLEN and MINID options at the same time are not compatible",
                    ));
                }
                (name @ (b"maxlen" | b"minid"), [mark, ..]) => {
                    let has_mark = more.len() > 1 && matches!(*mark, b"~" | b"=");
                    options.is_about = has_mark && *mark == b"~";
                    let at = usize::from(has_mark);
                    options.kept = Some(match name {
                        b"maxlen" => {
                            let most = number(more[at]).ok_or(NOT_AN_INTEGER)?;
                            let why = Refusal("ERR The MAXLEN argument must be >= 0.");
                            Kept::Length(u64::try_from(most).map_err(|_| why)?)
                        }
                        _ => Kept::From(id(more[at])?),
                    });
                    rest = &more[at + 1..];
                }
                (b"limit", [text, more @ ..]) => {
                    let most = number(text).ok_or(NOT_AN_INTEGER)?;
                    let why = Refusal("ERR The LIMIT argument must be >= 0.");
                    options.most = Some(u64::try_from(most).map_err(|_| why)?);
                    rest = more;
                }
                _ if adds => break,
                _ => return Err(SYNTAX),
            }
        }
        if options.most.is_some() && options.kept.is_none() {
            return Err(Refusal(
                "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy",
            ));
        }
        if options.most.is_some() && !options.is_about {
            return Err(Refusal(
                "ERR syntax error, LIMIT cannot be used without the special ~ option",
            ));
        }
        Ok((options, rest))
    }

    fn trim(&self, stream: &mut Stream) -> u64 {
        /// Maximum number of entries to remove without an explicit limit, as in redis-server.
        const MOST: u64 = 10_000;
        let about = match (self.is_about, self.most) {
            (false, _) => None,
            (true, Some(0)) => Some(u64::MAX),
            (true, most) => Some(most.unwrap_or(MOST)),
        };
        self.kept.map_or(0, |kept| stream.trim(kept, about))
    }
}

/// The id in the request of XADD.
enum IdRequest {
    Any,
    In(u64),
    Exactly(Id),
}

fn id_request(text: &[u8]) -> Result<IdRequest, Refusal> {
    if text == b"*" {
        return Ok(IdRequest::Any);
    }
    if let Some(time) = text.strip_suffix(b"-*") {
        return match numbers(time) {
            Some((time, None)) => Ok(IdRequest::In(time)),
            _ => Err(NOT_AN_ID),
        };
    }
    id(text).map(IdRequest::Exactly)
}

impl IdRequest {
    fn id(&self, last: Id, now: u64) -> Result<Id, Refusal> {
        const SMALL: Refusal = Refusal(
            "ERR The ID specified in XADD is equal or smaller than the target stream top item",
        );
        const FULL: Refusal =
            Refusal("ERR The stream has exhausted the last possible ID, unable to add more items");
        match *self {
            IdRequest::Any if last == HIGHEST => Err(FULL),
            IdRequest::Any if now > last.time => Ok(Id::new(now, 0)),
            IdRequest::Any => last.next().ok_or(FULL),
            IdRequest::In(time) if time > last.time => Ok(Id::new(time, 0)),
            IdRequest::In(time) if time == last.time => {
                let number = last.number.checked_add(1).ok_or(SMALL)?;
                Ok(Id::new(time, number))
            }
            IdRequest::Exactly(id) if id > last => Ok(id),
            _ if last == HIGHEST => Err(FULL),
            _ => Err(SMALL),
        }
    }
}

fn xadd(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, arguments) = (call.arguments[0], call.arguments);
    let (options, rest) = Options::read(&arguments[1..], true)?;
    let (text, fields) = rest.split_first().ok_or(SYNTAX)?;
    let wanted = id_request(text)?;
    if fields.is_empty() || !fields.len().is_multiple_of(2) {
        return Err(Refusal("ERR wrong number of arguments for 'xadd' command"));
    }
    if matches!(wanted, IdRequest::Exactly(id) if id == Id::default()) {
        return Err(Refusal(
            "ERR The ID specified in XADD must be greater than 0-0",
        ));
    }
    let now = call.locked.now;
    let last = call.get::<Stream>(key)?.map(|it| it.last);
    if last.is_none() && options.if_there {
        call.replies.nil();
        return Ok(());
    }
    let id = wanted.id(last.unwrap_or_default(), now)?;
    let stream = call.get_or_new::<Stream>(key)?;
    stream.add(id, fields.iter().map(|it| Bytes::from(*it)).collect());
    let trimmed = options.trim(stream);
    let len = stream.entries.len();
    call.changed(key);
    let text = id.to_string();
    let words = [&[b"XADD".as_slice(), key, text.as_bytes()], fields].concat();
    call.log(&words);
    if trimmed > 0 {
        call.log(&[b"XTRIM", key, b"MAXLEN", b"=", len.to_string().as_bytes()]);
    }
    say_id(call.replies, id);
    Ok(())
}

fn xlen(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let stream = call.get::<Stream>(call.arguments[0])?;
    let len = stream.map_or(0, |it| it.entries.len());
    call.replies.count(len);
    Ok(())
}

fn xrange(call: &mut Call<'_, '_>, from_end: bool) -> Result<(), Refusal> {
    let (mut low, mut high) = (call.arguments[1], call.arguments[2]);
    if from_end {
        (low, high) = (high, low);
    }
    let (low, high) = (bound(low, false)?, bound(high, true)?);
    let mut count = None;
    for pair in call.arguments[3..].chunks(2) {
        match pair {
            [word, text] if word.eq_ignore_ascii_case(b"count") => {
                let most = number(text).ok_or(NOT_AN_INTEGER)?;
                count = Some(usize::try_from(most).unwrap_or(0));
            }
            _ => return Err(SYNTAX),
        }
    }
    let key = call.arguments[0];
    let Call {
        locked, replies, ..
    } = call;
    let Some(stream) = locked.keys(key).value::<Stream>(key)? else {
        replies.array(0);
        return Ok(());
    };
    if count == Some(0) {
        replies.nil_array();
        return Ok(());
    }
    let most = count.unwrap_or(usize::MAX);
    let found: Vec<(&Id, &Fields)> = match (low <= high, from_end) {
        (false, _) => Vec::new(),
        (true, false) => stream.entries.range(low..=high).take(most).collect(),
        (true, true) => stream.entries.range(low..=high).rev().take(most).collect(),
    };
    replies.array(found.len());
    for (id, fields) in found {
        say_entry(replies, *id, fields);
    }
    Ok(())
}

fn xdel(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let ids = call.arguments[1..].iter().map(|text| id(text));
    let ids = ids.collect::<Result<Vec<Id>, Refusal>>();
    let Some(stream) = call.get_mut::<Stream>(key)? else {
        call.replies.integer(0);
        return Ok(());
    };
    let count = ids?.into_iter().filter(|id| stream.delete(*id)).count();
    if count > 0 {
        call.changed(key);
    }
    call.replies.count(count);
    Ok(())
}

fn xtrim(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, arguments) = (call.arguments[0], call.arguments);
    let (options, _) = Options::read(&arguments[1..], false)?;
    if options.kept.is_none() {
        return Err(Refusal(
            "ERR syntax error, XTRIM must be called with either MAXLEN or MINID",
        ));
    }
    let Some(stream) = call.get_mut::<Stream>(key)? else {
        call.replies.integer(0);
        return Ok(());
    };
    let trimmed = options.trim(stream);
    let len = stream.entries.len();
    if trimmed > 0 {
        call.changed(key);
        call.log(&[b"XTRIM", key, b"MAXLEN", b"=", len.to_string().as_bytes()]);
    }
    call.replies
        .integer(i64::try_from(trimmed).unwrap_or(i64::MAX));
    Ok(())
}

fn xsetid(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, last) = (call.arguments[0], id(call.arguments[1])?);
    let (mut added, mut deleted) = (None, None);
    let mut rest = &call.arguments[2..];
    while let Some((word, more)) = rest.split_first() {
        match (word.to_ascii_lowercase().as_slice(), more) {
            (b"entriesadded", [text, more @ ..]) => {
                let count = number(text).ok_or(NOT_AN_INTEGER)?;
                let why = Refusal("ERR entries_added must be positive");
                added = Some(u64::try_from(count).map_err(|_| why)?);
                rest = more;
            }
            (b"maxdeletedid", [text, more @ ..]) => {
                let deleted_id = id(text)?;
                if last < deleted_id {
                    return Err(Refusal(
                        "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id",
                    ));
                }
                deleted = Some(deleted_id);
                rest = more;
            }
            _ => return Err(SYNTAX),
        }
    }
    let stream = call.get_mut::<Stream>(key)?.ok_or(super::NO_SUCH_KEY)?;
    if stream
        .entries
        .keys()
        .next_back()
        .is_some_and(|top| last < *top)
    {
        return Err(Refusal(
            "ERR The ID specified in XSETID is smaller than the target stream top item",
        ));
    }
    let len = u64::try_from(stream.entries.len()).unwrap_or(u64::MAX);
    if added.is_some_and(|added| added < len) {
        return Err(Refusal(
            "ERR The entries_added specified in XSETID is smaller than the target stream length",
        ));
    }
    stream.last = last;
    stream.added = added.unwrap_or(stream.added);
    stream.deleted = deleted.unwrap_or(stream.deleted);
    call.changed(key);
    call.replies.ok();
    Ok(())
}
