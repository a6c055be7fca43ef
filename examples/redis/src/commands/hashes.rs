//! Commands for hashes.

use super::KeysOf::First;
use super::{Call, Command, Refusal, command};
use crate::resp::number;
use crate::store::{Bytes, Hash};

pub(super) const COMMANDS: &[Command] = &[
    command("hset", -4, First, |call| hset(call, false)).grows(),
    command("hmset", -4, First, |call| hset(call, true)).grows(),
    command("hsetnx", 4, First, hsetnx).grows(),
    command("hget", 3, First, hget),
    command("hmget", -3, First, hmget),
    command("hgetall", 2, First, |call| all(call, true, true)),
    command("hkeys", 2, First, |call| all(call, true, false)),
    command("hvals", 2, First, |call| all(call, false, true)),
    command("hdel", -3, First, hdel),
    command("hexists", 3, First, hexists),
    command("hlen", 2, First, hlen),
    command("hstrlen", 3, First, hstrlen),
    command("hincrby", 4, First, hincrby).grows(),
];

fn hset(call: &mut Call<'_, '_>, answers_ok: bool) -> Result<(), Refusal> {
    let pairs = call.arguments[1..].chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(match answers_ok {
            true => Refusal("ERR wrong number of arguments for 'hmset' command"),
            false => Refusal("ERR wrong number of arguments for 'hset' command"),
        });
    }
    let hash = call.get_or_new::<Hash>(call.arguments[0])?;
    let mut new = 0;
    for pair in pairs {
        new += usize::from(hash.insert(pair[0].into(), pair[1].into()).is_none());
    }
    call.changed(call.arguments[0]);
    match answers_ok {
        true => call.replies.ok(),
        false => call.replies.count(new),
    }
    Ok(())
}

fn hsetnx(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (field, value) = (call.arguments[1], call.arguments[2]);
    let hash = call.get_or_new::<Hash>(call.arguments[0])?;
    let is_new = !hash.contains_key(field);
    if is_new {
        hash.insert(field.into(), value.into());
        call.changed(call.arguments[0]);
    }
    call.replies.integer(i64::from(is_new));
    Ok(())
}

fn hget(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let field = call.arguments[1];
    let hash = call.get::<Hash>(call.arguments[0])?;
    let value = hash.and_then(|hash| hash.get(field)).cloned();
    call.replies.maybe(value.as_deref());
    Ok(())
}

fn hmget(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let fields = &call.arguments[1..];
    let hash = call.get::<Hash>(call.arguments[0])?;
    let value = |field: &&[u8]| hash.and_then(|hash| hash.get(*field)).cloned();
    let values: Vec<Option<Bytes>> = fields.iter().map(value).collect();
    call.replies.array(values.len());
    values
        .iter()
        .for_each(|value| call.replies.maybe(value.as_deref()));
    Ok(())
}

fn all(call: &mut Call<'_, '_>, fields: bool, values: bool) -> Result<(), Refusal> {
    let hash = call
        .get::<Hash>(call.arguments[0])?
        .cloned()
        .unwrap_or_default();
    match fields && values {
        true => call.replies.map(hash.len()),
        false => call.replies.array(hash.len()),
    }
    for (field, value) in &hash {
        if fields {
            call.replies.bulk(field);
        }
        if values {
            call.replies.bulk(value);
        }
    }
    Ok(())
}

fn hdel(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, fields) = (call.arguments[0], &call.arguments[1..]);
    let hash = call.get_mut::<Hash>(key)?;
    let removed = hash.map_or(0, |hash| {
        fields
            .iter()
            .filter(|field| hash.remove(**field).is_some())
            .count()
    });
    if removed > 0 {
        call.changed(key);
    }
    call.replies.count(removed);
    Ok(())
}

fn hexists(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let field = call.arguments[1];
    let hash = call.get::<Hash>(call.arguments[0])?;
    let is_there = hash.is_some_and(|hash| hash.contains_key(field));
    call.replies.integer(i64::from(is_there));
    Ok(())
}

fn hlen(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let len = call.get::<Hash>(call.arguments[0])?.map_or(0, Hash::len);
    call.replies.count(len);
    Ok(())
}

fn hstrlen(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let field = call.arguments[1];
    let hash = call.get::<Hash>(call.arguments[0])?;
    let len = hash
        .and_then(|hash| hash.get(field))
        .map_or(0, |value| value.len());
    call.replies.count(len);
    Ok(())
}

fn hincrby(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let by = call.integer(2)?;
    let (key, field) = (call.arguments[0], call.arguments[1]);
    let before = call.get::<Hash>(key)?.and_then(|hash| hash.get(field));
    let before = match before {
        None => 0,
        Some(text) => number(text).ok_or(Refusal("ERR hash value is not an integer"))?,
    };
    let why = Refusal("ERR increment or decrement would overflow");
    let sum = before.checked_add(by).ok_or(why)?;
    let hash = call.get_or_new::<Hash>(key)?;
    hash.insert(field.into(), sum.to_string().into_bytes().into());
    call.changed(key);
    call.replies.integer(sum);
    Ok(())
}
