//! The functions of `string` that match patterns, and `string.rep`.
//!
//! They replace Lua's own C functions. While one of those runs, a script cannot be killed, and a
//! pattern that makes it recur deeply overflows the stack.

mod compile;
mod matching;

use std::sync::Arc;

use memchr::memmem;
use mlua::{Lua, MultiValue, Result, Table, Value};

use super::{Arguments, MEMORY, Run, refused};
use crate::scripting::gate::Gate;
use compile::compile;
use matching::{Capture, Matcher, Stop};

/// Maximum length of a pattern. It keeps the size of the compiled form near the memory limit of
/// scripts.
const LONGEST_PATTERN: usize = 1 << 20;

/// The prelude calls `step` and `gsub`. It contains the loops that call functions of scripts.
const FUNCTIONS: &[(&str, Run)] = &[
    ("find", |them| search(them, true)),
    ("match", |them| search(them, false)),
    ("gsub", gsub),
    ("rep", rep),
    ("step", step),
    ("texts", |them| them.results((them.text(1)?, them.text(2)?))),
];

pub fn library(lua: &Lua) -> Result<Table> {
    let table = lua.create_table()?;
    for (name, run) in FUNCTIONS {
        // `gmatch` is the only function that calls `texts`, so errors name it.
        let shown = if *name == "texts" { "gmatch" } else { name };
        table.set(*name, super::function(lua, shown, *run)?)?;
    }
    Ok(table)
}

fn whole(number: usize) -> Value {
    #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
    Value::Number(number as f64)
}

/// Converts an argument to a position in a text, from 0. Negative arguments count from the end.
fn position(argument: i64, length: usize) -> usize {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let from = match argument < 0 {
        true => argument.saturating_add(length),
        false => argument - 1,
    };
    usize::try_from(from.clamp(0, length)).unwrap_or(0)
}

/// Returns a pattern without its anchor, and whether it had one.
fn anchored(pattern: &[u8]) -> (&[u8], bool) {
    match pattern.strip_prefix(b"^") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    }
}

/// Calls a function with a matcher, and translates the reason why matching has stopped.
fn matching<T>(
    lua: &Lua,
    text: &[u8],
    pattern: &[u8],
    run: impl FnOnce(&mut Matcher<'_>) -> std::result::Result<T, Stop>,
) -> Result<T> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(refused("pattern too long"));
    }
    let items = compile(pattern);
    let gate = lua.app_data_ref::<Arc<Gate>>().map(|it| Arc::clone(&it));
    let is_killed = || gate.as_ref().is_some_and(|it| it.is_killed());
    let mut matcher = Matcher::new(text, &items, &is_killed);
    run(&mut matcher).map_err(|stop| match stop {
        Stop::Mistake(why) => refused(why),
        Stop::Killed => crate::scripting::interpreter::killed(),
    })
}

/// Returns the text or the position of a capture.
fn part(
    text: &[u8],
    capture: Capture,
) -> std::result::Result<std::result::Result<&[u8], usize>, Stop> {
    match capture {
        Capture::Part(from, to) => Ok(Ok(&text[from..to])),
        Capture::Position(at) => Ok(Err(at + 1)),
        Capture::Open(_) => Err(Stop::Mistake("unfinished capture")),
    }
}

/// Returns the captures of a match as values. If there are none and `or_whole` is set, returns the
/// whole match.
fn captured(
    lua: &Lua,
    matcher: &Matcher<'_>,
    (begin, end): (usize, usize),
    or_whole: bool,
) -> std::result::Result<Result<Vec<Value>>, Stop> {
    let mut captures = matcher.captures.clone();
    if captures.is_empty() && or_whole {
        captures.push(Capture::Part(begin, end));
    }
    let mut values = Vec::with_capacity(captures.len());
    for capture in captures {
        values.push(match part(matcher.text, capture)? {
            Ok(bytes) => lua.create_string(bytes).map(Value::String),
            Err(position) => Ok(whole(position)),
        });
    }
    Ok(values.into_iter().collect())
}

fn search(them: &Arguments, is_find: bool) -> Result<MultiValue> {
    const SPECIAL: &[u8] = b"^$*+?.([%-";
    let (text, pattern) = (them.text(1)?, them.text(2)?);
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let from = position(them.integer_or(3, 1)?, text.len());
    let is_plain = them
        .get(4)
        .is_some_and(|it| !matches!(it, Value::Nil | Value::Boolean(false)));
    if is_find && (is_plain || !pattern.iter().any(|it| SPECIAL.contains(it))) {
        let found = memmem::find(&text[from..], &pattern).map(|it| from + it);
        return match found {
            Some(at) => them.results((whole(at + 1), whole(at + pattern.len()))),
            None => them.results(Value::Nil),
        };
    }
    let (pattern, is_anchored) = anchored(&pattern);
    let values = matching(them.lua, &text, pattern, |matcher| {
        let Some((begin, end)) = matcher.find(from, is_anchored)? else {
            return Ok(Ok(vec![Value::Nil]));
        };
        let mut values = match is_find {
            true => vec![whole(begin + 1), whole(end)],
            false => Vec::new(),
        };
        let captures = captured(them.lua, matcher, (begin, end), !is_find)?;
        Ok(captures.map(|captures| {
            values.extend(captures);
            values
        }))
    });
    Ok(values??.into())
}

