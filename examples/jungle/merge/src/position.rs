//! Positions of siblings as fractions, so that there is always room for a node between two others.

use std::fmt;

use bytes::Bytes;
use otp_bridge::Term;

/// Maximum length of a fraction in bytes.
pub(crate) const MAX_FRACTION: usize = 256;

/// A position among siblings as a number: `{Whole, Fraction}`. Between any two different positions
/// there is another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Term)]
#[term(tuple)]
pub struct Position {
    pub(crate) whole: i64,
    /// Digits in base 256 after the point. The last digit is not 0.
    pub(crate) fraction: Bytes,
}

impl Position {
    /// Returns whether [`Position::between`] could have made this position.
    pub(crate) fn is_valid(&self) -> bool {
        self.fraction.len() <= MAX_FRACTION && self.fraction.last() != Some(&0)
    }

    /// Returns a position between two others; `low` must not be after `high`. At either end of the
    /// siblings, the result is one whole unit beyond the last one.
    pub(crate) fn between(low: Option<&Position>, high: Option<&Position>) -> Position {
        let whole = match (low, high) {
            (None, None) => Some(0),
            (Some(low), None) => low.whole.checked_add(1),
            (None, Some(high)) => high.whole.checked_sub(1),
            (Some(low), Some(high)) => low.halfway(high),
        };
        if let Some(whole) = whole {
            return Position {
                whole,
                fraction: Bytes::new(),
            };
        }
        let least = Position {
            whole: i64::MIN,
            fraction: Bytes::new(),
        };
        let start = low.unwrap_or(&least);
        let end = high.filter(|high| high.whole == start.whole);
        Position {
            whole: start.whole,
            fraction: middle(&start.fraction, end.map(|high| &*high.fraction)).into(),
        }
    }

    /// Returns a whole number strictly between the two positions, if there is one.
    fn halfway(&self, high: &Position) -> Option<i64> {
        let first = self.whole.checked_add(1)?;
        (first < high.whole)
            .then(|| first + (i128::from(high.whole) - i128::from(first)) as i64 / 2)
    }
}

/// Returns digits between two fractions. If these are equal, because two replicas inserted nodes at
/// one place concurrently, the result is after both.
fn middle(low: &[u8], high: Option<&[u8]>) -> Vec<u8> {
    let mut digits = Vec::new();
    let mut end = high.filter(|high| low < *high);
    for at in 0.. {
        let least = low.get(at).copied().unwrap_or(0);
        let most = match end {
            Some(high) => high.get(at).copied().map_or(256, u16::from),
            None => 256,
        };
        if most >= u16::from(least) + 2 {
            digits.push((u16::from(least).midpoint(most)) as u8);
            return digits;
        }
        digits.push(least);
        // The result is already less than the upper fraction, which does not limit the remaining
        // digits.
        if most != u16::from(least) {
            end = None;
        }
    }
    digits
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.whole)?;
        self.fraction
            .iter()
            .try_for_each(|digit| write!(f, ".{digit}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn there_is_always_one_between(places in prop::collection::vec(0usize..1000, 1..200)) {
            let mut all: Vec<Position> = Vec::new();
            for place in places {
                let at = place % (all.len() + 1);
                let low = at.checked_sub(1).map(|before| &all[before]);
                let new = Position::between(low, all.get(at));
                prop_assert!(new.is_valid(), "{new}");
                all.insert(at, new);
                prop_assert!(all.is_sorted() && all.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
    }

    #[test]
    fn the_ends_of_numbers_are_not_the_end() {
        let last = Position {
            whole: i64::MAX,
            fraction: Bytes::new(),
        };
        let next = Position::between(Some(&last), None);
        assert!(last < next && next.is_valid());
        let first = Position {
            whole: i64::MIN,
            fraction: Bytes::from_static(&[1]),
        };
        let before = Position::between(None, Some(&first));
        assert!(before < first && before.is_valid(), "{before}");
        let same = Position::between(Some(&first), Some(&first));
        assert!(first < same);
        // A neighbour that no correct replica would send.
        let odd = Position {
            whole: 3,
            fraction: Bytes::from_static(&[0, 0]),
        };
        let low = Position {
            whole: 3,
            fraction: Bytes::new(),
        };
        assert!(low < Position::between(Some(&low), Some(&odd)));
    }

    #[test]
    fn what_is_added_at_an_end_stays_short() {
        let mut last = Position::default();
        for _ in 0..10_000 {
            last = Position::between(Some(&last), None);
        }
        assert_eq!(last.fraction.len(), 0);
    }
}
