//! A state machine.
use otp_bridge::atoms::{call, cast, ok};
use otp_bridge::gen_statem::prelude::*;

/// The state: `off | on`, in the third build `dark | off`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Level {
    Off,
    #[cfg(not(build = "3"))]
    On,
    #[cfg(build = "3")]
    Dark,
}

/// The data: the number of pushes.
#[derive(Debug, Term)]
pub struct Light {
    pushed: u64,
    #[cfg(build = "5")]
    is_fifth: bool,
}

/// The data of older builds.
#[cfg(build = "5")]
#[derive(Debug, Term)]
pub struct Older {
    pushed: u64,
}

/// `push`
#[derive(Debug, Term)]
pub struct Push;

/// `seen`: returns the number of pushes, and the build that answers.
#[derive(Debug, Term)]
#[reply((u64, String))]
pub struct Seen;

#[gen_statem]
impl GenStatem for Light {
    type Args = ();
    type State = Level;

    fn init(_: ()) -> impl InitReturn<Level, Self> {
        (
            ok,
            Level::Off,
            Light {
                pushed: 0,
                #[cfg(build = "5")]
                is_fifth: true,
            },
        )
    }

    #[cfg(build = "5")]
    fn code_change(
        _: Term,
        state: Level,
        old: Older,
        _: Term,
    ) -> impl CodeChangeReturn<Level, Self> {
        (
            ok,
            state,
            Light {
                pushed: old.pushed,
                is_fifth: true,
            },
        )
    }

    #[cfg(build = "5")]
    fn code_change(self, _: Downgrade<Older>) -> Older {
        Older {
            pushed: self.pushed,
        }
    }

    fn handle_event(&mut self, _: cast, _: Push, state: Level) -> HandleEvent<Level> {
        self.pushed += 1;
        next_state(match state {
            #[cfg(not(build = "3"))]
            Level::Off => Level::On,
            #[cfg(build = "3")]
            Level::Off => Level::Dark,
            _ => Level::Off,
        })
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<(u64, String)>),
        _: Seen,
        _: Level,
    ) -> HandleEvent<Level> {
        keep_state_actions(reply(caller, (self.pushed, crate::BUILD.to_owned())))
    }
}
