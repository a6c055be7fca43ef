//! What a process has sent.

use std::fmt;

use crate::Term;

/// Messages in the order in which they were sent. Shown as Erlang would write it, a line for each:
/// `journal ! {note,<<"text">>}`.
///
/// A cast is shown as the message that it is, `{'$gen_cast', Message}`, and an exit signal as the
/// message that a process gets that traps exits, `{'EXIT', From, Reason}`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sent(pub(super) Vec<(Term, Term)>);

impl Sent {
    /// Each message with its destination: a pid, a name, `{Name, Node}`, `{global, Name}`,
    /// `{via, Module, Name}` or an alias.
    #[must_use]
    pub fn messages(&self) -> &[(Term, Term)] {
        &self.0
    }

    /// Whether nothing was sent.
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
