//! The bound functions, and those that could not be bound.

use std::fmt;

/// One module's functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionReport {
    /// The number of bound Erlang functions. Each arity counts.
    pub bound: usize,
    /// The number of generated Rust functions. An overloaded function has several.
    pub written: usize,
    /// Exported functions with a `-spec` that have no binding.
    pub skipped: Vec<Skipped>,
}

/// A function without a binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its name and arity, e.g. `'+'/2`.
    pub function: String,
    /// The reason.
    pub reason: SkipReason,
}

/// The reason why a function has no binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// An override leaves it out.
    LeftOut,
    /// Its name is an operator, or has characters that are not allowed in Rust names.
    Name,
    /// It already has a `-spec`: the first counts.
    Twice,
    /// Its `-spec` has no clause for its arity.
    NoClause,
    /// A type that is mapped to a hand-written Rust type is part of another type in it.
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
