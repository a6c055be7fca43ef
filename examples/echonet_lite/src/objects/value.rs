//! Values of properties, as terms and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use otp_bridge::Term;
use serde_json::json;

use super::data::{Data, Number};

/// A property's value. In Erlang, values are `true`, `25.5`, `<<"cooling">>`, `[1, 2]`,
/// `#{<<"red">> => 255}`. Bytes are a text of hexadecimal digits, times are `<<"12:30">>`, and
/// dates `<<"2025-03-14 12:30:00">>`.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Value {
    /// A state whose names are `true` and `false`.
    #[term(untagged)]
    Flag(bool),
    /// A number.
    #[term(untagged)]
    Integer(i64),
    /// A number with a fraction.
    #[term(untagged)]
    Float(f64),
    /// The name of a state, bytes, a time or a date.
    #[term(untagged)]
    Text(String),
    /// Several values of one type.
    #[term(untagged)]
    List(Vec<Value>),
    /// Several named values.
    #[term(untagged)]
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// Returns the value as JSON, as described by [`schema`](super::schema).
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        match self {
            Value::Flag(it) => json!(it),
            Value::Integer(it) => json!(it),
            Value::Float(it) => json!(it),
            Value::Text(it) => json!(it),
            Value::List(all) => all.iter().map(Value::json).collect(),
            Value::Object(all) => all
                .iter()
                .map(|(name, it)| (name.clone(), it.json()))
                .collect(),
        }
    }

    /// Converts JSON to a value. `null` is not a value.
    #[must_use]
    pub fn of_json(json: &serde_json::Value) -> Option<Self> {
        Some(match json {
            serde_json::Value::Null => return None,
            serde_json::Value::Bool(it) => Value::Flag(*it),
            serde_json::Value::Number(it) => match it.as_i64() {
                Some(it) => Value::Integer(it),
                None => Value::Float(it.as_f64()?),
            },
            serde_json::Value::String(it) => Value::Text(it.clone()),
            serde_json::Value::Array(all) => {
                Value::List(all.iter().map(Value::of_json).collect::<Option<_>>()?)
            }
            serde_json::Value::Object(all) => {
                let field = |(name, it): (&String, _)| Some((name.clone(), Value::of_json(it)?));
                Value::Object(all.iter().map(field).collect::<Option<_>>()?)
            }
        })
    }

    /// Returns bytes as text.
    #[must_use]
    pub fn raw(bytes: &[u8]) -> Self {
        Value::Text(bytes.iter().map(|byte| format!("{byte:02X}")).collect())
    }
}

impl Data {
    /// Decodes a value. Returns `None` if the bytes are not one.
    #[must_use]
    pub fn decode(&self, edt: &[u8]) -> Option<Value> {
        match self {
            Data::Number(number) => number.decode(edt),
            Data::State { values, .. } => {
                let state = values.iter().find(|it| it.contains(edt))?;
                Some(named(state.name))
            }
            Data::Level { size, base, count } => {
                let code = edt
                    .iter()
                    .fold(0_u32, |code, byte| code << 8 | u32::from(*byte));
                let level = code.checked_sub(*base).filter(|level| level < count)?;
                (edt.len() == *size).then(|| Value::Integer(i64::from(level) + 1))
            }
            Data::Raw { least, most } => (*least..=*most)
                .contains(&edt.len())
                .then(|| Value::raw(edt)),
            Data::Time { size } => (edt.len() == *size)
                .then(|| time(edt))
                .flatten()
                .map(Value::Text),
            Data::Date { size } => (edt.len() == *size)
                .then(|| date(edt))
                .flatten()
                .map(Value::Text),
            Data::List {
                size,
                least,
                most,
                items,
            } => {
                let count = edt.len().checked_div(*size)?;
                if count * size != edt.len() || !(*least..=*most).contains(&count) {
                    return None;
                }
                let all = edt.chunks(*size).map(|item| items.decode(item));
                all.collect::<Option<_>>().map(Value::List)
            }
            Data::Object(fields) => fields_of(fields, edt).map(Value::Object),
            Data::Bits { size, fields } => {
                let field = |(name, index, mask, field): &(&str, usize, u8, Data)| {
                    let bits = (edt.get(*index)? & mask) >> mask.trailing_zeros();
                    Some(((*name).to_owned(), field.decode(&[bits])?))
                };
                let all =
                    (edt.len() == *size).then(|| fields.iter().map(field).collect::<Option<_>>());
                all?.map(Value::Object)
            }
            Data::OneOf(all) => all.iter().find_map(|one| one.decode(edt)),
        }
    }

