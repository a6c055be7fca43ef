//! Running servers and callbacks without an Erlang VM, under plain `cargo test`: docs/testing.md.
//!
//! [`Server`] drives a whole `gen_server`, [`Machine`] a whole `gen_statem`. For callbacks of other
//! behaviours, and for the return value of a single callback, use [`run`]:
//!
//! ```
//! use otp_bridge::atoms::ok;
//! use otp_bridge::gen_server::{callback, prelude::*};
//! use otp_bridge::{Term, testing};
//! # use otp_bridge_novm as _;
//!
//! #[derive(Debug)]
//! struct Greeter {
//!     greeted: u64,
//! }
//!
//! /// `{greet, Name}`
//! #[derive(Debug, Term)]
//! #[reply(String)]
//! struct Greet(String);
//!
//! #[gen_server]
//! impl GenServer for Greeter {
//!     type Args = ();
//!
//!     fn init(_: ()) -> impl InitReturn<Self> {
//!         (ok, Greeter { greeted: 0 })
//!     }
//!
//!     async fn handle_call(&mut self, Greet(name): Greet, cx: &Cx<'_>) -> Result<HandleCall<String>> {
//!         let node: Atom = cx.apply("erlang", "node", ()).await?;
//!         self.greeted += 1;
//!         reply(format!("{name}@{node}"))
//!     }
//! }
//!
//! let mut greeter = Greeter { greeted: 0 };
//! let returned = testing::run(
//!     async |cx| callback::HandleCall::handle_call(&mut greeter, Greet("joe".into()), cx).await.into_return(),
//!     |operation| {
//!         assert_eq!(operation.to_string(), "{apply,erlang,node,[]}");
//!         Ok(Term::of(&otp_bridge::atom!("here")))
//!     },
//! );
//! assert!(matches!(returned, Ok(HandleCall::Reply(greeting)) if greeting == "joe@here"));
//! assert_eq!(greeter.greeted, 1);
//! ```
//!
//! Every callback can be run like this. Each has a trait in its behaviour's Rust module `callback`,
//! and the trait's function always takes `cx`, even if the clause does not. `into_return` converts
//! the return value of the callback into the behaviour's enum or an [`Exit`](crate::Exit).
//!
//! Terms are shown in Erlang's syntax, so they can be compared with text, or stored as snapshots by
//! insta: `docs/testing.md`. [`redacted`] makes terms with pids or references stable.

mod environment;
mod explore;
mod functions;
mod machine;
mod node;
mod redactions;
mod sent;
mod server;
mod single;
mod vm;

pub use environment::{TestEnvironment, env};
#[doc(hidden)]
pub use explore::run_exploration;
pub use explore::{Explore, Explored, ExploredNode, FailingSchedule};
pub use functions::PendingCall;
pub use machine::Machine;
pub use redactions::{Redactions, redacted};
pub use sent::Sent;
pub use server::Server;
#[doc(hidden)]
pub use vm::{Test, run_test};

use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};

use crate::runtime::{
    Action, Answer, Caller, Cx, Here, LibraryModules, Module, ModuleEntry, OwnedCall, Result,
    Returned, TasksOfCall, protocol,
};
use crate::term::OwnedHeap;
use crate::{FromTerm, Pid, PidParts, Term, ToTerm};

/// The error of a test that would wait forever.
const NEVER_WOKEN: &str =
    "the callback awaits a future that no operation, timer or thread will wake";

