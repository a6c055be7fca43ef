//! Functions that have been migrated: typed, with a `-spec`.

use otp_bridge::{Rustler, module};

use crate::natives::Point;

/// Distances in the plane.
#[module("Elixir.Plane.Distance")]
pub mod functions {
    use super::*;

    /// The distance of two points along the axes.
    pub fn between(one: Rustler<Point>, other: Rustler<Point>) -> u64 {
        let (Rustler(one), Rustler(other)) = (one, other);
        one.x.abs_diff(other.x) + one.y.abs_diff(other.y)
    }
}
