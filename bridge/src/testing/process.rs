//! A process that runs in a test: its state, its surroundings, and the calls of its callbacks.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::world::World;
use super::{NEVER_WOKEN, perform};
use crate::runtime::{
    CallbackEntry, CallbackKind, Cx, Here, Invocation, ModuleEntry, NotReturned, Outcome,
    OwnedInvocation, Result, TasksOfCall, caller_of_message, caught, is_final,
    leaving_callers_alone, note_locations, protocol, take_without_vm,
};
use crate::{Atom, Class, Exit, Term, atom};

pub(super) struct Process {
    module: &'static ModuleEntry,
    state: Option<Box<dyn Any + Send>>,
    pub(super) world: World,
    pub(super) ended: Option<Exit>,
}

impl Process {
    /// Creates a process that has not been started.
    pub(super) fn new(module: &'static ModuleEntry, world: World) -> Self {
        note_locations();
        Process {
            module,
            state: None,
            world,
            ended: None,
        }
    }

    pub(super) fn state<T: 'static>(&self) -> Option<&T> {
        self.state.as_ref()?.downcast_ref()
    }

    /// Returns its state, to change it.
    pub(super) fn state_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.state.as_mut()?.downcast_mut()
    }

    /// Ends the process, through `terminate` with these arguments. An exception of `terminate`
    /// becomes the reason.
    pub(super) fn end(&mut self, exit: Exit, arguments: Vec<Term>) {
        let terminated = self
            .has(CallbackKind::End)
            .then(|| self.callback(CallbackKind::End, arguments));
        self.ended = Some(match terminated {
            Some(Err(other)) => other,
            _ => exit,
        });
    }

    pub(super) fn has(&self, kind: CallbackKind) -> bool {
        self.module.callback(kind).is_some()
    }

    /// Returns the atoms that its behaviour gets without calling a clause.
    pub(super) fn mode(&self) -> &'static [&'static str] {
        let entry = self.module.callback(CallbackKind::Mode);
        entry.map_or(&[], |entry| entry.answer)
    }

    /// Calls the callback of a kind, until it completes.
    ///
    /// # Errors
    /// The exception of the callback; `undef` if the module does not have it.
    pub(super) fn callback(&mut self, kind: CallbackKind, arguments: Vec<Term>) -> Result<Term> {
        self.call(self.module.callback(kind), arguments)
    }

    /// Calls the function of a state, until it completes.
    ///
    /// # Errors
    /// The exception of the function; `undef` if the module does not have it.
    pub(super) fn function(&mut self, name: &str, arguments: Vec<Term>) -> Result<Term> {
        let mut callbacks = self.module.callbacks.iter();
        let entry = callbacks.find(|it| it.name == name && it.arity == arguments.len());
        self.call(entry, arguments)
    }

    fn call(
        &mut self,
        entry: Option<&'static CallbackEntry>,
        arguments: Vec<Term>,
    ) -> Result<Term> {
        let Some(entry) = entry else {
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
            panic: None,
        };
        let returned = Invocation::without_vm((self.module, entry), owned).run_without_vm();
        if let Here::Owned(call) = cx.here() {
            perform(call, &mut |request| self.world.perform(request));
            if let Some(made) = call.made.take() {
                self.state = Some(made);
            }
        }
        // The callers of a postponed event get their replies later, and those of a process that
        // ends see its exit.
        let is_final = returned.as_ref().is_ok_and(is_final);
        let forgotten = take_without_vm();
        for client in forgotten.into_iter().filter(|_| is_final) {
            let unanswered = Err(Exit::new(atom!("unanswered")));
            self.world.reply(&client, unanswered);
        }
        returned.or_else(|not| match not {
            NotReturned::Raised(exit) => Err(exit),
            NotReturned::Refused(reason) => self.refused(entry, &arguments, reason),
        })
    }

    /// Handles a message that no clause matches: the process ends, unless its module refuses such
    /// messages.
    fn refused(
        &mut self,
        callback: &CallbackEntry,
        arguments: &[Term],
        reason: Term,
    ) -> Result<Term> {
        let module = self.module.implements.as_ref();
        let refuses = module.is_some_and(|module| module.refuses_bad_messages);
        let refused = refuses.then(|| refused_message(callback, arguments));
        let Some((caller, returned)) = refused.flatten() else {
            return Err(Exit::error(reason));
        };
        if let Some(caller) = caller {
            let refused = Exit::new((protocol::bad_request, reason));
            self.world.reply(&caller, Err(refused));
        }
        Ok(returned)
    }
}

impl Drop for Process {
    /// The callers in its state need no report: they see that it has ended.
    fn drop(&mut self) {
        leaving_callers_alone(|| self.state = None);
    }
}

/// Returns the caller of a message that no clause matches, if it has one, and the return value of
/// the callback. `None` if the message does not come from a process. The arguments are the
/// callback's.
fn refused_message(callback: &CallbackEntry, arguments: &[Term]) -> Option<(Option<Term>, Term)> {
    let caller = caller_of_message(&callback.facts, |index| arguments.get(index))?.cloned();
    let keeps = Atom::new(callback.of?.keeps?).ok()?;
    Some((caller, Term::of(&(keeps, state()))))
}

/// Polls the future of a callback until it completes.
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

/// Returns the exit reason of this exception, as others see it: that of an error includes the
/// stacktrace, which is empty here.
pub(super) fn reason_of_end(exit: &Exit) -> Term {
    match exit.class() {
        Class::Exit => exit.reason().clone(),
        Class::Error | Class::Throw => Term::of(&(exit.reason(), Term::nil())),
    }
}

/// Returns the placeholder for the state in the arguments of a callback.
pub(super) fn state() -> Term {
    Term::of(&protocol::state)
}

/// Returns the elements of a tuple.
pub(super) fn elements(term: &Term) -> Vec<Term> {
    match term {
        Term::Tuple(elements) => elements.to_vec(),
        _ => Vec::new(),
    }
}

pub(super) fn is(term: &Term, atom: &str) -> bool {
    matches!(term, Term::Atom(name) if name.text() == atom)
}
