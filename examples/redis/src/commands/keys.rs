//! Commands for keys of any type: existence, type, expiry, renaming.

use super::KeysOf::{All, Databases, Everything, First, FirstTwo, None as NoKeys};
use super::{Call, Command, NO_SUCH_KEY, Refusal, SYNTAX, command};
use crate::pattern::matches;

pub(super) const COMMANDS: &[Command] = &[
    command("del", -2, All, del),
    command("unlink", -2, All, del),
    command("exists", -2, All, exists),
    command("touch", -2, All, exists),
    command("type", 2, First, type_of),
    command("expire", -3, First, |call| expire(call, 1000, false)),
    command("pexpire", -3, First, |call| expire(call, 1, false)),
    command("expireat", -3, First, |call| expire(call, 1000, true)),
    command("pexpireat", -3, First, |call| expire(call, 1, true)),
    command("ttl", 2, First, |call| left(call, 1000, false)),
    command("pttl", 2, First, |call| left(call, 1, false)),
    command("expiretime", 2, First, |call| left(call, 1000, true)),
    command("pexpiretime", 2, First, |call| left(call, 1, true)),
    command("persist", 2, First, persist),
    command("rename", 3, FirstTwo, |call| rename(call, false)),
    command("renamenx", 3, FirstTwo, |call| rename(call, true)),
    command("keys", 2, Everything, keys),
    command("randomkey", 1, Everything, randomkey),
    command("flushall", -1, Databases, |call| flush(call, true)),
    command("flushdb", -1, Everything, |call| flush(call, false)),
    command("dbsize", 1, Everything, dbsize),
    command("echo", 2, NoKeys, |call| {
        call.replies.bulk(call.arguments[0]);
        Ok(())
    }),
];

fn del(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let mut count = 0;
    for key in call.arguments {
        count += usize::from(call.locked.keys(key).remove(key).is_some());
    }
    call.replies.count(count);
    Ok(())
}

fn exists(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let mut count = 0;
    for key in call.arguments {
        count += usize::from(call.locked.keys(key).contains(key));
    }
    call.replies.count(count);
    Ok(())
}

fn type_of(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let name = call.value(key).map_or("none", |it| it.type_name());
    call.replies.simple(name);
    Ok(())
}

/// Runs EXPIRE and its variants. A time in the past removes the key.
fn expire(call: &mut Call<'_, '_>, unit: i64, is_moment: bool) -> Result<(), Refusal> {
    let time = call.integer(1)?;
    let from = if is_moment { 0 } else { call.locked.now };
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    let moment = time
        .checked_mul(unit)
        .and_then(|time| time.checked_add(from));
    let moment = moment.ok_or_else(|| invalid(unit, is_moment))?;
    let condition = match condition(&call.arguments[2..]) {
        Ok(condition) => condition?,
        Err(other) => {
            call.replies
                .error(format_args!("ERR Unsupported option {other}"));
            return Ok(());
        }
    };
    let key = call.arguments[0];
    let now = call.locked.now;
    let keys = call.locked.keys(key);
    let before = keys.expiry(key);
    if !keys.contains(key) || !condition.allows(before, moment) {
        call.replies.integer(0);
        return Ok(());
    }
    match u64::try_from(moment).ok().filter(|moment| *moment > now) {
        Some(moment) => {
            keys.set_expiry(key, moment);
            call.log(&[b"PEXPIREAT", key, moment.to_string().as_bytes()]);
        }
        None => {
            keys.remove(key);
            call.log(&[b"DEL", key]);
        }
    }
    call.replies.integer(1);
    Ok(())
}

fn invalid(unit: i64, is_moment: bool) -> Refusal {
    Refusal(match (unit, is_moment) {
        (1, false) => "ERR invalid expire time in 'pexpire' command",
        (1, true) => "ERR invalid expire time in 'pexpireat' command",
        (_, false) => "ERR invalid expire time in 'expire' command",
        (_, true) => "ERR invalid expire time in 'expireat' command",
    })
}

/// The conditions under which EXPIRE changes the time.
#[derive(Default)]
struct Condition {
    if_none: bool,
    if_some: bool,
    if_later: bool,
    if_earlier: bool,
}

