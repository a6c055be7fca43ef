//! The library `bit`: bit operations on integers of 32 bits.

use mlua::{MultiValue, Result};

use super::{Arguments, Run};

pub const FUNCTIONS: &[(&str, Run)] = &[
    ("tobit", |them| number(them, bits(them, 1)?)),
    ("bnot", |them| number(them, !bits(them, 1)?)),
    ("bswap", |them| number(them, bits(them, 1)?.swap_bytes())),
    ("band", |them| folded(them, |a, b| a & b)),
    ("bor", |them| folded(them, |a, b| a | b)),
    ("bxor", |them| folded(them, |a, b| a ^ b)),
    ("lshift", |them| shifted(them, |it, by| it << by)),
    ("rshift", |them| shifted(them, |it, by| it >> by)),
    ("arshift", |them| {
        shifted(them, |it, by| (it.cast_signed() >> by).cast_unsigned())
    }),
    ("rol", |them| shifted(them, u32::rotate_left)),
    ("ror", |them| shifted(them, u32::rotate_right)),
    ("tohex", hexadecimal),
];

/// Returns the lowest 32 bits of an argument, which is rounded to an integer.
fn bits(them: &Arguments, at: usize) -> Result<u32> {
    /// Adding this number moves the integer into the lowest bits of a double.
    const ROUNDS: f64 = 6_755_399_441_055_744.0;
    let number = them.number(at)? + ROUNDS;
    #[allow(clippy::cast_possible_truncation)] // The lowest bits are wanted.
    Ok(number.to_bits() as u32)
}

fn number(them: &Arguments, bits: u32) -> Result<MultiValue> {
    them.results(f64::from(bits.cast_signed()))
}

fn folded(them: &Arguments, fold: fn(u32, u32) -> u32) -> Result<MultiValue> {
    let mut all = bits(them, 1)?;
    for at in 2..=them.values.len() {
        all = fold(all, bits(them, at)?);
    }
    number(them, all)
}

fn shifted(them: &Arguments, shift: fn(u32, u32) -> u32) -> Result<MultiValue> {
    let (it, by) = (bits(them, 1)?, bits(them, 2)?);
    number(them, shift(it, by & 31))
}

/// Formats a number with as many hexadecimal digits as the second argument says; in capitals if
/// that is negative.
fn hexadecimal(them: &Arguments) -> Result<MultiValue> {
    let it = bits(them, 1)?;
    let digits = match them.get(2) {
        None => 8,
        Some(_) => bits(them, 2)?.cast_signed(),
    };
    let count = usize::try_from(digits.unsigned_abs().min(8)).unwrap_or(8);
    let text = match digits < 0 {
        true => format!("{it:08X}"),
        false => format!("{it:08x}"),
    };
    them.results(&text[8 - count..])
}
