//! The caller of a request.

use std::fmt;
use std::marker::PhantomData;

use crate::process::{Apply, Await, Cx};
use crate::term::collecting_for;
use crate::vm::Saved;
use crate::{DecodeError, ErlangType, FromTerm, Heap, Term, ToTerm, View};

/// `gen_server:from()`, and the type of the reply that this caller waits for.
///
/// A handler that answers later returns `noreply(self)` and keeps this value; whoever has it
/// answers with [`From::reply`], once.
pub struct From<Reply> {
    client: Saved,
    reply: PhantomData<fn(Reply)>,
}

impl<Reply> From<Reply> {
    /// The same caller where the type of the reply is not known: in an action, or an event type.
    #[must_use]
    pub fn untyped(self) -> From<Term> {
        From {
            client: self.client,
            reply: PhantomData,
        }
    }
}

/// Of a typed one there is one, as a caller is answered once.
impl Clone for From<Term> {
    fn clone(&self) -> Self {
        From {
            client: self.client.clone(),
            reply: PhantomData,
        }
    }
}

impl PartialEq for From<Term> {
    fn eq(&self, other: &Self) -> bool {
        Term::of(self) == Term::of(other)
    }
}

impl<Reply: ToTerm> From<Reply> {
    /// Answers the caller: `gen_server:reply/2`.
    pub fn reply(self, cx: &Cx, reply: Reply) -> Await<Apply<(Self, Reply), Term>> {
        cx.apply("gen_server", "reply", (self, reply))
    }
}

impl<Reply> ErlangType for From<Reply> {
    /// `gen_statem:from()` in the types of a `gen_statem`: OTP keeps the two apart.
    fn erlang_type() -> String {
        let behaviour = match collecting_for() {
            Some("gen_statem") => "gen_statem",
            _ => "gen_server",
        };
        format!("{behaviour}:from()")
    }
}

impl<Reply> ToTerm for From<Reply> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        self.client.to_term(heap)
    }
}

impl<Reply> FromTerm for From<Reply> {
    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        match view.tuple::<2>() {
            Some(_) => Ok(From {
                client: Saved::new(view)?,
                reply: PhantomData,
            }),
            None => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}

impl<Reply> fmt::Debug for From<Reply> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "From<{}>", std::any::type_name::<Reply>())
    }
}
