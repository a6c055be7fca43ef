//! Parsing and formatting floats as Redis does.

/// Formats a number with at most 17 digits, like C's `%.17g`.
#[must_use]
pub fn text(number: f64) -> String {
    const DIGITS: i32 = 17;
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if number == number.trunc() && number.abs() < 1e17 {
        // `-0` keeps its sign.
        return format!("{number:.0}");
    }
    let scientific = format!("{number:.16e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..DIGITS).contains(&exponent) {
        let places = usize::try_from(DIGITS - 1 - exponent).unwrap_or_default();
        return trimmed(&format!("{number:.places$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// Parses a score. Returns `None` if it is not a number.
#[must_use]
pub fn read(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let number: f64 = text.parse().ok()?;
    (!number.is_nan()).then_some(number)
}

/// A number for INCRBYFLOAT. If it is not large, it is exact to 17 decimal places, as C's
/// `long double` mostly is.
#[derive(Debug, Clone, Copy)]
pub enum Decimal {
    /// Number of units of the 17th decimal place.
    Exact(i128),
    /// Any other number.
    Float(f64),
}

/// Number of units of the 17th decimal place in one.
const UNITS: i128 = 100_000_000_000_000_000;

/// Rounds units to the 64 binary digits of a `long double`.
fn rounded(units: i128) -> i128 {
    const DIGITS: u32 = 64;
    let nearest = |number: i128, divisor: i128| {
        let (quotient, rest) = (number / divisor, number % divisor);
        let is_up = rest * 2 > divisor || (rest * 2 == divisor && quotient % 2 == 1);
        quotient + i128::from(is_up)
    };
    let bits = i128::BITS - (units / UNITS).leading_zeros();
    match DIGITS.checked_sub(bits) {
        Some(DIGITS) => units,
        Some(places) => {
            let binary = nearest(units << places, UNITS);
            nearest(binary * UNITS, 1 << places)
        }
        None => {
            let step = UNITS << (bits - DIGITS);
            nearest(units, step) * step
        }
    }
}

impl Decimal {
    /// Parses a number.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let float = read(text)?;
        // A number that is too large is not infinite.
        if float.is_infinite() && text.iter().any(u8::is_ascii_digit) {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?;
        let digits = text.trim_start_matches(['-', '+']);
        let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
        let is_plain =
            (whole.len() + places.len() > 0) && (whole.len() <= 20) && (places.len() <= 30);
        let are_digits = whole
            .bytes()
            .chain(places.bytes())
            .all(|byte| byte.is_ascii_digit());
        if !is_plain || !are_digits {
            return Some(Decimal::Float(float));
        }
        let whole: i128 = format!("0{whole}").parse().ok()?;
        let is_up = places
            .as_bytes()
            .get(17)
            .is_some_and(|digit| *digit >= b'5');
        let places: i128 = format!("{:0<17}", &places[..places.len().min(17)])
            .parse()
            .ok()?;
        let places = places + i128::from(is_up);
        let units = whole * UNITS + places;
        let sign = if text.starts_with('-') { -1 } else { 1 };
        Some(Decimal::Exact(sign * rounded(units)))
    }

    fn float(self) -> f64 {
        match self {
            Decimal::Exact(units) => units as f64 / UNITS as f64,
            Decimal::Float(float) => float,
        }
    }

    /// Returns whether the number is infinite.
    #[must_use]
    pub fn is_infinite(self) -> bool {
        self.float().is_infinite()
    }

    /// Returns the sum, if it is a number.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        if let (Decimal::Exact(one), Decimal::Exact(other)) = (self, other) {
            let sum = one + other;
            return Some(Decimal::Exact(sum.signum() * rounded(sum.abs())));
        }
        let sum = self.float() + other.float();
        sum.is_finite().then_some(Decimal::Float(sum))
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Decimal::Float(float) => f.write_str(trimmed(&format!("{float:.17}"))),
            Decimal::Exact(units) => {
                let sign = if *units < 0 { "-" } else { "" };
                let units = units.unsigned_abs();
                let one = UNITS.unsigned_abs();
                let text = format!("{sign}{}.{:017}", units / one, units % one);
                f.write_str(trimmed(&text))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_does() {
        for (number, written) in [
            (0.1, "0.10000000000000001"),
            (3.0, "3"),
            (-2.5, "-2.5"),
            (1e20, "1e+20"),
            (1.5e-7, "1.4999999999999999e-07"),
            (0.0001, "0.0001"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(text(number), written);
        }
    }
}
