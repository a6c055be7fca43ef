//! Differences, and how they read.

use std::fmt;

/// A difference between the callbacks of two versions of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A callback that the old one does not have.
    Added {
        /// Name and arity, as `init/1`.
        callback: String,
        /// Whether a module may do without it.
        optional: bool,
        /// The form as Erlang text.
        erlang: String,
    },
    /// A callback that the new one does not have.
    Removed {
        /// Name and arity.
        callback: String,
        /// The form as Erlang text.
        erlang: String,
    },
    /// A callback that a module may do without now, or no longer.
    Optional {
        /// Name and arity.
        callback: String,
        /// Whether it is optional in the new one.
        now: bool,
    },
    /// A callback that may return something else.
    Returns {
        /// Name and arity.
        callback: String,
        /// Clauses that only the new one has, as Erlang text.
        added: Vec<String>,
        /// Clauses that only the old one has.
        removed: Vec<String>,
    },
    /// A type that callbacks return, and that means something else.
    Type {
        /// Module, name and arity, as `supervisor:sup_flags/0`.
        name: String,
        /// Members that only the new one has, as Erlang text.
        added: Vec<String>,
        /// Members that only the old one has.
        removed: Vec<String>,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Added {
                callback,
                optional,
                erlang,
            } => {
                let kind = if *optional { "optional" } else { "required" };
                write!(formatter, "{callback} is new and {kind}\n  + {erlang}")
            }
            Change::Removed { callback, erlang } => {
                write!(formatter, "{callback} is gone\n  - {erlang}")
            }
            Change::Optional { callback, now } => {
                let kind = if *now { "optional" } else { "required" };
                write!(formatter, "{callback} is {kind} now")
            }
            Change::Returns {
                callback,
                added,
                removed,
            } => {
                write!(formatter, "{callback} returns")?;
                lines(formatter, added, removed)
            }
            Change::Type {
                name,
                added,
                removed,
            } => {
                write!(formatter, "{name}, which callbacks return, is")?;
                lines(formatter, added, removed)
            }
        }
    }
}

fn lines(formatter: &mut fmt::Formatter<'_>, added: &[String], removed: &[String]) -> fmt::Result {
    for clause in added {
        write!(formatter, "\n  + {clause}")?;
    }
    for clause in removed {
        write!(formatter, "\n  - {clause}")?;
    }
    Ok(())
}
