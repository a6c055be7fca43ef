//! Commands that treat strings as bits.

use super::KeysOf::{AllButFirst, First};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command, range};
use crate::resp::number;

pub(super) const COMMANDS: &[Command] = &[
    command("setbit", 4, First, setbit).grows(),
    command("getbit", 3, First, getbit),
    command("bitcount", -2, First, bitcount),
    command("bitpos", -3, First, bitpos),
    command("bitop", -4, AllButFirst, bitop).grows(),
];

const NOT_AN_OFFSET: Refusal = Refusal("ERR bit offset is not an integer or out of range");
/// Number of bits of the longest string.
const MOST: usize = 512 << 23;

fn offset(text: &[u8]) -> Result<usize, Refusal> {
    let offset = number(text).and_then(|it| usize::try_from(it).ok());
    offset.filter(|it| *it < MOST).ok_or(NOT_AN_OFFSET)
}

fn bit(bytes: &[u8], at: usize) -> bool {
    bytes
        .get(at / 8)
        .is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1)
}

fn setbit(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, at) = (call.arguments[0], offset(call.arguments[1])?);
    let is_set = match call.arguments[2] {
        b"0" => false,
        b"1" => true,
        _ => return Err(Refusal("ERR bit is not an integer or out of range")),
    };
    let bytes = call.get_or_new::<Vec<u8>>(key)?;
    let before = bit(bytes, at);
    if bytes.len() <= at / 8 {
        bytes.resize(at / 8 + 1, 0);
    }
    let mask = 1 << (7 - at % 8);
    match is_set {
        true => bytes[at / 8] |= mask,
        false => bytes[at / 8] &= !mask,
    }
    call.changed(key);
    call.replies.integer(i64::from(before));
    Ok(())
}

fn getbit(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let at = offset(call.arguments[1])?;
    let is_set = call
        .string(call.arguments[0])?
        .is_some_and(|bytes| bit(bytes, at));
    call.replies.integer(i64::from(is_set));
    Ok(())
}

/// Converts a range in bytes, or in bits if the unit says so, to bits. `clamps` means that an end
/// before the beginning is moved to it.
fn bits(
    first: &[u8],
    last: Option<&[u8]>,
    unit: Option<&[u8]>,
    len: usize,
    clamps: bool,
) -> Result<std::ops::Range<usize>, Refusal> {
    let first = number(first).ok_or(NOT_AN_INTEGER)?;
    let last = last.map_or(Ok(-1), |text| number(text).ok_or(NOT_AN_INTEGER))?;
    let size = match unit.map(<[u8]>::to_ascii_lowercase).as_deref() {
        None | Some(b"byte") => 8,
        Some(b"bit") => 1,
        Some(_) => return Err(SYNTAX),
    };
    let is_before = !clamps && first < 0 && last < 0 && first > last;
    let units = len * 8 / size;
    let signed = i64::try_from(units).unwrap_or(i64::MAX);
    let last = if last < 0 {
        (signed + last).max(0)
    } else {
        last
    };
    let range = if is_before {
        0..0
    } else {
        range(first, last, units)
    };
    Ok(range.start * size..range.end * size)
}

fn bitcount(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, words) = (call.arguments[0], &call.arguments[1..]);
    let Call {
        locked, replies, ..
    } = call;
    let Some(bytes) = locked.keys(key).string(key)? else {
        replies.integer(0);
        return Ok(());
    };
    let bits = match words {
        [] => 0..bytes.len() * 8,
        [first, last] => bits(first, Some(last), None, bytes.len(), false)?,
        [first, last, unit] => bits(first, Some(last), Some(unit), bytes.len(), false)?,
        _ => return Err(SYNTAX),
    };
    let whole = bits.start.div_ceil(8)..bits.end / 8;
    let count = match whole.start <= whole.end {
        false => bits.filter(|at| bit(bytes, *at)).count(),
        true => {
            let edges = (bits.start..whole.start * 8).chain(whole.end * 8..bits.end);
            let ones: u32 = bytes[whole].iter().map(|byte| byte.count_ones()).sum();
            edges.filter(|at| bit(bytes, *at)).count() + usize::try_from(ones).unwrap_or(0)
        }
    };
    replies.count(count);
    Ok(())
}

fn bitpos(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, words) = (call.arguments[0], &call.arguments[2..]);
    let wanted = match number(call.arguments[1]).ok_or(NOT_AN_INTEGER)? {
        0 => false,
        1 => true,
        _ => return Err(Refusal("ERR The bit argument must be 1 or 0.")),
    };
    let Call {
        locked, replies, ..
    } = call;
    let text = locked.keys(key).string(key)?;
    let Some(bytes) = text else {
        replies.integer(if wanted { -1 } else { 0 });
        return Ok(());
    };
    let bits = match words {
        [] => 0..bytes.len() * 8,
        [first] => bits(first, None, None, bytes.len(), true)?,
        [first, last] => bits(first, Some(last), None, bytes.len(), true)?,
        [first, last, unit] => bits(first, Some(last), Some(unit), bytes.len(), true)?,
        _ => return Err(SYNTAX),
    };
    let end = bits.end;
    let is_empty = bits.is_empty();
    match bits.into_iter().find(|at| bit(bytes, *at) == wanted) {
        Some(at) => replies.count(at),
        // After the end of a string come zeros, unless the range has an end.
        None if !wanted && words.len() < 2 && !is_empty => replies.count(end),
        None => replies.integer(-1),
    }
    Ok(())
}

fn bitop(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (how, to, keys) = (
        call.arguments[0].to_ascii_lowercase(),
        call.arguments[1],
        &call.arguments[2..],
    );
    let join: fn(u8, u8) -> u8 = match how.as_slice() {
        b"and" => |one, other| one & other,
        b"or" => |one, other| one | other,
        b"xor" => |one, other| one ^ other,
        b"not" if keys.len() != 1 => {
            return Err(Refusal(
                "ERR BITOP NOT must be called with a single source key.",
            ));
        }
        b"not" => |one, _| one,
        _ => return Err(SYNTAX),
    };
    let mut inputs: Vec<Vec<u8>> = Vec::with_capacity(keys.len());
    for key in keys {
        inputs.push(call.string(key)?.unwrap_or_default().to_vec());
    }
    let len = inputs.iter().map(Vec::len).max().unwrap_or(0);
    let byte = |input: &Vec<u8>, at: usize| input.get(at).copied().unwrap_or(0);
    let mut result: Vec<u8> = (0..len).map(|at| byte(&inputs[0], at)).collect();
    for input in &inputs[1..] {
        for (at, to) in result.iter_mut().enumerate() {
            *to = join(*to, byte(input, at));
        }
    }
    if how == b"not" {
        result.iter_mut().for_each(|byte| *byte = !*byte);
    }
    let keys = call.locked.keys(to);
    match result.is_empty() {
        true => drop(keys.remove(to)),
        false => keys.set_string(to, &result, 0),
    }
    call.replies.count(len);
    Ok(())
}
