//! Differences between two versions of a behaviour, and their text.

use std::fmt;

/// A difference between the callbacks of two versions of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A callback that only the new version has.
    Added {
        /// Name and arity, as `init/1`.
        callback: String,
        /// Whether a module may leave it out.
        optional: bool,
        /// The form as Erlang text.
        erlang: String,
    },
    /// A callback that only the old version has.
    Removed {
        /// Name and arity.
        callback: String,
        /// The form as Erlang text.
        erlang: String,
    },
    /// A callback that became optional, or stopped being optional.
    Optional {
        /// Name and arity.
        callback: String,
        /// Whether it is optional in the new version.
        now: bool,
    },
    /// A callback with other return values.
    Returns {
        /// Name and arity.
        callback: String,
        /// Clauses that only the new version has, as Erlang text.
        added: Vec<String>,
        /// Clauses that only the old version has.
        removed: Vec<String>,
    },
    /// A type in return values whose definition changed.
    Type {
        /// Module, name and arity, as `supervisor:sup_flags/0`.
        name: String,
        /// Members that only the new version has, as Erlang text.
        added: Vec<String>,
        /// Members that only the old version has.
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
