//! Encoding Lua values as JSON.

use mlua::{Function, Lua, MultiValue, Result, Table, Value};

use super::{InvalidNumbers, Settings, only_argument, settings};
use crate::scripting::libraries::{Arguments, as_list, check_size, double, kind, refused};

/// Lua's own `string.format`, which scripts cannot replace.
struct Formatted(Function);

/// Saves the function that formats numbers.
pub fn prepare(lua: &Lua) -> Result<()> {
    let strings: Table = lua.globals().get("string")?;
    lua.set_app_data(Formatted(strings.get("format")?));
    Ok(())
}

pub fn encode(them: &Arguments) -> Result<MultiValue> {
    only_argument(them)?;
    let mut writer = Writer {
        lua: them.lua,
        settings: settings(them.lua),
        depth: 0,
        out: Vec::new(),
    };
    if let Some(value) = them.get(1) {
        writer.value(value)?;
    }
    them.results(them.lua.create_string(writer.out)?)
}

struct Writer<'a> {
    lua: &'a Lua,
    settings: Settings,
    depth: usize,
    out: Vec<u8>,
}

fn not_written(value: &Value, why: &str) -> mlua::Error {
    refused(format!("Cannot serialise {}: {why}", kind(value)))
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) -> Result<()> {
        check_size(&self.out)?;
        match value {
            Value::Nil => self.out.extend(b"null"),
            it if *it == Value::NULL => self.out.extend(b"null"),
            Value::Boolean(true) => self.out.extend(b"true"),
            Value::Boolean(false) => self.out.extend(b"false"),
            Value::String(text) => self.text(&text.as_bytes()),
            Value::Integer(_) | Value::Number(_) => self.number(value)?,
            Value::Table(table) => self.table(table)?,
            other => return Err(not_written(other, "type not supported")),
        }
        Ok(())
    }

    fn text(&mut self, text: &[u8]) {
        self.out.push(b'"');
        for byte in text {
            match byte {
                b'"' | b'\\' | b'/' => self.out.extend([b'\\', *byte]),
                0x08 => self.out.extend(b"\\b"),
                b'\t' => self.out.extend(b"\\t"),
                b'\n' => self.out.extend(b"\\n"),
                0x0c => self.out.extend(b"\\f"),
                b'\r' => self.out.extend(b"\\r"),
                0..=0x1f | 0x7f => self.out.extend(format!("\\u{byte:04x}").bytes()),
                _ => self.out.push(*byte),
            }
        }
        self.out.push(b'"');
    }

    fn number(&mut self, value: &Value) -> Result<()> {
        let number = double(value).unwrap_or(0.0);
        if !number.is_finite() {
            match self.settings.encodes_invalid_numbers {
                InvalidNumbers::Refused => {
                    return Err(not_written(value, "must not be NaN or Inf"));
                }
                InvalidNumbers::Null => {
                    self.out.extend(b"null");
                    return Ok(());
                }
                InvalidNumbers::Written => {}
            }
        }
        let format = self.lua.app_data_ref::<Formatted>().map(|it| it.0.clone());
        let format = format.ok_or_else(|| refused("no string.format"))?;
        let text: mlua::String =
            format.call((format!("%.{}g", self.settings.precision), number))?;
        self.out.extend_from_slice(&text.as_bytes());
        Ok(())
    }

    /// Returns the length of a table that is encoded as a list.
    fn length(&self, table: &Table) -> Result<Option<u64>> {
        let Some((last, count)) = as_list(table)?.filter(|(last, _)| *last > 0) else {
            return Ok(None);
        };
        let sparse = self.settings.sparse;
        let (ratio, safe) = (sparse.ratio.unsigned_abs(), sparse.safe.unsigned_abs());
        let is_sparse = ratio > 0 && last > count.saturating_mul(ratio) && last > safe;
        match (is_sparse, sparse.is_converted) {
            (false, _) => Ok(Some(last)),
            (true, true) => Ok(None),
            (true, false) => Err(refused("Cannot serialise table: excessively sparse array")),
        }
    }

    fn table(&mut self, table: &Table) -> Result<()> {
        self.depth += 1;
        if self.depth > self.settings.deepest_encoded.min(super::DEEPEST) {
            let depth = self.depth;
            return Err(refused(format!(
                "Cannot serialise, excessive nesting ({depth})"
            )));
        }
        match self.length(table)? {
            Some(length) => self.list(table, length)?,
            None => self.object(table)?,
        }
        self.depth -= 1;
        Ok(())
    }

    fn list(&mut self, table: &Table, length: u64) -> Result<()> {
        self.out.push(b'[');
        for at in 1..=length {
            if at > 1 {
                self.out.push(b',');
            }
            self.value(&table.raw_get(at)?)?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn object(&mut self, table: &Table) -> Result<()> {
        self.out.push(b'{');
        for (at, pair) in table.pairs::<Value, Value>().enumerate() {
            let (key, value) = pair?;
            if at > 0 {
                self.out.push(b',');
            }
            match &key {
                Value::String(name) => self.text(&name.as_bytes()),
                Value::Integer(_) | Value::Number(_) => {
                    self.out.push(b'"');
                    self.number(&key)?;
                    self.out.push(b'"');
                }
                other => {
                    return Err(not_written(other, "table key must be a number or string"));
                }
            }
            self.out.push(b':');
            self.value(&value)?;
        }
        self.out.push(b'}');
        Ok(())
    }
}
