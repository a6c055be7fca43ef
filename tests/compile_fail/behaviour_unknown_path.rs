//! A behaviour is at a path.

use otp_bridge::behaviour;

struct Protocol;

#[behaviour(crate::ranch_protocol)]
impl RanchProtocol for Protocol {}

fn main() {}
