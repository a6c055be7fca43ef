//! An event handler.
use otp_bridge::atom;
use otp_bridge::atoms::{hibernate, ok};
use otp_bridge::gen_event::prelude::*;

/// The sum, and the process to notify when the handler ends.
#[derive(Debug)]
pub struct Tally {
    observer: Pid,
    sum: i64,
}

/// `{start, Observer, How}`
#[derive(Debug, Term)]
pub struct Start(pub Pid, pub How);

/// The result of `init/1`.
#[derive(Debug, Term)]
pub enum How {
    Plain,
    Hibernate,
    Error(Term),
    Panic,
}

/// `{taken_over, Observer, Sum}`: the previous handler's result. A swapped handler is initialised
/// with a pair, whose second element is the return value of the previous handler's `terminate/2`.
#[derive(Debug, Term)]
#[term(tag = "taken_over")]
pub struct TakenOver(pub Pid, pub i64);

/// Notifications.
#[derive(Debug, Term)]
pub enum Event {
    /// `{add, Number}`
    Add(i64),
    /// `remove`: removes this handler.
    Remove,
    /// `swap`: lets another handler take over.
    Swap,
    /// `panic`
    Panic,
}

/// `{add, Number}` as a request: returns the sum.
#[derive(Debug, Term)]
#[reply(i64)]
pub struct Add(pub i64);

/// `last`: returns the sum, and removes the handler.
#[derive(Debug, Term)]
#[reply(i64)]
pub struct Last;

#[gen_event]
impl GenEvent for Tally {
    type InitArgs = Start;

    fn init(Start(observer, how): Start) -> Init<Self> {
        let tally = Tally { observer, sum: 0 };
        match how {
            How::Plain => Init::Ok(tally),
            How::Hibernate => Init::OkWith(tally, hibernate),
            How::Error(reason) => Init::Error(reason),
            How::Panic => panic!("told to"),
        }
    }

    fn handle_event(&mut self, event: Event) -> HandleEvent {
        match event {
            Event::Add(number) => {
                self.sum += number;
                HandleEvent::Ok
            }
            Event::Remove => remove_handler(),
            Event::Swap => swap_handler(atom!("swapped"), atom!("quiet"), atom!("in")),
            Event::Panic => panic!("lost count"),
        }
    }

    fn handle_event(&self, _: Term) -> impl HandleEventReturn {
        ok
    }

    fn handle_call(&mut self, Add(number): Add) -> impl HandleCallReturn<i64> {
        self.sum += number;
        (ok, self.sum)
    }

    fn handle_call(&self, _: Last) -> HandleCall<i64> {
        handle_call_remove_handler(self.sum)
    }

    fn handle_info(&self, message: Term, cx: &Cx<'_>) -> impl HandleInfoReturn {
        cx.send(&self.observer, (atom!("info"), message));
        ok
    }

    fn terminate(&mut self, why: &Term, cx: &Cx<'_>) -> TakenOver {
        cx.send(&self.observer, (atom!("terminate"), why));
        TakenOver(self.observer.clone(), self.sum)
    }
}
