//! Running callbacks without an Erlang VM, under plain `cargo test`.
//!
//! ```
//! use otp_bridge::gen_server::{callback, prelude::*};
//! use otp_bridge::{Term, testing};
//! # use otp_bridge_novm as _;
//!
//! #[derive(Debug)]
//! struct Greeter;
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
//!         (ok, Greeter)
//!     }
//!
//!     async fn handle_call(self, Greet(name): Greet, _: From<String>, cx: &Cx) -> Result<HandleCall<String, Self>> {
//!         let node: Atom = cx.apply("erlang", "node", ()).await?;
//!         reply(format!("{name}@{node}"), self)
//!     }
//! }
//!
//! let returned = testing::run(
//!     |cx| callback::HandleCall::handle_call(Greeter, Greet("joe".into()), testing::from(), cx),
//!     |operation| {
//!         assert_eq!(operation.to_string(), "{apply,erlang,node,[]}");
//!         Ok(Term::of(&otp_bridge::atom!("here")))
//!     },
//! );
//! assert!(matches!(returned.into_return(), Ok(HandleCall::Reply(greeting, _)) if greeting == "joe@here"));
//! ```
//!
//! Any callback is run like this: each has a trait in its behaviour's `callback`, whose function takes `cx` whether the
//! clause does or not. `into_return` makes the behaviour's enum, or an [`Exit`](crate::Exit), of whatever it returns.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::gen_server::From;
use crate::process::{Cx, Result};
use crate::vm::exchange::{self, Frame, OwnedFrame};
use crate::{FromTerm, Pid, PidParts, Term, protocol};

/// Runs a callback to its end. `answer` plays the Erlang side: it gets each operation that the
/// callback awaits, as the generated module would (`{call, Server, Request, Timeout}`,
/// `{apply, Module, Function, Arguments}`, `{cast, Server, Message}`, `{sleep, Milliseconds}`,
/// `yield`), and yields its value or what it raises.
///
/// # Panics
/// When the callback awaits anything else, such as a future of another run time.
pub fn run<T, F: Future<Output = T>>(
    callback: impl FnOnce(&'static Cx) -> F,
    mut answer: impl FnMut(Term) -> Result<Term>,
) -> T {
    let frame = Frame::Owned(OwnedFrame::new(pid(1)));
    let Frame::Owned(owned) = &frame else {
        unreachable!("made above")
    };
    let mut future = pin!(callback(&Cx { own: PhantomData }));
    loop {
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(value) = exchange::enter(&frame, || future.as_mut().poll(&mut context)) {
            return value;
        }
        let Some(operation) = owned.request.take() else {
            panic!("the callback awaits a future that is no operation of its process");
        };
        let outcome = match answer(operation) {
            Ok(value) => Term::of(&(protocol::ok, value)),
            Err(exit) => Term::of(&(exit.class, exit.reason)),
        };
        owned.answer.replace(Some(outcome));
    }
}

/// A caller that nobody waits behind, for calling `handle_call`.
#[must_use]
pub fn from<Reply>() -> From<Reply> {
    match From::from_term(&Term::of(&(pid(2), protocol::state))) {
        Ok(from) => from,
        Err(error) => unreachable!("a pair of a pid and a tag: {error}"),
    }
}

/// A process of a node that is not distributed.
fn pid(id: u32) -> Pid {
    Pid::from_parts(PidParts {
        node: crate::atom!("nonode@nohost"),
        id,
        serial: 0,
        creation: 0,
    })
}
