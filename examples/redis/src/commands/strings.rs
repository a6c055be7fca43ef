//! Commands for strings and counters.

use super::KeysOf::{All, First, Pairs};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command, range};
use crate::resp::number;

/// Maximum length of a string.
const MAX: usize = 512 << 20;
const TOO_LONG: Refusal = Refusal("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
const OVERFLOW: Refusal = Refusal("ERR increment or decrement would overflow");

pub(super) const COMMANDS: &[Command] = &[
    command("get", 2, First, get),
    command("set", -3, First, set).grows(),
    command("setnx", 3, First, setnx).grows(),
    command("setex", 4, First, |call| set_with_time(call, 1000)).grows(),
    command("psetex", 4, First, |call| set_with_time(call, 1)).grows(),
    command("getset", 3, First, getset).grows(),
    command("getdel", 2, First, getdel),
    command("mget", -2, All, mget),
    command("mset", -3, Pairs, |call| mset(call, false)).grows(),
    command("msetnx", -3, Pairs, |call| mset(call, true)).grows(),
    command("incr", 2, First, |call| add(call, 1)).grows(),
    command("decr", 2, First, |call| add(call, -1)).grows(),
    command("incrby", 3, First, |call| {
        let by = call.integer(1)?;
        add(call, by)
    })
    .grows(),
    command("decrby", 3, First, |call| {
        let by = call.integer(1)?;
        let by = by
            .checked_neg()
            .ok_or(Refusal("ERR decrement would overflow"))?;
        add(call, by)
    })
    .grows(),
    command("append", 3, First, append).grows(),
    command("strlen", 2, First, strlen),
    command("getrange", 4, First, getrange),
    command("substr", 4, First, getrange),
    command("setrange", 4, First, setrange).grows(),
];

fn get(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let Call {
        locked, replies, ..
    } = call;
    replies.maybe(locked.keys(key).string(key)?);
    Ok(())
}

/// The options of SET.
#[derive(Default)]
struct Options {
    if_absent: bool,
    if_present: bool,
    gets: bool,
    keeps_expiry: bool,
    expires: u64,
}

const INVALID_EXPIRE: Refusal = Refusal("ERR invalid expire time in 'set' command");

fn options(call: &Call<'_, '_>) -> Result<Options, Refusal> {
    let mut options = Options::default();
    let mut words = call.arguments[2..].iter();
    while let Some(word) = words.next() {
        let word = word.to_ascii_lowercase();
        match word.as_slice() {
            b"nx" if !options.if_present => options.if_absent = true,
            b"xx" if !options.if_absent => options.if_present = true,
            b"get" => options.gets = true,
            b"keepttl" if options.expires == 0 => options.keeps_expiry = true,
            b"ex" | b"px" | b"exat" | b"pxat" if options.expires == 0 && !options.keeps_expiry => {
                let time = number(words.next().ok_or(SYNTAX)?).ok_or(NOT_AN_INTEGER)?;
                let unit = if word.starts_with(b"e") { 1000 } else { 1 };
                let from = if word.ends_with(b"at") {
                    0
                } else {
                    call.locked.now
                };
                options.expires = moment(time, unit, from).ok_or(INVALID_EXPIRE)?;
            }
            _ => return Err(SYNTAX),
        }
    }
    Ok(options)
}

/// Returns the time of expiry in milliseconds since 1970, if the given time is positive.
pub(super) fn moment(time: i64, unit: i64, from: u64) -> Option<u64> {
    let time = time.checked_mul(unit).filter(|time| *time > 0)?;
    let moment = time.checked_add(i64::try_from(from).ok()?)?;
    u64::try_from(moment).ok()
}

fn set(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let options = options(call)?;
    let (key, value) = (call.arguments[0], call.arguments[1]);
    let keys = call.locked.keys(key);
    if options.gets {
        call.replies.maybe(keys.string(key)?);
    }
    let is_conditional = options.if_absent || options.if_present;
    let exists = is_conditional && keys.contains(key);
    if (options.if_absent && exists) || (options.if_present && !exists) {
        if !options.gets {
            call.replies.nil();
        }
        return Ok(());
    }
    let expires = match options.keeps_expiry {
        true => keys.expiry(key),
        false => options.expires,
    };
    keys.set_string(key, value, expires);
    if options.expires != 0 {
        let time = expires.to_string();
        call.log(&[b"SET", key, value, b"PXAT", time.as_bytes()]);
    }
    if !options.gets {
        call.replies.ok();
    }
    Ok(())
}

fn setnx(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, value) = (call.arguments[0], call.arguments[1]);
    let keys = call.locked.keys(key);
    let is_new = !keys.contains(key);
    if is_new {
        keys.set_string(key, value, 0);
    }
    call.replies.integer(i64::from(is_new));
    Ok(())
}

