//! Blocking pops: BLPOP and other commands that wait for elements.

use std::time::Duration;

use super::KeysOf::{AllButLast, FirstTwo, Numbered};
use super::lists::{self, Side};
use super::{Call, Command, Refusal, SYNTAX, command, sorted_sets};
use crate::store::{List, SortedSet};

pub(super) const COMMANDS: &[Command] = &[
    command("blpop", -3, AllButLast, |call| pop(call, Side::Left)),
    command("brpop", -3, AllButLast, |call| pop(call, Side::Right)),
    command("blmove", 6, FirstTwo, |call| {
        let sides = (
            Side::read(call.arguments[2])?,
            Side::read(call.arguments[3])?,
        );
        lmove(call, sides, 4)
    })
    .grows(),
    command("brpoplpush", 4, FirstTwo, |call| {
        lmove(call, (Side::Right, Side::Left), 2)
    })
    .grows(),
    command("blmpop", -5, Numbered(1), |call| lmpop(call, true)),
    command("lmpop", -4, Numbered(0), |call| lmpop(call, false)),
    command("bzpopmin", -3, AllButLast, |call| zpop(call, false)),
    command("bzpopmax", -3, AllButLast, |call| zpop(call, true)),
    command("bzmpop", -5, Numbered(1), |call| zmpop(call, true)),
    command("zmpop", -4, Numbered(0), |call| zmpop(call, false)),
];

/// Parses a timeout in seconds; 0 means for ever.
fn time(text: &[u8]) -> Result<Duration, Refusal> {
    let seconds = crate::number::read(text);
    let seconds = seconds.ok_or(Refusal("ERR timeout is not a float or out of range"))?;
    if seconds < 0.0 {
        return Err(Refusal("ERR timeout is negative"));
    }
    let is_short = seconds < 9_223_372_036_854_775.0;
    is_short
        .then(|| Duration::from_secs_f64(seconds))
        .ok_or(Refusal("ERR timeout is out of range"))
}

fn pop(call: &mut Call<'_, '_>, side: Side) -> Result<(), Refusal> {
    let (timeout, keys) = call.arguments.split_last().ok_or(SYNTAX)?;
    let time = time(timeout)?;
    for key in keys {
        if let Some(list) = call.get_mut::<List>(key)?
            && let Some(element) = side.pop(list)
        {
            call.changed(key);
            call.replies.array(2);
            call.replies.bulk(key);
            call.replies.bulk(&element);
            call.log(&[side.pop_word(), key]);
            return Ok(());
        }
    }
    if !call.wait(time) {
        call.replies.nil_array();
    }
    Ok(())
}

fn lmove(call: &mut Call<'_, '_>, sides: (Side, Side), timeout: usize) -> Result<(), Refusal> {
    let time = time(call.arguments[timeout])?;
    let (from, to) = (call.arguments[0], call.arguments[1]);
    if lists::move_between(call, from, to, sides)? {
        call.log(&[b"LMOVE", from, to, sides.0.word(), sides.1.word()]);
    } else if !call.wait(time) {
        call.replies.nil();
    }
    Ok(())
}

/// Keys, the word after them, and a count.
type Several<'a> = (Vec<&'a [u8]>, &'a [u8], usize);

/// Parses the arguments of a command that pops several elements.
fn several<'a>(words: &[&'a [u8]]) -> Result<Several<'a>, Refusal> {
    let positive = |text: &[u8], why| {
        let number = crate::resp::number(text).and_then(|it| usize::try_from(it).ok());
        number.filter(|it| *it > 0).ok_or(Refusal(why))
    };
    let count = positive(words[0], "ERR numkeys should be greater than 0")?;
    let keys = words.get(1..=count).ok_or(SYNTAX)?.to_vec();
    let (side, options) = words[1 + count..].split_first().ok_or(SYNTAX)?;
    let most = match options {
        [] => 1,
        [word, text] if word.eq_ignore_ascii_case(b"count") => {
            // The check of the word before this one comes first.
            positive(text, "ERR count should be greater than 0")?
        }
        _ => return Err(SYNTAX),
    };
    Ok((keys, side, most))
}

fn lmpop(call: &mut Call<'_, '_>, waits: bool) -> Result<(), Refusal> {
    let (time, words) = match waits {
        true => (Some(time(call.arguments[0])?), &call.arguments[1..]),
        false => (None, call.arguments),
    };
    let (keys, side, most) = several(words)?;
    let side = Side::read(side)?;
    for key in keys {
        let Some(list) = call.get_mut::<List>(key)? else {
            continue;
        };
        let taken: Vec<_> = std::iter::from_fn(|| side.pop(list)).take(most).collect();
        call.changed(key);
        call.replies.array(2);
        call.replies.bulk(key);
        call.replies.array(taken.len());
        taken.iter().for_each(|element| call.replies.bulk(element));
        let count = taken.len().to_string();
        call.log(&[side.pop_word(), key, count.as_bytes()]);
        return Ok(());
    }
    if time.is_none_or(|time| !call.wait(time)) {
        call.replies.nil_array();
    }
    Ok(())
}

fn zpop(call: &mut Call<'_, '_>, is_highest: bool) -> Result<(), Refusal> {
    let (timeout, keys) = call.arguments.split_last().ok_or(SYNTAX)?;
    let time = time(timeout)?;
    for key in keys {
        if let Some(set) = call.get_mut::<SortedSet>(key)?
            && let Some((member, score)) = set.pop(is_highest)
        {
            call.changed(key);
            call.replies.array(3);
            call.replies.bulk(key);
            call.replies.bulk(&member);
            call.replies.double(score);
            call.log(&[b"ZREM", key, &member]);
            return Ok(());
        }
    }
    if !call.wait(time) {
        call.replies.nil_array();
    }
    Ok(())
}

fn zmpop(call: &mut Call<'_, '_>, waits: bool) -> Result<(), Refusal> {
    let (time, words) = match waits {
        true => (Some(time(call.arguments[0])?), &call.arguments[1..]),
        false => (None, call.arguments),
    };
    let (keys, word, most) = several(words)?;
    let is_highest = match word.to_ascii_lowercase().as_slice() {
        b"min" => false,
        b"max" => true,
        _ => return Err(SYNTAX),
    };
    for key in keys {
        let Some(set) = call.get_mut::<SortedSet>(key)? else {
            continue;
        };
        let taken: Vec<_> = std::iter::from_fn(|| set.pop(is_highest))
            .take(most)
            .collect();
        call.changed(key);
        call.replies.array(2);
        call.replies.bulk(key);
        sorted_sets::pairs(call, &taken);
        let words: Vec<&[u8]> = taken.iter().map(|(member, _)| &**member).collect();
        call.log(&[&[b"ZREM".as_slice(), key], words.as_slice()].concat());
        return Ok(());
    }
    if time.is_none_or(|time| !call.wait(time)) {
        call.replies.nil_array();
    }
    Ok(())
}
