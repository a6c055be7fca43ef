//! Compile-time checks of a callback module, and facts that are derived from its types.
//!
//! Its callers are generated code and macros, at a span of the user's source. Only [`refusal`],
//! which checks the return value of a callback, and [`read_only`] run in a call.

pub(super) mod clauses;
pub(super) mod codec;
pub(super) mod effect;
pub(super) mod everywhere;
pub(super) mod later;
pub(super) mod read_only;
pub(super) mod refusal;
