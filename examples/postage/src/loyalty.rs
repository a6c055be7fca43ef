//! A discount: a Rust callback module for the behaviour `tariff_discount`, which the Erlang
//! dependency defines.

use otp_bridge::behaviour;
use otp_bridge::term::Ranged;

use crate::generated::tariff_discount::{PercentageReturn, TariffDiscount};

type Percentage = Ranged<u8, 0, 100>;

/// Grants five percent for amounts of at least ten euros.
pub struct Loyalty;

#[behaviour(crate::generated::tariff_discount)]
impl TariffDiscount for Loyalty {
    fn percentage(cents: u64) -> impl PercentageReturn {
        match cents {
            0..1000 => Percentage::of::<0>(),
            _ => Percentage::of::<5>(),
        }
    }
}
