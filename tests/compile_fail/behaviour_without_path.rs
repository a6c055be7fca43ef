//! A behaviour is at a path.

use otp_bridge::behaviour;

struct Protocol;

#[behaviour]
impl RanchProtocol for Protocol {}

fn main() {}
