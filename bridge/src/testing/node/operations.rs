//! The operations that a callback awaits, performed by the node.

use std::time::Duration;

use super::atom_of;
use super::own::{OwnProcess, milliseconds};
use super::signals::{AwaitedMessages, reply_reference};
use crate::runtime::{Action, Answer, OperationId, OwnedCall, Result, protocol};
use crate::{Exit, Reference, Term, atom};

/// The operations of a callback that are under way.
#[derive(Default)]
pub(super) struct Operations {
    under_way: Vec<(OperationId, Waiting)>,
}

/// An operation that waits.
enum Waiting {
    Sleep(Reference),
    Call {
        monitor: Reference,
        timer: Option<Reference>,
        request: Term,
    },
    /// The start of a process, until its `init` has returned.
    Start {
        monitor: Reference,
    },
    Receive {
        selector: Term,
        timer: Option<Reference>,
    },
}

/// The start of an operation.
enum OperationStart {
    Answered(Result<Term>),
    Waits(Waiting),
}

impl Operations {
    /// Performs the actions that the callback has requested, and delivers the answers that have
    /// arrived. Returns whether there was one.
    pub(super) fn perform(&mut self, own: &OwnProcess, call: &OwnedCall) -> bool {
        let mut is_answered = false;
        let actions = call.exchange.borrow_mut().take_actions();
        for action in actions {
            match action {
                Action::Do(request) => {
                    // The result is ignored.
                    if let OperationStart::Waits(waiting) = begin(own, request) {
                        waiting.cancel(own);
                    }
                }
                Action::Begin(id, request) | Action::Perform(id, request) => {
                    match begin(own, request) {
                        OperationStart::Waits(waiting) => self.under_way.push((id, waiting)),
                        OperationStart::Answered(outcome) => {
                            deliver(call, id, outcome);
                            is_answered = true;
                        }
                    }
                }
                Action::Cancel(id) => {
                    let is_it = |(other, _): &mut (OperationId, Waiting)| *other == id;
                    self.under_way
                        .extract_if(.., is_it)
                        .for_each(|(_, waiting)| waiting.cancel(own));
                }
                Action::Take(_) => {}
            }
        }
        let mut index = 0;
        while index < self.under_way.len() {
            match self.under_way[index].1.outcome(own) {
                None => index += 1,
                Some(outcome) => {
                    let (id, waiting) = self.under_way.remove(index);
                    waiting.cancel(own);
                    deliver(call, id, outcome);
                    is_answered = true;
                }
            }
        }
        is_answered
    }

    /// Returns whether an operation waits for something that can arrive.
    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Returns the messages that can end one of the operations.
    pub(super) fn awaited(&self) -> AwaitedMessages {
        let mut references = Vec::new();
        for (_, waiting) in &self.under_way {
            match waiting {
                Waiting::Call { monitor, .. } | Waiting::Start { monitor } => {
                    references.push(monitor.clone());
                }
                Waiting::Receive { .. } => return AwaitedMessages::Any,
                Waiting::Sleep(_) => {}
            }
        }
        AwaitedMessages::Replies(references)
    }

    /// Cancels all operations, because the callback has ended.
    pub(super) fn cancel_all(&mut self, own: &OwnProcess) {
        let all = self.under_way.drain(..);
        all.for_each(|(_, waiting)| waiting.cancel(own));
    }
}

fn deliver(call: &OwnedCall, id: OperationId, outcome: Result<Term>) {
    let outcome = match outcome {
        Ok(value) => Term::of(&(protocol::ok, value)),
        Err(exit) => {
            let stack: Vec<Term> = Vec::new();
            Term::of(&(exit.class(), exit.reason(), stack))
        }
    };
    let answer = Answer::Here(outcome);
    let waker = call.exchange.borrow_mut().deliver(id, answer);
    if let Some(waker) = waker {
        waker.wake();
    }
}

fn begin(own: &OwnProcess, request: Term) -> OperationStart {
    if let Some(time) = sleep(&request) {
        return OperationStart::Waits(Waiting::Sleep(own.start_wake(time)));
    }
    if let Some(value) = own.at_once(&request) {
        return OperationStart::Answered(Ok(value));
    }
    let answer = own.with_core(|core| core.outside.as_mut().and_then(|it| it.answer.take()));
    if let Some(mut answer) = answer {
        let outcome = answer(request);
        own.with_core(|core| {
            if let Some(outside) = &mut core.outside {
                outside.answer.get_or_insert(answer);
            }
        });
        return OperationStart::Answered(outcome);
    }
    in_node(own, request)
}

