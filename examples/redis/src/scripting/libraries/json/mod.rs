//! The library `cjson`: values in JSON.
//!
//! It does not use serde_json, because cjson also accepts input that serde_json refuses (bytes that
//! are not UTF-8, numbers such as `0x10` and `nan`), and has its own texts of errors.

mod decode;
mod encode;
mod tokens;

use mlua::{Lua, MultiValue, Result, Table, Value};

use super::{Arguments, Run};

/// Settings that scripts can change. They last until the scripts are flushed.
#[derive(Clone, Copy, Debug)]
struct Settings {
    deepest_encoded: usize,
    deepest_decoded: usize,
    /// Number of digits of numbers.
    precision: i64,
    encodes_invalid_numbers: InvalidNumbers,
    decodes_invalid_numbers: bool,
    keeps_buffer: bool,
    sparse: Sparse,
}

/// How to encode numbers that JSON does not have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum InvalidNumbers {
    Refused,
    Written,
    Null,
}

/// Limits for gaps in lists. A list has too many if its last index is greater than `safe`, and
/// greater than `ratio` times the number of its elements.
#[derive(Clone, Copy, Debug)]
struct Sparse {
    /// Whether lists with too many gaps become objects. Otherwise they are refused.
    is_converted: bool,
    /// 0 means that there is no limit.
    ratio: i64,
    safe: i64,
}

const NEW: Settings = Settings {
    deepest_encoded: 1000,
    deepest_decoded: 1000,
    precision: 14,
    encodes_invalid_numbers: InvalidNumbers::Refused,
    decodes_invalid_numbers: true,
    keeps_buffer: true,
    sparse: Sparse {
        is_converted: false,
        ratio: 2,
        safe: 10,
    },
};

pub fn library(lua: &Lua) -> Result<Table> {
    const FUNCTIONS: &[(&str, Run)] = &[
        ("encode", encode::encode),
        ("decode", decode::decode),
        ("encode_max_depth", |them| {
            depth(them, |settings| &mut settings.deepest_encoded)
        }),
        ("decode_max_depth", |them| {
            depth(them, |settings| &mut settings.deepest_decoded)
        }),
        ("encode_number_precision", precision),
        ("encode_invalid_numbers", encodes_invalid_numbers),
        ("decode_invalid_numbers", |them| {
            flag(them, |settings| &mut settings.decodes_invalid_numbers)
        }),
        ("encode_keep_buffer", |them| {
            flag(them, |settings| &mut settings.keeps_buffer)
        }),
        ("encode_sparse_array", sparse),
    ];
    lua.set_app_data(NEW);
    encode::prepare(lua)?;
    let table = super::library(lua, FUNCTIONS)?;
    table.set("null", Value::NULL)?;
    table.set("_NAME", "cjson")?;
    table.set("_VERSION", "2.1.0")?;
    Ok(table)
}

/// Maximum depth of nested values, whatever the settings allow, because each level needs some
/// stack.
const DEEPEST: usize = 2600;

fn settings(lua: &Lua) -> Settings {
    lua.app_data_ref().map_or(NEW, |it| *it)
}

/// Changes a setting if there is an argument. Returns the setting.
fn set<T>(them: &Arguments, change: impl FnOnce(&mut Settings) -> Result<T>) -> Result<T> {
    let mut settings = settings(them.lua);
    let now = change(&mut settings)?;
    them.lua.set_app_data(settings);
    Ok(now)
}

fn most(them: &Arguments, count: usize) -> Result<()> {
    match them.values.len() > count {
        true => Err(them.bad(count + 1, "found too many arguments")),
        false => Ok(()),
    }
}

fn whole(them: &Arguments, at: usize, least: i64, last: i64) -> Result<Option<i64>> {
    if matches!(them.get(at), None | Some(Value::Nil)) {
        return Ok(None);
    }
    let number = them.integer(at)?;
    match (least..=last).contains(&number) {
        true => Ok(Some(number)),
        false => {
            let why = format!("expected integer between {least} and {last}");
            Err(them.bad(at, &why))
        }
    }
}

/// Parses a switch: `true`, `false`, `"on"` or `"off"`.
fn switch(them: &Arguments, at: usize) -> Result<Option<bool>> {
    match them.get(at) {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::Boolean(is_on)) => Ok(Some(*is_on)),
        Some(_) => match &*them.text(at)?.as_bytes() {
            b"on" => Ok(Some(true)),
            b"off" => Ok(Some(false)),
            other => {
                let other = String::from_utf8_lossy(other);
                Err(them.bad(at, &format!("invalid option '{other}'")))
            }
        },
    }
}

fn depth(them: &Arguments, of: fn(&mut Settings) -> &mut usize) -> Result<MultiValue> {
    most(them, 1)?;
    let now = set(them, |settings| {
        let depth = of(settings);
        if let Some(new) = whole(them, 1, 1, i32::MAX.into())? {
            *depth = usize::try_from(new).unwrap_or(usize::MAX);
        }
        Ok(*depth)
    })?;
    them.results(now)
}

fn flag(them: &Arguments, of: fn(&mut Settings) -> &mut bool) -> Result<MultiValue> {
    most(them, 1)?;
    let now = set(them, |settings| {
        let flag = of(settings);
        *flag = switch(them, 1)?.unwrap_or(*flag);
        Ok(*flag)
    })?;
    them.results(now)
}

fn precision(them: &Arguments) -> Result<MultiValue> {
    most(them, 1)?;
    let now = set(them, |settings| {
        settings.precision = whole(them, 1, 1, 14)?.unwrap_or(settings.precision);
        Ok(settings.precision)
    })?;
    them.results(now)
}

fn encodes_invalid_numbers(them: &Arguments) -> Result<MultiValue> {
    most(them, 1)?;
    let is_null = matches!(them.get(1), Some(Value::String(text)) if &*text.as_bytes() == b"null");
    let now = set(them, |settings| {
        let new = match is_null {
            true => Some(InvalidNumbers::Null),
            false => switch(them, 1)?.map(|is_on| match is_on {
                true => InvalidNumbers::Written,
                false => InvalidNumbers::Refused,
            }),
        };
        let setting = &mut settings.encodes_invalid_numbers;
        *setting = new.unwrap_or(*setting);
        Ok(*setting)
    })?;
    match now {
        InvalidNumbers::Null => them.results("null"),
        other => them.results(other == InvalidNumbers::Written),
    }
}

fn sparse(them: &Arguments) -> Result<MultiValue> {
    most(them, 3)?;
    let now = set(them, |settings| {
        let sparse = &mut settings.sparse;
        sparse.is_converted = switch(them, 1)?.unwrap_or(sparse.is_converted);
        sparse.ratio = whole(them, 2, 0, i32::MAX.into())?.unwrap_or(sparse.ratio);
        sparse.safe = whole(them, 3, 0, i32::MAX.into())?.unwrap_or(sparse.safe);
        Ok(*sparse)
    })?;
    them.results((now.is_converted, now.ratio, now.safe))
}

/// Checks that there is exactly one argument.
fn only_argument(them: &Arguments) -> Result<()> {
    match them.values.len() {
        1 => Ok(()),
        _ => Err(them.bad(1, "expected 1 argument")),
    }
}
