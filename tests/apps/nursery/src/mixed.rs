//! A supervisor whose children have ids.
use otp_bridge::atom;
use otp_bridge::atoms::{ok, start_link};
use otp_bridge::supervisor::prelude::*;

use crate::hand::Hand;

/// Starts a hand, and a process group of OTP.
pub struct Mixed;

#[supervisor]
impl Supervisor for Mixed {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        let groups = ChildSpec::erlang(atom!("pg"), start_link, (atom!("nursery_groups"),));
        (
            ok,
            (
                SupFlags::one_for_one().intensity(3).period(5),
                vec![ChildSpec::of::<Hand>(1), groups],
            ),
        )
    }
}
