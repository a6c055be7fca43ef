//! Checks that `testing::Machine` behaves like OTP's `gen_statem`: Erlang runs the same sequences
//! of events.

mod sequences;

use otp_bridge::atoms::{cancel, ok, postpone, state_timeout, update};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::gen_statem::{ActionOrList, EnterActionOrList};
use otp_bridge::testing::{self, PendingCall};
use otp_bridge::{Exit, atom, atoms};

use crate::otp::{Numbers, happens_in_otp};

/// The state.
#[derive(Debug, Clone, PartialEq, Term)]
enum State {
    A,
    B,
    C,
}

/// An event: its number, the return value of its callback, and those of the next enter calls.
#[derive(Debug, Clone, Term)]
#[reply(u64)]
struct Do(u64, What, Vec<Enter>);

/// The return value of a callback, or its failure.
#[derive(Debug, Clone, Term)]
enum What {
    Next(State, Vec<Act>),
    Keep(Vec<Act>),
    KeepData(Vec<Act>),
    Repeat(Vec<Act>),
    RepeatData(Vec<Act>),
    Stop,
    StopReason(Atom),
    /// With a reply, if the event is a call.
    StopAndReply(Atom, u64),
    Raise(Atom),
    Exit(Atom),
}

/// The return value of an enter call.
#[derive(Debug, Clone, Term)]
enum Enter {
    Keep(Vec<Act>),
    Repeat(Vec<Act>),
    Stop(Atom),
    Raise(Atom),
}

/// An action. Actions that an enter call cannot have are left out there.
#[derive(Debug, Clone, Term)]
enum Act {
    Postpone,
    /// If the event is a call.
    Reply(u64),
    Next(Kind, Box<Do>),
    Timeout(Timer, Time, Box<Do>),
    Cancel(Timer),
    Update(Timer, Box<Do>),
}

#[derive(Debug, Clone, Term)]
enum Kind {
    Internal,
    Cast,
    Info,
}

#[derive(Debug, Clone, Term)]
enum Timer {
    Event,
    State,
    Named(u64),
}

/// Milliseconds. A time that is not 0 is not over before the end of the test.
#[derive(Debug, Clone, Term)]
enum Time {
    Zero,
    Long,
    Infinity,
}

#[derive(Debug, Clone, Term)]
enum Step {
    Call(Do),
    Cast(Do),
    Info(Do),
}

#[derive(Debug)]
struct Returns {
    noted: Vec<Term>,
    enters: Vec<Enter>,
    events: u32,
    /// Callers that have no reply: they see how the machine ends.
    waiting: Vec<Caller<u64>>,
}

/// The limit of steps, because postponed events can make a machine change its state for ever.
const ENOUGH: u32 = 60;

fn time(time: &Time) -> Timeout {
    match time {
        Time::Zero => Timeout::from_millis(0),
        Time::Long => Timeout::from_millis(1_000_000),
        Time::Infinity => Timeout::Infinity,
    }
}

fn timed(act: &Act) -> Option<TimeoutAction> {
    Some(match act {
        Act::Timeout(Timer::Event, at, content) => {
            (atoms::timeout, time(at), (**content).clone()).into()
        }
        Act::Timeout(Timer::State, at, content) => {
            (state_timeout, time(at), (**content).clone()).into()
        }
        Act::Timeout(Timer::Named(name), at, content) => {
            timeout_named(name, time(at), (**content).clone())
        }
        Act::Cancel(Timer::Event) => (atoms::timeout, cancel).into(),
        Act::Cancel(Timer::State) => (state_timeout, cancel).into(),
        Act::Cancel(Timer::Named(name)) => cancel_timeout(name),
        Act::Update(Timer::Event, content) => (atoms::timeout, update, (**content).clone()).into(),
        Act::Update(Timer::State, content) => (state_timeout, update, (**content).clone()).into(),
        Act::Update(Timer::Named(name), content) => (
            (atoms::timeout, Term::of(name)),
            update,
            (**content).clone(),
        )
            .into(),
        Act::Postpone | Act::Reply(_) | Act::Next(..) => return None,
    })
}

fn actions(acts: &[Act], caller: &mut Option<Caller<u64>>) -> ActionOrList {
    let mut actions: Vec<Action> = Vec::new();
    for act in acts {
        actions.push(match act {
            Act::Postpone => postpone.into(),
            Act::Reply(number) => match caller.take() {
                Some(caller) => reply(caller, *number).into(),
                None => continue,
            },
            Act::Next(Kind::Internal, content) => next_event(atoms::internal, (**content).clone()),
            Act::Next(Kind::Cast, content) => next_event(atoms::cast, (**content).clone()),
            Act::Next(Kind::Info, content) => next_event(atoms::info, (**content).clone()),
            act => timed(act).expect("a timeout").into(),
        });
    }
    actions.into()
}

impl Returns {
    fn does(
        &mut self,
        kind: Atom,
        Do(number, what, enters): Do,
        state: &State,
        mut caller: Option<Caller<u64>>,
    ) -> Result<HandleEvent<State>> {
        self.noted.push(Term::of(&(kind, number, state)));
        self.enters = enters;
        self.events += 1;
        if self.events > ENOUGH {
            return Ok(HandleEvent::StopReason(Term::of(&atom!("enough"))));
        }
        let slot = &mut caller;
        let returned = match what {
            What::Next(next, acts) => HandleEvent::NextStateActions(next, actions(&acts, slot)),
            What::Keep(acts) => HandleEvent::KeepStateActions(actions(&acts, slot)),
            What::KeepData(acts) => HandleEvent::KeepStateAndDataActions(actions(&acts, slot)),
            What::Repeat(acts) => HandleEvent::RepeatStateActions(actions(&acts, slot)),
            What::RepeatData(acts) => HandleEvent::RepeatStateAndDataActions(actions(&acts, slot)),
            What::Stop => HandleEvent::Stop,
            What::StopReason(reason) => HandleEvent::StopReason(Term::of(&reason)),
            What::StopAndReply(reason, number) => match slot.take() {
                Some(caller) => {
                    HandleEvent::StopAndReply(Term::of(&reason), reply(caller, number).into())
                }
                None => HandleEvent::StopReason(Term::of(&reason)),
            },
            What::Raise(reason) => return Err(Exit::error(reason)),
            What::Exit(reason) => return Err(Exit::new(reason)),
        };
        self.waiting.extend(caller);
        Ok(returned)
    }
}

