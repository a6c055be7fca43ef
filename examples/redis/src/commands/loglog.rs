//! The HyperLogLog commands: PFADD, PFCOUNT, PFMERGE.

use super::KeysOf::{All, First};
use super::{Call, Command, Refusal, command};
use crate::hyperloglog::{self, REGISTERS};

pub(super) const COMMANDS: &[Command] = &[
    command("pfadd", -2, First, pfadd).grows(),
    command("pfcount", -2, All, pfcount),
    command("pfmerge", -2, All, pfmerge).grows(),
];

const NOT_ONE: Refusal = Refusal("WRONGTYPE Key is not a valid HyperLogLog string value.");
const BROKEN: Refusal = Refusal("INVALIDOBJ Corrupted HLL object detected");

fn find(call: &mut Call<'_, '_>, key: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
    match call.string(key)? {
        Some(bytes) if !hyperloglog::is_one(bytes) => Err(NOT_ONE),
        found => Ok(found.map(<[u8]>::to_vec)),
    }
}

fn pfadd(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, elements) = (call.arguments[0], &call.arguments[1..]);
    let known = find(call, key)?;
    let is_new = known.is_none();
    let before = known.unwrap_or_else(hyperloglog::empty);
    let added = hyperloglog::added(&before, elements).ok_or(BROKEN)?;
    let has_changed = is_new || added.is_some();
    if has_changed {
        let keys = call.locked.keys(key);
        let expires = keys.expiry(key);
        keys.set_string(key, &added.unwrap_or(before), expires);
    }
    call.replies.integer(i64::from(has_changed));
    Ok(())
}

/// Merges several HyperLogLogs by taking the highest value of each register.
fn merged(call: &mut Call<'_, '_>, keys: &[&[u8]]) -> Result<(Vec<u8>, bool), Refusal> {
    let mut all = vec![0; REGISTERS];
    let mut is_dense = false;
    for key in keys {
        let Some(bytes) = find(call, key)? else {
            continue;
        };
        is_dense |= hyperloglog::has_all_registers(&bytes);
        let registers = hyperloglog::registers(&bytes).ok_or(BROKEN)?;
        for (most, register) in all.iter_mut().zip(registers) {
            *most = register.max(*most);
        }
    }
    Ok((all, is_dense))
}

fn pfcount(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let keys = call.arguments;
    let count = match keys {
        [key] => match find(call, key)? {
            None => 0,
            Some(mut bytes) => match hyperloglog::known(&bytes) {
                Some(count) => count,
                None => {
                    let registers = hyperloglog::registers(&bytes).ok_or(BROKEN)?;
                    let count = hyperloglog::count(&registers);
                    hyperloglog::keep(&mut bytes, count);
                    let keys = call.locked.keys(key);
                    let expires = keys.expiry(key);
                    keys.set_string(key, &bytes, expires);
                    count
                }
            },
        },
        _ => hyperloglog::count(&merged(call, keys)?.0),
    };
    call.replies
        .integer(i64::try_from(count).unwrap_or(i64::MAX));
    Ok(())
}

fn pfmerge(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let (registers, is_dense) = merged(call, call.arguments)?;
    let before = find(call, key)?.unwrap_or_default();
    let keys = call.locked.keys(key);
    let expires = keys.expiry(key);
    keys.set_string(
        key,
        &hyperloglog::written(&registers, is_dense, &before),
        expires,
    );
    call.replies.ok();
    Ok(())
}