impl Condition {
    fn allows(&self, before: u64, moment: i64) -> bool {
        // Not expiring counts as expiring later than any time.
        let later = before != 0 && i64::try_from(before).is_ok_and(|before| moment > before);
        let earlier = before == 0 || i64::try_from(before).is_ok_and(|before| moment < before);
        (!self.if_none || before == 0)
            && (!self.if_some || before != 0)
            && (!self.if_later || later)
            && (!self.if_earlier || earlier)
    }
}

/// Parses the options of EXPIRE. The outer error is an unknown option.
fn condition(words: &[&[u8]]) -> Result<Result<Condition, Refusal>, String> {
    let mut condition = Condition::default();
    for word in words {
        match word.to_ascii_lowercase().as_slice() {
            b"nx" => condition.if_none = true,
            b"xx" => condition.if_some = true,
            b"gt" => condition.if_later = true,
            b"lt" => condition.if_earlier = true,
            _ => return Err(String::from_utf8_lossy(word).into_owned()),
        }
    }
    let others = condition.if_some || condition.if_later || condition.if_earlier;
    if condition.if_none && others {
        let why = "ERR NX and XX, GT or LT options at the same time are not compatible";
        return Ok(Err(Refusal(why)));
    }
    if condition.if_later && condition.if_earlier {
        let why = "ERR GT and LT options at the same time are not compatible";
        return Ok(Err(Refusal(why)));
    }
    Ok(Ok(condition))
}

fn left(call: &mut Call<'_, '_>, unit: u64, is_moment: bool) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let now = call.locked.now;
    let keys = call.locked.keys(key);
    let exists = keys.contains(key);
    let answer = match keys.expiry(key) {
        _ if !exists => -2,
        0 => -1,
        expires => {
            let time = if is_moment {
                expires
            } else {
                expires.saturating_sub(now)
            };
            let rounded = if unit == 1 {
                time / unit
            } else {
                (time + 500) / unit
            };
            i64::try_from(rounded).unwrap_or(i64::MAX)
        }
    };
    call.replies.integer(answer);
    Ok(())
}

fn persist(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let keys = call.locked.keys(key);
    let expired = keys.expiry(key) != 0;
    if expired {
        keys.set_expiry(key, 0);
    }
    call.replies.integer(i64::from(expired));
    Ok(())
}

fn rename(call: &mut Call<'_, '_>, if_new: bool) -> Result<(), Refusal> {
    let (from, to) = (call.arguments[0], call.arguments[1]);
    if !call.locked.keys(from).contains(from) {
        return Err(NO_SUCH_KEY);
    }
    let is_taken = call.locked.keys(to).contains(to);
    if if_new && is_taken {
        call.replies.integer(0);
        return Ok(());
    }
    if from != to
        && let Some((value, expires)) = call.locked.keys(from).remove(from)
    {
        let keys = call.locked.keys(to);
        keys.set(to, value, expires);
    }
    match if_new {
        true => call.replies.integer(1),
        false => call.replies.ok(),
    }
    Ok(())
}

fn keys(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let pattern = call.arguments[0];
    let mut found: Vec<Box<[u8]>> = Vec::new();
    for keys in call.locked.each() {
        let names = keys.iter().map(|(key, ..)| key);
        found.extend(names.filter(|key| matches(pattern, key)).map(Into::into));
    }
    call.replies.array(found.len());
    found.iter().for_each(|key| call.replies.bulk(key));
    Ok(())
}

fn randomkey(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let mut chosen: Option<Box<[u8]>> = None;
    let mut seen = 0;
    for keys in call.locked.each() {
        for (key, ..) in keys.iter() {
            seen += 1;
            if fastrand::usize(..seen) == 0 {
                chosen = Some(key.into());
            }
        }
    }
    call.replies.maybe(chosen.as_deref());
    Ok(())
}

fn flush(call: &mut Call<'_, '_>, all: bool) -> Result<(), Refusal> {
    match call.arguments {
        [] => {}
        [how] if how.eq_ignore_ascii_case(b"sync") || how.eq_ignore_ascii_case(b"async") => {}
        _ => return Err(SYNTAX),
    }
    call.locked.clear(all);
    call.replies.ok();
    Ok(())
}

fn dbsize(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let mut count = 0;
    for keys in call.locked.each() {
        count += keys.len();
    }
    call.replies.count(count);
    Ok(())
}
