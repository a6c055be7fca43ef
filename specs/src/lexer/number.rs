//! `42`, `1_000`, `16#ff`, `1.5e-3`.

use super::{Kind, LexResult, Lexer, Token, Value};
use crate::ast::{Integer, Location};
use crate::catalog;
use crate::integer::MAX_DIGITS;

impl Lexer<'_> {
    /// Reads a number, from its first digit.
    pub(super) fn number(&mut self, at: Location) -> LexResult<Token> {
        if let Some(plain) = self.plain_digits() {
            return Ok(integer_token(at, Integer::from_decimal(plain)));
        }
        let digits = self.digits(10);
        match self.peek(0) {
            b'.' if self.peek(1).is_ascii_digit() => self.float(at, digits),
            b'#' => self.based_integer(at, &digits),
            _ => Ok(integer_token(at, Integer::from_decimal(&digits))),
        }
    }

    /// Reads a number that consists only of decimal digits, as most numbers do.
    fn plain_digits(&mut self) -> Option<&str> {
        let rest = self.rest();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if matches!(rest.get(count), Some(b'.' | b'#' | b'_')) {
            return None;
        }
        self.position += count;
        std::str::from_utf8(&rest[..count]).ok()
    }

    /// Reads digits of a base, and leaves out single underscores between two of them.
    fn digits(&mut self, base: u32) -> String {
        let mut digits = String::new();
        loop {
            let byte = self.peek(0);
            if char::from(byte).is_digit(base) {
                digits.push(char::from(byte));
                self.position += 1;
            } else if byte == b'_' && !digits.is_empty() && char::from(self.peek(1)).is_digit(base)
            {
                self.position += 1;
            } else {
                return digits;
            }
        }
    }

    fn based_integer(&mut self, at: Location, base: &str) -> LexResult<Token> {
        let Some(base) = base.parse().ok().filter(|base| (2..=36).contains(base)) else {
            // The sign itself is not consumed, as in `erl_scan`.
            return Err(catalog::ILLEGAL_BASE.at(at, base));
        };
        self.position += 1;
        let digits = self.digits(base);
        if digits.is_empty() || digits.len() > MAX_DIGITS {
            return Err(catalog::ILLEGAL_INTEGER.at(at, ""));
        }
        if self.has_based_floats() && self.peek(0) == b'.' && is_digit(self.peek(1), base) {
            return self.based_float(at, base, &digits);
        }
        let values = digits.chars().filter_map(|digit| digit.to_digit(base));
        Ok(integer_token(at, Integer::from_digits(base, values)))
    }

    /// `2#1.0#e-53` (EEP 75, OTP 28).
    fn has_based_floats(&self) -> bool {
        self.release >= 28
    }

    /// Reads a based float, from its point.
    fn based_float(&mut self, at: Location, base: u32, whole: &str) -> LexResult<Token> {
        self.position += 1;
        let fraction = self.digits(base);
        let mut exponent = String::from("0");
        if self.rest().starts_with(b"#e") || self.rest().starts_with(b"#E") {
            self.position += 2;
            exponent.clear();
            if matches!(self.peek(0), b'+' | b'-') {
                exponent.push(char::from(self.peek(0)));
                self.position += 1;
            }
            exponent.push_str(&self.digits(10));
        }
        let digits = whole
            .chars()
            .chain(fraction.chars())
            .filter_map(|digit| digit.to_digit(base));
        let base = f64::from(base);
        let mantissa = digits.fold(0.0, |value, digit| value * base + f64::from(digit));
        let shift = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
        let value = exponent
            .parse::<i32>()
            .map(|exponent| mantissa * base.powi(exponent.saturating_sub(shift)));
        match value {
            Ok(value) if value.is_finite() => Ok(Token {
                kind: Kind::Float,
                at,
                value: Value::Float(value),
            }),
            _ => Err(catalog::ILLEGAL_FLOAT.at(at, "")),
        }
    }

    fn float(&mut self, at: Location, mut text: String) -> LexResult<Token> {
        self.position += 1;
        text.push('.');
        text.push_str(&self.digits(10));
        if matches!(self.peek(0), b'e' | b'E') {
            self.position += 1;
            text.push('e');
            if matches!(self.peek(0), b'+' | b'-') {
                text.push(char::from(self.peek(0)));
                self.position += 1;
            }
            text.push_str(&self.digits(10));
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token {
                kind: Kind::Float,
                at,
                value: Value::Float(value),
            }),
            _ => Err(catalog::ILLEGAL_FLOAT.at(at, "")),
        }
    }
}

fn is_digit(byte: u8, base: u32) -> bool {
    char::from(byte).is_digit(base)
}

fn integer_token(at: Location, value: Integer) -> Token {
    Token {
        kind: Kind::Integer,
        at,
        value: Value::Integer(value),
    }
}