fn sleep(request: &Term) -> Option<Duration> {
    match request {
        Term::Tuple(parts) => match &**parts {
            [Term::Atom(kind), time] if kind.text() == "sleep" => milliseconds(time),
            _ => None,
        },
        _ => None,
    }
}

/// Starts an operation whose other side is a process of the node.
fn in_node(own: &OwnProcess, request: Term) -> OperationStart {
    let Term::Tuple(parts) = &request else {
        return unknown(&request);
    };
    match &**parts {
        [Term::Atom(kind), server, message, time] if kind.text() == "call" => {
            let time = milliseconds(time);
            call(own, (server, message, time), request.clone())
        }
        [Term::Atom(kind), selector, time] if kind.text() == "receive" => {
            OperationStart::Waits(Waiting::Receive {
                selector: selector.clone(),
                timer: milliseconds(time).map(|time| own.start_wake(time)),
            })
        }
        [Term::Atom(kind), server, message] if kind.text() == "send_request" => {
            OperationStart::Answered(Ok(Term::of(&own.send_request(server, message))))
        }
        [
            Term::Atom(kind),
            Term::Atom(module),
            Term::Atom(function),
            Term::List(arguments),
        ] if kind.text() == "apply" => match (module.text(), function.text(), &**arguments) {
            (_, "start_link", arguments) => match own.start_linked(module, arguments) {
                Some(monitor) => OperationStart::Waits(Waiting::Start { monitor }),
                None => unknown(&request),
            },
            ("supervisor", function, [supervisor, rest @ ..]) => {
                let message = match rest {
                    [] => Term::of(&atom_of(function)),
                    [argument] => Term::of(&(atom_of(function), argument)),
                    _ => return unknown(&request),
                };
                call(own, (supervisor, &message, None), request.clone())
            }
            _ => unknown(&request),
        },
        _ => unknown(&request),
    }
}

/// # Panics
/// Always: the test needs a function that the simulation does not have.
fn unknown(request: &Term) -> OperationStart {
    panic!("a simulated node cannot perform {request}: run this test on a VM")
}

fn call(
    own: &OwnProcess,
    (server, message, time): (&Term, &Term, Option<Duration>),
    request: Term,
) -> OperationStart {
    match own.request(server, message) {
        Err(exit) => OperationStart::Answered(Err(called(exit.reason(), &request))),
        Ok(monitor) => OperationStart::Waits(Waiting::Call {
            monitor,
            timer: time.map(|time| own.start_wake(time)),
            request,
        }),
    }
}

/// `{Reason, {gen_server, call, [Server, Request, Timeout]}}`
fn called(reason: &Term, request: &Term) -> Exit {
    let arguments = match request {
        Term::Tuple(parts) => parts[1..].to_vec(),
        _ => Vec::new(),
    };
    Exit::new((reason, (protocol::gen_server, atom!("call"), arguments)))
}

impl Waiting {
    /// Returns the outcome of the operation, if it has one.
    fn outcome(&self, own: &OwnProcess) -> Option<Result<Term>> {
        match self {
            Waiting::Sleep(timer) => {
                let is_over = own.has_fired(timer);
                is_over.then(|| Ok(Term::of(&crate::atoms::ok)))
            }
            Waiting::Call {
                monitor,
                timer,
                request,
            } => match own.take_reply(monitor) {
                Some(reply) => Some(reply.map_err(|reason| called(&reason, request))),
                None if timer.as_ref().is_some_and(|timer| own.has_fired(timer)) => {
                    let timeout = Term::of(&crate::atoms::timeout);
                    Some(Err(called(&timeout, request)))
                }
                None => None,
            },
            Waiting::Start { monitor } => {
                let reply = own.take_reply(monitor)?;
                Some(Ok(own.end_start(monitor, reply)))
            }
            Waiting::Receive { selector, timer } => {
                let message = own.take_selected(selector);
                let is_late = timer.as_ref().is_some_and(|timer| own.has_fired(timer));
                match message {
                    Some(message) => Some(Ok(Term::of(&vec![message]))),
                    None => is_late.then(|| Ok(Term::nil())),
                }
            }
        }
    }

    fn cancel(self, own: &OwnProcess) {
        let timer = match self {
            Waiting::Sleep(timer) => Some(timer),
            Waiting::Start { monitor } => {
                own.demonitor(&monitor);
                None
            }
            Waiting::Call { monitor, timer, .. } => {
                own.demonitor(&monitor);
                own.with(|slot| {
                    slot.forget(|message| reply_reference(message) == Some(&monitor));
                });
                timer
            }
            Waiting::Receive { timer, .. } => timer,
        };
        if let Some(timer) = timer {
            own.cancel_wake(&timer);
        }
    }
}
