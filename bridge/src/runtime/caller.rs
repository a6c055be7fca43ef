//! The caller of a request.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use super::context::{Cx, Here};
use super::protocol;
use super::registry::RunningClause;
use crate::nif::{ProcessWord, send_from_any_thread, whereis};
use crate::term::{OwnedHeap, Saved, collecting_for};
use crate::{DecodeError, ErlangType, FromTerm, Heap, Term, ToTerm, View};

/// Whoever waits for the reply to a request, `gen_server:from()`, and the reply's type.
///
/// A clause that takes one answers through it, now or later: the value can be kept in the state,
/// moved into a task or sent on, and [`Caller::reply`] consumes it, since a caller is answered once.
///
/// An argument of `handle_call` that is dropped unanswered has been forgotten. That is logged, with
/// the clause that dropped it, and its call exits with `{unanswered, Call}` when the callback is over
/// instead of waiting for its timeout. A process that ends need not answer: its callers see its exit
/// reason, as in Erlang. Once a caller has become a term, as in a message to another process, nobody sees to it
/// any more; nor of a `gen_statem`'s events, which may be postponed.
pub struct Caller<Reply> {
    client: Option<Saved>,
    /// The clause that it came to, and the process.
    server: Option<(RunningClause, ProcessWord)>,
    /// Whether it is an error to drop it.
    is_waiting: AtomicBool,
    reply: PhantomData<fn(Reply)>,
}

/// A caller, whatever it waits for.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the caller of a request",
    label = "write `Caller<Reply>`, with the reply that the request asks for"
)]
pub trait IsCaller {
    /// What it waits for.
    type Reply;
}

impl<Reply> IsCaller for Caller<Reply> {
    type Reply = Reply;
}

/// A caller that waits for a `Reply`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not wait for a `{Reply}`, which its request asks for",
    label = "write `Caller<{Reply}>`"
)]
pub trait WaitsFor<Reply> {}

#[diagnostic::do_not_recommend]
impl<Reply> WaitsFor<Reply> for Caller<Reply> {}

/// That the caller of a clause waits for the reply that the request asks for.
#[doc(hidden)]
pub const fn waits_for<Reply, C: WaitsFor<Reply>>() {}

thread_local! {
    /// Whether this thread looks at a state, or drops what a process has left.
    static LEFT_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs what may drop callers, or make terms of them, when that does not mean anything.
pub(super) fn leaving_callers_alone<T>(body: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT_ALONE.set(self.0);
        }
    }
    let _restore = Restore(LEFT_ALONE.replace(true));
    body()
}

fn are_left_alone() -> bool {
    LEFT_ALONE.try_with(Cell::get).unwrap_or(true)
}

impl<Reply> Caller<Reply> {
    /// The same caller where the type of the reply is not known: in an action, or an event type.
    /// Nobody sees to it that it is answered.
    #[must_use]
    pub fn untyped(mut self) -> Caller<Term> {
        Caller {
            client: self.client.take(),
            server: self.server,
            is_waiting: AtomicBool::new(false),
            reply: PhantomData,
        }
    }

    /// The caller of a clause, which is to answer it.
    pub(crate) fn of(mut self, clause: RunningClause, process: ProcessWord) -> Self {
        self.server = Some((clause, process));
        *self.is_waiting.get_mut() = true;
        self
    }

    fn client<H: Heap>(&self, heap: H) -> H::Term {
        match &self.client {
            Some(client) => client.to_term(heap),
            None => heap.list(Vec::new()),
        }
    }
}

impl<Reply> Caller<Reply> {
    /// Answers the caller: `gen_server:reply/2`.
    pub fn reply(self, cx: &Cx<'_>, reply: Reply)
    where
        Reply: ToTerm,
    {
        match cx.here_if_alive() {
            Some(Here::Vm(call, env)) => {
                let request = self.request(env.heap(), &reply).raw();
                call.awaiting().exchange.borrow_mut().ask(request);
            }
            Some(Here::Owned(call)) => {
                let request = self.request(OwnedHeap, &reply);
                call.exchange.borrow_mut().ask(request);
            }
            None => {}
        }
        drop(self.untyped());
    }

    /// `{apply, gen_server, reply, [Client, Reply]}`
    fn request<H: Heap>(&self, heap: H, reply: &impl ToTerm) -> H::Term {
        let arguments = heap.list([self.client(heap), reply.to_term(heap)]);
        heap.tuple([
            protocol::apply.to_term(heap),
            protocol::gen_server.to_term(heap),
            protocol::reply.to_term(heap),
            arguments,
        ])
    }
}

impl<Reply> Drop for Caller<Reply> {
    fn drop(&mut self) {
        let is_waiting = *self.is_waiting.get_mut();
        if let (Some(client), Some(server)) = (self.client.take(), self.server)
            && is_waiting
            && !are_left_alone()
        {
            forgotten(&client, server, std::any::type_name::<Reply>());
        }
    }
}

/// Tells the helper process of `otp_rs` (`codegen/src/erlang/otp_rs.erl`). If the server goes on after
/// its callback, that logs it and ends the call.
#[cold]
fn forgotten(client: &Saved, (clause, server): (RunningClause, ProcessWord), reply: &str) {
    if let Some(helper) = whereis(protocol::helper.atom()) {
        let (message, callback) = (clause.clause.message, clause.to_string());
        let told = (
            protocol::unanswered,
            client,
            server.identifier(),
            (callback, message, reply),
        );
        send_from_any_thread(helper, &told);
    }
}

impl Clone for Caller<Term> {
    fn clone(&self) -> Self {
        Caller {
            client: self.client.clone(),
            server: self.server,
            is_waiting: AtomicBool::new(false),
            reply: PhantomData,
        }
    }
}

impl PartialEq for Caller<Term> {
    fn eq(&self, other: &Self) -> bool {
        self.client(OwnedHeap) == other.client(OwnedHeap)
    }
}

impl<Reply> ErlangType for Caller<Reply> {
    /// `gen_statem:from()` in the types of a `gen_statem`: OTP keeps the two apart.
    fn erlang_type() -> String {
        let behaviour = match collecting_for() {
            Some("gen_statem") => "gen_statem",
            _ => "gen_server",
        };
        format!("{behaviour}:from()")
    }
}

#[diagnostic::do_not_recommend]
impl<Reply> ToTerm for Caller<Reply> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        // Whoever gets the term may answer.
        if self.is_waiting.load(Ordering::Relaxed) && !are_left_alone() {
            self.is_waiting.store(false, Ordering::Relaxed);
        }
        self.client(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<Reply> FromTerm for Caller<Reply> {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.tuple::<2>() {
            Some(_) => Ok(Caller {
                client: Some(Saved::new(view)?),
                server: None,
                is_waiting: AtomicBool::new(false),
                reply: PhantomData,
            }),
            None => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}

impl<Reply> fmt::Debug for Caller<Reply> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Caller<{}>", std::any::type_name::<Reply>())
    }
}
