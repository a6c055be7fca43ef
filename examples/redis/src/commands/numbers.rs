//! Increments by floats, commands that read a value and set its expiry, and random elements.

use super::KeysOf::First;
use super::{Call, Command, NOT_A_FLOAT, NOT_AN_INTEGER, Refusal, SYNTAX, command, random_count};
use crate::number::Decimal;
use crate::resp::number;
use crate::store::{Bytes, Hash, SortedSet};

pub(super) const COMMANDS: &[Command] = &[
    command("incrbyfloat", 3, First, incrbyfloat).grows(),
    command("hincrbyfloat", 4, First, hincrbyfloat).grows(),
    command("getex", -2, First, getex),
    command("hrandfield", -2, First, hrandfield),
    command("zrandmember", -2, First, zrandmember),
];

fn incrbyfloat(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let before = Decimal::read(call.string(key)?.unwrap_or(b"0")).ok_or(NOT_A_FLOAT)?;
    let by = Decimal::read(call.arguments[1]).ok_or(NOT_A_FLOAT)?;
    let why = Refusal("ERR increment would produce NaN or Infinity");
    let text = before.plus(by).ok_or(why)?.to_string();
    let keys = call.locked.keys(key);
    let expires = keys.expiry(key);
    keys.set_string(key, text.as_bytes(), expires);
    call.replies.bulk(text.as_bytes());
    call.log(&[b"SET", key, text.as_bytes(), b"KEEPTTL"]);
    Ok(())
}

fn hincrbyfloat(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, field) = (call.arguments[0], call.arguments[1]);
    let by = Decimal::read(call.arguments[2]).ok_or(NOT_A_FLOAT)?;
    if by.is_infinite() {
        return Err(Refusal("ERR value is NaN or Infinity"));
    }
    let hash = call.get::<Hash>(key)?;
    let before = hash
        .and_then(|hash| hash.get(field))
        .map_or(b"0".as_slice(), |it| it);
    let before = Decimal::read(before).ok_or(Refusal("ERR hash value is not a float"))?;
    let why = Refusal("ERR increment would produce NaN or Infinity");
    let text = before.plus(by).ok_or(why)?.to_string();
    let hash = call.get_or_new::<Hash>(key)?;
    hash.insert(field.into(), text.as_bytes().into());
    call.changed(key);
    call.replies.bulk(text.as_bytes());
    call.log(&[b"HSET", key, field, text.as_bytes()]);
    Ok(())
}

fn getex(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let now = call.locked.now;
    let expires = match &call.arguments[1..] {
        [] => None,
        [word] if word.eq_ignore_ascii_case(b"persist") => Some(0),
        [word, text] => {
            let word = word.to_ascii_lowercase();
            let (unit, from) = match word.as_slice() {
                b"ex" => (1000, now),
                b"px" => (1, now),
                b"exat" => (1000, 0),
                b"pxat" => (1, 0),
                _ => return Err(SYNTAX),
            };
            if call.string(key)?.is_none() {
                call.replies.nil();
                return Ok(());
            }
            let time = number(text).ok_or(NOT_AN_INTEGER)?;
            let why = Refusal("ERR invalid expire time in 'getex' command");
            Some(super::strings::moment(time, unit, from).ok_or(why)?)
        }
        _ => return Err(SYNTAX),
    };
    let Call {
        locked, replies, ..
    } = call;
    let text = locked.keys(key).string(key)?;
    replies.maybe(text);
    if text.is_none() {
        return Ok(());
    }
    if let Some(moment) = expires {
        expire_at(call, key, moment);
    }
    Ok(())
}

/// Sets the key's expiry, or removes it if `moment` is 0.
fn expire_at(call: &mut Call<'_, '_>, key: &[u8], moment: u64) {
    let now = call.locked.now;
    let keys = call.locked.keys(key);
    match moment {
        0 if keys.expiry(key) == 0 => {}
        0 => {
            keys.set_expiry(key, 0);
            call.log(&[b"PERSIST", key]);
        }
        moment if moment <= now => {
            keys.remove(key);
            call.log(&[b"DEL", key]);
        }
        moment => {
            keys.set_expiry(key, moment);
            call.log(&[b"PEXPIREAT", key, moment.to_string().as_bytes()]);
        }
    }
}

/// Returns the count, and whether the word after it is there.
fn options(call: &Call<'_, '_>, word: &[u8]) -> Result<(Option<i64>, bool), Refusal> {
    match &call.arguments[1..] {
        [] => Ok((None, false)),
        [text] => Ok((Some(random_count(text)?), false)),
        [text, rest @ ..] => {
            let count = random_count(text)?;
            if rest.len() > 1 || !rest[0].eq_ignore_ascii_case(word) {
                return Err(SYNTAX);
            }
            // Each element of the reply has two words.
            if count.unsigned_abs() > i64::MAX.unsigned_abs() / 2 {
                return Err(Refusal("ERR value is out of range"));
            }
            Ok((Some(count), true))
        }
    }
}

/// Chooses random elements: distinct ones, or with repetitions if the count is negative.
fn some<T: Clone>(mut all: Vec<T>, count: i64) -> Vec<T> {
    let wanted = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    if count < 0 && !all.is_empty() {
        let any = |_| all[fastrand::usize(..all.len())].clone();
        return (0..wanted.min(1 << 20)).map(any).collect();
    }
    fastrand::shuffle(&mut all);
    all.truncate(wanted);
    all
}

fn hrandfield(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (count, with_values) = options(call, b"withvalues")?;
    let hash = call.get::<Hash>(call.arguments[0])?;
    let all: Vec<(Bytes, Bytes)> = hash.map_or(Vec::new(), |hash| {
        hash.iter().map(|(a, b)| (a.clone(), b.clone())).collect()
    });
    let chosen = some(all, count.unwrap_or(1));
    if count.is_none() {
        call.replies.maybe(chosen.first().map(|it| &*it.0));
        return Ok(());
    }
    let has_pairs = with_values && call.replies.is_resp3;
    let each = if with_values && !has_pairs { 2 } else { 1 };
    call.replies.array(chosen.len() * each);
    for (field, value) in chosen {
        if has_pairs {
            call.replies.array(2);
        }
        call.replies.bulk(&field);
        if with_values {
            call.replies.bulk(&value);
        }
    }
    Ok(())
}

fn zrandmember(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (count, with_scores) = options(call, b"withscores")?;
    let set = call.get::<SortedSet>(call.arguments[0])?;
    let all: Vec<(Bytes, f64)> = set.map_or(Vec::new(), |set| {
        set.iter().map(|(a, b)| (a.into(), b)).collect()
    });
    let chosen = some(all, count.unwrap_or(1));
    match count {
        None => call.replies.maybe(chosen.first().map(|it| &*it.0)),
        Some(_) => super::sorted_sets::say(call, &chosen, with_scores),
    }
    Ok(())
}
