//! The library `cmsgpack`: values in MessagePack.

use mlua::{Lua, MultiValue, Result, Table, Value};
use rmp::{Marker, encode};

use super::{Arguments, MOST_RESULTS, as_list, check_size, double, refused};

/// Maximum nesting of tables that are encoded. Deeper values are encoded as nil.
const DEEPEST_WRITTEN: usize = 16;
/// Maximum nesting of lists and maps that are decoded.
const DEEPEST_READ: usize = 1000;

pub fn library(lua: &Lua) -> Result<Table> {
    let table = super::library(
        lua,
        &[
            ("pack", pack),
            ("unpack", |them| values(them, 0, 0)),
            ("unpack_one", |them| {
                let from = them.integer_or(2, 0)?;
                values(them, 1, from)
            }),
            ("unpack_limit", |them| {
                let limit = them.integer(2)?;
                let from = them.integer_or(3, 0)?;
                values(them, limit, from)
            }),
        ],
    )?;
    table.set("_NAME", "cmsgpack")?;
    table.set("_VERSION", "lua-cmsgpack 0.4.0")?;
    Ok(table)
}

fn pack(them: &Arguments) -> Result<MultiValue> {
    if them.values.is_empty() {
        return Err(them.bad(0, "MessagePack pack needs input."));
    }
    let mut out = Vec::new();
    for value in &them.values {
        put(value, 0, &mut out)?;
    }
    them.results(them.lua.create_string(out)?)
}

/// Converts a length. Longer values do not fit into the memory of scripts.
fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Writing to memory cannot fail.
fn done<T, E>(written: std::result::Result<T, E>) {
    debug_assert!(written.is_ok());
}

fn put(value: &Value, depth: usize, out: &mut Vec<u8>) -> Result<()> {
    check_size(out)?;
    match value {
        Value::String(text) => {
            let text = text.as_bytes();
            done(encode::write_str_len(out, length(text.len())));
            out.extend_from_slice(&text);
        }
        Value::Boolean(it) => done(encode::write_bool(out, *it)),
        Value::Integer(_) | Value::Number(_) => put_number(double(value).unwrap_or(0.0), out),
        Value::Table(table) if depth < DEEPEST_WRITTEN => put_table(table, depth, out)?,
        _ => done(encode::write_nil(out)),
    }
    Ok(())
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp
)]
fn put_number(number: f64, out: &mut Vec<u8>) {
    // A number that is equal to an integer is encoded as the integer.
    if number as i64 as f64 == number && number < i64::MAX as f64 {
        done(encode::write_sint(out, number as i64));
    } else if f64::from(number as f32) == number {
        done(encode::write_f32(out, number as f32));
    } else {
        done(encode::write_f64(out, number));
    }
}

fn put_table(table: &Table, depth: usize, out: &mut Vec<u8>) -> Result<()> {
    match as_list(table)? {
        Some((last, count)) if last == count => {
            done(encode::write_array_len(out, length(table.raw_len())));
            for it in table.sequence_values() {
                put(&it?, depth + 1, out)?;
            }
        }
        _ => {
            // The table is visited twice, because mlua can hold only a limited number of Lua values
            // at once.
            let count = table.pairs::<Value, Value>().count();
            done(encode::write_map_len(out, length(count)));
            for pair in table.pairs() {
                let (key, value) = pair?;
                put(&key, depth + 1, out)?;
                put(&value, depth + 1, out)?;
            }
        }
    }
    Ok(())
}

