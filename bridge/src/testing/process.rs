//! A process that runs in a test: a `gen_server` as OTP's own loop drives it.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::world::{World, milliseconds, parent};
use super::{NEVER_WOKEN, perform};
use crate::atoms::timeout;
use crate::runtime::{
    Cx, Here, Invocation, ModuleEntry, NotReturned, Outcome, OwnedInvocation, Result, TasksOfCall,
    caught, leaving_callers_alone, note_locations, protocol, take_without_vm,
};
use crate::{Class, Exit, Pid, Term, atom};

/// A process.
pub(super) struct Process {
    module: &'static ModuleEntry,
    state: Option<Box<dyn Any + Send>>,
    pub(super) world: World,
    /// When the message `timeout` comes, if no other one comes before.
    timeout: Option<Duration>,
    pub(super) ended: Option<Exit>,
}

impl Process {
    /// Starts it: `init/1`.
    ///
    /// # Errors
    /// The reason for which it has not started: what `init` returns with `{stop, Reason}`, or raises; `ignore`.
    pub(super) fn start(
        module: &'static ModuleEntry,
        argument: Term,
        world: World,
    ) -> Result<Self> {
        note_locations();
        let mut process = Process {
            module,
            state: None,
            world,
            timeout: None,
            ended: None,
        };
        let returned = process.callback("init", vec![argument.clone()])?;
        match elements(&returned).as_slice() {
            [tag, _] if is(tag, "ok") && process.has("handle_start") => {
                process.noreply("handle_start", vec![argument, state()]);
            }
            [tag, _] if is(tag, "ok") => {}
            [tag, _, then] if is(tag, "ok") => process.then(then),
            [_, reason] => return Err(Exit::new(reason)),
            _ => return Err(Exit::new(returned)),
        }
        process.run();
        Ok(process)
    }

    /// Its state.
    pub(super) fn state<T: 'static>(&self) -> Option<&T> {
        self.state.as_ref()?.downcast_ref()
    }

    /// Its state, to change it.
    pub(super) fn state_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.state.as_mut()?.downcast_mut()
    }

    /// A message comes, and all that follows from it.
    pub(super) fn deliver(&mut self, message: Term) {
        self.world.mailbox.push_back(message);
        self.run();
    }

    /// Lets the time go on until `end`, or until `is_enough`.
    pub(super) fn advance(&mut self, end: Duration, is_enough: impl Fn(&World) -> bool) {
        while !is_enough(&self.world) && self.ended.is_none() {
            let next = self.world.timers.next().into_iter().chain(self.timeout);
            let Some(next) = next.min().filter(|next| *next <= end) else {
                return self.world.timers.set_now(end);
            };
            self.world.timers.set_now(next);
            self.world.deliver_due();
            self.run();
        }
    }

    /// An exit signal comes.
    pub(super) fn exit(&mut self, from: &Pid, reason: Term) {
        if self.ended.is_some() {
            return;
        }
        if is(&reason, "kill") {
            self.ended = Some(Exit::new(atom!("killed")));
        } else if !self.world.traps_exits {
            if !is(&reason, "normal") {
                self.ended = Some(Exit::new(reason));
            }
        } else if *from == parent() {
            self.end(Exit::new(reason));
        } else {
            self.deliver(Term::of(&(atom!("EXIT"), from.clone(), reason)));
        }
    }

    /// Handles messages until there are none.
    fn run(&mut self) {
        while self.ended.is_none() {
            if let Some(message) = self.world.mailbox.pop_front() {
                self.timeout = None;
                self.handle(message);
                continue;
            }
            match self.timeout {
                Some(due) if due <= self.world.timers.now() => {
                    self.timeout = None;
                    self.handle(Term::of(&timeout));
                }
                _ => return,
            }
        }
    }

    fn handle(&mut self, message: Term) {
        match elements(&message).as_slice() {
            [tag, client, request] if is(tag, "$gen_call") => {
                self.call(client.clone(), request.clone());
            }
            [tag, request] if is(tag, "$gen_cast") => {
                self.noreply("handle_cast", vec![request.clone(), state()]);
            }
            // OTP logs such a message and drops it.
            _ if !self.has("handle_info") => {}
            _ => self.noreply("handle_info", vec![message, state()]),
        }
    }

    fn call(&mut self, client: Term, request: Term) {
        let arguments = vec![request, client.clone(), state()];
        let returned = match self.callback("handle_call", arguments) {
            Ok(returned) => returned,
            Err(exit) => return self.end(exit),
        };
        match elements(&returned).as_slice() {
            [tag, reply, _, then @ ..] if is(tag, "reply") => {
                self.world.reply(&client, Ok(reply.clone()));
                then.iter().for_each(|then| self.then(then));
            }
            [tag, reason, reply, _] if is(tag, "stop") => {
                self.end(Exit::new(reason));
                self.world.reply(&client, Ok(reply.clone()));
            }
            _ => self.returned(returned),
        }
    }

    /// Calls a callback without a caller.
    fn noreply(&mut self, callback: &str, arguments: Vec<Term>) {
        match self.callback(callback, arguments) {
            Ok(returned) => self.returned(returned),
            Err(exit) => self.end(exit),
        }
    }

    fn returned(&mut self, returned: Term) {
        match elements(&returned).as_slice() {
            [tag, _] if is(tag, "noreply") => {}
            [tag, _, then] if is(tag, "noreply") => self.then(then),
            [tag, reason, _] if is(tag, "stop") => self.end(Exit::new(reason)),
            _ => self.end(Exit::new((protocol::bad_return_value, returned))),
        }
    }

    /// `timeout() | hibernate | {continue, Continue}`
    fn then(&mut self, then: &Term) {
        match elements(then).as_slice() {
            [tag, next] if is(tag, "continue") => {
                self.noreply("handle_continue", vec![next.clone(), state()]);
            }
            _ => {
                let now = self.world.timers.now();
                self.timeout = milliseconds(then).map(|time| now.saturating_add(time));
            }
        }
    }

    /// The process ends, through `terminate/2`. Whatever that raises is the reason then.
    pub(super) fn end(&mut self, exit: Exit) {
        self.timeout = None;
        let reason = reason_of_end(&exit);
        let has_terminate = self.has("terminate");
        let terminated = has_terminate.then(|| self.callback("terminate", vec![reason, state()]));
        self.ended = Some(match terminated {
            Some(Err(other)) => other,
            _ => exit,
        });
    }

    fn has(&self, callback: &str) -> bool {
        let mut callbacks = self.module.callbacks.iter();
        callbacks.any(|entry| entry.name == callback)
    }

    /// Calls a callback, to its end.
    ///
    /// # Errors
    /// What it raises; `undef` if the module does not have it.
    fn callback(&mut self, name: &str, arguments: Vec<Term>) -> Result<Term> {
        let is_it = |arity| move |(name_, arity_)| name_ == name && arity_ == arity;
        let is_it = is_it(arguments.len());
        let mut callbacks = self.module.callbacks.iter();
        let Some(entry) = callbacks.find(|entry| is_it((entry.name, entry.arity))) else {
            return Err(Exit::error(atom!("undef")));
        };
        let cx = Cx::without_vm(self.world.pid.clone(), Some(self.module));
        let _tasks = TasksOfCall(&cx);
        let world = &mut self.world;
        let mut run = |future: Pin<&mut dyn Future<Output = Outcome>>| poll(&cx, world, future);
        let owned = OwnedInvocation {
            cx: &cx,
            arguments: &arguments,
            state: self.state.as_deref_mut(),
            run: &mut run,
            outcome: None,
        };
        let returned = Invocation::without_vm((self.module, entry), owned).run_without_vm();
        if let Here::Owned(call) = cx.here() {
            perform(call, &mut |request| self.world.perform(request));
            if let Some(made) = call.made.take() {
                self.state = Some(made);
            }
        }
        self.reply_to_forgotten();
        returned.or_else(|not| match not {
            NotReturned::Raised(exit) => Err(exit),
            NotReturned::Refused(reason) => self.refused(name, &arguments, reason),
        })
    }

    /// No clause takes a message: the process ends, unless its module refuses such messages.
    fn refused(&mut self, callback: &str, arguments: &[Term], reason: Term) -> Result<Term> {
        let module = self.module.implements.as_ref();
        match (callback, arguments) {
            _ if !module.is_some_and(|module| module.refuses_bad_messages) => {
                return Err(Exit::error(reason));
            }
            ("handle_call", [_, client, _]) => {
                let refused = Exit::new((protocol::bad_request, reason));
                self.world.reply(client, Err(refused));
            }
            ("handle_cast" | "handle_info", _) => {}
            _ => return Err(Exit::error(reason)),
        }
        Ok(Term::of(&(protocol::noreply, protocol::state)))
    }

    /// The calls of callers that were dropped without a reply end.
    fn reply_to_forgotten(&mut self) {
        for client in take_without_vm() {
            self.world
                .reply(&client, Err(Exit::new(atom!("unanswered"))));
        }
    }
}

