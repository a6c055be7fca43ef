//! The library `struct`: values in the memory layout of C.

use mlua::{MultiValue, Result, Value};

use super::{Arguments, MOST_RESULTS, Run, check_size, refused};

pub const FUNCTIONS: &[(&str, Run)] = &[("pack", pack), ("unpack", unpack), ("size", size)];

/// Maximum size of an integer in bytes.
const LARGEST: usize = 32;
/// Maximum alignment, in bytes, if the format does not set one.
const ALIGNMENT: usize = 8;

/// A field, as a letter of a format describes it.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Integer {
        size: usize,
        is_signed: bool,
    },
    Float,
    Double,
    /// This many bytes. 0 means as many as the preceding number says.
    Bytes(usize),
    /// Bytes up to the first zero byte.
    Terminated,
    Padding,
}

impl Field {
    fn size(self) -> usize {
        match self {
            Field::Integer { size, .. } | Field::Bytes(size) => size,
            Field::Float => 4,
            Field::Double => 8,
            Field::Terminated => 0,
            Field::Padding => 1,
        }
    }

    /// Returns the number of padding bytes before the field.
    fn gap(self, at: usize, most: usize) -> usize {
        let is_aligned = matches!(self, Field::Integer { .. } | Field::Float | Field::Double);
        let size = self.size().min(most);
        match is_aligned && size > 1 {
            // As in the C library, this also applies to sizes that are not powers of two.
            true => (size - (at & (size - 1))) & (size - 1),
            false => 0,
        }
    }
}

/// Parser of a format.
struct Format<'a> {
    rest: &'a [u8],
    is_big: bool,
    alignment: usize,
}

impl<'a> Format<'a> {
    fn new(text: &'a [u8]) -> Self {
        Format {
            rest: text,
            is_big: cfg!(target_endian = "big"),
            alignment: 1,
        }
    }

