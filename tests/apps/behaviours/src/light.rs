//! A state machine in the mode `state_functions`, with `state_enter`.
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

/// `entered`: the levels so far.
#[derive(Debug, Term)]
#[reply(Vec<Level>)]
pub struct Entered;

impl Light {
    fn enters(mut self, level: Level) -> StateNameEnter<Level, Self> {
        self.entered.push(level);
        keep_state(self)
    }

    fn answers(self, from: From<Vec<Level>>) -> StateName<Level, Self> {
        let entered = self.entered.clone();
        keep_state_and_data_actions(reply(from, entered), self)
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
    fn off(self, _: Level) -> StateNameEnter<Level, Self> {
        self.enters(Level::Off)
    }

    #[state_name]
    fn off(self, _: cast, _: Push) -> StateName<Level, Self> {
        next_state(Level::HalfOn, self)
    }

    #[state_name]
    fn off(self, (_, from): (call, From<Vec<Level>>), _: Entered) -> StateName<Level, Self> {
        self.answers(from)
    }

    #[state_name_enter("half-on")]
    fn half_on_entered(self, _: Level) -> StateNameEnter<Level, Self> {
        self.enters(Level::HalfOn)
    }

    #[state_name("half-on")]
    fn half_on(self, _: cast, _: Push) -> StateName<Level, Self> {
        next_state(Level::On, self)
    }

    #[state_name("half-on")]
    fn half_on_asked(
        self,
        (_, from): (call, From<Vec<Level>>),
        _: Entered,
    ) -> StateName<Level, Self> {
        self.answers(from)
    }

    #[state_name_enter]
    fn on(self, _: Level) -> StateNameEnter<Level, Self> {
        self.enters(Level::On)
    }

    #[state_name]
    fn on(self, _: cast, _: Push) -> StateName<Level, Self> {
        next_state(Level::Off, self)
    }

    #[state_name]
    fn on(self, (_, from): (call, From<Vec<Level>>), _: Entered) -> StateName<Level, Self> {
        self.answers(from)
    }
}
