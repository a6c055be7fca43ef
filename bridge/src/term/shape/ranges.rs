//! Ranges of integers.

/// Returns whether a range up to `high` ends before one from `low`.
pub(super) const fn is_below(high: Option<i128>, low: Option<i128>) -> bool {
    match (high, low) {
        (Some(high), Some(low)) => high < low,
        _ => false,
    }
}

/// Returns whether a range from `low` includes the lower part of one from `other`.
pub(super) const fn is_from(low: Option<i128>, other: Option<i128>) -> bool {
    match (low, other) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(low), Some(other)) => low <= other,
    }
}

/// Returns whether a range to `high` includes the upper part of one to `other`.
pub(super) const fn is_to(high: Option<i128>, other: Option<i128>) -> bool {
    match (high, other) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(high), Some(other)) => high >= other,
    }
}
