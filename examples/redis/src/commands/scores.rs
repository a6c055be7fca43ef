//! Ranges of sorted sets: by rank, by score, or by member.

use super::KeysOf::{First, FirstTwo};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command, range, sorted_sets::say};
use crate::number::read;
use crate::resp::number;
use crate::store::{Bytes, SortedSet, Value};

pub(super) const COMMANDS: &[Command] = &[
    command("zrange", -4, First, |call| zrange(call, 0, Form::default())),
    command("zrangestore", -5, FirstTwo, |call| {
        zrange(call, 1, Form::default())
    })
    .grows(),
    command("zrevrange", -4, First, |call| {
        zrange(call, 0, form(By::Rank, true))
    }),
    command("zrangebyscore", -4, First, |call| {
        zrange(call, 0, form(By::Score, false))
    }),
    command("zrevrangebyscore", -4, First, |call| {
        zrange(call, 0, form(By::Score, true))
    }),
    command("zrangebylex", -4, First, |call| {
        zrange(call, 0, form(By::Lex, false))
    }),
    command("zrevrangebylex", -4, First, |call| {
        zrange(call, 0, form(By::Lex, true))
    }),
    command("zcount", 4, First, |call| count(call, By::Score)),
    command("zlexcount", 4, First, |call| count(call, By::Lex)),
    command("zremrangebyrank", 4, First, |call| remove(call, By::Rank)),
    command("zremrangebyscore", 4, First, |call| remove(call, By::Score)),
    command("zremrangebylex", 4, First, |call| remove(call, By::Lex)),
];

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum By {
    #[default]
    Rank,
    Score,
    Lex,
}

/// The form of a command: set by its name, and extended by its options.
#[derive(Debug, Clone, Copy, Default)]
struct Form {
    by: By,
    from_end: bool,
    with_scores: bool,
    limit: Option<(i64, i64)>,
    /// Whether the name fixes the form, so that no options may change it.
    is_fixed: bool,
}

const fn form(by: By, from_end: bool) -> Form {
    Form {
        by,
        from_end,
        with_scores: false,
        limit: None,
        is_fixed: true,
    }
}

enum Bounds {
    Rank(i64, i64),
    Score((f64, bool), (f64, bool)),
    Lex(Bound, Bound),
}

/// An end of a range of members.
enum Bound {
    Lowest,
    Highest,
    Of(Bytes, bool),
}

impl Form {
    fn options(mut self, words: &[&[u8]], stores: bool) -> Result<Self, Refusal> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_slice() {
                b"withscores" if !stores => self.with_scores = true,
                b"limit" => {
                    let mut next = || number(words.next().ok_or(SYNTAX)?).ok_or(NOT_AN_INTEGER);
                    self.limit = Some((next()?, next()?));
                }
                b"byscore" if !self.is_fixed => self.by = By::Score,
                b"bylex" if !self.is_fixed => self.by = By::Lex,
                b"rev" if !self.is_fixed => self.from_end = true,
                _ => return Err(SYNTAX),
            }
        }
        if self.limit.is_some_and(|(_, count)| count != -1) && self.by == By::Rank {
            let why = "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX";
            return Err(Refusal(why));
        }
        if self.with_scores && self.by == By::Lex {
            let why = "ERR syntax error, WITHSCORES not supported in combination with BYLEX";
            return Err(Refusal(why));
        }
        Ok(self)
    }
}

fn score_bound(text: &[u8]) -> Result<(f64, bool), Refusal> {
    let (text, is_open) = text
        .strip_prefix(b"(")
        .map_or((text, false), |rest| (rest, true));
    let score = read(text).ok_or(Refusal("ERR min or max is not a float"))?;
    Ok((score, is_open))
}

fn lex_bound(text: &[u8]) -> Result<Bound, Refusal> {
    match text {
        b"-" => Ok(Bound::Lowest),
        b"+" => Ok(Bound::Highest),
        [b'[', rest @ ..] => Ok(Bound::Of(rest.into(), false)),
        [b'(', rest @ ..] => Ok(Bound::Of(rest.into(), true)),
        _ => Err(Refusal("ERR min or max not valid string range item")),
    }
}

impl Bounds {
    fn read(by: By, low: &[u8], high: &[u8]) -> Result<Self, Refusal> {
        Ok(match by {
            By::Rank => {
                let low = number(low).ok_or(NOT_AN_INTEGER)?;
                Bounds::Rank(low, number(high).ok_or(NOT_AN_INTEGER)?)
            }
            By::Score => Bounds::Score(score_bound(low)?, score_bound(high)?),
            By::Lex => Bounds::Lex(lex_bound(low)?, lex_bound(high)?),
        })
    }

