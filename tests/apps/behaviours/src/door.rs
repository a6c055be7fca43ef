//! A state machine in the mode `handle_event_function`, with `state_enter`.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{internal, timeout};
use otp_bridge::gen_statem::prelude::*;

/// The state: `locked | {open, Times}`
#[derive(Debug, Clone, PartialEq, Term)]
pub enum State {
    Locked,
    Open(u32),
}

/// The data: whom it tells what happened, and the code.
#[derive(Debug)]
pub struct Door {
    observer: Pid,
    code: String,
}

/// `{start, Observer, How}`
#[derive(Debug, Term)]
pub struct Start(pub Pid, pub How);

/// How `init/1` returns.
#[derive(Debug, Term)]
pub enum How {
    Plain,
    Timeout(u64),
    Stop(Term),
    Ignore,
    Panic,
}

/// `{code, Text}`: whether it opened the door.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Code(pub String);

/// `knock`: answered when the door is open, however long that takes.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Knock;

/// What is cast.
#[derive(Debug, Term)]
pub enum Do {
    /// `{soon, Milliseconds}`: an event timeout.
    Soon(u64),
    /// `{alarm, Name, Milliseconds}`: a timeout with a name.
    Alarm(Term, u64),
    /// `{quiet, Name}`: stops it.
    Quiet(Term),
    /// `again`: enters the state anew.
    Again,
    /// `within`: an event from inside.
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

/// `bye`: answered, and the end.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Bye;

impl Door {
    async fn tell(&self, cx: &Cx, what: impl ToTerm) -> Result<()> {
        cx.send(&self.observer, (cx.pid(), what)).await
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

    async fn handle_event_enter(
        self,
        old: State,
        state: State,
        cx: &Cx,
    ) -> Result<HandleEventEnter<State, Self>> {
        self.tell(cx, (atom!("entered"), old, &state)).await?;
        match state {
            State::Locked => keep_state(self),
            State::Open(_) => {
                let close = (state_timeout, Duration::from_millis(500), atom!("close"));
                keep_state_actions(self, close)
            }
        }
    }

    fn handle_event(
        self,
        (_, from): (call, From<bool>),
        Code(text): Code,
        state: State,
    ) -> HandleEvent<State, Self> {
        if text != self.code {
            return keep_state_and_data_actions(reply(from, false), self);
        }
        let times = match state {
            State::Locked => 1,
            State::Open(times) => times + 1,
        };
        next_state_actions(State::Open(times), self, reply(from, true))
    }

    fn handle_event(
        self,
        (_, from): (call, From<Atom>),
        _: Knock,
        state: State,
    ) -> HandleEvent<State, Self> {
        match state {
            State::Locked => keep_state_and_data_actions(postpone, self),
            State::Open(_) => keep_state_and_data_actions(reply(from, ok.into()), self),
        }
    }

    fn handle_event(
        self,
        (_, from): (call, From<Atom>),
        _: Bye,
        _: State,
    ) -> HandleEvent<State, Self> {
        stop_and_reply(normal, reply(from, ok.into()), self)
    }

    async fn handle_event(
        self,
        _: cast,
        what: Do,
        _: State,
        cx: &Cx,
    ) -> Result<HandleEvent<State, Self>> {
        match what {
            Do::Soon(time) => {
                let soon = (timeout, Duration::from_millis(time), atom!("soon"));
                keep_state_and_data_actions(soon, self)
            }
            Do::Alarm(name, time) => {
                let time = Duration::from_millis(time);
                keep_state_and_data_actions(timeout_named(name, time, atom!("alarm")), self)
            }
            Do::Quiet(name) => keep_state_and_data_actions(cancel_timeout(name), self),
            Do::Again => repeat_state_and_data(self),
            Do::Within => {
                let events =
                    [atom!("first"), atom!("second")].map(|content| next_event(internal, content));
                keep_state_and_data_actions(Vec::from(events), self)
            }
            Do::Sleep(time) => {
                cx.sleep(Duration::from_millis(time)).await?;
                self.tell(cx, atom!("slept")).await?;
                keep_state(self)
            }
            Do::Hibernate => keep_state_and_data_actions(hibernate, self),
            Do::Stop(reason) => stop_reason(reason, self),
            Do::Panic => panic!("at the door"),
        }
    }

    async fn handle_event(
        self,
        _: state_timeout,
        content: Term,
        _: State,
        cx: &Cx,
    ) -> Result<HandleEvent<State, Self>> {
        self.tell(cx, (state_timeout, content)).await?;
        next_state(State::Locked, self)
    }

    async fn handle_event(
        self,
        event: EventType,
        content: Term,
        _: State,
        cx: &Cx,
    ) -> Result<HandleEvent<State, Self>> {
        self.tell(cx, (event, content)).await?;
        keep_state(self)
    }

    async fn terminate(self, reason: Term, state: State, cx: &Cx) -> Result<Term> {
        self.tell(cx, (atom!("terminate"), reason, state)).await?;
        Ok(Term::of(&ok))
    }

    fn code_change(
        self,
        _: Term,
        state: State,
        code: String,
    ) -> impl CodeChangeReturn<State, Self> {
        (ok, state, Door { code, ..self })
    }
}
