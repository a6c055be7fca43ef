//! The reasons why a shared resource is unavailable.

use std::fmt;

use crate::runtime::protocol;
use crate::{ErlangType, Heap, ToTerm};

/// The reason why a [`SharedResource`](super::SharedResource) is unavailable. `?` converts it into
/// an [`Exit`](crate::Exit) whose [`kind`](crate::Exit::kind) is `Unavailable` and whose reason is
/// `{unavailable, Name, not_open | opening | {away, Reason} | closed}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// Its application does not run in this VM, or there is no VM.
    NotOpen {
        /// The path of the static: `shop::db::DB`.
        name: &'static str,
    },
    /// The application is opening its resources, and has not opened this one yet.
    Opening {
        /// The path of the static: `shop::db::DB`.
        name: &'static str,
    },
    /// It could not be opened, and otp-rs tries again (`retry = true`), or it is open and does not
    /// answer ([`away`](super::SharedResource::away)).
    Away {
        /// The path of the static: `shop::db::DB`.
        name: &'static str,
        /// Why it could not be opened, or why it does not answer.
        reason: String,
    },
    /// Its application has stopped, or another build has replaced the build of the caller.
    Closed {
        /// The path of the static: `shop::db::DB`.
        name: &'static str,
    },
}

impl Unavailable {
    /// Returns the path of the resource's static: `shop::db::DB`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Unavailable::NotOpen { name }
            | Unavailable::Opening { name }
            | Unavailable::Away { name, .. }
            | Unavailable::Closed { name } => name,
        }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::NotOpen { name } => {
                let last = name.rsplit("::").next().unwrap_or(name);
                write!(
                    f,
                    "`{name}` is not open, because its application does not run in this VM; in a \
                     test, put a value in its place by `{last}.set_for_test(…)`"
                )
            }
            Unavailable::Opening { name } => write!(
                f,
                "`{name}` is not open yet: declare it above the resource that needs it"
            ),
            Unavailable::Away { name, reason } => {
                write!(f, "`{name}` is unavailable: {reason}")
            }
            Unavailable::Closed { name } => write!(
                f,
                "`{name}` is closed, because its application has stopped or runs another build now"
            ),
        }
    }
}

impl std::error::Error for Unavailable {}

impl ErlangType for Unavailable {
    fn erlang_type() -> String {
        "{unavailable, binary(), not_open | opening | {away, binary()} | closed}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Unavailable {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let why = match self {
            Unavailable::NotOpen { .. } => protocol::not_open.to_term(heap),
            Unavailable::Opening { .. } => protocol::opening.to_term(heap),
            Unavailable::Away { reason, .. } => (protocol::away, reason).to_term(heap),
            Unavailable::Closed { .. } => protocol::closed.to_term(heap),
        };
        let word = protocol::unavailable.to_term(heap);
        heap.tuple([word, self.name().to_term(heap), why])
    }
}