    /// Encodes a value. Returns `None` if it is not of this type.
    #[must_use]
    pub fn encode(&self, value: &Value) -> Option<Vec<u8>> {
        match (self, value) {
            (Data::OneOf(all), _) => all.iter().find_map(|one| one.encode(value)),
            (Data::Number(number), _) => number.encode(value),
            (Data::State { values, .. }, _) => {
                let mut values = values.iter();
                let state = values.find(|it| named(it.name) == *value)?;
                Some(state.first.to_vec())
            }
            (Data::Level { size, base, count }, Value::Integer(level)) => {
                let level = u32::try_from(level.checked_sub(1)?)
                    .ok()
                    .filter(|it| it < count)?;
                Some((base + level).to_be_bytes()[4 - size..].to_vec())
            }
            (Data::Raw { least, most }, Value::Text(text)) => {
                let bytes = bytes(text)?;
                (*least..=*most).contains(&bytes.len()).then_some(bytes)
            }
            (Data::Time { size }, Value::Text(text)) => {
                let edt = numbers(text, 0).filter(|it| it.len() == *size)?;
                time(&edt).filter(|it| it == text).map(|_| edt)
            }
            (Data::Date { size }, Value::Text(text)) => {
                let edt = numbers(text, 1).filter(|it| it.len() == *size)?;
                date(&edt).filter(|it| it == text).map(|_| edt)
            }
            (
                Data::List {
                    least, most, items, ..
                },
                Value::List(all),
            ) => {
                let edt = all
                    .iter()
                    .map(|item| items.encode(item))
                    .collect::<Option<Vec<_>>>()?;
                (*least..=*most).contains(&all.len()).then(|| edt.concat())
            }
            (Data::Object(fields), Value::Object(all)) => encode_fields(fields, all),
            (Data::Bits { size, fields }, Value::Object(all)) => {
                let mut edt = vec![0; *size];
                for (name, index, mask, field) in fields {
                    let bits = field.encode(all.get(*name)?)?;
                    *edt.get_mut(*index)? |=
                        bits.first()?.checked_shl(mask.trailing_zeros())? & mask;
                }
                Some(edt)
            }
            _ => None,
        }
    }
}

/// Encodes named values one after the other. A value that may be empty may be missing.
fn encode_fields(
    fields: &[(&'static str, Data)],
    all: &BTreeMap<String, Value>,
) -> Option<Vec<u8>> {
    let is_known = |name: &String| fields.iter().any(|(it, _)| it == name);
    let field = |(name, field): &(&str, Data)| match all.get(*name) {
        Some(value) => field.encode(value),
        None => (field.size().0 == 0).then(Vec::new),
    };
    let edt = fields.iter().map(field).collect::<Option<Vec<_>>>()?;
    all.keys().all(is_known).then(|| edt.concat())
}

/// Decodes named values one after the other. A value of variable size gets the bytes that the later
/// ones leave.
fn fields_of(fields: &[(&'static str, Data)], mut edt: &[u8]) -> Option<BTreeMap<String, Value>> {
    let mut all = BTreeMap::new();
    for (at, (name, field)) in fields.iter().enumerate() {
        let after: usize = fields[at + 1..].iter().map(|(_, it)| it.size().0).sum();
        let size = edt.len().checked_sub(after)?.min(field.size().1);
        let (own, rest) = edt.split_at_checked(size)?;
        edt = rest;
        all.insert((*name).to_owned(), field.decode(own)?);
    }
    edt.is_empty().then_some(all)
}

impl Number {
    fn decode(&self, edt: &[u8]) -> Option<Value> {
        if edt.len() != self.size {
            return None;
        }
        let is_negative = self.is_signed && edt[0] >= 0x80;
        let first = if is_negative { -1 } else { 0 };
        let number = edt
            .iter()
            .fold(first, |number: i64, byte| number << 8 | i64::from(*byte));
        if !(self.least..=self.most).contains(&number) {
            return None;
        }
        let number = number * self.times;
        Some(match self.divisor {
            1 => Value::Integer(number),
            divisor => Value::Float(number as f64 / divisor as f64),
        })
    }

    /// Converts a number with a fraction to the property's steps. Returns `None` if it is between
    /// two steps.
    fn steps(&self, number: f64) -> Option<i64> {
        let exact = number * self.divisor as f64;
        let tolerance = 1e-6_f64.max(exact.abs() * 1e-12);
        // NaN fails this comparison.
        let is_step = (exact - exact.round()).abs() < tolerance && exact.abs() < 1e15;
        is_step.then(|| exact.round() as i64)
    }

    fn encode(&self, value: &Value) -> Option<Vec<u8>> {
        let number = match value {
            Value::Integer(it) => it.checked_mul(self.divisor)?,
            Value::Float(it) => self.steps(*it)?,
            _ => return None,
        };
        let number = (number % self.times == 0).then_some(number / self.times)?;
        let is_value = (self.least..=self.most).contains(&number);
        is_value.then(|| number.to_be_bytes()[8 - self.size..].to_vec())
    }
}

fn named(name: &str) -> Value {
    match name {
        "true" => Value::Flag(true),
        "false" => Value::Flag(false),
        name => Value::Text(name.to_owned()),
    }
}

fn time(edt: &[u8]) -> Option<String> {
    let (hour, rest) = edt.split_first()?;
    let mut text = format!("{hour:02}");
    for sixtieth in rest {
        write!(text, ":{sixtieth:02}").ok()?;
    }
    (*hour < 24 && rest.iter().all(|it| *it < 60)).then_some(text)
}

fn date(edt: &[u8]) -> Option<String> {
    let [y0, y1, month, day, clock @ ..] = edt else {
        return None;
    };
    let year = u16::from_be_bytes([*y0, *y1]);
    if !(1..=9999).contains(&year) || !(1..=12).contains(month) || !(1..=31).contains(day) {
        return None;
    }
    let day = format!("{year:04}-{month:02}-{day:02}");
    match clock {
        [] => Some(day),
        clock => Some(format!("{day} {}", time(clock)?)),
    }
}

/// Parses the numbers in a text. The first `wide` of them have two bytes.
fn numbers(text: &str, wide: usize) -> Option<Vec<u8>> {
    let mut edt = Vec::new();
    for (at, word) in text.split(['-', ' ', ':']).enumerate() {
        match at < wide {
            true => edt.extend(word.parse::<u16>().ok()?.to_be_bytes()),
            false => edt.push(word.parse().ok()?),
        }
    }
    Some(edt)
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|it| Some(it.to_digit(16)? as u8))
        .collect();
    let digits = digits.filter(|it| it.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}
