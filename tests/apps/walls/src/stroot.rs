//! The root supervisor.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::decoder::Decoder;
use crate::many::Many;

/// Starts the decoders: one here, one in a VM of its own, two that share a VM, one with limits, and
/// two supervisors of further ones.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let pair = Isolation::group(atom!("pair"));
        let limited = Isolation::new()
            .memory(400 << 20)
            .processor_time(Duration::from_secs(2));
        let children = vec![
            ChildSpec::of::<Decoder>(0)
                .registered(atom!("local"))
                .id(atom!("local")),
            ChildSpec::isolated::<Decoder>(0)
                .registered(atom!("alone"))
                .id(atom!("alone")),
            ChildSpec::isolated_in::<Decoder>(&pair, 10)
                .registered(atom!("left"))
                .id(atom!("left")),
            ChildSpec::isolated_in::<Decoder>(&pair, 20)
                .registered(atom!("right"))
                .id(atom!("right")),
            ChildSpec::isolated_in::<Decoder>(&limited, 0)
                .registered(atom!("limited"))
                .id(atom!("limited")),
            ChildSpec::of::<Many>(2).registered(atom!("many")).id(2),
            ChildSpec::of::<Many>(0).registered(atom!("single")).id(0),
        ];
        (
            ok,
            (SupFlags::one_for_one().intensity(1000).period(1), children),
        )
    }
}
