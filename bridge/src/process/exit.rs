//! How a process ends other than by returning.

use std::fmt;

use crate::{DecodeError, ErlangType, Heap, Term, ToTerm, View, protocol};

/// The class of an Erlang exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `erlang:error/1`
    Error,
    /// `erlang:exit/1`
    Exit,
    /// `erlang:throw/1`
    Throw,
}

/// An exception: what an awaited operation failed with, or what a callback ends its process with.
///
/// A callback that returns `Err(exit)` (mostly by `?`) raises it in its process, as the same
/// Erlang code would.
#[derive(Debug, Clone, PartialEq)]
pub struct Exit {
    /// How it was, or is to be, raised.
    pub class: Class,
    /// Any term.
    pub reason: Term,
}

/// The result of a callback that may also end its process; the error type can be left out.
pub type Result<T, E = Exit> = std::result::Result<T, E>;

impl Exit {
    /// `exit(Reason)`: the process ends with `Reason` itself.
    pub fn new(reason: impl ToTerm) -> Self {
        Exit {
            class: Class::Exit,
            reason: Term::of(&reason),
        }
    }

    /// `error(Reason)`: the process ends with `{Reason, Stacktrace}`.
    pub fn error(reason: impl ToTerm) -> Self {
        Exit {
            class: Class::Error,
            reason: Term::of(&reason),
        }
    }

    /// `{Class, Reason}`, as the generated Erlang catches it.
    pub(crate) fn caught<'a, V: View<'a>>(class: V, reason: V) -> Self {
        let class = match class {
            _ if class.is_atom(protocol::exit.atom()) => Class::Exit,
            _ if class.is_atom(protocol::throw.atom()) => Class::Throw,
            _ => Class::Error,
        };
        match reason.to_owned() {
            Ok(reason) => Exit { class, reason },
            Err(error) => error.into(),
        }
    }
}

impl From<DecodeError> for Exit {
    /// `error({bad_term, #{path, expected, got}})`
    fn from(error: DecodeError) -> Self {
        Exit::error((protocol::bad_term, error))
    }
}

impl ErlangType for Class {
    fn erlang_type() -> String {
        "error | exit | throw".to_owned()
    }
}

impl ToTerm for Class {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Class::Error => protocol::error.to_term(heap),
            Class::Exit => protocol::exit.to_term(heap),
            Class::Throw => protocol::throw.to_term(heap),
        }
    }
}

impl Class {
    /// The class as Erlang names it.
    pub fn name(self) -> &'static str {
        match self {
            Class::Error => "error",
            Class::Exit => "exit",
            Class::Throw => "throw",
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.name(), self.reason)
    }
}

impl std::error::Error for Exit {}

/// What a callback may return whose result is any term: the term itself, or a [`Result`] of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a term",
    note = "`derive(Term)` makes it one"
)]
pub trait TermReturn {
    /// The term.
    type Value: ToTerm;

    /// The value, or the exit that the callback asks for.
    ///
    /// # Errors
    /// The callback's own.
    fn into_value(self) -> Result<Self::Value>;
}

impl<T: ToTerm> TermReturn for T {
    type Value = T;

    fn into_value(self) -> Result<T> {
        Ok(self)
    }
}

impl<T: ToTerm> TermReturn for Result<T> {
    type Value = T;

    fn into_value(self) -> Result<T> {
        self
    }
}