/// Finds the first match at or after a position. Returns its start, its end and its captures. The
/// prelude has already checked the arguments.
fn step(them: &Arguments) -> Result<MultiValue> {
    let (text, pattern) = (them.text(1)?, them.text(2)?);
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let Some(from) = usize::try_from(them.integer(3)? - 1)
        .ok()
        .filter(|from| *from <= text.len())
    else {
        return them.results(Value::Nil);
    };
    // `gmatch` treats `^` as an ordinary character.
    let (pattern, is_anchored) = match them.get(4) {
        Some(Value::Boolean(true)) => anchored(&pattern),
        _ => (&*pattern, false),
    };
    // A replacement by a table uses only the first capture; the others may be incomplete.
    let is_first_only = matches!(them.get(5), Some(Value::Boolean(true)));
    let values = matching(them.lua, &text, pattern, |matcher| {
        let Some((begin, end)) = matcher.find(from, is_anchored)? else {
            return Ok(Ok(vec![Value::Nil]));
        };
        if is_first_only {
            matcher.captures.truncate(1);
        }
        let captures = captured(them.lua, matcher, (begin, end), true)?;
        Ok(captures.map(|captures| {
            let mut values = vec![whole(begin + 1), whole(end)];
            values.extend(captures);
            values
        }))
    });
    Ok(values??.into())
}

/// Replaces matches by a text. If the replacement is a function or a table, the prelude does the
/// work, and this function only checks the arguments: the text, the pattern, and the maximum number
/// of matches.
fn gsub(them: &Arguments) -> Result<MultiValue> {
    let (text, pattern) = (them.text(1)?, them.text(2)?);
    let length = i64::try_from(text.as_bytes().len()).unwrap_or(i64::MAX);
    let replacement = match them.get(3) {
        Some(Value::Function(_) | Value::Table(_)) => {
            let most = them.integer_or(4, length.saturating_add(1))?;
            #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
            return them.results((text, pattern, Value::Number(most as f64)));
        }
        Some(Value::String(_) | Value::Integer(_) | Value::Number(_)) => them.text(3)?,
        _ => return Err(them.bad(3, "string/function/table expected")),
    };
    let most = them.integer_or(4, length.saturating_add(1))?;
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let replacement = replacement.as_bytes();
    let (pattern, is_anchored) = anchored(&pattern);
    let (out, count) = matching(them.lua, &text, pattern, |matcher| {
        replaced(matcher, is_anchored, &replacement, most)
    })?;
    super::check_size(&out)?;
    them.results((them.lua.create_string(out)?, whole(count)))
}

fn replaced(
    matcher: &mut Matcher<'_>,
    is_anchored: bool,
    replacement: &[u8],
    most: i64,
) -> std::result::Result<(Vec<u8>, usize), Stop> {
    let text = matcher.text;
    let most = usize::try_from(most).unwrap_or(0);
    let (mut out, mut count, mut from) = (Vec::new(), 0, 0);
    while count < most && out.len() <= MEMORY {
        let Some((begin, end)) = matcher.find(from, is_anchored)? else {
            break;
        };
        count += 1;
        out.extend_from_slice(&text[from..begin]);
        expand(matcher, (begin, end), replacement, &mut out)?;
        from = end;
        if begin == end {
            let Some(byte) = text.get(end) else {
                break;
            };
            out.push(*byte);
            from += 1;
        }
        if is_anchored {
            break;
        }
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
    Ok((out, count))
}

/// Expands a replacement, in which `%1` stands for the first capture.
fn expand(
    matcher: &Matcher<'_>,
    (begin, end): (usize, usize),
    replacement: &[u8],
    out: &mut Vec<u8>,
) -> std::result::Result<(), Stop> {
    let mut bytes = replacement.iter().copied();
    while let Some(byte) = bytes.next() {
        if out.len() > MEMORY {
            break;
        }
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        // In Lua, a text is followed by a zero byte.
        let letter = bytes.next().unwrap_or(0);
        let capture = match letter {
            b'0' => Capture::Part(begin, end),
            b'1'..=b'9' => {
                let captures = &matcher.captures;
                let whole =
                    (letter == b'1' && captures.is_empty()).then_some(Capture::Part(begin, end));
                let own = captures.get(usize::from(letter - b'1')).copied();
                own.or(whole)
                    .ok_or(Stop::Mistake("invalid capture index"))?
            }
            other => {
                out.push(other);
                continue;
            }
        };
        match part(matcher.text, capture)? {
            Ok(bytes) => out.extend_from_slice(bytes),
            Err(position) => out.extend_from_slice(position.to_string().as_bytes()),
        }
    }
    Ok(())
}

fn rep(them: &Arguments) -> Result<MultiValue> {
    let text = them.text(1)?;
    let times = usize::try_from(them.integer(2)?).unwrap_or(0);
    let bytes = text.as_bytes();
    let length = bytes.len().saturating_mul(times);
    if length > MEMORY {
        return Err(mlua::Error::MemoryError("not enough memory".to_owned()));
    }
    let repeated = match length {
        0 => Vec::new(),
        _ => bytes.repeat(times),
    };
    them.results(them.lua.create_string(repeated)?)
}
