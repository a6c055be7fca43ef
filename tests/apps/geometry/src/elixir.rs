//! A module with the name of an Elixir module.

use otp_bridge::module;

/// Distances, for Elixir.
#[module("Elixir.Geometry.Distance")]
pub mod distance {
    /// The distance of two points.
    pub fn between(from: (f64, f64), to: (f64, f64)) -> f64 {
        (from.0 - to.0).hypot(from.1 - to.1)
    }
}
