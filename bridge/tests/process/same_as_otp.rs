//! Checks that `testing::Server` behaves like OTP's `gen_server`: Erlang runs the same sequences of
//! messages.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::TimeoutOrHibernateOrContinue as Next;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::testing::Server as Tested;
use otp_bridge::{Exit, atom};

use crate::otp::{Numbers, happens_in_otp};

/// A message whose callback returns the described value.
#[derive(Debug, Clone, Term)]
#[reply(u64)]
struct Do(u64, What);

/// The return value of a callback, or its failure.
#[derive(Debug, Clone, Term)]
enum What {
    Reply(u64),
    ReplyWith(u64, Then),
    StopReply(Atom, u64),
    Noreply,
    NoreplyWith(Then),
    Stop(Atom),
    Raise(Atom),
    Exit(Atom),
}

/// The action after the callback.
#[derive(Debug, Clone, Term)]
enum Then {
    /// A timeout of 0.
    Timeout,
    Infinity,
    Hibernate,
    Continue(Box<Do>),
}

#[derive(Debug, Clone, Term)]
enum Step {
    Call(Do),
    Cast(Do),
    Info(Do),
}

#[derive(Debug, Term)]
struct Timeout;

#[derive(Debug)]
struct Returns {
    noted: Vec<Term>,
}

impl Returns {
    fn note(&mut self, callback: Atom, number: u64) {
        self.noted.push(Term::of(&(callback, number)));
    }
}

fn next(then: Then) -> Next {
    match then {
        Then::Timeout => Next::Timeout(otp_bridge::Timeout::from_millis(0)),
        Then::Infinity => Next::Timeout(otp_bridge::Timeout::Infinity),
        Then::Hibernate => Next::Hibernate,
        Then::Continue(what) => Next::Continue(Term::of(&*what)),
    }
}

/// The return value of a callback without a caller.
enum Plain {
    Noreply,
    NoreplyWith(Next),
    Stop(Term),
}

fn plain(what: What) -> Result<Plain> {
    match what {
        What::Noreply | What::Reply(_) | What::ReplyWith(..) | What::StopReply(..) => {
            Ok(Plain::Noreply)
        }
        What::NoreplyWith(then) => Ok(Plain::NoreplyWith(next(then))),
        What::Stop(reason) => Ok(Plain::Stop(Term::of(&reason))),
        What::Raise(reason) => Err(Exit::error(reason)),
        What::Exit(reason) => Err(Exit::new(reason)),
    }
}

#[gen_server]
impl GenServer for Returns {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Returns { noted: Vec::new() })
    }

    fn handle_call(&mut self, Do(number, what): Do) -> Result<HandleCall<u64>> {
        self.note(atom!("call"), number);
        match what {
            What::Reply(reply) => Ok(HandleCall::Reply(reply)),
            What::ReplyWith(reply, then) => Ok(HandleCall::ReplyWith(reply, next(then))),
            What::StopReply(reason, reply) => Ok(HandleCall::StopReply(Term::of(&reason), reply)),
            other => plain(other).map(|_| HandleCall::Reply(0)),
        }
    }

    fn handle_cast(&mut self, Do(number, what): Do) -> Result<HandleCast> {
        self.note(atom!("cast"), number);
        Ok(match plain(what)? {
            Plain::Noreply => HandleCast::Noreply,
            Plain::NoreplyWith(next) => HandleCast::NoreplyWith(next),
            Plain::Stop(reason) => HandleCast::Stop(reason),
        })
    }

    fn handle_info(&mut self, Do(number, what): Do) -> Result<HandleInfo> {
        self.note(atom!("info"), number);
        Ok(match plain(what)? {
            Plain::Noreply => HandleInfo::Noreply,
            Plain::NoreplyWith(next) => HandleInfo::NoreplyWith(next),
            Plain::Stop(reason) => HandleInfo::Stop(reason),
        })
    }

    fn handle_info(&mut self, _: Timeout) -> HandleInfo {
        self.noted.push(Term::of(&atom!("timeout")));
        noreply()
    }

    fn handle_continue(&mut self, Do(number, what): Do) -> Result<HandleContinue> {
        self.note(atom!("continued"), number);
        Ok(match plain(what)? {
            Plain::Noreply => HandleContinue::Noreply,
            Plain::NoreplyWith(next) => HandleContinue::NoreplyWith(next),
            Plain::Stop(reason) => HandleContinue::Stop(reason),
        })
    }

    fn terminate(&mut self, reason: Term) {
        self.noted.push(Term::of(&(atom!("terminated"), reason)));
    }
}

/// Returns the events of a test, in the format of the script for OTP.
fn happens(steps: &[Step]) -> String {
    let mut server = Tested::<Returns>::start(()).expect("it starts");
    let mut happened = Vec::new();
    for step in steps.iter().cloned() {
        let called = match step {
            Step::Call(what) => Some(server.call(what)),
            Step::Cast(what) => {
                server.cast(what);
                None
            }
            Step::Info(what) => {
                server.info(what);
                None
            }
        };
        happened.append(&mut server.state_mut().noted);
        happened.extend(called.map(|called| match called {
            Ok(reply) => Term::of(&(atom!("replied"), reply)),
            Err(exit) => match exit.into_reason() {
                Term::Tuple(reason) => Term::of(&(atom!("failed"), reason[0].clone())),
                reason => reason,
            },
        }));
    }
    Term::of(&happened).to_string()
}

impl Numbers {
    fn step(&mut self) -> Step {
        match self.below(3) {
            0 => {
                let what = match self.below(6) {
                    0 | 1 => What::Reply(self.below(100)),
                    2 | 3 => What::ReplyWith(self.below(100), self.then()),
                    4 => What::StopReply(atom!("done"), self.below(100)),
                    _ => self.failure(),
                };
                Step::Call(Do(self.below(100), what))
            }
            1 => Step::Cast(self.plain()),
            _ => Step::Info(self.plain()),
        }
    }

    fn plain(&mut self) -> Do {
        let what = match self.below(8) {
            0..=2 => What::Noreply,
            3..=5 => What::NoreplyWith(self.then()),
            6 => What::Stop(atom!("normal")),
            _ => self.failure(),
        };
        Do(self.below(100), what)
    }

    fn failure(&mut self) -> What {
        match self.below(2) {
            0 => What::Raise(atom!("broken")),
            _ => What::Exit(atom!("gone")),
        }
    }

    fn then(&mut self) -> Then {
        match self.below(4) {
            0 => Then::Timeout,
            1 => Then::Infinity,
            2 => Then::Hibernate,
            _ => Then::Continue(Box::new(self.plain())),
        }
    }
}

#[test]
fn callbacks_follow_each_other_as_in_otp() {
    let mut numbers = Numbers(25);
    let sequences: Vec<Vec<Step>> = (0..400)
        .map(|_| (0..=numbers.below(8)).map(|_| numbers.step()).collect())
        .collect();
    let lines = sequences.iter().map(Term::of);
    let expected = happens_in_otp("gen_server.escript", lines);
    assert_eq!(expected.len(), sequences.len());
    for (steps, expected) in sequences.iter().zip(expected) {
        assert_eq!(happens(steps), expected, "{}", Term::of(steps));
    }
}
