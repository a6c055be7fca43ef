//! Histograms that many threads write to without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// The upper bounds of the buckets for times, in seconds. The last bucket has none.
pub(crate) const SECONDS: &[f64] = &[
    0.000_01, 0.000_05, 0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0,
];

/// The upper bounds for values whose unit is not known.
pub(crate) const DECADES: &[f64] = &[
    0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
];

/// A histogram.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [f64],
    /// The number of values in each bucket.
    buckets: Box<[AtomicU64]>,
    sum: Sum,
}

/// A floating-point number that threads can add to.
#[derive(Debug, Default)]
pub(crate) struct Sum(AtomicU64);

impl Sum {
    pub(crate) fn add(&self, value: f64) {
        let added = |bits| Some((f64::from_bits(bits) + value).to_bits());
        // The closure never refuses.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
    }

    pub(crate) fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

impl Histogram {
    pub(crate) fn new(bounds: &'static [f64]) -> Self {
        Histogram {
            bounds,
            buckets: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            sum: Sum::default(),
        }
    }

    pub(crate) fn record(&self, value: f64) {
        if value.is_nan() {
            return;
        }
        let index = self.bounds.partition_point(|bound| *bound < value);
        self.buckets[index].fetch_add(1, Ordering::Relaxed);
        self.sum.add(value);
    }

    /// Returns the upper bound of each bucket, except for the last one, with the number of values
    /// up to it; and the number and the sum of all values.
    pub(crate) fn read(&self) -> (Vec<(f64, u64)>, u64, f64) {
        let mut count = 0;
        let mut counts = self.buckets.iter().map(|bucket| {
            count += bucket.load(Ordering::Relaxed);
            count
        });
        let below = self.bounds.iter().copied().zip(counts.by_ref()).collect();
        let all = counts.next().unwrap_or_default();
        (below, all, self.sum.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_its_bucket_and_all_above() {
        let histogram = Histogram::new(&[1.0, 2.0]);
        for value in [0.5, 1.0, 1.5, 7.0, f64::NAN] {
            histogram.record(value);
        }
        assert_eq!(histogram.read(), (vec![(1.0, 2), (2.0, 3)], 4, 10.0));
    }

    #[test]
    fn bounds_rise() {
        assert!(SECONDS.is_sorted() && DECADES.is_sorted());
    }
}
