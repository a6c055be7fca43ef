//! Replies to requests that were sent without waiting.

use crate::term::Shape;
use crate::term::types::NonemptyImproperList;
use crate::{DecodeError, ErlangType, FromTerm, Heap, Reference, Term, ToTerm, View};

crate::atoms! { alias }

/// `{[alias | Id], Reply}`: the reply to a request of
/// [`Cx::pending_request`](crate::Cx::pending_request).
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tuple)]
pub struct Response(pub ResponseTag, pub Term);

/// `[alias | Id]`: identifies the request of the reply.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResponseTag(pub Reference);

impl ErlangType for ResponseTag {
    fn erlang_type() -> String {
        NonemptyImproperList::<alias, Reference>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for ResponseTag {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.list_with_tail([alias.to_term(heap)], heap.reference(&self.0))
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for ResponseTag {
    const KIND: Shape = Shape::NonemptyLists;

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        let tag = NonemptyImproperList::<alias, Reference>::from_term(view)?;
        match tag.elements() {
            [alias] => Ok(ResponseTag(tag.tail().clone())),
            _ => Err(DecodeError::expected::<Self, V>(view)),
        }
    }
}
