//! The libraries for scripts: `bit`, `struct`, `cjson` and `cmsgpack`, and functions of `string`.
//!
//! Their functions, limits and texts of errors are those of redis-server 7.0.

mod bit;
mod json;
mod message_pack;
mod patterns;
mod structs;

use std::fmt;

use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Result, Table, Value};

use super::interpreter::MEMORY;
use super::values::double;

/// Maximum number of results of a function. The stack of a C function in Lua has 8,000 places.
const MOST_RESULTS: usize = 7900;

/// An error of a library, with the line of the script.
#[derive(Debug)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// Creates an error of a library. The line is added when the function returns.
fn refused(why: impl Into<String>) -> mlua::Error {
    mlua::Error::external(Refused(why.into()))
}

/// Fails if the bytes exceed the memory limit of all scripts.
fn check_size(bytes: &[u8]) -> Result<()> {
    match bytes.len() > MEMORY {
        true => Err(mlua::Error::MemoryError("not enough memory".to_owned())),
        false => Ok(()),
    }
}

/// The arguments of a call.
pub struct Arguments<'a> {
    pub lua: &'a Lua,
    name: &'static str,
    values: MultiValue,
}

impl Arguments<'_> {
    pub fn get(&self, at: usize) -> Option<&Value> {
        self.values.get(at - 1)
    }

    /// Creates an error about an argument. The first argument is 1.
    fn bad(&self, at: usize, why: &str) -> mlua::Error {
        let name = self.name;
        refused(format!("bad argument #{at} to '{name}' ({why})"))
    }

    pub fn expected(&self, at: usize, what: &str) -> mlua::Error {
        let got = self.get(at).map_or("no value", kind);
        self.bad(at, &format!("{what} expected, got {got}"))
    }

    /// Returns a number. The argument may be a text with a number.
    fn number(&self, at: usize) -> Result<f64> {
        let value = self.get(at).cloned().unwrap_or(Value::Nil);
        let number = self.lua.coerce_number(value)?;
        number.ok_or_else(|| self.expected(at, "number"))
    }

    /// Returns a number without its fraction.
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

    /// Returns a text. The argument may be a number.
    pub fn text(&self, at: usize) -> Result<mlua::String> {
        let value = self.get(at).cloned().unwrap_or(Value::Nil);
        let text = self.lua.coerce_string(value)?;
        text.ok_or_else(|| self.expected(at, "string"))
    }

    pub fn results(&self, results: impl IntoLuaMulti) -> Result<MultiValue> {
        results.into_lua_multi(self.lua)
    }
}

/// Returns Lua's name for the type of a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) | Value::Number(_) => "number",
        Value::LightUserData(_) | Value::UserData(_) | Value::Error(_) => "userdata",
        other => other.type_name(),
    }
}

pub type Run = fn(&Arguments) -> Result<MultiValue>;

/// Returns the line that called a function, in Lua's notation, or `None` if a C function did. Calls
/// by the prelude are attributed to the script's function.
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

/// Exports a Rust function to Lua, under the name that its errors show.
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

/// The functions that replace Lua's own in `string`.
pub use patterns::library as strings;

/// Creates a table of all libraries by their names.
///
/// # Errors
/// Out of memory.
pub fn all(lua: &Lua) -> Result<Table> {
    let all = lua.create_table()?;
    all.set("bit", library(lua, bit::FUNCTIONS)?)?;
    all.set("struct", library(lua, structs::FUNCTIONS)?)?;
    all.set("cjson", json::library(lua)?)?;
    all.set("cmsgpack", message_pack::library(lua)?)?;
    Ok(all)
}

/// Returns the largest index and the number of elements of a table whose keys are all positive
/// integers. Returns `None` for other tables.
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
