//! Converts replies to Lua values, and Lua values to replies.

use mlua::{Lua, Result, Table, Value};

use crate::resp::Replies;

/// Maximum nesting of a table in a reply.
const DEEPEST: usize = 100;

/// Converts the reply of a command to a value for the script.
///
/// # Errors
/// Out of memory.
pub fn to_lua(lua: &Lua, reply: &[u8]) -> Result<Value> {
    let mut rest = reply;
    element(lua, &mut rest)
}

fn line<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let end = rest.windows(2).position(|two| two == b"\r\n");
    let end = end.unwrap_or(rest.len());
    let found = &rest[..end];
    *rest = rest.get(end + 2..).unwrap_or_default();
    found
}

fn number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn bytes<'a>(rest: &mut &'a [u8], length: usize) -> &'a [u8] {
    let found = rest.get(..length).unwrap_or_default();
    *rest = rest.get(length + 2..).unwrap_or_default();
    found
}

fn with(lua: &Lua, name: &str, value: Value) -> Result<Value> {
    let table = lua.create_table()?;
    table.set(name, value)?;
    Ok(Value::Table(table))
}

fn text(lua: &Lua, bytes: &[u8]) -> Result<Value> {
    lua.create_string(bytes).map(Value::String)
}

fn verbatim(lua: &Lua, whole: &[u8]) -> Result<Value> {
    let table = lua.create_table()?;
    table.set("format", text(lua, whole.get(..3).unwrap_or_default())?)?;
    table.set("string", text(lua, whole.get(4..).unwrap_or_default())?)?;
    with(lua, "verbatim_string", Value::Table(table))
}

fn map(lua: &Lua, rest: &mut &[u8], count: usize) -> Result<Value> {
    let table = lua.create_table()?;
    for _ in 0..count {
        let name = element(lua, rest)?;
        table.raw_set(name, element(lua, rest)?)?;
    }
    with(lua, "map", Value::Table(table))
}

fn element(lua: &Lua, rest: &mut &[u8]) -> Result<Value> {
    let line = line(rest);
    let Some((mark, head)) = line.split_first() else {
        return Ok(Value::Boolean(false));
    };
    let count = number(head).and_then(|it| usize::try_from(it).ok());
    match (mark, count) {
        (b'+', _) => with(lua, "ok", text(lua, head)?),
        (b'-', _) => with(lua, "err", text(lua, head)?),
        #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
        (b':', _) => Ok(Value::Number(number(head).unwrap_or(0) as f64)),
        (b'$', Some(length)) => text(lua, bytes(rest, length)),
        (b'=', Some(length)) => verbatim(lua, bytes(rest, length)),
        (b'*' | b'>', Some(count)) => {
            let table = lua.create_table()?;
            for at in 1..=count {
                table.raw_set(at, element(lua, rest)?)?;
            }
            Ok(Value::Table(table))
        }
        (b'%', Some(count)) => map(lua, rest, count),
        (b'~', Some(count)) => {
            let table = lua.create_table()?;
            for _ in 0..count {
                table.raw_set(element(lua, rest)?, true)?;
            }
            with(lua, "set", Value::Table(table))
        }
        (b',', _) => {
            let double = std::str::from_utf8(head)
                .ok()
                .and_then(|it| it.parse().ok());
            with(lua, "double", Value::Number(double.unwrap_or(0.0)))
        }
        (b'(', _) => with(lua, "big_number", text(lua, head)?),
        // Attributes are left out, as in redis-server.
        (b'|', Some(count)) => {
            for _ in 0..2 * count {
                element(lua, rest)?;
            }
            element(lua, rest)
        }
        (b'#', _) => Ok(Value::Boolean(head == b"t")),
        (b'_', _) => Ok(Value::Nil),
        _ => Ok(Value::Boolean(false)),
    }
}

/// Writes the result of a script as a reply. `resp` is the version of the protocol that the script
/// has chosen.
pub fn to_reply(value: &Value, resp: i64, replies: &mut Replies) {
    reply(value, resp, replies, 0);
}

fn reply(value: &Value, resp: i64, replies: &mut Replies, depth: usize) {
    if depth > DEEPEST {
        replies.error("ERR reached lua stack limit");
        return;
    }
    match value {
        Value::String(text) => replies.bulk(&text.as_bytes()),
        Value::Integer(number) => replies.integer(*number),
        Value::Number(number) => replies.integer(integer(*number)),
        Value::Boolean(is_true) if resp == 3 => replies.boolean(*is_true),
        Value::Boolean(true) => replies.integer(1),
        Value::Table(table) => of_table(table, resp, replies, depth),
        _ => replies.nil(),
    }
}

/// Returns a number as a double. mlua distinguishes integers and floats, Lua does not.
#[must_use]
pub fn double(value: &Value) -> Option<f64> {
    #[allow(clippy::cast_precision_loss)] // It has been a double.
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// Returns the integral part. A number without one becomes the lowest integer, as on the processors
/// that Redis supports.
fn integer(number: f64) -> i64 {
    #[allow(clippy::cast_precision_loss)] // The lowest one is a power of two.
    let lowest = i64::MIN as f64;
    #[allow(clippy::cast_possible_truncation)] // That is what is wanted.
    match number >= lowest && number < -lowest {
        true => number as i64,
        false => i64::MIN,
    }
}

fn field(table: &Table, name: &str) -> Option<Value> {
    table.raw_get(name).ok().filter(|it: &Value| !it.is_nil())
}

/// Writes a table. Its elements are counted first and visited afterwards, because mlua can hold
/// only a limited number of Lua values at once.
fn of_table(table: &Table, resp: i64, replies: &mut Replies, depth: usize) {
    if let Some(Value::String(why)) = field(table, "err") {
        let why = String::from_utf8_lossy(&why.as_bytes()).into_owned();
        replies.error(why);
    } else if let Some(Value::String(word)) = field(table, "ok") {
        let word = String::from_utf8_lossy(&word.as_bytes()).replace(['\r', '\n'], " ");
        replies.simple(&word);
    } else if let Some(double) = field(table, "double").and_then(|it| self::double(&it)) {
        replies.double(double);
    } else if let Some(Value::String(digits)) = field(table, "big_number") {
        let digits = String::from_utf8_lossy(&digits.as_bytes()).replace(['\r', '\n'], " ");
        replies.big_number(&digits);
    } else if let Some(Value::Table(pairs)) = field(table, "map") {
        replies.map(pairs.pairs::<Value, Value>().flatten().count());
        for (name, value) in pairs.pairs().flatten() {
            reply(&name, resp, replies, depth + 1);
            reply(&value, resp, replies, depth + 1);
        }
    } else if let Some(Value::Table(members)) = field(table, "set") {
        replies.set(members.pairs::<Value, Value>().flatten().count());
        for (member, _) in members.pairs::<Value, Value>().flatten() {
            reply(&member, resp, replies, depth + 1);
        }
    } else if let Some(Value::Table(verbatim)) = field(table, "verbatim_string")
        && let Some(Value::String(text)) = field(&verbatim, "string")
    {
        replies.verbatim(&text.as_bytes());
    } else {
        replies.array(table.sequence_values::<Value>().flatten().count());
        for it in table.sequence_values().flatten() {
            reply(&it, resp, replies, depth + 1);
        }
    }
}
