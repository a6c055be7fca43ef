//! A state machine in the mode `state_functions`, with `state_enter`.
use otp_bridge::atoms::{call, cast, ok};
use otp_bridge::gen_statem::prelude::*;

/// The state: `off | 'half-on' | on`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Level {
    Off,
    #[term(tag = "half-on")]
    HalfOn,
    On,
}

/// The data: the levels that were entered.
#[derive(Debug)]
pub struct Light {
    entered: Vec<Level>,
}

/// `push`
#[derive(Debug, Term)]
pub struct Push;

/// `entered`: returns the levels.
#[derive(Debug, Term)]
#[reply(Vec<Level>)]
pub struct Entered;

impl Light {
    fn enters(&mut self, level: Level) -> StateNameEnter {
        self.entered.push(level);
        keep_state()
    }

    fn answers(&self, caller: Caller<Vec<Level>>) -> StateName<Level> {
        keep_state_actions(reply(caller, self.entered.clone()))
    }
}

#[gen_statem]
impl GenStatem for Light {
    type Args = ();
    type State = Level;

    fn init(_: ()) -> impl InitReturn<Level, Self> {
        let entered = Vec::new();
        (ok, Level::Off, Light { entered })
    }

    #[state_name_enter]
    fn off(&mut self, _: Level) -> StateNameEnter {
        self.enters(Level::Off)
    }

    #[state_name]
    fn off(&self, _: cast, _: Push) -> StateName<Level> {
        next_state(Level::HalfOn)
    }

    #[state_name]
    fn off(&self, (_, caller): (call, Caller<Vec<Level>>), _: Entered) -> StateName<Level> {
        self.answers(caller)
    }

    #[state_name_enter("half-on")]
    fn half_on_entered(&mut self, _: Level) -> StateNameEnter {
        self.enters(Level::HalfOn)
    }

    #[state_name("half-on")]
    fn half_on(&self, _: cast, _: Push) -> StateName<Level> {
        next_state(Level::On)
    }

    #[state_name("half-on")]
    fn half_on_asked(
        &self,
        (_, caller): (call, Caller<Vec<Level>>),
        _: Entered,
    ) -> StateName<Level> {
        self.answers(caller)
    }

    #[state_name_enter]
    fn on(&mut self, _: Level) -> StateNameEnter {
        self.enters(Level::On)
    }

    #[state_name]
    fn on(&self, _: cast, _: Push) -> StateName<Level> {
        next_state(Level::Off)
    }

    #[state_name]
    fn on(&self, (_, caller): (call, Caller<Vec<Level>>), _: Entered) -> StateName<Level> {
        self.answers(caller)
    }
}
