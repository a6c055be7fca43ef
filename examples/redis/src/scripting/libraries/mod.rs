//! The libraries that scripts find: `bit`, `struct`, `cjson` and `cmsgpack`, and functions of
//! `string`.
//!
//! Their functions, texts of errors and limits are those that redis-server 7.0 has.

mod bit;
mod json;
mod message_pack;
mod patterns;
mod structs;

use std::fmt;

use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Result, Table, Value};

use super::interpreter::MEMORY;
use super::values::double;

/// A function returns at most so many values: Lua's stack of a function of C has 8,000 places.
const MOST_RESULTS: usize = 7900;

/// What a library has refused, with the line of the script.
#[derive(Debug)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// An error of a function of a library. The line is added where the function ends.
fn refused(why: impl Into<String>) -> mlua::Error {
    mlua::Error::external(Refused(why.into()))
}

/// Fails if so many bytes are more than all scripts may have together.
fn check_size(bytes: &[u8]) -> Result<()> {
    match bytes.len() > MEMORY {
        true => Err(mlua::Error::MemoryError("not enough memory".to_owned())),
        false => Ok(()),
    }
}

/// What a function is called with.
pub struct Arguments<'a> {
    pub lua: &'a Lua,
    name: &'static str,
    values: MultiValue,
}

impl Arguments<'_> {
    pub fn get(&self, at: usize) -> Option<&Value> {
        self.values.get(at - 1)
    }

    /// An error about an argument; the first one is 1.
    fn bad(&self, at: usize, why: &str) -> mlua::Error {
        let name = self.name;
        refused(format!("bad argument #{at} to '{name}' ({why})"))
    }

    pub fn expected(&self, at: usize, what: &str) -> mlua::Error {
        let got = self.get(at).map_or("no value", kind);
        self.bad(at, &format!("{what} expected, got {got}"))
    }

    /// A number, or a text of one.
    fn number(&self, at: usize) -> Result<f64> {
        let value = self.get(at).cloned().unwrap_or(Value::Nil);
        let number = self.lua.coerce_number(value)?;
        number.ok_or_else(|| self.expected(at, "number"))
    }

    /// A number without its fraction.
    fn integer(&self, at: usize) -> Result<i64> {
        #[allow(clippy::cast_possible_truncation)] // What is too large is the largest one.
        self.number(at).map(|it| it as i64)
    }

    fn integer_or(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.get(at) {
            None | Some(Value::Nil) => Ok(otherwise),
            Some(_) => self.integer(at),
        }
    }

    /// A text, or a number as text.
    pub fn text(&self, at: usize) -> Result<mlua::String> {
        let value = self.get(at).cloned().unwrap_or(Value::Nil);
        let text = self.lua.coerce_string(value)?;
        text.ok_or_else(|| self.expected(at, "string"))
    }

    pub fn results(&self, results: impl IntoLuaMulti) -> Result<MultiValue> {
        results.into_lua_multi(self.lua)
    }
}

/// What Lua calls a kind of values.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) | Value::Number(_) => "number",
        Value::LightUserData(_) | Value::UserData(_) | Value::Error(_) => "userdata",
        other => other.type_name(),
    }
}

pub type Run = fn(&Arguments) -> Result<MultiValue>;

/// The line that has called a function, as Lua names it; `None` if a function of C has. The prelude
/// only calls for others.
fn caller(lua: &Lua) -> Option<String> {
    let mut level = 1;
    loop {
        let found = lua.inspect_stack(level, |debug| {
            let source = debug.source();
            let line = debug.current_line().map(|it| it.to_string());
            let place = source.short_src.zip(line);
            let is_prelude = source.source.as_deref() == Some("@prelude");
            (!is_prelude).then(|| place.map(|(source, line)| format!("{source}:{line}")))
        })?;
        if let Some(place) = found {
            return place;
        }
        level += 1;
    }
}

/// A function of Rust's by the name that its errors have.
pub fn function(lua: &Lua, name: &'static str, run: Run) -> Result<Function> {
    lua.create_function(move |lua, values: MultiValue| {
        let done = run(&Arguments { lua, name, values });
        done.map_err(|error| match error.downcast_ref::<Refused>() {
            Some(Refused(why)) => mlua::Error::external(Refused(match caller(lua) {
                Some(place) => format!("{place}: {why}"),
                None => why.clone(),
            })),
            None => error,
        })
    })
}

fn library(lua: &Lua, functions: &[(&'static str, Run)]) -> Result<Table> {
    let table = lua.create_table()?;
    for (name, run) in functions {
        table.set(*name, function(lua, name, *run)?)?;
    }
    Ok(table)
}

/// The functions of `string` that replace those of Lua.
pub use patterns::library as strings;

/// A table of all of them by their names.
///
/// # Errors
/// There is no memory.
pub fn all(lua: &Lua) -> Result<Table> {
    let all = lua.create_table()?;
    all.set("bit", library(lua, bit::FUNCTIONS)?)?;
    all.set("struct", library(lua, structs::FUNCTIONS)?)?;
    all.set("cjson", json::library(lua)?)?;
    all.set("cmsgpack", message_pack::library(lua)?)?;
    Ok(all)
}

/// The greatest index of a table that has only positive whole numbers as keys, and how many
/// elements it has; `None` if it has other keys.
fn as_list(table: &Table) -> Result<Option<(u64, u64)>> {
    let (mut last, mut count) = (0, 0);
    for pair in table.pairs::<Value, Value>() {
        let (key, _) = pair?;
        let Some(key) = double(&key).filter(|it| *it >= 1.0 && it.fract() == 0.0) else {
            return Ok(None);
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It is whole.
        let index = key as u64;
        last = last.max(index);
        count += 1;
    }
    Ok(Some((last, count)))
}
