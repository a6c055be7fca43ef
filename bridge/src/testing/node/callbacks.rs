//! A process of one of the program's modules: the calls of its callbacks.

use std::future::poll_fn;
use std::task::{Context, Poll};

use super::operations::Operations;
use super::own::OwnProcess;
use super::slot::reason_of_end;
use super::state;
use super::violation::ViolationKind;
use crate::runtime::{
    CallbackEntry, CallbackKind, ClauseFuture, Cx, Here, Invocation, LibraryModules, ModuleEntry,
    NotReturned, Outcome, OwnedInvocation, Result, TasksOfCall, caller_of_message, caught,
    is_final, note_locations, protocol, take_without_vm,
};
use crate::testing::NEVER_WOKEN;
use crate::{Atom, Exit, Term, atom};

/// A process with the callbacks of a module.
pub(super) struct CallbackProcess {
    pub(super) own: OwnProcess,
    module: &'static ModuleEntry,
}

impl CallbackProcess {
    pub(super) fn new(own: OwnProcess, module: &'static ModuleEntry) -> Self {
        note_locations();
        CallbackProcess { own, module }
    }

    pub(super) fn has(&self, kind: CallbackKind) -> bool {
        self.module.callback(kind).is_some()
    }

    /// Returns the atoms that its behaviour gets without calling a clause.
    pub(super) fn mode(&self) -> &'static [&'static str] {
        let entry = self.module.callback(CallbackKind::Mode);
        entry.map_or(&[], |entry| entry.answer)
    }

    /// Calls `init/1`.
    ///
    /// # Errors
    /// The exit of the process, if it has raised an exception. The process that has started it
    /// knows it already.
    pub(super) async fn init(&self, argument: Term) -> Result<Term> {
        let returned = self.callback(CallbackKind::Init, vec![argument]).await;
        returned.inspect_err(|exit| self.own.not_started(exit.clone(), reason_of_end(exit)))
    }

    /// Ends the process, through `terminate` with these arguments. An exception of `terminate`
    /// becomes the reason.
    pub(super) async fn end(&self, exit: Exit, arguments: Vec<Term>) -> Exit {
        if !self.has(CallbackKind::End) {
            return exit;
        }
        match self.callback(CallbackKind::End, arguments).await {
            Err(other) => other,
            Ok(_) => exit,
        }
    }

    /// Calls the callback of a kind, until it completes.
    ///
    /// # Errors
    /// The exception of the callback; `undef` if the module does not have it.
    pub(super) async fn callback(&self, kind: CallbackKind, arguments: Vec<Term>) -> Result<Term> {
        self.call(self.module.callback(kind), arguments).await
    }

    /// Calls the function of a state, until it completes.
    ///
    /// # Errors
    /// The exception of the function; `undef` if the module does not have it.
    pub(super) async fn function(&self, name: &str, arguments: Vec<Term>) -> Result<Term> {
        let mut callbacks = self.module.callbacks.iter();
        let entry = callbacks.find(|it| it.name == name && it.arity == arguments.len());
        self.call(entry, arguments).await
    }

    async fn call(
        &self,
        entry: Option<&'static CallbackEntry>,
        arguments: Vec<Term>,
    ) -> Result<Term> {
        let Some(entry) = entry else {
            return Err(Exit::error(atom!("undef")));
        };
        let mut state = self.own.take_state();
        let cx = Cx::without_vm(self.own.pid(), Some(self.module));
        let tasks = TasksOfCall(&cx);
        let owned = OwnedInvocation {
            cx: &cx,
            arguments: &arguments,
            state: state.as_deref_mut(),
            future: None,
        };
        let callback = LibraryModules::get()
            .clauses_of(entry)
            .expect("the module is one of this library");
        let invocation = Invocation::without_vm(callback, owned);
        let returned = match invocation.call_without_vm(callback) {
            Ok(called) => {
                self.own
                    .note_clause(entry.name, called.message, called.location);
                let run = async |future| run(&self.own, &cx, future).await;
                called.returned(run).await
            }
            Err(not) => Err(not),
        };
        if let Here::Owned(call) = cx.here() {
            let mut last = Operations::default();
            last.perform(&self.own, call);
            last.cancel_all(&self.own);
            if let Some(made) = call.made.take() {
                state = Some(made);
            }
        }
        drop(tasks);
        self.own.put_state(state);
        self.forget_callers(returned.as_ref().is_ok_and(is_final));
        returned.or_else(|not| match not {
            NotReturned::Raised(exit) => Err(exit),
            NotReturned::Refused(reason) => self.refused(entry, &arguments, reason),
        })
    }

    /// Ends the calls whose callers were dropped. The callers of a postponed event get their
    /// replies later, and those of a process that ends see its exit.
    fn forget_callers(&self, is_final: bool) {
        for client in take_without_vm().into_iter().filter(|_| is_final) {
            let unanswered = Err(Exit::new(atom!("unanswered")));
            let text = "it has dropped a caller without a reply".to_owned();
            self.own.violate(ViolationKind::NoReply, text);
            self.own.reply(&client, unanswered);
        }
    }

    /// Handles a message that no clause matches: the process ends, unless its module refuses such
    /// messages.
    fn refused(&self, callback: &CallbackEntry, arguments: &[Term], reason: Term) -> Result<Term> {
        let module = self.module.implements.as_ref();
        let refuses = module.is_some_and(|module| module.refuses_bad_messages);
        let refused = refuses.then(|| refused_message(callback, arguments));
        let Some((caller, returned)) = refused.flatten() else {
            if callback.facts.kind != CallbackKind::Init {
                let text = format!("`{}/{}`: {reason}", callback.name, callback.arity);
                self.own.violate(ViolationKind::NoClause, text);
            }
            return Err(Exit::error(reason));
        };
        if let Some(caller) = caller {
            let refused = Exit::new((protocol::bad_request, reason));
            self.own.reply(&caller, Err(refused));
        }
        Ok(returned)
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

/// Polls the future of a callback until it completes, and performs its operations.
pub(super) async fn run(own: &OwnProcess, cx: &Cx<'_>, mut future: ClauseFuture<'_>) -> Outcome {
    let Here::Owned(call) = cx.here() else {
        unreachable!("made without a VM")
    };
    let tasks = TasksOfCall(cx);
    let mut operations = Operations::default();
    let outcome = poll_fn(|_| {
        loop {
            call.root.poll_begins();
            let waker = call.root.waker();
            let polled = caught(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
            let can_go_on = tasks.run();
            match polled {
                Err(exit) => return Poll::Ready(Err(exit)),
                Ok(Poll::Ready(outcome)) => return Poll::Ready(outcome),
                Ok(Poll::Pending) => {}
            }
            if operations.perform(own, call) || can_go_on || call.root.is_woken() {
                continue;
            }
            // Each operation that is under way can hold a waker.
            if own.may_block() && operations.is_empty() {
                if call.root.wait_without_vm() {
                    continue;
                }
                assert!(own.is_in_a_node(), "{NEVER_WOKEN}");
            }
            own.with(|slot| {
                slot.awaited = operations.awaited();
                slot.waits_for_threads = operations.is_empty();
            });
            return Poll::Pending;
        }
    })
    .await;
    own.with(|slot| slot.waits_for_threads = false);
    operations.cancel_all(own);
    outcome
}
