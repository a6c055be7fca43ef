//! Commands for lists.

use super::KeysOf::First;
use super::{Call, Command, NO_SUCH_KEY, NOT_AN_INTEGER, OUT_OF_RANGE, Refusal, command, range};
use crate::store::{Bytes, List};

pub(super) const COMMANDS: &[Command] = &[
    command("lpush", -3, First, |call| push(call, true, false)).grows(),
    command("rpush", -3, First, |call| push(call, false, false)).grows(),
    command("lpushx", -3, First, |call| push(call, true, true)).grows(),
    command("rpushx", -3, First, |call| push(call, false, true)).grows(),
    command("lpop", -2, First, |call| pop(call, true)),
    command("rpop", -2, First, |call| pop(call, false)),
    command("llen", 2, First, llen),
    command("lrange", 4, First, lrange),
    command("lindex", 3, First, lindex),
    command("lset", 4, First, lset).grows(),
    command("ltrim", 4, First, ltrim),
    command("lrem", 4, First, lrem),
];

fn push(call: &mut Call<'_, '_>, at_front: bool, if_there: bool) -> Result<(), Refusal> {
    let (key, elements) = (call.arguments[0], &call.arguments[1..]);
    if call.get::<List>(key)?.is_none() && if_there {
        call.replies.integer(0);
        return Ok(());
    }
    let list = call.get_or_new::<List>(key)?;
    for element in elements {
        match at_front {
            true => list.push_front((*element).into()),
            false => list.push_back((*element).into()),
        }
    }
    let len = list.len();
    call.changed(key);
    call.replies.count(len);
    Ok(())
}

fn pop(call: &mut Call<'_, '_>, at_front: bool) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let count = match call.arguments.get(1) {
        None => None,
        Some(_) if call.arguments.len() > 2 => {
            let why = match at_front {
                true => "ERR wrong number of arguments for 'lpop' command",
                false => "ERR wrong number of arguments for 'rpop' command",
            };
            return Err(Refusal(why));
        }
        Some(_) => {
            let why = Refusal("ERR value is out of range, must be positive");
            Some(usize::try_from(call.integer(1).map_err(|_| why)?).map_err(|_| why)?)
        }
    };
    let Some(list) = call.get_mut::<List>(key)? else {
        match count {
            None => call.replies.nil(),
            Some(_) => call.replies.nil_array(),
        }
        return Ok(());
    };
    let wanted = count.unwrap_or(1).min(list.len());
    let mut taken = Vec::with_capacity(wanted);
    for _ in 0..wanted {
        let element = if at_front {
            list.pop_front()
        } else {
            list.pop_back()
        };
        taken.extend(element);
    }
    if count.is_some() {
        call.replies.array(taken.len());
    }
    taken.iter().for_each(|element| call.replies.bulk(element));
    if !taken.is_empty() {
        call.changed(key);
    }
    Ok(())
}

fn llen(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let len = call.get::<List>(call.arguments[0])?.map_or(0, List::len);
    call.replies.count(len);
    Ok(())
}

fn lrange(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (first, last) = (call.integer(1)?, call.integer(2)?);
    let key = call.arguments[0];
    let Call {
        locked, replies, ..
    } = call;
    let Some(list) = locked.keys(key).value::<List>(key)? else {
        replies.array(0);
        return Ok(());
    };
    let range = range(first, last, list.len());
    replies.array(range.len());
    list.range(range).for_each(|element| replies.bulk(element));
    Ok(())
}

/// Returns the index of an element. Negative indexes count from the end.
fn index(at: i64, len: usize) -> Option<usize> {
    let at = match at {
        0.. => usize::try_from(at).ok()?,
        _ => len.checked_sub(usize::try_from(at.unsigned_abs()).ok()?)?,
    };
    (at < len).then_some(at)
}

fn lindex(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let at = call.integer(1)?;
    let list = call.get::<List>(call.arguments[0])?;
    let element = list.and_then(|list| list.get(index(at, list.len())?));
    let element = element.cloned();
    call.replies.maybe(element.as_deref());
    Ok(())
}

fn lset(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let at = crate::resp::number(call.arguments[1]);
    let (key, element) = (call.arguments[0], call.arguments[2]);
    let list = call.get_mut::<List>(key)?.ok_or(NO_SUCH_KEY)?;
    let at = index(at.ok_or(NOT_AN_INTEGER)?, list.len()).ok_or(OUT_OF_RANGE)?;
    list[at] = element.into();
    call.changed(key);
    call.replies.ok();
    Ok(())
}

fn ltrim(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (first, last) = (call.integer(1)?, call.integer(2)?);
    let key = call.arguments[0];
    if let Some(list) = call.get_mut::<List>(key)? {
        let range = range(first, last, list.len());
        list.truncate(range.end);
        list.drain(..range.start.min(list.len()));
        call.changed(key);
    }
    call.replies.ok();
    Ok(())
}

fn lrem(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let count = call.integer(1)?;
    let (key, wanted) = (call.arguments[0], call.arguments[2]);
    let Some(list) = call.get_mut::<List>(key)? else {
        call.replies.integer(0);
        return Ok(());
    };
    let most = match count {
        0 => usize::MAX,
        _ => usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX),
    };
    let before = list.len();
    let mut left = most;
    let mut keep = |element: &Bytes| {
        let goes = left > 0 && **element == *wanted;
        left -= usize::from(goes);
        !goes
    };
    if count < 0 {
        let kept: Vec<Bytes> = list.drain(..).rev().filter(|it| keep(it)).collect();
        list.extend(kept.into_iter().rev());
    } else {
        list.retain(keep);
    }
    let removed = before - list.len();
    if removed > 0 {
        call.changed(key);
    }
    call.replies.count(removed);
    Ok(())
}

/// One of the ends of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) fn read(word: &[u8]) -> Result<Self, Refusal> {
        match word.to_ascii_lowercase().as_slice() {
            b"left" => Ok(Side::Left),
            b"right" => Ok(Side::Right),
            _ => Err(super::SYNTAX),
        }
    }

    pub(super) fn word(self) -> &'static [u8] {
        match self {
            Side::Left => b"LEFT",
            Side::Right => b"RIGHT",
        }
    }

    pub(super) fn pop_word(self) -> &'static [u8] {
        match self {
            Side::Left => b"LPOP",
            Side::Right => b"RPOP",
        }
    }

    pub(super) fn pop(self, list: &mut List) -> Option<Bytes> {
        match self {
            Side::Left => list.pop_front(),
            Side::Right => list.pop_back(),
        }
    }
}

/// Moves an element from one list to another, and replies with it. Returns `false` if there is no
/// element.
pub(super) fn move_between(
    call: &mut Call<'_, '_>,
    from: &[u8],
    to: &[u8],
    sides: (Side, Side),
) -> Result<bool, Refusal> {
    if call.get::<List>(from)?.is_none() {
        return Ok(false);
    }
    call.get::<List>(to)?;
    let element = call
        .get_mut::<List>(from)?
        .and_then(|list| sides.0.pop(list));
    let Some(element) = element else {
        return Ok(false);
    };
    call.replies.bulk(&element);
    let list = call.get_or_new::<List>(to)?;
    match sides.1 {
        Side::Left => list.push_front(element),
        Side::Right => list.push_back(element),
    }
    call.changed(to);
    if from != to {
        call.changed(from);
    }
    Ok(true)
}