    fn select(
        &self,
        set: &SortedSet,
        from_end: bool,
        limit: Option<(i64, i64)>,
    ) -> Vec<(Bytes, f64)> {
        let owned = |(member, score): (&[u8], f64)| (Bytes::from(member), score);
        let mut found: Vec<(Bytes, f64)> = match self {
            Bounds::Rank(first, last) => {
                let range = range(*first, *last, set.len());
                let (skipped, count) = (range.start, range.len());
                return match from_end {
                    false => set.iter().skip(skipped).take(count).map(owned).collect(),
                    true => set
                        .iter()
                        .rev()
                        .skip(skipped)
                        .take(count)
                        .map(owned)
                        .collect(),
                };
            }
            Bounds::Score((low, above), (high, below)) => {
                let from = set
                    .from(*low)
                    .skip_while(|(_, score)| *above && *score == *low);
                let within =
                    |(_, score): &(&[u8], f64)| if *below { score < high } else { score <= high };
                from.take_while(within).map(owned).collect()
            }
            Bounds::Lex(low, high) => by_member(set, low, high),
        };
        if from_end {
            found.reverse();
        }
        if let Some((offset, count)) = limit {
            let offset = usize::try_from(offset)
                .unwrap_or(usize::MAX)
                .min(found.len());
            found.drain(..offset);
            found.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        }
        found
    }
}

/// Returns the members between two bounds.
fn by_member(set: &SortedSet, low: &Bound, high: &Bound) -> Vec<(Bytes, f64)> {
    let above = |(member, _): &(&[u8], f64)| match low {
        Bound::Lowest => true,
        Bound::Highest => false,
        Bound::Of(bound, is_open) => **member > **bound || (!is_open && **member == **bound),
    };
    let below = |(member, _): &(&[u8], f64)| match high {
        Bound::Lowest => false,
        Bound::Highest => true,
        Bound::Of(bound, is_open) => **member < **bound || (!is_open && **member == **bound),
    };
    // If the scores differ, the first and last members decide whether there is a range at all, as
    // in redis-server.
    let is_range = set.iter().next_back().is_some_and(|it| above(&it))
        && set.iter().next().is_some_and(|it| below(&it));
    if !is_range {
        return Vec::new();
    }
    let from = set.iter().skip_while(|it| !above(it));
    let owned = |(member, score): (&[u8], f64)| (Bytes::from(member), score);
    from.take_while(below).map(owned).collect()
}

fn zrange(call: &mut Call<'_, '_>, at: usize, form: Form) -> Result<(), Refusal> {
    let stores = at == 1;
    let form = form.options(&call.arguments[at + 3..], stores)?;
    let (mut low, mut high) = (call.arguments[at + 1], call.arguments[at + 2]);
    if form.from_end && form.by != By::Rank {
        (low, high) = (high, low);
    }
    let bounds = Bounds::read(form.by, low, high)?;
    let set = call.get::<SortedSet>(call.arguments[at])?;
    let found = set.map(|set| bounds.select(set, form.from_end, form.limit));
    let found = found.unwrap_or_default();
    match stores {
        false => say(call, &found, form.with_scores),
        true => store(call, call.arguments[0], found),
    }
    Ok(())
}

/// Stores these members in a key, and replies with their number.
pub(super) fn store(call: &mut Call<'_, '_>, key: &[u8], members: Vec<(Bytes, f64)>) {
    let mut set = SortedSet::default();
    members
        .iter()
        .for_each(|(member, score)| set.set(member, *score));
    let keys = call.locked.keys(key);
    match set.is_empty() {
        true => drop(keys.remove(key)),
        false => keys.set(key, Value::SortedSet(Box::new(set)), 0),
    }
    call.replies.count(members.len());
}

fn count(call: &mut Call<'_, '_>, by: By) -> Result<(), Refusal> {
    let bounds = Bounds::read(by, call.arguments[1], call.arguments[2])?;
    let set = call.get::<SortedSet>(call.arguments[0])?;
    let count = set.map_or(0, |set| bounds.select(set, false, None).len());
    call.replies.count(count);
    Ok(())
}

fn remove(call: &mut Call<'_, '_>, by: By) -> Result<(), Refusal> {
    let bounds = Bounds::read(by, call.arguments[1], call.arguments[2])?;
    let key = call.arguments[0];
    let mut count = 0;
    if let Some(set) = call.get_mut::<SortedSet>(key)? {
        let found = bounds.select(set, false, None);
        count = found.len();
        for (member, _) in &found {
            set.remove(member);
        }
    }
    if count > 0 {
        call.changed(key);
    }
    call.replies.count(count);
    Ok(())
}
