//! A supervisor whose children come and go.
use otp_bridge::atoms::{ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::victim::Victim;

/// Starts victims, and does not restart them.
pub struct Brood;

#[supervisor]
impl Supervisor for Brood {
    type Args = ();
    type Child = Victim;

    fn init(_: ()) -> impl InitReturn {
        let victim = ChildSpec::template::<Victim>().restart(temporary);
        (ok, (SupFlags::simple_one_for_one(), vec![victim]))
    }
}
