//! Unions, intersections and differences of sets and sorted sets: ZUNION, ZINTER, ZDIFF, and their
//! sizes.

use hashbrown::HashMap;

use super::KeysOf::{First, Numbered, StoredNumbered};
use super::scores::store;
use super::sorted_sets::say;
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, WRONG_TYPE, command};
use crate::number::read;
use crate::resp::number;
use crate::store::{Bytes, SortedSet, Value, View};

pub(super) const COMMANDS: &[Command] = &[
    command("zunion", -3, Numbered(0), |call| {
        combined(call, How::Union, "zunion")
    }),
    command("zinter", -3, Numbered(0), |call| {
        combined(call, How::Inter, "zinter")
    }),
    command("zdiff", -3, Numbered(0), |call| {
        combined(call, How::Diff, "zdiff")
    }),
    command("zunionstore", -4, StoredNumbered, |call| {
        combined(call, How::Union, "zunionstore")
    })
    .grows(),
    command("zinterstore", -4, StoredNumbered, |call| {
        combined(call, How::Inter, "zinterstore")
    })
    .grows(),
    command("zdiffstore", -4, StoredNumbered, |call| {
        combined(call, How::Diff, "zdiffstore")
    })
    .grows(),
    command("zintercard", -3, Numbered(0), |call| card(call, true)),
    command("sintercard", -3, Numbered(0), |call| card(call, false)),
    command("zmscore", -3, First, zmscore),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Union,
    Inter,
    Diff,
}

struct Options {
    weights: Vec<f64>,
    aggregate: fn(f64, f64) -> f64,
    with_scores: bool,
}

fn sum(one: f64, other: f64) -> f64 {
    let sum = one + other;
    if sum.is_nan() { 0.0 } else { sum }
}

fn options(words: &[&[u8]], keys: usize, how: How, stores: bool) -> Result<Options, Refusal> {
    let mut options = Options {
        weights: vec![1.0; keys],
        aggregate: sum,
        with_scores: false,
    };
    let mut rest = words;
    while let [word, others @ ..] = rest {
        rest = match word.to_ascii_lowercase().as_slice() {
            b"weights" if how != How::Diff && others.len() >= keys => {
                for (weight, text) in options.weights.iter_mut().zip(others) {
                    *weight = read(text).ok_or(Refusal("ERR weight value is not a float"))?;
                }
                &others[keys..]
            }
            b"aggregate" if how != How::Diff && !others.is_empty() => {
                options.aggregate = match others[0].to_ascii_lowercase().as_slice() {
                    b"sum" => sum,
                    b"min" => f64::min,
                    b"max" => f64::max,
                    _ => return Err(SYNTAX),
                };
                &others[1..]
            }
            b"withscores" if !stores => {
                options.with_scores = true;
                others
            }
            _ => return Err(SYNTAX),
        };
    }
    Ok(options)
}

/// Returns the members of a set or of a sorted set.
fn members(view: Option<View<'_>>) -> Result<Vec<(Bytes, f64)>, Refusal> {
    Ok(match view {
        None => Vec::new(),
        Some(View::Value(Value::Set(set))) => set.iter().map(|it| (it.clone(), 1.0)).collect(),
        Some(View::Value(Value::SortedSet(set))) => {
            set.iter().map(|(it, score)| (it.into(), score)).collect()
        }
        Some(_) => return Err(WRONG_TYPE),
    })
}

fn none(name: &str) -> Refusal {
    Refusal(match name {
        "zunion" => "ERR at least 1 input key is needed for 'zunion' command",
        "zinter" => "ERR at least 1 input key is needed for 'zinter' command",
        "zdiff" => "ERR at least 1 input key is needed for 'zdiff' command",
        "zunionstore" => "ERR at least 1 input key is needed for 'zunionstore' command",
        "zinterstore" => "ERR at least 1 input key is needed for 'zinterstore' command",
        _ => "ERR at least 1 input key is needed for 'zdiffstore' command",
    })
}

