//! The running clause, as reports name it.

use std::fmt;
use std::ptr;

use super::{CallbackEntry, ClauseEntry, ClauseScheduler, ModuleEntry};
use crate::runtime::protocol;
use crate::term::types::ErlangString;
use crate::{Atom, Term, ToTerm};

/// A running clause, for reports.
#[derive(Clone, Copy)]
pub(crate) struct RunningClause {
    pub(crate) module: &'static ModuleEntry,
    pub(crate) callback: &'static CallbackEntry,
    pub(crate) clause: &'static ClauseEntry,
    pub(in crate::runtime) scheduler: &'static ClauseScheduler,
}

/// Two are equal if they are the same clause of the same module.
impl PartialEq for RunningClause {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.module, other.module)
            && ptr::eq(self.callback, other.callback)
            && ptr::eq(self.clause, other.clause)
    }
}

impl RunningClause {
    /// Returns the clause of a callback before one of its clauses has been tried.
    #[inline]
    pub(in crate::runtime) fn before_a_clause(
        (module, callback): (&'static ModuleEntry, &'static CallbackEntry),
    ) -> Self {
        RunningClause {
            module,
            callback,
            clause: &ClauseEntry::NONE,
            scheduler: ClauseScheduler::pinned(),
        }
    }

    /// Returns its Erlang module, function and arity.
    pub(crate) fn name(&self) -> (Atom, Atom, usize) {
        let atom = |text| Atom::new(text).unwrap_or_else(|_| crate::atom!("callback"));
        let Self {
            module, callback, ..
        } = self;
        (atom(module.name), atom(callback.name), callback.arity)
    }

    /// `counter:handle_call/3 of Add`
    pub(crate) fn with_message(&self) -> String {
        match self.clause.message {
            "" => self.to_string(),
            message => format!("{self} of {message}"),
        }
    }

    /// Returns the frame of its Rust code in a stacktrace.
    pub(crate) fn frame(&self, file: &str, line: u32) -> impl ToTerm {
        let (module, function, arity) = self.name();
        let location = vec![
            Term::of(&(protocol::file, ErlangString::from(file))),
            Term::of(&(protocol::line, line)),
        ];
        (module, function, arity, location)
    }
}

impl fmt::Display for RunningClause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            module, callback, ..
        } = self;
        write!(f, "{}:{}/{}", module.name, callback.name, callback.arity)
    }
}
