//! The JSON representation of terms: its texts, its schemas, and round trips.

use otp_bridge_novm as _;

// The terms are those of the tests of terms.
#[path = "../terms/generate.rs"]
#[allow(dead_code, reason = "the tests of terms use more of it")]
mod generate;

mod generated;
mod linear;
mod support;
mod terms;
mod texts;
mod typed;
