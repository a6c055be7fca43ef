//! The messages that a process has sent.

use std::fmt;

use crate::Term;

/// Messages in the order in which they were sent. Shown in Erlang's syntax, a line for each:
/// `journal ! {note,<<"text">>}`.
///
/// A cast is shown as its message, `{'$gen_cast', Message}`, and an exit signal as the message to a
/// process that traps exits, `{'EXIT', From, Reason}`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sent(pub(super) Vec<(Term, Term)>);

impl Sent {
    /// Returns each message with its destination: a pid, a name, `{Name, Node}`, `{global, Name}`,
    /// `{via, Module, Name}` or an alias.
    #[must_use]
    pub fn messages(&self) -> &[(Term, Term)] {
        &self.0
    }

    /// Returns whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (to, message)) in self.0.iter().enumerate() {
            let line = if index > 0 { "\n" } else { "" };
            write!(f, "{line}{to} ! {message}")?;
        }
        Ok(())
    }
}
