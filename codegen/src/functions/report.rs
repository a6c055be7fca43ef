//! What was bound, and what could not be.

use std::fmt;

/// One module's functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionReport {
    /// Erlang functions that are bound, each arity for itself.
    pub bound: usize,
    /// Rust functions that were written for them: an overloaded one has several.
    pub written: usize,
    /// Exported functions with a `-spec` that have no binding.
    pub skipped: Vec<Skipped>,
}

/// A function without a binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its name and arity, e.g. `'+'/2`.
    pub function: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why a function has no binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// The user leaves it out.
    LeftOut,
    /// Its name is an operator, or has characters that no Rust name has.
    Name,
    /// It has a `-spec` already: the first counts.
    Twice,
    /// Its `-spec` has no clause for its arity.
    NoClause,
    /// A type that stands for a Rust type written by hand is part of another type in it.
    Mapped,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            SkipReason::LeftOut => "otp.toml leaves it out",
            SkipReason::Name => "its name is not a Rust name",
            SkipReason::Twice => "it has a `-spec` already",
            SkipReason::NoClause => "its `-spec` has no clause of its arity",
            SkipReason::Mapped => "a type written by hand is part of another type in its `-spec`",
        })
    }
}
