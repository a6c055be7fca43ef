//! The command SORT.

use std::cmp::Ordering;

use super::KeysOf::Sorted;
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, WRONG_TYPE, command};
use crate::number::read;
use crate::resp::number;
use crate::store::{Bytes, Hash, List, Value, View};

pub(super) const COMMANDS: &[Command] = &[
    command("sort", -2, Sorted, |call| sort(call, true)).grows(),
    command("sort_ro", -2, Sorted, |call| sort(call, false)),
];

#[derive(Default)]
struct Options<'a> {
    by: Option<&'a [u8]>,
    gets: Vec<&'a [u8]>,
    limit: Option<(i64, i64)>,
    from_end: bool,
    by_bytes: bool,
    to: Option<&'a [u8]>,
}

fn options<'a>(words: &[&'a [u8]], may_store: bool) -> Result<Options<'a>, Refusal> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut next = || words.next().copied().ok_or(SYNTAX);
        match word.to_ascii_lowercase().as_slice() {
            b"asc" => options.from_end = false,
            b"desc" => options.from_end = true,
            b"alpha" => options.by_bytes = true,
            b"by" => options.by = Some(next()?),
            b"get" => options.gets.push(next()?),
            b"store" if may_store => options.to = Some(next()?),
            b"limit" => {
                let (offset, count) = (next()?, next()?);
                let offset = number(offset).ok_or(NOT_AN_INTEGER)?;
                options.limit = Some((offset, number(count).ok_or(NOT_AN_INTEGER)?));
            }
            _ => return Err(SYNTAX),
        }
    }
    Ok(options)
}

/// Returns the key to sort, and the key to store the result in.
pub fn keys<'a>(arguments: &[&'a [u8]], may_store: bool) -> Vec<&'a [u8]> {
    let Some((key, rest)) = arguments.split_first() else {
        return Vec::new();
    };
    // Options after a wrong one need not be considered, because the command is refused.
    let stored =
        words(rest).filter_map(|(word, value)| (may_store && word == b"store").then_some(value?));
    [*key].into_iter().chain(stored.last()).collect()
}

/// Returns the first option that reads keys which only its pattern names.
#[must_use]
pub fn reads_others(arguments: &[&[u8]]) -> Option<&'static str> {
    words(arguments.get(1..).unwrap_or_default()).find_map(|(word, value)| match &*word {
        b"by" if value.is_some_and(|it| it.contains(&b'*')) => Some("BY"),
        b"get" => Some("GET"),
        _ => None,
    })
}

/// Iterates over the options in lower case, each with its first argument.
fn words<'w, 'a>(
    words: &'w [&'a [u8]],
) -> impl Iterator<Item = (Vec<u8>, Option<&'a [u8]>)> + use<'w, 'a> {
    let mut words = words.iter();
    std::iter::from_fn(move || {
        let word = words.next()?.to_ascii_lowercase();
        let count = match word.as_slice() {
            b"by" | b"get" | b"store" => 1,
            b"limit" => 2,
            _ => 0,
        };
        let first = words.as_slice().first().copied().filter(|_| count > 0);
        words = words.as_slice().get(count..).unwrap_or_default().iter();
        Some((word, first))
    })
}

/// Looks up what a pattern names for an element: a string, or a field of a hash after `->`.
fn looked_up(call: &mut Call<'_, '_>, pattern: &[u8], element: &[u8]) -> Option<Bytes> {
    if pattern == b"#" {
        return Some(element.into());
    }
    let star = pattern.iter().position(|byte| *byte == b'*')?;
    let arrow = pattern
        .windows(2)
        .skip(star)
        .position(|two| two == b"->")
        .map(|at| at + star);
    let arrow = arrow.filter(|at| at + 2 < pattern.len());
    let end = arrow.unwrap_or(pattern.len());
    let key = [&pattern[..star], element, &pattern[star + 1..end]].concat();
    match arrow {
        None => call.string(&key).ok().flatten().map(Into::into),
        Some(arrow) => {
            let hash = call.get::<Hash>(&key).ok().flatten()?;
            hash.get(&pattern[arrow + 2..]).cloned()
        }
    }
}

fn elements(call: &mut Call<'_, '_>, key: &[u8]) -> Result<(Vec<Bytes>, bool), Refusal> {
    Ok(match call.value(key) {
        None => (Vec::new(), false),
        Some(View::Value(Value::List(list))) => (list.iter().cloned().collect(), false),
        Some(View::Value(Value::Set(set))) => (set.iter().cloned().collect(), true),
        Some(View::Value(Value::SortedSet(set))) => {
            (set.iter().map(|(it, _)| it.into()).collect(), false)
        }
        Some(_) => return Err(WRONG_TYPE),
    })
}

fn sort(call: &mut Call<'_, '_>, may_store: bool) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let options = options(&call.arguments[1..], may_store)?;
    let (mut all, is_set) = elements(call, key)?;
    let is_sorted = options.by.is_none_or(|by| by.contains(&b'*'));
    if is_sorted {
        all = sorted(call, all, &options)?;
    } else if is_set && options.to.is_some() {
        // Sorting makes the stored result deterministic.
        all.sort();
    } else if options.from_end && matches!(call.value(key), Some(View::Value(Value::SortedSet(_))))
    {
        all.reverse();
    }
    if let Some((offset, count)) = options.limit {
        let offset = usize::try_from(offset).unwrap_or(0).min(all.len());
        all.drain(..offset);
        all.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    }
    let found: Vec<Option<Bytes>> = match options.gets.is_empty() {
        true => all.into_iter().map(Some).collect(),
        false => {
            let pairs = all
                .iter()
                .flat_map(|element| options.gets.iter().map(move |get| (element, get)));
            pairs
                .map(|(element, get)| looked_up(call, get, element))
                .collect()
        }
    };
    let Some(to) = options.to else {
        call.replies.array(found.len());
        found
            .iter()
            .for_each(|it| call.replies.maybe(it.as_deref()));
        return Ok(());
    };
    let list: List = found.into_iter().map(Option::unwrap_or_default).collect();
    let len = list.len();
    let keys = call.locked.keys(to);
    match len {
        0 => drop(keys.remove(to)),
        _ => keys.set(to, Value::List(list), 0),
    }
    call.replies.count(len);
    Ok(())
}

fn sorted(
    call: &mut Call<'_, '_>,
    all: Vec<Bytes>,
    options: &Options<'_>,
) -> Result<Vec<Bytes>, Refusal> {
    let mut weighed: Vec<(f64, Option<Bytes>, Bytes)> = Vec::with_capacity(all.len());
    for element in all {
        let weight = match options.by {
            None => Some(element.clone()),
            Some(by) => looked_up(call, by, &element),
        };
        let number = match &weight {
            Some(text) if !options.by_bytes && !text.is_empty() => read(text).ok_or(Refusal(
                "ERR One or more scores can't be converted into double",
            ))?,
            _ => 0.0,
        };
        weighed.push((number, weight.filter(|_| options.by_bytes), element));
    }
    weighed.sort_by(|one, other| {
        let numbers = one.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal);
        let order = numbers.then_with(|| one.1.cmp(&other.1)).then_with(|| {
            match options.by_bytes && options.by.is_none() {
                true => Ordering::Equal,
                false => one.2.cmp(&other.2),
            }
        });
        if options.from_end {
            order.reverse()
        } else {
            order
        }
    });
    Ok(weighed.into_iter().map(|(_, _, element)| element).collect())
}
