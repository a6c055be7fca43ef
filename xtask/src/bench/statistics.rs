//! The samples of the driver, and their statistics.

use std::collections::BTreeMap;

/// One value.
#[derive(Debug, PartialEq)]
pub(in crate::bench) struct Sample {
    pub(in crate::bench) case: String,
    pub(in crate::bench) variant: String,
    pub(in crate::bench) round: u32,
    pub(in crate::bench) value: f64,
}

/// The values of a benchmark: one for each case, variant and round.
#[derive(Debug, Default)]
pub(in crate::bench) struct Samples(BTreeMap<(String, String), BTreeMap<u32, f64>>);

/// A median with its quartiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::bench) struct Spread {
    pub(in crate::bench) low: f64,
    pub(in crate::bench) median: f64,
    pub(in crate::bench) high: f64,
}

impl Sample {
    /// Parses a line of the driver, `CASE TAB VARIANT TAB ROUND TAB VALUE`.
    pub(in crate::bench) fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split('\t').collect();
        let [case, variant, round, value] = words.as_slice() else {
            return None;
        };
        Some(Sample {
            case: (*case).to_owned(),
            variant: (*variant).to_owned(),
            round: round.parse().ok()?,
            value: value.parse().ok()?,
        })
    }
}

impl Samples {
    pub(in crate::bench) fn add(&mut self, sample: Sample) {
        let key = (sample.case, sample.variant);
        let values = self.0.entry(key).or_default();
        values.insert(sample.round, sample.value);
    }

    fn of(&self, case: &str, variant: &str) -> Option<&BTreeMap<u32, f64>> {
        self.0.get(&(case.to_owned(), variant.to_owned()))
    }

    /// Returns the median of all rounds.
    pub(in crate::bench) fn median(&self, case: &str, variant: &str) -> Option<f64> {
        Some(self.spread(case, variant)?.median)
    }

    /// Returns the median and the quartiles of all rounds.
    pub(in crate::bench) fn spread(&self, case: &str, variant: &str) -> Option<Spread> {
        Spread::of(self.of(case, variant)?.values().copied().collect())
    }

    /// Applies `combine` to the two values of each round, and returns the results.
    pub(in crate::bench) fn pairs(
        &self,
        case: &str,
        [reference, subject]: [&str; 2],
        combine: impl Fn(f64, f64) -> f64,
    ) -> Option<Spread> {
        let (references, subjects) = (self.of(case, reference)?, self.of(case, subject)?);
        let pair = |(round, value): (&u32, &f64)| Some(combine(*references.get(round)?, *value));
        Spread::of(subjects.iter().filter_map(pair).collect())
    }
}

impl Spread {
    /// Returns `None` if there are no values.
    pub(in crate::bench) fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        Some(Spread {
            low: part(&values, 0.25)?,
            median: part(&values, 0.5)?,
            high: part(&values, 0.75)?,
        })
    }
}

/// Returns the value at this fraction of the ordered values. Interpolates between two values.
fn part(ordered: &[f64], share: f64) -> Option<f64> {
    let last = ordered.len().checked_sub(1)?;
    let place = share * last as f64;
    let (below, above) = (place.floor(), place.ceil());
    let (low, high) = (ordered[below as usize], ordered[above as usize]);
    Some(low + (high - low) * (place - below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(lines: &[&str]) -> Samples {
        let mut samples = Samples::default();
        for line in lines {
            samples.add(Sample::read(line).unwrap());
        }
        samples
    }

    #[test]
    fn quartiles_lie_between_values_in_proportion() {
        let spread = Spread::of(vec![4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((spread.low, spread.median, spread.high), (1.75, 2.5, 3.25));
        let one = Spread::of(vec![7.0]).unwrap();
        assert_eq!((one.low, one.median, one.high), (7.0, 7.0, 7.0));
        assert_eq!(Spread::of(Vec::new()), None);
    }

    #[test]
    fn a_ratio_is_of_the_pair_of_a_round() {
        // In the second round the machine takes twice as long. The ratios do not change.
        let samples = samples(&[
            "cast\terlang\t1\t100.0",
            "cast\totp-rs\t1\t130.0",
            "cast\totp-rs\t2\t260.0",
            "cast\terlang\t2\t200.0",
            "cast\totp-rs\t3\t1.0",
        ]);
        let ratio = samples.pairs("cast", ["erlang", "otp-rs"], |reference, it| it / reference);
        let ratio = ratio.unwrap();
        assert_eq!((ratio.low, ratio.median, ratio.high), (1.3, 1.3, 1.3));
        assert_eq!(samples.median("cast", "erlang"), Some(150.0));
        assert_eq!(samples.median("cast", "c"), None);
        assert_eq!(samples.pairs("cast", ["c", "otp-rs"], f64::max), None);
    }

    #[test]
    fn other_lines_are_not_samples() {
        for line in ["", "cast\terlang\t1", "cast\terlang\tone\t1.0"] {
            assert_eq!(Sample::read(line), None, "{line}");
        }
    }
}
