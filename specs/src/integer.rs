//! Integers of any size, as decimal text once they leave 64 bits.

use crate::ast::Integer;

/// Maximum number of digits of a based literal, or of bytes of an external term: the conversion
/// takes quadratic time.
pub(crate) const MAX_DIGITS: usize = 10_000;

impl Integer {
    /// Converts decimal digits without sign or separators.
    pub(crate) fn from_decimal(digits: &str) -> Integer {
        match digits.parse() {
            Ok(small) => Integer::Small(small),
            Err(_) => match digits.trim_start_matches('0') {
                "" => Integer::Small(0),
                significant => Integer::Big(significant.into()),
            },
        }
    }

    /// Converts digits of any base, most significant first.
    pub(crate) fn from_digits(base: u32, digits: impl Iterator<Item = u32>) -> Integer {
        let mut limbs = Limbs::default();
        digits.for_each(|digit| limbs.push_digit(base, digit));
        limbs.into_integer(false)
    }

    /// Converts the bytes of an external term, least significant first.
    pub(crate) fn from_little_endian(bytes: &[u8], negative: bool) -> Integer {
        let mut limbs = Limbs::default();
        bytes
            .iter()
            .rev()
            .for_each(|byte| limbs.push_digit(256, u32::from(*byte)));
        limbs.into_integer(negative)
    }

    /// Returns the integer with the other sign.
    pub(crate) fn negated(&self) -> Integer {
        match self {
            Integer::Small(small) => match small.checked_neg() {
                Some(negated) => Integer::Small(negated),
                None => Integer::Big(small.unsigned_abs().to_string().into()),
            },
            Integer::Big(big) => match big.strip_prefix('-') {
                Some(positive) => Integer::Big(positive.into()),
                None => format!("-{big}")
                    .parse()
                    .map_or_else(|_| Integer::Big(format!("-{big}").into()), Integer::Small),
            },
        }
    }

    /// Returns its decimal text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Integer::Small(small) => small.to_string(),
            Integer::Big(big) => big.to_string(),
        }
    }
}

/// Shifts left; as in Erlang, a negative count shifts right. Returns `None` if the result does not
/// fit.
pub(crate) fn shifted_left(value: i128, bits: i128) -> Option<i128> {
    match u32::try_from(bits.unsigned_abs()) {
        Ok(bits_right) if bits < 0 => Some(value >> bits_right.min(127)),
        Ok(bits_left) if bits_left < 127 => value.checked_mul(1i128 << bits_left),
        _ if value == 0 => Some(0),
        _ if bits < 0 => Some(if value < 0 { -1 } else { 0 }),
        _ => None,
    }
}

/// A natural number in base 10^9, least significant limb first.
#[derive(Default)]
struct Limbs(Vec<u32>);

impl Limbs {
    const BASE: u64 = 1_000_000_000;

    fn push_digit(&mut self, base: u32, digit: u32) {
        let mut carry = u64::from(digit);
        for limb in &mut self.0 {
            let value = u64::from(*limb) * u64::from(base) + carry;
            *limb = (value % Self::BASE) as u32;
            carry = value / Self::BASE;
        }
        if carry > 0 {
            self.0.push((carry % Self::BASE) as u32);
        }
    }

    fn into_integer(self, negative: bool) -> Integer {
        let mut text = String::new();
        if negative {
            text.push('-');
        }
        for (index, limb) in self.0.iter().rev().enumerate() {
            match index {
                0 => text.push_str(&limb.to_string()),
                _ => text.push_str(&format!("{limb:09}")),
            }
        }
        match text.as_str() {
            "" | "-" => Integer::Small(0),
            digits => digits
                .parse()
                .map_or_else(|_| Integer::Big(digits.into()), Integer::Small),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_base_and_size() {
        let hex = |text: &str| {
            Integer::from_digits(16, text.chars().map(|c| c.to_digit(16).unwrap_or(0)))
        };
        assert_eq!(hex("ff"), Integer::Small(255));
        assert_eq!(
            hex("ffffffffffffffff"),
            Integer::Big("18446744073709551615".into())
        );
        assert_eq!(hex("0000"), Integer::Small(0));
        assert_eq!(
            Integer::from_little_endian(&[0, 0, 1], true),
            Integer::Small(-65536)
        );
        assert_eq!(
            Integer::from_little_endian(&[0, 0, 0, 0, 0, 0, 0, 0, 1], true),
            Integer::Big("-18446744073709551616".into())
        );
        assert_eq!(Integer::from_decimal("0009"), Integer::Small(9));
        assert_eq!(
            Integer::from_decimal("0100000000000000000000"),
            Integer::Big("100000000000000000000".into())
        );
    }
}
