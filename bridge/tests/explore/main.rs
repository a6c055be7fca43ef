//! Tests in simulated nodes: races that only some orders of messages show.

mod bank;
mod endings;
mod properties;
mod replayed;

use otp_bridge_novm as _;
