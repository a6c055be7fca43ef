//! The caller of a request.

use std::fmt;
use std::marker::PhantomData;

use super::context::{Cx, Here};
use super::registry::RunningClause;
use super::{panics, protocol};
use crate::nif::{send_from_any_thread, whereis};
use crate::term::{OwnedHeap, Saved, collecting_for};
use crate::{DecodeError, ErlangType, FromTerm, Heap, Term, ToTerm, View};

/// Whoever waits for the reply to a request, `gen_server:from()`, and the reply's type.
///
/// A clause that takes one answers through it, now or later: the value can be kept in the state,
/// moved into a task or sent on, and [`Caller::reply`] consumes it, since a caller is answered once.
///
/// A caller that is dropped unanswered has been forgotten. That is logged, with the clause that
/// dropped it, and its call exits with `{unanswered, Server}` at once instead of waiting for its
/// timeout. A process that ends need not answer: its callers see its exit reason, as in Erlang.
pub struct Caller<Reply> {
    client: Option<Saved>,
    /// The clause that it came to.
    clause: Option<RunningClause>,
    /// Whether it is an error to drop it.
    is_waiting: bool,
    reply: PhantomData<fn(Reply)>,
}

impl<Reply> Caller<Reply> {
    /// The same caller where the type of the reply is not known: in an action, or an event type.
    /// Nobody sees to it that it is answered.
    #[must_use]
    pub fn untyped(mut self) -> Caller<Term> {
        self.is_waiting = false;
        Caller {
            client: self.client.take(),
            clause: self.clause,
            is_waiting: false,
            reply: PhantomData,
        }
    }

    /// The caller of a clause, for the log.
    pub(crate) fn of(mut self, clause: RunningClause) -> Self {
        self.clause = Some(clause);
        self
    }
}

impl<Reply: ToTerm> Caller<Reply> {
    /// Answers the caller: `gen_server:reply/2`.
    pub fn reply(self, cx: &Cx<'_>, reply: Reply) {
        match cx.here() {
            Here::Vm(call, env) => {
                let request = self.request(env.heap(), &reply).raw();
                call.awaiting().exchange.borrow_mut().ask(request);
            }
            Here::Owned(call) => {
                let request = self.request(OwnedHeap, &reply);
                call.exchange.borrow_mut().ask(request);
            }
        }
        drop(self.untyped());
    }

    /// `{apply, gen_server, reply, [Client, Reply]}`
    fn request<H: Heap>(&self, heap: H, reply: &Reply) -> H::Term {
        let arguments = heap.list([self.to_term(heap), reply.to_term(heap)]);
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
        let Some(client) = self.client.take().filter(|_| self.is_waiting) else {
            return;
        };
        if panics::is_process_over() {
            return;
        }
        forgotten::<Reply>(&client, self.clause);
    }
}

/// Tells the helper process of `otp_rs` (`codegen/src/erlang/helper.rs`), which logs it and ends the
/// call.
#[cold]
fn forgotten<Reply>(client: &Saved, clause: Option<RunningClause>) {
    let message = clause.map_or("", |clause| clause.clause.message);
    let clause = clause.map_or_else(String::new, |clause| clause.to_string());
    // Without a VM nobody waits: a test that drops a caller looks at what its callback returned.
    if client.is_owned() {
        return;
    }
    let reply = std::any::type_name::<Reply>();
    if let Some(helper) = whereis(protocol::helper.atom()) {
        let told = (protocol::unanswered, client, clause, message, reply);
        send_from_any_thread(helper, &told);
    }
}

impl Clone for Caller<Term> {
    fn clone(&self) -> Self {
        Caller {
            client: self.client.clone(),
            clause: self.clause,
            is_waiting: false,
            reply: PhantomData,
        }
    }
}

impl PartialEq for Caller<Term> {
    fn eq(&self, other: &Self) -> bool {
        Term::of(self) == Term::of(other)
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

impl<Reply> ToTerm for Caller<Reply> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match &self.client {
            Some(client) => client.to_term(heap),
            None => heap.list(Vec::new()),
        }
    }
}

impl<Reply> FromTerm for Caller<Reply> {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.tuple::<2>() {
            Some(_) => Ok(Caller {
                client: Some(Saved::new(view)?),
                clause: None,
                is_waiting: true,
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
