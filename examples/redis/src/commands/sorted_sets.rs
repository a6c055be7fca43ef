//! Commands for sorted sets.

use super::KeysOf::First;
use super::{Call, Command, NOT_A_FLOAT, Refusal, SYNTAX, command};
use crate::number::read;
use crate::resp::number;
use crate::store::{Bytes, SortedSet};

pub(super) const COMMANDS: &[Command] = &[
    command("zadd", -4, First, zadd).grows(),
    command("zincrby", 4, First, zincrby).grows(),
    command("zrem", -3, First, zrem),
    command("zscore", 3, First, zscore),
    command("zcard", 2, First, zcard),
    command("zrank", 3, First, |call| rank(call, false)),
    command("zrevrank", 3, First, |call| rank(call, true)),
    command("zpopmin", -2, First, |call| pop(call, false)),
    command("zpopmax", -2, First, |call| pop(call, true)),
];

/// The options of ZADD.
#[derive(Default)]
struct Options {
    if_new: bool,
    if_there: bool,
    if_greater: bool,
    if_less: bool,
    counts_changes: bool,
    adds: bool,
}

impl Options {
    /// Parses the options. Returns them, and the number of their words.
    fn read(words: &[&[u8]]) -> (Self, usize) {
        let mut options = Options::default();
        for (at, word) in words.iter().enumerate() {
            match word.to_ascii_lowercase().as_slice() {
                b"nx" => options.if_new = true,
                b"xx" => options.if_there = true,
                b"gt" => options.if_greater = true,
                b"lt" => options.if_less = true,
                b"ch" => options.counts_changes = true,
                b"incr" => options.adds = true,
                _ => return (options, at),
            }
        }
        (options, words.len())
    }

    fn check(&self, pairs: usize) -> Result<(), Refusal> {
        if self.if_new && self.if_there {
            let why = "ERR XX and NX options at the same time are not compatible";
            return Err(Refusal(why));
        }
        let directions = usize::from(self.if_greater) + usize::from(self.if_less);
        if directions + usize::from(self.if_new) > 1 {
            let why = "ERR GT, LT, and/or NX options at the same time are not compatible";
            return Err(Refusal(why));
        }
        if self.adds && pairs > 1 {
            return Err(Refusal(
                "ERR INCR option supports a single increment-element pair",
            ));
        }
        Ok(())
    }

    fn allows(&self, before: Option<f64>, score: f64) -> bool {
        match before {
            None => !self.if_there,
            Some(before) => {
                !self.if_new
                    && (!self.if_greater || score > before)
                    && (!self.if_less || score < before)
            }
        }
    }
}

fn zadd(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (options, skipped) = Options::read(&call.arguments[1..]);
    let pairs = &call.arguments[1 + skipped..];
    if pairs.is_empty() || !pairs.len().is_multiple_of(2) {
        return Err(SYNTAX);
    }
    options.check(pairs.len() / 2)?;
    let scores = pairs
        .iter()
        .step_by(2)
        .map(|text| read(text).ok_or(NOT_A_FLOAT));
    let scores = scores.collect::<Result<Vec<f64>, Refusal>>()?;
    let key = call.arguments[0];
    let set = call.get_or_new::<SortedSet>(key)?;
    let (mut added, mut changed, mut last) = (0, 0, None);
    for (pair, score) in pairs.chunks_exact(2).zip(scores) {
        let before = set.score(pair[1]);
        let score = if options.adds {
            before.unwrap_or(0.0) + score
        } else {
            score
        };
        if score.is_nan() {
            call.locked.keys(key).discard_if_empty(key);
            return Err(Refusal("ERR resulting score is not a number (NaN)"));
        }
        if options.allows(before, score) {
            added += usize::from(before.is_none());
            changed += usize::from(before.is_some_and(|before| before != score));
            set.set(pair[1], score);
            last = Some(score);
        }
    }
    match added + changed {
        0 => call.locked.keys(key).discard_if_empty(key),
        _ => call.changed(key),
    }
    match (options.adds, last) {
        (true, Some(score)) => call.replies.double(score),
        (true, None) => call.replies.nil(),
        (false, _) if options.counts_changes => call.replies.count(added + changed),
        (false, _) => call.replies.count(added),
    }
    Ok(())
}

