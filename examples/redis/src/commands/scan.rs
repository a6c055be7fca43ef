//! SCAN and its variants. A cursor is a position in the order of the hashes. So a pass finds
//! everything that exists from its start to its end, even if tables grow in between.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use super::KeysOf::{Everything, First};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::pattern::matches;
use crate::resp::number;
use crate::store::{Bytes, Hash, Kind, Names, STRIPES, Set, SortedSet};

pub(super) const COMMANDS: &[Command] = &[
    command("scan", -2, Everything, scan),
    command("hscan", -3, First, step::<Hash>),
    command("sscan", -3, First, step::<Set>),
    command("zscan", -3, First, step::<SortedSet>),
];

/// Number of parts into which the hashes of a table are divided.
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

/// Returns the parts, starting at `first`, that contain about `count` of `len` elements, and the
/// next cursor, which is 0 at the end.
fn parts(first: u64, len: usize, count: usize) -> (Range<u64>, u64) {
    /// Tables with fewer elements are not divided.
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

/// A type of values that can be scanned.
trait Walked: Kind {
    fn count(&self) -> usize;
    /// Returns all names with the parts of their hashes.
    fn names(&self) -> Vec<(u64, Bytes)>;
    /// Adds the reply for a name, if the name still exists.
    fn tell(&self, name: &[u8], found: &mut Vec<Bytes>);
}

impl Walked for Hash {
    fn count(&self) -> usize {
        self.len()
    }

    fn names(&self) -> Vec<(u64, Bytes)> {
        let hashed = self
            .keys()
            .map(|it| (part(self.hasher().hash_one(it)), it.clone()));
        hashed.collect()
    }

    fn tell(&self, name: &[u8], found: &mut Vec<Bytes>) {
        if let Some((field, value)) = self.get_key_value(name) {
            found.extend([field.clone(), value.clone()]);
        }
    }
}

impl Walked for Set {
    fn count(&self) -> usize {
        self.len()
    }

    fn names(&self) -> Vec<(u64, Bytes)> {
        let hashed = self
            .iter()
            .map(|it| (part(self.hasher().hash_one(it)), it.clone()));
        hashed.collect()
    }

    fn tell(&self, name: &[u8], found: &mut Vec<Bytes>) {
        found.extend(self.get(name).cloned());
    }
}

impl Walked for SortedSet {
    fn count(&self) -> usize {
        self.len()
    }

    fn names(&self) -> Vec<(u64, Bytes)> {
        let hashed = self.iter().map(|(it, _)| (part(self.hash(it)), it.into()));
        hashed.collect()
    }

    fn tell(&self, name: &[u8], found: &mut Vec<Bytes>) {
        if let Some(score) = self.score(name) {
            let score = crate::number::text(score).into_bytes();
            found.extend([name.into(), score.into_boxed_slice()]);
        }
    }
}

/// Makes a step of a pass over a value.
fn step<W: Walked>(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (arguments, server, db) = (call.arguments, call.server, call.locked.db);
    let (key, first) = (arguments[0], cursor(arguments[1])?);
    // Like Redis, this reads the options only if the key exists.
    let Some(value) = call.get::<W>(key)? else {
        say(call, 0, &[]);
        return Ok(());
    };
    let options = Options::read(&arguments[2..], false)?;
    let (parts, next) = parts(first, value.count(), options.count);
    let is_one_step = first == 0 && next == 0;
    let (walks, now) = (&server.store.walks, crate::store::now());
    // A new pass starts with the present names.
    let kept = if first == 0 {
        None
    } else {
        walks.find(db, key, now)
    };
    let names = kept.unwrap_or_else(|| {
        let names = Arc::new(Names::sorted(value.names()));
        if !is_one_step {
            walks.keep(db, key, &names, now);
        }
        names
    });
    let mut found = Vec::new();
    for name in names.of(&parts).filter(|it| options.takes(it)) {
        value.tell(name, &mut found);
    }
    if next == 0 && !is_one_step {
        walks.forget(db, key);
    }
    say(call, next, &found);
    Ok(())
}