impl Drop for Process {
    /// The callers in its state are not forgotten: they see that it has ended.
    fn drop(&mut self) {
        leaving_callers_alone(|| self.state = None);
    }
}

/// Polls the future of a callback to its end.
fn poll(
    cx: &Cx<'_>,
    world: &mut World,
    mut future: Pin<&mut dyn Future<Output = Outcome>>,
) -> Outcome {
    let Here::Owned(call) = cx.here() else {
        unreachable!("made without a VM")
    };
    let tasks = TasksOfCall(cx);
    loop {
        call.root.poll_begins();
        let waker = call.root.waker();
        let polled = caught(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
        let can_go_on = tasks.run();
        let was_answered = perform(call, &mut |request| world.perform(request)) || can_go_on;
        match polled {
            Err(exit) => return Err(exit),
            Ok(Poll::Ready(outcome)) => return outcome,
            Ok(Poll::Pending) if was_answered || call.root.wait_without_vm() => {}
            Ok(Poll::Pending) => panic!("{NEVER_WOKEN}"),
        }
    }
}

/// The reason for which a process ends with this exception, as others see it: that of an error has the stacktrace, which
/// is empty here.
pub(super) fn reason_of_end(exit: &Exit) -> Term {
    match exit.class() {
        Class::Exit => exit.reason().clone(),
        Class::Error | Class::Throw => Term::of(&(exit.reason(), Term::nil())),
    }
}

/// What stands for the state in the arguments of a callback.
fn state() -> Term {
    Term::of(&protocol::state)
}

/// The elements of a tuple.
fn elements(term: &Term) -> Vec<Term> {
    match term {
        Term::Tuple(elements) => elements.to_vec(),
        _ => Vec::new(),
    }
}

fn is(term: &Term, atom: &str) -> bool {
    matches!(term, Term::Atom(name) if name.text() == atom)
}
