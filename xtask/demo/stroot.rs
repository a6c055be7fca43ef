//! The root supervisor. It starts a counter and its visitor, with whose end the application ends.
use otp_bridge::atom;
use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::counter::Counter;
use crate::visitor::Visitor;

/// Starts both.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line of `cargo otp run -- …`.
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl InitReturn {
        let numbers: Vec<u64> = arguments
            .iter()
            .filter_map(|number| number.parse().ok())
            .collect();
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        let counter = ChildSpec::of::<Counter>(0).registered(atom!("counter"));
        let visitor = ChildSpec::of::<Visitor>(numbers)
            .restart(temporary)
            .significant(true);
        (ok, (flags, vec![counter, visitor]))
    }
}
