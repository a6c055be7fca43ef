//! SCAN and its kin. A cursor is a place among the hashes, so that what is there all the time is found, however tables grow.

use std::hash::BuildHasher;
use std::ops::Range;

use super::KeysOf::{Everything, First};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::pattern::matches;
use crate::resp::number;
use crate::store::{Bytes, Hash, Kind, STRIPES, Set, SortedSet};

pub(super) const COMMANDS: &[Command] = &[
    command("scan", -2, Everything, scan),
    command("hscan", -3, First, hscan),
    command("sscan", -3, First, sscan),
    command("zscan", -3, First, zscan),
];

/// The hashes of a table are divided into so many parts.
const PARTS: u64 = 1 << 16;

struct Options {
    pattern: Option<Bytes>,
    count: usize,
    type_name: Option<Vec<u8>>,
}

impl Options {
    fn read(words: &[&[u8]], has_type: bool) -> Result<Self, Refusal> {
        let mut options = Options {
            pattern: None,
            count: 10,
            type_name: None,
        };
        for pair in words.chunks(2) {
            let [word, value] = pair else {
                return Err(SYNTAX);
            };
            match word.to_ascii_lowercase().as_slice() {
                b"count" => {
                    let count = number(value).ok_or(NOT_AN_INTEGER)?;
                    options.count = usize::try_from(count)
                        .ok()
                        .filter(|it| *it > 0)
                        .ok_or(SYNTAX)?;
                }
                b"match" => options.pattern = Some((*value).into()),
                b"type" if has_type => options.type_name = Some(value.to_ascii_lowercase()),
                _ => return Err(SYNTAX),
            }
        }
        Ok(options)
    }

    fn takes(&self, name: &[u8]) -> bool {
        self.pattern
            .as_ref()
            .is_none_or(|pattern| matches(pattern, name))
    }
}

fn cursor(text: &[u8]) -> Result<u64, Refusal> {
    let text = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok());
    text.ok_or(Refusal("ERR invalid cursor"))
}

/// The parts from `first` on that have about `count` of `len` elements, and the next cursor; 0 at the end.
fn parts(first: u64, len: usize, count: usize) -> (Range<u64>, u64) {
    /// So many are not divided.
    const FEW: usize = 128;
    let pieces = (len / count.max(FEW)).next_power_of_two().clamp(1, 1 << 10);
    let end = first.saturating_add(PARTS / u64::try_from(pieces).unwrap_or(1));
    (first..end, if end >= PARTS { 0 } else { end })
}

fn part(hash: u64) -> u64 {
    hash >> 48
}

fn scan(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let cursor = cursor(call.arguments[0])?;
    let options = Options::read(&call.arguments[1..], true)?;
    let stripes = u64::try_from(STRIPES).unwrap_or(1);
    let (mut stripe, mut first) = (cursor % stripes, cursor / stripes);
    let (mut found, mut seen, mut next) = (Vec::<Bytes>::new(), 0, 0);
    for keys in call
        .locked
        .each()
        .skip(usize::try_from(stripe).unwrap_or(0))
    {
        let (wanted, behind) = parts(first, keys.len(), options.count);
        for (key, view, _) in keys
            .iter()
            .filter(|(key, ..)| wanted.contains(&part(keys.hash(key))))
        {
            let type_name = options.type_name.as_deref();
            seen += 1;
            if options.takes(key)
                && type_name.is_none_or(|name| name == view.type_name().as_bytes())
            {
                found.push(key.into());
            }
        }
        (stripe, first) = if behind == 0 {
            (stripe + 1, 0)
        } else {
            (stripe, behind)
        };
        next = if stripe == stripes {
            0
        } else {
            first * stripes + stripe
        };
        if seen >= options.count || behind != 0 {
            break;
        }
    }
    say(call, next, &found);
    Ok(())
}

fn say(call: &mut Call<'_, '_>, next: u64, found: &[Bytes]) {
    call.replies.array(2);
    call.replies.bulk(next.to_string().as_bytes());
    call.replies.array(found.len());
    found.iter().for_each(|it| call.replies.bulk(it));
}

/// The elements of a value that one step of a pass finds.
struct Step {
    parts: Range<u64>,
    options: Options,
    found: Vec<Bytes>,
}

impl Step {
    fn takes(&self, hash: u64, name: &[u8]) -> bool {
        self.parts.contains(&part(hash)) && self.options.takes(name)
    }
}

/// A step over the elements of a value that has `len` elements.
fn step<K: Kind>(
    call: &mut Call<'_, '_>,
    len: fn(&K) -> usize,
    find: fn(&K, &mut Step),
) -> Result<(), Refusal> {
    let arguments = call.arguments;
    let first = cursor(arguments[1])?;
    // Redis reads the options of a key that is there only.
    let Some(value) = call.get::<K>(arguments[0])? else {
        say(call, 0, &[]);
        return Ok(());
    };
    let options = Options::read(&arguments[2..], false)?;
    let (parts, next) = parts(first, len(value), options.count);
    let mut step = Step {
        parts,
        options,
        found: Vec::new(),
    };
    find(value, &mut step);
    say(call, next, &step.found);
    Ok(())
}

fn hscan(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    step(call, Hash::len, |hash, step| {
        for (field, value) in hash {
            if step.takes(hash.hasher().hash_one(field), field) {
                step.found.extend([field.clone(), value.clone()]);
            }
        }
    })
}

fn sscan(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    step(call, Set::len, |set, step| {
        for member in set {
            if step.takes(set.hasher().hash_one(member), member) {
                step.found.push(member.clone());
            }
        }
    })
}

fn zscan(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    step(call, SortedSet::len, |set, step| {
        for (member, score) in set.iter() {
            if step.takes(set.hash(member), member) {
                let score = crate::number::text(score).into_bytes();
                step.found.extend([member.into(), score.into_boxed_slice()]);
            }
        }
    })
}
