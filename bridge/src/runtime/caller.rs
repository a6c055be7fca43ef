//! The caller of a request.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use super::context::{Cx, Here};
use super::protocol;
use super::registry::RunningClause;
use crate::nif::{ProcessWord, send_from_any_thread, whereis};
use crate::term::{OwnedHeap, Saved, Shape, collecting_for};
use crate::{DecodeError, ErlangType, FromTerm, Heap, Term, ToTerm, View};

/// The process that waits for the reply to a request, `gen_server:from()`, with the reply's type.
///
/// A clause that takes a caller replies through it, now or later. The caller can be kept in the
/// state, moved into a task or sent on. [`Caller::reply`] consumes it, since a caller gets one
/// reply.
///
/// If an argument of `handle_call` is dropped without a reply, it has been forgotten. That is
/// logged with the clause that dropped it, and when the callback has ended, the caller's call exits
/// with `{unanswered, Call}` instead of waiting for its timeout. A process that ends need not
/// reply: its callers see its exit reason, as in Erlang. A caller that has become a term, as in a
/// message to another process, is not watched any more. Callers of a `gen_statem` are not watched
/// either, because its events may be postponed.
pub struct Caller<Reply> {
    client: Option<Saved>,
    /// The clause that was given this caller, and its process.
    server: Option<(RunningClause, ProcessWord)>,
    /// Whether it is an error to drop this value.
    is_waiting: AtomicBool,
    reply: PhantomData<fn(Reply)>,
}

/// A caller with any type of reply.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the caller of a request",
    label = "write `Caller<Reply>`, with the reply that the request asks for"
)]
pub trait IsCaller {
    /// The type of the reply it waits for.
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

/// Asserts that the caller of a clause waits for the reply that the request asks for.
#[doc(hidden)]
pub const fn waits_for<Reply, C: WaitsFor<Reply>>() {}

thread_local! {
    /// Whether this thread is reading a state or dropping what a process has left.
    static LEFT_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that drops callers, or makes terms of them, without a meaning for those callers.
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
    /// The same caller with a dynamic reply, for an action or an event type. It is not watched any
    /// more.
    #[must_use]
    pub fn untyped(mut self) -> Caller<Term> {
        Caller {
            client: self.client.take(),
            server: self.server,
            is_waiting: AtomicBool::new(false),
            reply: PhantomData,
        }
    }

    /// The caller of a clause, which has to reply to it.
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
    /// Replies to the caller: `gen_server:reply/2`.
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
        let (module, function) = (protocol::gen_server, protocol::reply);
        protocol::apply(
            heap,
            module.to_term(heap),
            function.to_term(heap),
            arguments,
        )
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

/// Tells the helper process of `otp_rs` (`codegen/src/erlang/otp_rs.erl`). If the server still runs
/// after its callback, the helper logs the forgotten caller and ends its call.
#[cold]
fn forgotten(client: &Saved, (clause, server): (RunningClause, ProcessWord), reply: &str) {
    if let Some(helper) = whereis(&protocol::HELPER) {
        let (message, callback) = (clause.clause.message, clause.to_string());
        let clause = (callback, message, reply);
        let message = protocol::unanswered(client, server.identifier(), clause);
        send_from_any_thread(helper, &message);
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
    /// In the types of a `gen_statem` this is `gen_statem:from()`, because OTP distinguishes the
    /// two.
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
        // Whoever gets the term may reply.
        if self.is_waiting.load(Ordering::Relaxed) && !are_left_alone() {
            self.is_waiting.store(false, Ordering::Relaxed);
        }
        self.client(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<Reply> FromTerm for Caller<Reply> {
    const KIND: Shape = Shape::Tuples(2);

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
