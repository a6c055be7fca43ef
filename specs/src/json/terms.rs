//! JSON of plain terms.

use crate::ast::{Constant, Integer};
use crate::print;

/// Every JSON reader keeps integers below this exactly.
const EXACT: i64 = 1 << 53;

/// The order of map keys: by kind, as Erlang orders terms; then small integers by value, and the
/// rest by text.
fn order(key: &Constant) -> (u8, i64, String) {
    let kind = match key {
        Constant::Integer(_) | Constant::Float(_) | Constant::Char(_) => 0,
        Constant::Atom(_) => 1,
        Constant::Tuple(_) => 2,
        Constant::Map(_) => 3,
        Constant::List(..) | Constant::String(_) => 4,
        Constant::Binary(_) => 5,
    };
    let value = match key {
        Constant::Integer(Integer::Small(value)) => *value,
        _ => 0,
    };
    (kind, value, print::constant(key))
}

/// Appends JSON to a string.
pub(super) struct Writer<'o>(pub(super) &'o mut String);

impl Writer<'_> {
    pub(super) fn raw(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Writes a JSON string: an atom, or a text. It escapes only what JSON requires.
    pub(super) fn string(&mut self, text: &str) {
        self.0.push('"');
        for character in text.chars() {
            match character {
                '"' => self.0.push_str("\\\""),
                '\\' => self.0.push_str("\\\\"),
                '\0'..='\u{1F}' | '\u{7F}' => {
                    self.0.push_str(&format!("\\u{:04x}", u32::from(character)));
                }
                _ => self.0.push(character),
            }
        }
        self.0.push('"');
    }

    pub(super) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.raw("null"),
        }
    }

    pub(super) fn integer(&mut self, integer: &Integer) {
        match integer {
            Integer::Small(value) if value.unsigned_abs() < EXACT.unsigned_abs() => {
                self.raw(&value.to_string());
            }
            integer => {
                self.raw("{\"i\":\"");
                self.raw(&integer.text());
                self.raw("\"}");
            }
        }
    }

    /// `[…]`
    pub(super) fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.raw("[");
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            write(self, item);
        }
        self.raw("]");
    }

    /// `{"t":["tag",…]}`; `rest` writes what follows the tag, commas included.
    pub(super) fn tagged(&mut self, tag: &str, rest: impl FnOnce(&mut Self)) {
        self.raw("{\"t\":[");
        self.string(tag);
        rest(self);
        self.raw("]}");
    }

    /// `{"t":["atom","name"]}`
    pub(super) fn atom_node(&mut self, name: &str) {
        self.tagged("atom", |writer| {
            writer.raw(",");
            writer.string(name);
        });
    }

    /// `{"t":["name",arity]}`
    pub(super) fn name_arity(&mut self, name: &str, arity: i64) {
        self.tagged(name, |writer| {
            writer.raw(",");
            writer.integer(&Integer::Small(arity));
        });
    }

    /// The text of a string node.
    pub(super) fn text(&mut self, codes: &[u32]) {
        match codes
            .iter()
            .map(|code| char::from_u32(*code))
            .collect::<Option<String>>()
        {
            Some(text) => {
                self.raw("{\"s\":");
                self.string(&text);
                self.raw("}");
            }
            None => self.list(codes, |writer, code| writer.raw(&code.to_string())),
        }
    }

    /// A plain term.
    pub(super) fn constant(&mut self, term: &Constant) {
        match term {
            Constant::Atom(name) => self.string(name),
            Constant::Integer(integer) => self.integer(integer),
            Constant::Float(value) => {
                self.raw("{\"f\":\"");
                self.raw(&print::float(*value));
                self.raw("\"}");
            }
            Constant::Char(code) => self.raw(&code.to_string()),
            Constant::String(codes) => self.text(codes),
            Constant::Binary(bytes) => {
                self.raw("{\"b\":\"");
                bytes
                    .iter()
                    .for_each(|byte| self.raw(&format!("{byte:02x}")));
                self.raw("\"}");
            }
            Constant::Tuple(elements) => {
                self.raw("{\"t\":");
                self.list(elements, Self::constant);
                self.raw("}");
            }
            Constant::List(elements, None) => self.list(elements, Self::constant),
            Constant::List(elements, Some(tail)) => {
                self.raw("{\"l\":[");
                self.list(elements, Self::constant);
                self.raw(",");
                self.constant(tail);
                self.raw("]}");
            }
            Constant::Map(fields) => {
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_by_key(|(key, _)| order(key));
                self.raw("{\"m\":");
                self.list(&fields, |writer, (key, value)| {
                    writer.raw("[");
                    writer.constant(key);
                    writer.raw(",");
                    writer.constant(value);
                    writer.raw("]");
                });
                self.raw("}");
            }
        }
    }
}