#[gen_statem]
impl GenStatem for Returns {
    type Args = ();
    type State = State;

    fn init(_: ()) -> impl InitReturn<State, Self> {
        let data = Returns {
            noted: Vec::new(),
            enters: Vec::new(),
            events: 0,
            waiting: Vec::new(),
        };
        (ok, State::A, data)
    }

    fn handle_event_enter(&mut self, old: State, state: State) -> Result<HandleEventEnter> {
        self.noted.push(Term::of(&(atom!("enter"), old, state)));
        let enter = if self.enters.is_empty() {
            Enter::Keep(Vec::new())
        } else {
            self.enters.remove(0)
        };
        let actions = |acts: &[Act]| -> EnterActionOrList {
            let timed = acts.iter().filter_map(timed);
            timed.map(Into::into).collect::<Vec<EnterAction>>().into()
        };
        match enter {
            Enter::Keep(acts) => Ok(HandleEventEnter::KeepStateActions(actions(&acts))),
            Enter::Repeat(acts) => Ok(HandleEventEnter::RepeatStateActions(actions(&acts))),
            Enter::Stop(reason) => Ok(HandleEventEnter::StopReason(Term::of(&reason))),
            Enter::Raise(reason) => Err(Exit::error(reason)),
        }
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<u64>),
        what: Do,
        state: State,
    ) -> Result<HandleEvent<State>> {
        self.does(atom!("call"), what, &state, Some(caller))
    }

    fn handle_event(&mut self, _: cast, what: Do, state: State) -> Result<HandleEvent<State>> {
        self.does(atom!("cast"), what, &state, None)
    }

    fn handle_event(&mut self, _: info, what: Do, state: State) -> Result<HandleEvent<State>> {
        self.does(atom!("info"), what, &state, None)
    }

    fn handle_event(&mut self, _: internal, what: Do, state: State) -> Result<HandleEvent<State>> {
        self.does(atom!("internal"), what, &state, None)
    }

    fn handle_event(&mut self, _: timeout, what: Do, state: State) -> Result<HandleEvent<State>> {
        self.does(atom!("timeout"), what, &state, None)
    }

    fn handle_event(
        &mut self,
        _: state_timeout,
        what: Do,
        state: State,
    ) -> Result<HandleEvent<State>> {
        self.does(atom!("state_timeout"), what, &state, None)
    }

    fn handle_event(
        &mut self,
        (_, name): (timeout, u64),
        what: Do,
        state: State,
    ) -> Result<HandleEvent<State>> {
        let kind = if name == 0 {
            atom!("first")
        } else {
            atom!("second")
        };
        self.does(kind, what, &state, None)
    }

    fn terminate(&mut self, reason: Term, state: State) {
        let terminated = (atom!("terminated"), reason, state);
        self.noted.push(Term::of(&terminated));
    }
}

/// Returns the events of a test, in the format of the script for OTP.
fn happens(steps: &[Step]) -> String {
    let mut machine = testing::Machine::<Returns>::start(()).expect("it starts");
    let mut happened = Vec::new();
    let mut calls: Vec<PendingCall<Do>> = Vec::new();
    for step in steps.iter().cloned() {
        match step {
            Step::Call(what) => calls.push(machine.send_request(what)),
            Step::Cast(what) => machine.cast(what),
            Step::Info(what) => machine.info(what),
        }
        happened.append(&mut machine.data_mut().noted);
        calls.retain(|call| match machine.reply(call) {
            None => true,
            Some(Ok(reply)) => {
                happened.push(Term::of(&(atom!("replied"), reply)));
                false
            }
            Some(Err(exit)) => {
                let Term::Tuple(reason) = exit.into_reason() else {
                    unreachable!("{{Reason, {{gen_server, call, …}}}}");
                };
                happened.push(Term::of(&(atom!("failed"), reason[0].clone())));
                false
            }
        });
    }
    Term::of(&happened).to_string()
}

#[test]
fn events_follow_each_other_as_in_otp() {
    let mut numbers = Numbers(27);
    let sequences: Vec<Vec<Step>> = (0..600)
        .map(|_| {
            let steps = 1 + numbers.below(8);
            (0..steps).map(|_| numbers.step_of_statem()).collect()
        })
        .collect();
    let lines = sequences.iter().map(Term::of);
    let expected = happens_in_otp("gen_statem.escript", lines);
    assert_eq!(expected.len(), sequences.len());
    let happened = sequences.iter().map(|steps| happens(steps));
    let pairs = sequences.iter().zip(happened.zip(expected));
    let differing = pairs.filter(|(_, (happened, expected))| happened != expected);
    let differing = differing.map(|(steps, both)| (Term::of(steps).to_string(), both));
    // The shortest sequence is the easiest to read.
    if let Some((steps, both)) = differing.min_by_key(|(steps, _)| steps.len()) {
        assert_eq!(both.0, both.1, "{steps}");
    }
}
