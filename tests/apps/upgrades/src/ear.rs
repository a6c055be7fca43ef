//! An event handler.
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// Number of events.
#[cfg(not(build = "5"))]
#[derive(Debug, Term)]
pub struct Ear(pub u64);

/// Number of events, and whether the state is that of the fifth build.
#[cfg(build = "5")]
#[derive(Debug, Term)]
pub struct Ear(pub u64, pub bool);

/// The number of events, in older builds.
#[cfg(build = "5")]
#[derive(Debug, Term)]
#[term(tag = "ear")]
pub struct Older(u64);

/// `heard`: returns the number of events, and the build that answers.
#[derive(Debug, Term)]
#[reply((u64, String))]
pub struct Heard;

#[gen_event]
impl GenEvent for Ear {
    type InitArgs = u64;

    fn init(heard: u64) -> impl InitReturn<Self> {
        #[cfg(not(build = "5"))]
        let ear = Ear(heard);
        #[cfg(build = "5")]
        let ear = Ear(heard, true);
        (ok, ear)
    }

    #[cfg(build = "5")]
    fn code_change(_: Term, Older(heard): Older, _: Term) -> impl CodeChangeReturn<Self> {
        (ok, Ear(heard, true))
    }

    #[cfg(build = "5")]
    fn code_change(self, _: Downgrade<Older>) -> Older {
        Older(self.0)
    }

    fn handle_event(&mut self, _: Term) -> impl HandleEventReturn {
        self.0 += 1;
        ok
    }

    fn handle_call(&self, _: Heard) -> impl HandleCallReturn<(u64, String)> {
        (ok, (self.0, crate::BUILD.to_owned()))
    }
}
