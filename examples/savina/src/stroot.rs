//! The application's root supervisor.

use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::bench::{BENCH, Bench};
use crate::plan::Form;
use crate::tasks::Tasks;

/// Starts the bench. The application ends when the bench does.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let bench = match Form::parse(&arguments)? {
            (Form::Processes, plan) => ChildSpec::of::<Bench>(plan).registered(&BENCH),
            (Form::Tasks, plan) => ChildSpec::of::<Tasks>(plan),
        };
        let bench = bench.restart(temporary).significant(true);
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        Ok((ok, (flags, vec![bench])))
    }
}