fn zincrby(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let by = read(call.arguments[1]).ok_or(NOT_A_FLOAT)?;
    let (key, member) = (call.arguments[0], call.arguments[2]);
    let before = call
        .get::<SortedSet>(key)?
        .and_then(|set| set.score(member));
    let score = before.unwrap_or(0.0) + by;
    if score.is_nan() {
        return Err(Refusal("ERR resulting score is not a number (NaN)"));
    }
    call.get_or_new::<SortedSet>(key)?.set(member, score);
    call.changed(key);
    call.replies.double(score);
    Ok(())
}

fn zrem(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, members) = (call.arguments[0], &call.arguments[1..]);
    let set = call.get_mut::<SortedSet>(key)?;
    let removed = set.map_or(0, |set| members.iter().filter(|it| set.remove(it)).count());
    if removed > 0 {
        call.changed(key);
    }
    call.replies.count(removed);
    Ok(())
}

fn zscore(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let member = call.arguments[1];
    let set = call.get::<SortedSet>(call.arguments[0])?;
    match set.and_then(|set| set.score(member)) {
        Some(score) => call.replies.double(score),
        None => call.replies.nil(),
    }
    Ok(())
}

fn zcard(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let len = call
        .get::<SortedSet>(call.arguments[0])?
        .map_or(0, SortedSet::len);
    call.replies.count(len);
    Ok(())
}

fn rank(call: &mut Call<'_, '_>, from_end: bool) -> Result<(), Refusal> {
    let member = call.arguments[1];
    let set = call.get::<SortedSet>(call.arguments[0])?;
    let found = set.and_then(|set| {
        let rank = set.iter().position(|(it, _)| it == member)?;
        Some(if from_end { set.len() - 1 - rank } else { rank })
    });
    match found {
        Some(rank) => call.replies.count(rank),
        None => call.replies.nil(),
    }
    Ok(())
}

pub(super) fn say(call: &mut Call<'_, '_>, members: &[(Bytes, f64)], with_scores: bool) {
    let has_pairs = with_scores && call.replies.is_resp3;
    match with_scores && !has_pairs {
        true => call.replies.array(2 * members.len()),
        false => call.replies.array(members.len()),
    }
    for (member, score) in members {
        if has_pairs {
            call.replies.array(2);
        }
        call.replies.bulk(member);
        if with_scores {
            call.replies.double(*score);
        }
    }
}

fn pop(call: &mut Call<'_, '_>, is_highest: bool) -> Result<(), Refusal> {
    let key = call.arguments[0];
    if call.arguments.len() > 2 {
        return Err(SYNTAX);
    }
    let why = Refusal("ERR value is out of range, must be positive");
    let count = call
        .arguments
        .get(1)
        .map(|text| number(text).ok_or(why))
        .transpose()?;
    let most = usize::try_from(count.unwrap_or(1)).map_err(|_| why)?;
    let popped: Vec<(Bytes, f64)> = match call.get_mut::<SortedSet>(key)? {
        None => Vec::new(),
        Some(set) => std::iter::from_fn(|| set.pop(is_highest))
            .take(most)
            .collect(),
    };
    if !popped.is_empty() {
        call.changed(key);
    }
    if count.is_none() && call.replies.is_resp3 && !popped.is_empty() {
        // A single pair is not wrapped in another array.
        call.replies.array(2);
        call.replies.bulk(&popped[0].0);
        call.replies.double(popped[0].1);
        return Ok(());
    }
    say(call, &popped, true);
    Ok(())
}

/// Writes pairs, each as an array.
pub(super) fn pairs(call: &mut Call<'_, '_>, members: &[(Bytes, f64)]) {
    call.replies.array(members.len());
    for (member, score) in members {
        call.replies.array(2);
        call.replies.bulk(member);
        call.replies.double(*score);
    }
}
