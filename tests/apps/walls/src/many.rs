//! A supervisor of isolated children that come and go.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{ok, transient};
use otp_bridge::supervisor::prelude::*;

use crate::decoder::Decoder;

/// Starts decoders, either in several VMs or each in its own.
pub struct Many;

#[supervisor]
impl Supervisor for Many {
    type Args = u64;
    type Child = Decoder;

    fn init(vms: u64) -> impl InitReturn {
        let template = match vms {
            0 => ChildSpec::isolated_template::<Decoder>(&Isolation::new()),
            _ => ChildSpec::isolated_template::<Decoder>(&Isolation::pool(atom!("many"), vms))
                .options(StartOptions::new().timeout(Duration::from_secs(100))),
        };
        let flags = SupFlags::simple_one_for_one().intensity(3).period(3600);
        (ok, (flags, vec![template.restart(transient)]))
    }
}
