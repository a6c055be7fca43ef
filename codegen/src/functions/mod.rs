//! Bindings of functions: which Rust functions a `-spec` becomes, and what they are called.
//!
//! Clauses with the same arguments are one function, whose result is the union of theirs; so are
//! clauses that differ in one argument alone and have the same result. Other clauses are a function
//! each. `'+'` and other operators are skipped and counted. `names::functions` has the names.

pub(crate) mod forms;
mod report;
pub(crate) mod variables;

pub use report::{FunctionReport, SkipReason, Skipped};
