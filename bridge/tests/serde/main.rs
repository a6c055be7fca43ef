//! Serde types as terms: the mapping, round trips and errors.

mod mapping;
mod model;
mod refused;

use otp_bridge_novm as _;
