//! Bindings of functions: the Rust functions for a `-spec`, and their names.
//!
//! Clauses with equal arguments become one function, whose result is the union of their results.
//! Clauses that differ in only one argument and have equal results become one function, too. Every
//! other clause becomes a function of its own. `'+'` and other operators are skipped and counted.
//! `names::functions` determines the names.

pub(crate) mod forms;
mod report;
pub(crate) mod variables;

pub use report::{FunctionReport, SkipReason, Skipped};