/// Runs a callback until it completes. `answer` plays the Erlang side: it gets each request of the
/// callback in order, as the generated module would get it (`{call, Server, Request, Timeout}`,
/// `{apply, Module, Function, Arguments}`, `{sleep, Milliseconds}`), and returns its result or the
/// exception. The requests include those without an awaited result
/// (`{apply, erlang, send, [Pid, Message]}`); their results are ignored.
///
/// # Panics
/// When the callback awaits a future that can never be woken.
pub fn run<T>(
    callback: impl AsyncFnOnce(&Cx<'_>) -> T,
    mut answer: impl FnMut(Term) -> Result<Term>,
) -> T {
    let cx = Cx::without_vm(process(1), None);
    let mut future = pin!(callback(&cx));
    let tasks = TasksOfCall(&cx);
    let Here::Owned(call) = cx.here() else {
        unreachable!("made without a VM")
    };
    loop {
        call.root.poll_begins();
        let waker = call.root.waker();
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        let can_go_on = tasks.run();
        let was_answered = perform(call, &mut answer) || can_go_on;
        match polled {
            Poll::Ready(value) => return value,
            Poll::Pending if was_answered || call.root.wait_without_vm() => {}
            Poll::Pending => panic!("{NEVER_WOKEN}"),
        }
    }
}

/// Performs the requested actions. Returns whether an operation was among them.
fn perform(call: &OwnedCall, answer: &mut impl FnMut(Term) -> Result<Term>) -> bool {
    let actions = call.exchange.borrow_mut().take_actions();
    let mut was_answered = false;
    for action in actions {
        match action {
            Action::Do(request) => {
                // The result is ignored.
                let _ = answer(request);
            }
            Action::Begin(id, request) | Action::Perform(id, request) => {
                let outcome = match answer(request) {
                    Ok(value) => Term::of(&(protocol::ok, value)),
                    Err(exit) => {
                        let stack: Vec<Term> = Vec::new();
                        Term::of(&(exit.class(), exit.reason(), stack))
                    }
                };
                let waker = call
                    .exchange
                    .borrow_mut()
                    .deliver(id, Answer::Here(outcome));
                if let Some(waker) = waker {
                    waker.wake();
                }
                was_answered = true;
            }
            Action::Cancel(_) | Action::Take(_) => {}
        }
    }
    was_answered
}

/// Returns the term that Erlang would get for a callback's return value, with the atom `state` for
/// the state. Use it for snapshots in Erlang syntax.
///
/// # Panics
/// If OTP would refuse the value, such as two children with one id. The message names the mistake.
#[track_caller]
pub fn returned(value: &impl Returned) -> Term {
    returned_from(None, value)
}

/// Like [`returned`], for a callback of the module `T`. It also panics if the value triggers a
/// clause that `T` does not have, such as `handle_continue/2` after `{continue, Continue}`.
///
/// # Panics
/// If the process would end with `bad_return_value`. The message names the mistake.
#[track_caller]
pub fn returned_by<T: Module>(value: &impl Returned) -> Term {
    returned_from(LibraryModules::get().module_of::<T>(), value)
}

#[track_caller]
fn returned_from(module: Option<&ModuleEntry>, value: &impl Returned) -> Term {
    if let Some(refusal) = value.refusal(module) {
        panic!("{refusal}");
    }
    value.to_term(OwnedHeap, protocol::state.to_term(OwnedHeap))
}

/// Returns a caller without a process behind it, for calling `handle_call`.
#[must_use]
pub fn caller<Reply>() -> Caller<Reply> {
    match Caller::from_term(&Term::of(&(process(2), protocol::state))) {
        Ok(caller) => caller,
        Err(error) => unreachable!("a pair of a pid and a tag is a caller: {error}"),
    }
}

/// Returns the identifier of a process that does not exist, for arguments and answers of tests.
/// Each call returns another one, and no tested process has it.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::testing;
///
/// assert_ne!(testing::pid(), testing::pid());
/// ```
#[must_use]
pub fn pid() -> Pid {
    /// Processes of tests have small numbers.
    static NEXT: AtomicU32 = AtomicU32::new(1_000_000);
    process(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns a process of a node that is not distributed.
fn process(id: u32) -> Pid {
    Pid::from_parts(PidParts {
        node: crate::atom!("nonode@nohost"),
        id,
        serial: 0,
        creation: 0,
    })
}
