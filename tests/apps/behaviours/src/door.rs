//! A state machine in the mode `handle_event_function`, with `state_enter`.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{
    call, cast, hibernate, internal, normal, ok, postpone, state_timeout, timeout,
};
use otp_bridge::gen_statem::prelude::*;

/// The state: `locked | {open, Times}`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum State {
    Locked,
    Open(u32),
}

/// The data: the code, and the process to notify of events.
#[derive(Debug)]
pub struct Door {
    observer: Pid,
    code: String,
}

/// `{old_door, Observer, Code}`: the data of a door written in Erlang, which this one has replaced.
#[derive(Debug, Term)]
pub struct OldDoor(Pid, String);

/// `{start, Observer, How}`
#[derive(Debug, Term)]
pub struct Start(pub Pid, pub How);

/// The result of `init/1`.
#[derive(Debug, Term)]
pub enum How {
    Plain,
    Timeout(u64),
    Stop(Term),
    Ignore,
    Panic,
}

/// `{code, Text}`: tries a code. The reply tells whether it opened the door.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Code(pub String);

/// `knock`: gets its reply when the door is open, however long that takes.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Knock;

/// Casts.
#[derive(Debug, Term)]
pub enum Do {
    /// `{soon, Milliseconds}`: starts an event timeout.
    Soon(u64),
    /// `{alarm, Name, Milliseconds}`: starts a named timeout.
    Alarm(Term, u64),
    /// `{quiet, Name}`: cancels the timeout.
    Quiet(Term),
    /// `again`: repeats the enter call of the state.
    Again,
    /// `within`: inserts an event (`next_event`).
    Within,
    /// `{sleep, Milliseconds}`: waits in the callback.
    Sleep(u64),
    /// `hibernate`
    Hibernate,
    /// `{stop, Reason}`
    Stop(Term),
    /// `panic`
    Panic,
}

/// `bye`: gets a reply, and stops the machine.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Bye;

impl Door {
    fn tell(&self, cx: &Cx<'_>, what: impl ToTerm) {
        cx.send(&self.observer, (cx.pid(), what));
    }
}

#[gen_statem]
impl GenStatem for Door {
    type Args = Start;
    type State = State;

    fn init(Start(observer, how): Start) -> Init<State, Self> {
        let code = "1234".to_owned();
        let door = Door { observer, code };
        match how {
            How::Plain => Init::Ok(State::Locked, door),
            How::Timeout(time) => {
                let soon = (timeout, Duration::from_millis(time), atom!("begun"));
                Init::OkActions(State::Locked, door, soon.into())
            }
            How::Stop(reason) => Init::Stop(reason),
            How::Ignore => Init::Ignore,
            How::Panic => panic!("told to"),
        }
    }

    fn handle_event_enter(&self, old: State, state: State, cx: &Cx<'_>) -> HandleEventEnter {
        self.tell(cx, (atom!("entered"), old, &state));
        match state {
            State::Locked => keep_state(),
            State::Open(_) => {
                let close = (state_timeout, Duration::from_millis(500), atom!("close"));
                keep_state_actions(close)
            }
        }
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<bool>),
        Code(text): Code,
        state: State,
    ) -> HandleEvent<State> {
        if text != self.code {
            return keep_state_actions(reply(caller, false));
        }
        let times = match state {
            State::Locked => 1,
            State::Open(times) => times + 1,
        };
        next_state_actions(State::Open(times), reply(caller, true))
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<Atom>),
        _: Knock,
        state: State,
    ) -> HandleEvent<State> {
        match state {
            State::Locked => keep_state_actions(postpone),
            State::Open(_) => keep_state_actions(reply(caller, ok.into())),
        }
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<Atom>),
        _: Bye,
        _: State,
    ) -> HandleEvent<State> {
        stop_and_reply(normal, reply(caller, ok.into()))
    }

    async fn handle_event(
        &self,
        _: cast,
        what: Do,
        _: State,
        cx: &Cx<'_>,
    ) -> Result<HandleEvent<State>> {
        match what {
            Do::Soon(time) => {
                let soon = (timeout, Duration::from_millis(time), atom!("soon"));
                keep_state_actions(soon)
            }
            Do::Alarm(name, time) => {
                let time = Duration::from_millis(time);
                keep_state_actions(timeout_named(name, time, atom!("alarm")))
            }
            Do::Quiet(name) => keep_state_actions(cancel_timeout(name)),
            Do::Again => repeat_state_and_data(),
            Do::Within => {
                let events =
                    [atom!("first"), atom!("second")].map(|content| next_event(internal, content));
                keep_state_and_data_actions(Vec::from(events))
            }
            Do::Sleep(time) => {
                cx.sleep(Duration::from_millis(time)).await?;
                self.tell(cx, atom!("slept"));
                keep_state_and_data()
            }
            Do::Hibernate => keep_state_and_data_actions(hibernate),
            Do::Stop(reason) => stop(reason),
            Do::Panic => panic!("at the door"),
        }
    }

    fn handle_event(
        &self,
        _: state_timeout,
        content: Term,
        _: State,
        cx: &Cx<'_>,
    ) -> HandleEvent<State> {
        self.tell(cx, (state_timeout, content));
        next_state(State::Locked)
    }

    fn handle_event(
        &self,
        event: EventType,
        content: Term,
        _: State,
        cx: &Cx<'_>,
    ) -> HandleEvent<State> {
        self.tell(cx, (event, content));
        keep_state()
    }

    fn terminate(&mut self, reason: Term, state: State, cx: &Cx<'_>) {
        self.tell(cx, (atom!("terminate"), reason, state));
    }

    fn code_change(
        _: Term,
        state: State,
        OldDoor(observer, code): OldDoor,
        _: Term,
    ) -> impl CodeChangeReturn<State, Self> {
        (ok, state, Door { observer, code })
    }
}
