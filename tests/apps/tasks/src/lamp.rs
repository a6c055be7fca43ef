//! A state machine with tasks, in the mode `state_functions`. It has no clauses for messages other
//! than calls and casts.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_statem::prelude::*;

/// The state: `off | on`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Level {
    Off,
    On,
}

/// A lamp that a task switches on.
#[derive(Debug)]
pub struct Lamp {
    pushes: u64,
}

/// `push`
#[derive(Debug, Term)]
pub struct Push;

/// `pushes`: returns how often it was switched. A task replies.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Pushes;

impl Lamp {
    fn answer(&self, caller: Caller<u64>, cx: &Cx<'_>) -> StateName<Level> {
        let pushes = self.pushes;
        cx.spawn_task(async move |cx| {
            cx.sleep(Duration::from_millis(1)).await?;
            caller.reply(cx, pushes);
            Ok(())
        });
        keep_state()
    }
}

#[gen_statem]
impl GenStatem for Lamp {
    type Args = ();
    type State = Level;

    fn init(_: ()) -> impl InitReturn<Level, Self> {
        (ok, Level::Off, Lamp { pushes: 0 })
    }

    #[state_name]
    fn off(&mut self, _: cast, _: Push) -> StateName<Level> {
        self.pushes += 1;
        next_state(Level::On)
    }

    #[state_name]
    fn off(&self, (_, caller): (call, Caller<u64>), _: Pushes, cx: &Cx<'_>) -> StateName<Level> {
        self.answer(caller, cx)
    }

    #[state_name]
    fn on(&mut self, _: cast, _: Push) -> StateName<Level> {
        self.pushes += 1;
        next_state(Level::Off)
    }

    #[state_name]
    fn on(&self, (_, caller): (call, Caller<u64>), _: Pushes, cx: &Cx<'_>) -> StateName<Level> {
        self.answer(caller, cx)
    }
}
