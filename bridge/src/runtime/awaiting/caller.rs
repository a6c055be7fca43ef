//! The caller of a request.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::runtime::failure::unanswered::{self, Responsible, Unanswered, are_left_alone};
use crate::runtime::protocol;
use crate::runtime::raw::context::{Cx, Here};
use crate::runtime::registry::arrival::Arrival;
use crate::runtime::registry::without_callback::clause_of_tasks;
use crate::term::{OwnedHeap, Saved, Shape, Watcher, collecting_for};
use crate::{DecodeError, ErlangType, FromTerm, Heap, Term, ToTerm, View};

/// The process that waits for the reply to a request, `gen_server:from()`, with the reply's type.
///
/// A clause that takes a caller replies through it, now or later. You can keep the caller in the
/// state, move it into a task or send it to another process. [`Caller::reply`] consumes it, because
/// a caller gets only one reply.
///
/// Dropping the caller of a clause without a reply is an error: it is logged with the clause, its
/// file and its line, and when the callback has ended, the caller's call exits with
/// `{unanswered, Call}` instead of waiting for its timeout. A process that ends need not reply: its
/// callers see its exit reason, as in Erlang. If a `gen_statem` postpones an event, the event is
/// delivered again with its caller. A caller that has been converted into a term is no longer
/// tracked. If the term is in a message to a process that reads it as a `Caller`, in a clause or by
/// [`Cx::receive`], then that process has to reply.
pub struct Caller<Reply> {
    client: Option<Saved>,
    /// The clause that received this caller, and its process.
    server: Option<Responsible>,
    /// Whether it is an error to drop this value.
    is_waiting: AtomicBool,
    reply: PhantomData<fn(Reply)>,
}

impl Cx<'_> {
    /// Makes the running clause responsible for replying to the callers in a message that it has
    /// received.
    pub(crate) fn watch<T: FromTerm>(&self, message: &mut T) {
        let (clause, process) = match self.here() {
            Here::Vm(call, _) => (call.clause(), Some(call.process)),
            Here::Owned(call) => (call.module.map(clause_of_tasks), None),
        };
        message.__watch(&|shown| {
            if let (Some(server), Some(clause)) = (shown.downcast_mut(), clause) {
                *server = Some(Responsible {
                    clause,
                    process,
                    is_received: true,
                });
            } else if let Some(arrival) = shown.downcast_mut() {
                *arrival = Arrival(process);
            }
        });
    }
}

/// A caller that expects any type of reply.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the caller of a request",
    label = "write `Caller<Reply>`, with the request's type of reply"
)]
pub trait IsCaller {
    /// The type of the reply that it expects.
    type Reply;
}

impl<Reply> IsCaller for Caller<Reply> {
    type Reply = Reply;
}

/// A caller that expects a `Reply`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not wait for a `{Reply}`, the reply to its request",
    label = "write `Caller<{Reply}>`"
)]
pub trait WaitsFor<Reply> {}

#[diagnostic::do_not_recommend]
impl<Reply> WaitsFor<Reply> for Caller<Reply> {}

/// Asserts that the caller of a clause expects the reply type of the request.
#[doc(hidden)]
pub const fn waits_for<Reply, C: WaitsFor<Reply>>() {}

impl<Reply> Caller<Reply> {
    /// Returns the caller with a dynamic reply, for an action, an event type or a function of OTP.
    /// It still has to get a reply.
    #[must_use = "a caller that is dropped has no reply"]
    pub fn untyped(mut self) -> Caller<Term> {
        Caller {
            client: self.client.take(),
            server: self.server,
            is_waiting: AtomicBool::new(self.stop_waiting()),
            reply: PhantomData,
        }
    }

    /// Marks the caller as answered. Returns whether it was waiting.
    fn stop_waiting(&mut self) -> bool {
        std::mem::replace(self.is_waiting.get_mut(), false)
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
        let mut answered = self;
        answered.stop_waiting();
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
        let is_waiting = self.stop_waiting();
        if let (Some(client), Some(responsible)) = (self.client.take(), self.server)
            && is_waiting
            && !are_left_alone()
        {
            let reply = std::any::type_name::<Reply>();
            unanswered::note(Unanswered::new(client, responsible, reply));
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
        // The receiver of the term may reply, so the caller is no longer tracked.
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

    /// Makes the clause that receives the caller responsible for its reply.
    fn __watch(&mut self, watcher: Watcher<'_>) {
        watcher(&mut self.server);
        *self.is_waiting.get_mut() = self.server.is_some();
    }
}

impl<Reply> fmt::Debug for Caller<Reply> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Caller<{}>", std::any::type_name::<Reply>())
    }
}