fn combined(call: &mut Call<'_, '_>, how: How, name: &str) -> Result<(), Refusal> {
    let stores = name.ends_with("store");
    let words = &call.arguments[usize::from(stores)..];
    let count = number(words[0]).ok_or(NOT_AN_INTEGER)?;
    let count = usize::try_from(count)
        .ok()
        .filter(|it| *it > 0)
        .ok_or(none(name))?;
    let keys = words.get(1..=count).ok_or(SYNTAX)?;
    let mut inputs = Vec::with_capacity(count);
    for key in keys {
        inputs.push(members(call.value(key))?);
    }
    let options = options(&words[1 + count..], count, how, stores)?;
    let mut set = SortedSet::default();
    put_together(inputs, how, &options)
        .into_iter()
        .for_each(|(member, score)| set.set(&member, score));
    let found: Vec<(Bytes, f64)> = set
        .iter()
        .map(|(member, score)| (member.into(), score))
        .collect();
    match stores {
        true => store(call, call.arguments[0], found),
        false => say(call, &found, options.with_scores),
    }
    Ok(())
}

fn put_together(
    inputs: Vec<Vec<(Bytes, f64)>>,
    how: How,
    options: &Options,
) -> HashMap<Bytes, f64> {
    let weighed = |score: f64, weight: f64| {
        let score = score * weight;
        if score.is_nan() { 0.0 } else { score }
    };
    let mut found: HashMap<Bytes, f64> = HashMap::new();
    for (at, (input, weight)) in inputs.into_iter().zip(&options.weights).enumerate() {
        let mut input: HashMap<Bytes, f64> = input
            .into_iter()
            .map(|(member, score)| (member, weighed(score, *weight)))
            .collect();
        match how {
            _ if at == 0 => found = input,
            How::Diff => found.retain(|member, _| !input.contains_key(member)),
            How::Inter => found.retain(|member, score| {
                let other = input.get(member);
                *score = other.map_or(*score, |other| (options.aggregate)(*score, *other));
                other.is_some()
            }),
            How::Union => {
                for (member, score) in input.drain() {
                    let entry = found.entry(member);
                    entry
                        .and_modify(|it| *it = (options.aggregate)(*it, score))
                        .or_insert(score);
                }
            }
        }
    }
    found
}

/// Parses options `LIMIT count`. The last one counts.
fn limit(words: &[&[u8]]) -> Result<usize, Refusal> {
    let pairs = words.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(SYNTAX);
    }
    let mut limit = 0;
    for pair in pairs {
        if !pair[0].eq_ignore_ascii_case(b"limit") {
            return Err(SYNTAX);
        }
        let number = number(pair[1]).and_then(|it| usize::try_from(it).ok());
        limit = number.ok_or(Refusal("ERR LIMIT can't be negative"))?;
    }
    Ok(limit)
}

fn card(call: &mut Call<'_, '_>, may_be_sorted: bool) -> Result<(), Refusal> {
    let words = call.arguments;
    let (too_few, too_many, not_a_number) = match may_be_sorted {
        true => (
            "ERR at least 1 input key is needed for 'zintercard' command",
            SYNTAX.0,
            NOT_AN_INTEGER.0,
        ),
        false => (
            "ERR numkeys should be greater than 0",
            "ERR Number of keys can't be greater than number of args",
            "ERR numkeys should be greater than 0",
        ),
    };
    let count = number(words[0]).ok_or(Refusal(not_a_number))?;
    let count = usize::try_from(count).ok().filter(|it| *it > 0);
    let count = count.ok_or(Refusal(too_few))?;
    let keys = words.get(1..=count).ok_or(Refusal(too_many))?;
    // The variant for sets checks its options first.
    let limit = limit(&words[1 + count..]);
    if !may_be_sorted {
        limit?;
    }
    let mut inputs = Vec::with_capacity(count);
    for key in keys {
        let view = call.value(key);
        if !may_be_sorted && matches!(view, Some(View::Value(Value::SortedSet(_)))) {
            return Err(WRONG_TYPE);
        }
        inputs.push(members(view)?);
    }
    let options = Options {
        weights: vec![1.0; count],
        aggregate: sum,
        with_scores: false,
    };
    let limit = limit?;
    let found = put_together(inputs, How::Inter, &options).len();
    call.replies
        .count(if limit == 0 { found } else { found.min(limit) });
    Ok(())
}

fn zmscore(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let members = &call.arguments[1..];
    let set = call.get::<SortedSet>(call.arguments[0])?;
    let scores: Vec<Option<f64>> = members
        .iter()
        .map(|it| set.and_then(|set| set.score(it)))
        .collect();
    call.replies.array(scores.len());
    for score in scores {
        match score {
            Some(score) => call.replies.double(score),
            None => call.replies.nil(),
        }
    }
    Ok(())
}
