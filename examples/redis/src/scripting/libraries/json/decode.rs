//! Decoding JSON to Lua values.

use mlua::{Lua, MultiValue, Result, Table, Value};

use super::tokens::{Found, Token, Tokens};
use super::{only_argument, settings};
use crate::scripting::libraries::{Arguments, refused};

pub fn decode(them: &Arguments) -> Result<MultiValue> {
    only_argument(them)?;
    let text = them.text(1)?;
    let text = text.as_bytes();
    if let [0, _, ..] | [_, 0, ..] = &*text {
        return Err(refused("JSON parser does not support UTF-16 or UTF-32"));
    }
    let settings = settings(them.lua);
    let mut reader = Reader {
        lua: them.lua,
        tokens: Tokens {
            text: &text,
            at: 0,
            takes_invalid_numbers: settings.decodes_invalid_numbers,
        },
        deepest: settings.deepest_decoded,
        depth: 0,
    };
    let first = reader.tokens.next();
    let value = reader.value(first)?;
    let end = reader.tokens.next();
    match end.token {
        Token::End => them.results(value),
        _ => Err(unexpected("the end", &end)),
    }
}

fn unexpected(expected: &str, found: &Found) -> mlua::Error {
    let (name, place) = (found.token.name(), found.at + 1);
    refused(format!(
        "Expected {expected} but found {name} at character {place}"
    ))
}

struct Reader<'a> {
    lua: &'a Lua,
    tokens: Tokens<'a>,
    deepest: usize,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self, found: Found) -> Result<Value> {
        match found.token {
            Token::Text(text) => self.lua.create_string(text).map(Value::String),
            Token::Number(number) => Ok(Value::Number(number)),
            Token::Boolean(it) => Ok(Value::Boolean(it)),
            Token::Null => Ok(Value::NULL),
            Token::ObjectBegin => self.deeper(Self::object),
            Token::ListBegin => self.deeper(Self::list),
            _ => Err(unexpected("value", &found)),
        }
    }

    fn deeper(&mut self, read: fn(&mut Self, &Table) -> Result<()>) -> Result<Value> {
        self.depth += 1;
        if self.depth > self.deepest.min(super::DEEPEST) {
            let (depth, at) = (self.depth, self.tokens.at);
            return Err(refused(format!(
                "Found too many nested data structures ({depth}) at character {at}"
            )));
        }
        let table = self.lua.create_table()?;
        read(self, &table)?;
        self.depth -= 1;
        Ok(Value::Table(table))
    }

    fn list(&mut self, table: &Table) -> Result<()> {
        let mut found = self.tokens.next();
        if found.token == Token::ListEnd {
            return Ok(());
        }
        for at in 1_usize.. {
            table.raw_set(at, self.value(found)?)?;
            let after = self.tokens.next();
            match after.token {
                Token::ListEnd => break,
                Token::Comma => found = self.tokens.next(),
                _ => return Err(unexpected("comma or array end", &after)),
            }
        }
        Ok(())
    }

    fn object(&mut self, table: &Table) -> Result<()> {
        let mut found = self.tokens.next();
        if found.token == Token::ObjectEnd {
            return Ok(());
        }
        loop {
            let Token::Text(name) = found.token else {
                return Err(unexpected("object key string", &found));
            };
            let colon = self.tokens.next();
            if colon.token != Token::Colon {
                return Err(unexpected("colon", &colon));
            }
            let first = self.tokens.next();
            let value = self.value(first)?;
            table.raw_set(self.lua.create_string(name)?, value)?;
            let after = self.tokens.next();
            match after.token {
                Token::ObjectEnd => return Ok(()),
                Token::Comma => found = self.tokens.next(),
                _ => return Err(unexpected("comma or object end", &after)),
            }
        }
    }
}