/// Decodes all values of a text if the limit is 0. Otherwise decodes at most `limit` values, and
/// returns the position of the rest before them: -1 if there is none.
fn values(them: &Arguments, limit: i64, from: i64) -> Result<MultiValue> {
    let text = them.text(1)?;
    let bytes = text.as_bytes();
    let start = usize::try_from(from).ok();
    let (Some(start), 0..) = (start, limit) else {
        let length = bytes.len();
        return Err(refused(format!(
            "Invalid request to unpack with offset of {from} and limit of {length}."
        )));
    };
    let Some(rest) = bytes.get(start..) else {
        let length = bytes.len();
        return Err(refused(format!(
            "Start offset {from} greater than input length {length}."
        )));
    };
    let mut reader = Reader {
        lua: them.lua,
        rest,
    };
    let mut results = Vec::new();
    let all = limit == 0;
    let most = usize::try_from(limit).unwrap_or(0);
    while !reader.rest.is_empty() && (all || results.len() < most) {
        if results.len() == MOST_RESULTS {
            return Err(refused(
                "stack overflow (too many return values at once; \
                 use unpack_one or unpack_limit instead.)",
            ));
        }
        results.push(reader.value(0)?);
    }
    if !all {
        #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
        let place = match reader.rest.len() {
            0 => -1.0,
            left => (bytes.len() - left) as f64,
        };
        results.insert(0, Value::Number(place));
    }
    Ok(MultiValue::from_vec(results))
}

struct Reader<'a> {
    lua: &'a Lua,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some((found, rest)) = self.rest.split_at_checked(count) else {
            return Err(refused("Missing bytes in input."));
        };
        self.rest = rest;
        Ok(found)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.bytes(N)?.try_into().unwrap_or([0; N]))
    }

    fn length(&mut self, bytes: usize) -> Result<usize> {
        let digits = self.bytes(bytes)?.iter();
        Ok(digits.fold(0, |length, byte| length << 8 | usize::from(*byte)))
    }

    fn text(&mut self, length: usize) -> Result<Value> {
        let text = self.bytes(length)?;
        self.lua.create_string(text).map(Value::String)
    }

    #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
    fn value(&mut self, depth: usize) -> Result<Value> {
        if depth > DEEPEST_READ {
            return Err(refused("stack overflow"));
        }
        let [first] = self.array()?;
        let number = match Marker::from_u8(first) {
            Marker::Null => return Ok(Value::Nil),
            Marker::True => return Ok(Value::Boolean(true)),
            Marker::False => return Ok(Value::Boolean(false)),
            Marker::FixStr(length) => return self.text(length.into()),
            Marker::Str8 => return self.long_text(1),
            Marker::Str16 => return self.long_text(2),
            Marker::Str32 => return self.long_text(4),
            Marker::FixArray(count) => return self.list(count.into(), depth),
            Marker::Array16 => return self.length(2).and_then(|it| self.list(it, depth)),
            Marker::Array32 => return self.length(4).and_then(|it| self.list(it, depth)),
            Marker::FixMap(count) => return self.map(count.into(), depth),
            Marker::Map16 => return self.length(2).and_then(|it| self.map(it, depth)),
            Marker::Map32 => return self.length(4).and_then(|it| self.map(it, depth)),
            Marker::FixPos(number) => number.into(),
            Marker::FixNeg(number) => number.into(),
            Marker::U8 => u8::from_be_bytes(self.array()?).into(),
            Marker::U16 => u16::from_be_bytes(self.array()?).into(),
            Marker::U32 => u32::from_be_bytes(self.array()?).into(),
            Marker::U64 => u64::from_be_bytes(self.array()?) as f64,
            Marker::I8 => i8::from_be_bytes(self.array()?).into(),
            Marker::I16 => i16::from_be_bytes(self.array()?).into(),
            Marker::I32 => i32::from_be_bytes(self.array()?).into(),
            Marker::I64 => i64::from_be_bytes(self.array()?) as f64,
            Marker::F32 => f32::from_be_bytes(self.array()?).into(),
            Marker::F64 => f64::from_be_bytes(self.array()?),
            _ => return Err(refused("Bad data format in input.")),
        };
        Ok(Value::Number(number))
    }

    fn long_text(&mut self, bytes: usize) -> Result<Value> {
        let length = self.length(bytes)?;
        self.text(length)
    }

    fn list(&mut self, count: usize, depth: usize) -> Result<Value> {
        let table = self.lua.create_table()?;
        for at in 1..=count {
            table.raw_set(at, self.value(depth + 1)?)?;
        }
        Ok(Value::Table(table))
    }

    fn map(&mut self, count: usize, depth: usize) -> Result<Value> {
        let table = self.lua.create_table()?;
        for _ in 0..count {
            let key = self.value(depth + 1)?;
            table.raw_set(key, self.value(depth + 1)?)?;
        }
        Ok(Value::Table(table))
    }
}