    fn count(&mut self, otherwise: usize) -> Result<usize> {
        let digits = self.rest.iter().take_while(|it| it.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(digits.count());
        self.rest = rest;
        if digits.is_empty() {
            return Ok(otherwise);
        }
        let count = digits.iter().try_fold(0_i32, |count, digit| {
            let digit = i32::from(digit - b'0');
            count.checked_mul(10)?.checked_add(digit)
        });
        let count = count.and_then(|it| usize::try_from(it).ok());
        count.ok_or_else(|| refused("integral size overflow"))
    }

    fn integer(&mut self, letter: u8) -> Result<Field> {
        let size = match letter.to_ascii_lowercase() {
            b'b' => 1,
            b'h' => 2,
            b'i' => self.count(4)?,
            _ => 8,
        };
        if size > LARGEST {
            return Err(refused(format!(
                "integral size {size} is larger than limit of {LARGEST}"
            )));
        }
        Ok(Field::Integer {
            size,
            is_signed: letter.is_ascii_lowercase(),
        })
    }

    /// Returns the next field.
    fn next(&mut self, them: &Arguments) -> Result<Option<Field>> {
        while let Some((letter, rest)) = self.rest.split_first() {
            self.rest = rest;
            let field = match letter {
                b'b' | b'B' | b'h' | b'H' | b'l' | b'L' | b'T' | b'i' | b'I' => {
                    self.integer(*letter)?
                }
                b'f' => Field::Float,
                b'd' => Field::Double,
                b'x' => Field::Padding,
                b'c' => Field::Bytes(self.count(1)?),
                b's' => Field::Terminated,
                b' ' => continue,
                b'>' | b'<' => {
                    self.is_big = *letter == b'>';
                    continue;
                }
                b'!' => {
                    self.align()?;
                    continue;
                }
                other => {
                    let why = format!("invalid format option '{}'", char::from(*other));
                    return Err(them.bad(1, &why));
                }
            };
            return Ok(Some(field));
        }
        Ok(None)
    }

    fn align(&mut self) -> Result<()> {
        self.alignment = self.count(ALIGNMENT)?;
        match self.alignment.is_power_of_two() {
            true => Ok(()),
            false => Err(refused(format!(
                "alignment {} is not a power of 2",
                self.alignment
            ))),
        }
    }

    /// Returns the bytes in the format's order.
    fn ordered<const N: usize>(&self, mut bytes: [u8; N]) -> [u8; N] {
        if self.is_big {
            bytes.reverse();
        }
        bytes
    }
}

/// Writes an integer of this size. Higher bytes are cut off.
fn put_integer(number: f64, size: usize, is_big: bool, out: &mut Vec<u8>) {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // That is what is wanted.
    let bits = match number < 0.0 {
        true => (number as i64).cast_unsigned(),
        false => number as u64,
    };
    let start = out.len();
    let bytes = bits.to_le_bytes();
    out.extend((0..size).map(|at| bytes.get(at).copied().unwrap_or(0)));
    if is_big {
        out[start..].reverse();
    }
}

fn get_integer(bytes: &[u8], is_signed: bool, is_big: bool) -> f64 {
    let place = |at: usize| match is_big {
        true => bytes.len() - 1 - at,
        false => at,
    };
    let bits = (0..bytes.len().min(8)).fold(0_u64, |bits, at| {
        bits | u64::from(bytes[place(at)]) << (8 * at)
    });
    #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
    match is_signed {
        false => bits as f64,
        true => {
            let unused = 64_usize.saturating_sub(8 * bytes.len());
            match u32::try_from(unused) {
                Ok(64..) | Err(_) => 0.0,
                Ok(unused) => ((bits << unused).cast_signed() >> unused) as f64,
            }
        }
    }
}

fn pack(them: &Arguments) -> Result<MultiValue> {
    let text = them.text(1)?;
    let bytes = text.as_bytes();
    let mut format = Format::new(&bytes);
    let mut out = Vec::new();
    let mut at = 1;
    while let Some(field) = format.next(them)? {
        let gap = field.gap(out.len(), format.alignment);
        out.resize(out.len() + gap, 0);
        if field == Field::Padding {
            out.push(0);
            continue;
        }
        at += 1;
        put(them, at, field, &format, &mut out)?;
        check_size(&out)?;
    }
    them.results(them.lua.create_string(out)?)
}

fn put(
    them: &Arguments,
    at: usize,
    field: Field,
    format: &Format,
    out: &mut Vec<u8>,
) -> Result<()> {
    match field {
        Field::Integer { size, .. } => {
            put_integer(number(them, at)?, size, format.is_big, out);
        }
        #[allow(clippy::cast_possible_truncation)] // That is what is wanted.
        Field::Float => {
            out.extend(format.ordered((number(them, at)? as f32).to_le_bytes()));
        }
        Field::Double => out.extend(format.ordered(number(them, at)?.to_le_bytes())),
        Field::Bytes(size) => {
            let text = text(them, at)?;
            let text = text.as_bytes();
            let size = if size == 0 { text.len() } else { size };
            let bytes = text.get(..size);
            out.extend_from_slice(bytes.ok_or_else(|| them.bad(at + 1, "string too short"))?);
        }
        Field::Terminated => {
            out.extend_from_slice(&text(them, at)?.as_bytes());
            out.push(0);
        }
        Field::Padding => {}
    }
    Ok(())
}

/// Fails if an argument is missing, with the error for nil.
fn nil_is_missing(them: &Arguments, at: usize, what: &str) -> Result<()> {
    match them.get(at) {
        None => Err(them.bad(at, &format!("{what} expected, got nil"))),
        Some(_) => Ok(()),
    }
}

fn number(them: &Arguments, at: usize) -> Result<f64> {
    nil_is_missing(them, at, "number")?;
    them.number(at)
}

fn text(them: &Arguments, at: usize) -> Result<mlua::String> {
    nil_is_missing(them, at, "string")?;
    them.text(at)
}

/// Decodes a value of fixed size.
fn fixed(them: &Arguments, field: Field, bytes: &[u8], format: &Format) -> Result<Value> {
    let number = match field {
        Field::Integer { is_signed, .. } => get_integer(bytes, is_signed, format.is_big),
        Field::Float => {
            let bytes = format.ordered(bytes.try_into().unwrap_or([0; 4]));
            f32::from_le_bytes(bytes).into()
        }
        Field::Double => {
            let bytes = format.ordered(bytes.try_into().unwrap_or([0; 8]));
            f64::from_le_bytes(bytes)
        }
        _ => return them.lua.create_string(bytes).map(Value::String),
    };
    Ok(Value::Number(number))
}

fn unpack(them: &Arguments) -> Result<MultiValue> {
    let (text, data) = (them.text(1)?, them.text(2)?);
    let (bytes, data) = (text.as_bytes(), data.as_bytes());
    let mut format = Format::new(&bytes);
    let Some(mut at) = usize::try_from(them.integer_or(3, 1)?)
        .ok()
        .and_then(|it| it.checked_sub(1))
    else {
        return Err(them.bad(3, "offset must be 1 or greater"));
    };
    let mut results: Vec<Value> = Vec::new();
    while let Some(field) = format.next(them)? {
        if results.len() == MOST_RESULTS {
            return Err(refused("stack overflow (too many results)"));
        }
        at = at.saturating_add(field.gap(at, format.alignment));
        let rest = data.get(at..);
        let taken = rest.and_then(|it| it.get(..field.size()));
        let taken = taken.ok_or_else(|| them.bad(2, "data string too short"))?;
        at += taken.len();
        let found = match field {
            Field::Padding => continue,
            Field::Bytes(0) => {
                let size = results.pop().as_ref().and_then(super::double);
                let size = size.ok_or_else(|| refused("format 'c0' needs a previous size"))?;
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let found = data[at..].get(..size as usize); // What is negative is nothing.
                found.ok_or_else(|| them.bad(2, "data string too short"))?
            }
            Field::Terminated => {
                let end = data[at..].iter().position(|it| *it == 0);
                let end = end.ok_or_else(|| refused("unfinished string in data"))?;
                &data[at..at + end]
            }
            _ => {
                results.push(fixed(them, field, taken, &format)?);
                continue;
            }
        };
        at += found.len() + usize::from(field == Field::Terminated);
        results.push(Value::String(them.lua.create_string(found)?));
    }
    #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
    results.push(Value::Number((at + 1) as f64));
    Ok(MultiValue::from_vec(results))
}

fn size(them: &Arguments) -> Result<MultiValue> {
    let text = them.text(1)?;
    let bytes = text.as_bytes();
    let mut format = Format::new(&bytes);
    let mut size = 0_usize;
    while let Some(field) = format.next(them)? {
        match field {
            Field::Terminated => return Err(them.bad(1, "option 's' has no fixed size")),
            Field::Bytes(0) => return Err(them.bad(1, "option 'c0' has no fixed size")),
            _ => size += field.gap(size, format.alignment) + field.size(),
        }
    }
    #[allow(clippy::cast_precision_loss)] // Lua's numbers are doubles.
    them.results(size as f64)
}
