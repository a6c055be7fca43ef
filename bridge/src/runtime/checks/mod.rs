//! What the compiler checks of a callback module, and what it finds out of its types.
//!
//! Called from outside: by generated code and by macros, at a span of the user's source. None of it
//! runs in a call, except [`refusal`], which looks at what a callback returns, and [`read_only`].

pub(super) mod clauses;
pub(super) mod codec;
pub(super) mod effect;
pub(super) mod everywhere;
pub(super) mod later;
pub(super) mod read_only;
pub(super) mod refusal;