fn set_with_time(call: &mut Call<'_, '_>, unit: i64) -> Result<(), Refusal> {
    let why = match unit {
        1 => Refusal("ERR invalid expire time in 'psetex' command"),
        _ => Refusal("ERR invalid expire time in 'setex' command"),
    };
    let expires = moment(call.integer(1)?, unit, call.locked.now).ok_or(why)?;
    let (key, value) = (call.arguments[0], call.arguments[2]);
    let keys = call.locked.keys(key);
    keys.set_string(key, value, expires);
    let time = expires.to_string();
    call.log(&[b"SET", key, value, b"PXAT", time.as_bytes()]);
    call.replies.ok();
    Ok(())
}

fn getset(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    get(call)?;
    let (key, value) = (call.arguments[0], call.arguments[1]);
    call.locked.keys(key).set_string(key, value, 0);
    Ok(())
}

fn getdel(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    get(call)?;
    let key = call.arguments[0];
    call.locked.keys(key).remove(key);
    Ok(())
}

fn mget(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    call.replies.array(call.arguments.len());
    for key in call.arguments {
        let text = call.locked.keys(key).string(key);
        call.replies.maybe(text.unwrap_or_default());
    }
    Ok(())
}

fn mset(call: &mut Call<'_, '_>, if_none: bool) -> Result<(), Refusal> {
    let pairs = call.arguments.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(match if_none {
            true => Refusal("ERR wrong number of arguments for 'msetnx' command"),
            false => Refusal("ERR wrong number of arguments for 'mset' command"),
        });
    }
    if if_none {
        let is_there = |pair: &[&[u8]]| call.locked.keys(pair[0]).contains(pair[0]);
        if pairs.clone().any(is_there) {
            call.replies.integer(0);
            return Ok(());
        }
    }
    for pair in pairs {
        let keys = call.locked.keys(pair[0]);
        keys.set_string(pair[0], pair[1], 0);
    }
    match if_none {
        true => call.replies.integer(1),
        false => call.replies.ok(),
    }
    Ok(())
}

fn add(call: &mut Call<'_, '_>, by: i64) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let before = call.string(key)?;
    let before = match before {
        None => 0,
        Some(text) => number(text).ok_or(NOT_AN_INTEGER)?,
    };
    let sum = before.checked_add(by).ok_or(OVERFLOW)?;
    let keys = call.locked.keys(key);
    let expires = keys.expiry(key);
    keys.set_string(key, sum.to_string().as_bytes(), expires);
    call.replies.integer(sum);
    Ok(())
}

fn append(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, more) = (call.arguments[0], call.arguments[1]);
    let before = call.string(key)?.map_or(0, <[u8]>::len);
    if before + more.len() > MAX {
        return Err(TOO_LONG);
    }
    let text = call.get_or_new::<Vec<u8>>(key)?;
    text.extend_from_slice(more);
    let len = text.len();
    call.changed(key);
    call.replies.count(len);
    Ok(())
}

fn strlen(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let len = call.string(call.arguments[0])?.map_or(0, <[u8]>::len);
    call.replies.count(len);
    Ok(())
}

fn getrange(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (first, last) = (call.integer(1)?, call.integer(2)?);
    let key = call.arguments[0];
    let Call {
        locked, replies, ..
    } = call;
    match locked.keys(key).string(key)? {
        None => replies.bulk(b""),
        Some(text) => {
            // A position before the beginning means the beginning, unlike in lists.
            let is_before = first < 0 && last < 0 && first > last;
            let len = i64::try_from(text.len()).unwrap_or(i64::MAX);
            let last = if last < 0 { (len + last).max(0) } else { last };
            let range = if is_before {
                0..0
            } else {
                range(first, last, text.len())
            };
            replies.bulk(&text[range]);
        }
    }
    Ok(())
}

fn setrange(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let at =
        usize::try_from(call.integer(1)?).map_err(|_| Refusal("ERR offset is out of range"))?;
    let piece = call.arguments[2];
    let before = call.string(key)?.map(<[u8]>::len);
    if piece.is_empty() {
        call.replies.count(before.unwrap_or(0));
        return Ok(());
    }
    let end = at
        .checked_add(piece.len())
        .filter(|end| *end <= MAX)
        .ok_or(TOO_LONG)?;
    let text = call.get_or_new::<Vec<u8>>(key)?;
    if text.len() < end {
        text.resize(end, 0);
    }
    text[at..end].copy_from_slice(piece);
    let len = text.len();
    call.changed(key);
    call.replies.count(len);
    Ok(())
}
